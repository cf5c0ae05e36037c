import Glibc
import JournalStore
import Terminal
import TextLayout

/// Work of the store that may take long: a line on standard error tells that it goes on, and ^C or
/// another signal that ends a program gives it up.
///
/// Signals are listened to only from the first step on, so that a wait for another program's lock ends
/// at once as ever.
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
  /// Why it was given up.
  private(set) var failure: (any Error)?

  /// Makes work that begins now.
  ///
  /// - Parameters:
  ///   - words: what is being done: `checking the journal`.
  ///   - outcome: what to say when it is given up.
  init(_ words: String, outcome: String = "nothing was changed") {
    progress = Progress(words)
    self.outcome = outcome
  }

  /// Does it.
  ///
  /// - Parameter body: the work, with the question to ask between its steps; returns `nil`, or throws
  ///   `GivenUp`, when the answer was yes.
  /// - Throws: what `body` throws; ``Failure`` with 128 + n when a signal ended it.
  func run<Value>(_ body: (@escaping () -> Bool) throws -> Value?) throws -> Value {
    defer { end() }
    do {
      guard let value = try body({ self.isGivenUp() }) else { throw GivenUp() }
      return value
    } catch {
      throw failure ?? error
    }
  }

  /// Tells how far a change of many entries is, and ends it by throwing.
  ///
  /// - Throws: ``Failure`` with 128 + n when a signal came.
  func step(_ done: Int, _ total: Int) throws {
    try listen().check()
    progress.report(done, share: Double(done) / Double(max(1, total)))
    // The index of words and the disk follow.
    if done == total { progress.phase("saving") }
  }

  /// Takes the line away, and leaves signals to themselves again.
  func end() {
    progress.end()
    interruption = nil
  }

  /// The question between two steps.
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

/// The wish of a person or the system that long work should stop, heard between two steps of it.
///
/// While it lives, SIGINT, SIGTERM and their like do not end the program; a second one does, at once.
final class Interruption {
  private let signals: SignalPipe
  private let outcome: String
  private var calls = 0
  private var lastLook = ContinuousClock.now

  // Commands run on the main thread alone. A process has one pipe, which work inside work shares.
  nonisolated(unsafe) private static weak var living: SignalPipe?

  /// So many failing waits, a second's worth, end the work.
  private static let mostFailures = 100

  /// Looking costs a call of the system.
  private static let stride = 64

  /// Listens from now on.
  ///
  /// - Parameter outcome: what to say when the work is stopped: `nothing was added`.
  /// - Throws: `TerminalError` when there is no pipe to be had.
  init(_ outcome: String) throws {
    signals = try Self.living ?? SignalPipe()
    Self.living = signals
    self.outcome = outcome
  }

  /// Call it for each step.
  ///
  /// - Throws: ``Failure`` with 128 + n when the work should stop.
  func check() throws {
    calls += 1
    // Where steps are slow, the clock is asked, which costs no call of the system.
    let now = ContinuousClock.now
    guard calls % Self.stride == 0 || now - lastLook > .milliseconds(100) else { return }
    lastLook = now
    try look()
  }

  /// Waits until a descriptor can be read.
  ///
  /// - Throws: ``Failure`` with 128 + n when the work should stop before, 74 when the system cannot
  ///   wait: for want of memory that may pass, so it is asked some times.
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

  /// Looks now.
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
