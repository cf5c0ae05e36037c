import Dispatch

/// The right to use readline, which exists once in a process while test targets run side by side.
///
/// A suite holds one as a property: the instance of a test waits for its turn and gives it back.
/// Only for tests that never suspend.
package final class ReadlineTurn: Sendable {
  private static let semaphore = DispatchSemaphore(value: 1)

  /// Waits until no other test uses readline.
  package init() { Self.semaphore.wait() }

  deinit { Self.semaphore.signal() }
}
