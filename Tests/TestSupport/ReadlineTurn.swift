import Dispatch
import Glibc
import Synchronization

/// The right to use readline, which exists once in a process while test targets run side by side.
///
/// A suite holds one as a property: the instance of a test waits for its turn and gives it back.
/// Only for tests that never suspend.
package final class ReadlineTurn: Sendable {
  private static let semaphore = DispatchSemaphore(value: 1)
  /// The thread of the test whose turn it is.
  private static let holder = Mutex<pthread_t?>(nil)

  /// Waits until no other test uses readline.
  ///
  /// A test that has its turn, and asks for another one, would wait for itself: that is an error of it.
  package init() {
    precondition(
      Self.holder.withLock { $0 } != pthread_self(), "a test has two screens or prompts at once")
    Self.semaphore.wait()
    Self.holder.withLock { $0 = pthread_self() }
  }

  deinit {
    Self.holder.withLock { $0 = nil }
    Self.semaphore.signal()
  }
}
