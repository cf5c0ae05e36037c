import Foundation

/// How long a test waits for something that another process or thread does, in seconds.
///
/// The limit is only for a test that fails: a busy machine may be ten times as slow as a quiet one.
package let patience = 60

/// Waits until a condition holds.
///
/// - Returns: whether it did within ``patience``.
package func becomesTrue(_ condition: () throws -> Bool) rethrows -> Bool {
  let start = ContinuousClock.now
  while start.duration(to: .now) < .seconds(patience) {
    if try condition() { return true }
    usleep(5_000)
  }
  return false
}
