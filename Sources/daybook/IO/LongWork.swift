import Glibc
import JournalStore
import Terminal
import TextLayout

/// Long work of the store: a line on standard error shows its progress, and ^C or another
/// terminating signal cancels it.
///
/// Signals are handled only from the first step on, so that a wait for another program's lock still
/// ends at once.
///
/// ```swift
/// let statistics = try LongWork("counting").run { isGivenUp in
///   try store.cancellable(isGivenUp) { try store.statistics() }
/// }
/// ```
final class LongWork {
  private let progress: Progress
  private let outcome: String
  private var interruption: Interruption?
  /// The reason for a cancellation.
  private(set) var failure: (any Error)?

  /// Makes work that begins now.
  ///
  /// - Parameters:
  ///   - words: the work in words: `checking the journal`.
  ///   - outcome: the message after a cancellation.
  init(_ words: String, outcome: String = "nothing was changed") {
    progress = Progress(words)
    self.outcome = outcome
  }

  /// Runs the work.
  ///
  /// - Parameter body: the work, with a closure to call between its steps; returns `nil`, or throws
  ///   `GivenUp`, when the closure returned true.
  /// - Throws: the error of `body`; ``Failure`` with 128 + n after a signal.
  func run<Value>(_ body: (@escaping () -> Bool) throws -> Value?) throws -> Value {
    defer { end() }
    do {
      guard let value = try body({ self.isGivenUp() }) else { throw GivenUp() }
      return value
    } catch {
      throw failure ?? error
    }
  }

  /// Reports the progress of a change of many entries, and cancels it by throwing.
  ///
  /// - Throws: ``Failure`` with 128 + n after a signal.
  func step(_ done: Int, _ total: Int) throws {
    try listen().check()
    progress.report(done, share: Double(done) / Double(max(1, total)))
    // The full-text index and the disk follow.
    if done == total { progress.phase("saving") }
  }

  /// Removes the line, and restores the default signal actions.
  func end() {
    progress.end()
    interruption = nil
  }

  /// Whether to cancel; called between two steps.
  func isGivenUp() -> Bool {
    guard failure == nil else { return true }
    progress.pulse()
    do {
      try listen().check()
    } catch {
      failure = error
    }
    return failure != nil
  }

  private func listen() throws -> Interruption {
    if let interruption { return interruption }
    let made = try Interruption(outcome)
    interruption = made
    return made
  }
}

/// Detects a request to stop long work, between two steps of it.
///
/// While it exists, SIGINT, SIGTERM and similar signals do not end the program; a second one does,
/// at once.
final class Interruption {
  private let signals: SignalPipe
  private let outcome: String
  private var calls = 0
  private var lastLook = ContinuousClock.now

  // Commands run on the main thread only. A process has one pipe, which nested work shares.
  nonisolated(unsafe) private static weak var living: SignalPipe?

  /// The number of failed waits, one second's worth, that end the work.
  private static let mostFailures = 100

  /// The number of steps per check, since a check costs a system call.
  private static let stride = 64

  /// Starts handling signals.
  ///
  /// - Parameter outcome: the message after an interruption: `nothing was added`.
  /// - Throws: `TerminalError` when no pipe can be made.
  init(_ outcome: String) throws {
    signals = try Self.living ?? SignalPipe()
    Self.living = signals
    self.outcome = outcome
  }

  /// Checks for an interruption; call it for each step.
  ///
  /// - Throws: ``Failure`` with 128 + n when the work should stop.
  func check() throws {
    calls += 1
    // Slow steps are measured by the clock, which costs no system call.
    let now = ContinuousClock.now
    guard calls % Self.stride == 0 || now - lastLook > .milliseconds(100) else { return }
    lastLook = now
    try look()
  }

  /// Waits until a descriptor can be read.
  ///
  /// - Throws: ``Failure`` with 128 + n on an interruption, 74 when the system cannot wait; a lack
  ///   of memory may be temporary, so the wait is retried.
  func wait(for descriptor: Int32) throws {
    var failures = 0
    while true {
      var polls = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polls, nfds_t(polls.count), -1) > 0 else {
        let code = errno
        if code == EINTR { continue }
        failures += 1
        guard failures < Self.mostFailures else {
          throw Failure(
            .inputOutput, "waiting failed (\(String(cString: strerror(code)))); \(outcome)")
        }
        usleep(10_000)
        continue
      }
      if polls[1].revents != 0 { try look() }
      if polls[0].revents != 0 { return }
    }
  }

  /// Checks for an interruption now.
  func look() throws {
    for signal in signals.drain() {
      switch signal {
      case .interrupt, .terminate, .hangUp, .quit:
        throw Failure(exitCode: 128 + signal.number, "interrupted; \(outcome)")
      case .stop: raise(SIGSTOP)
      case .windowChanged, .continued: break
      }
    }
  }
}
