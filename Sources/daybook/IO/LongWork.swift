import JournalStore

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
