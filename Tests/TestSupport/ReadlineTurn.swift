import Dispatch
import Synchronization

/// The right to use readline, which exists once in a process while test targets run side by side.
///
/// A screen or a suite holds one as a property. Inside of ``hold(_:)`` it is the right that the test has;
/// elsewhere the thread waits for its turn.
package final class ReadlineTurn: Sendable {
  private struct Queue {
    var isTaken = false
    var waiting: [@Sendable () -> Void] = []
  }

  /// The right of a test, which one screen at a time may use.
  private final class Held: Sendable {
    let isInUse = Mutex(false)
  }

  private static let queue = Mutex(Queue())
  @TaskLocal private static var held: Held?

  private let held: Held?

  /// Takes the right that the test has, or waits until no other test uses readline.
  package init() {
    held = Self.held
    guard let held else {
      let turn = DispatchSemaphore(value: 0)
      Self.take { turn.signal() }
      turn.wait()
      return
    }
    let wasInUse = held.isInUse.withLock { isInUse in
      defer { isInUse = true }
      return isInUse
    }
    precondition(!wasInUse, "a test has two screens or prompts at once")
  }

  deinit {
    guard let held else { return Self.giveBack() }
    held.isInUse.withLock { $0 = false }
  }

  /// Runs a test when no other one uses readline; no thread waits until then.
  package static func hold(_ test: () async throws -> Void) async throws {
    await withCheckedContinuation { turn in take { turn.resume() } }
    defer { giveBack() }
    try await $held.withValue(Held()) { try await test() }
  }

  /// Calls a function, now or later, when it is its turn.
  private static func take(_ turn: @escaping @Sendable () -> Void) {
    let isFree = queue.withLock { queue in
      if queue.isTaken { queue.waiting.append(turn) }
      defer { queue.isTaken = true }
      return !queue.isTaken
    }
    if isFree { turn() }
  }

  private static func giveBack() {
    let next = queue.withLock { queue -> (@Sendable () -> Void)? in
      queue.isTaken = !queue.waiting.isEmpty
      return queue.waiting.isEmpty ? nil : queue.waiting.removeFirst()
    }
    next?()
  }
}
