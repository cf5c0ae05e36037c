import Files
import Glibc
import JournalStore
import Screen

/// The person who waits for long work: sees its progress, and may cancel it.
///
/// In a shell that is a line on standard error and the signals that end a program; on the screen the
/// status line and `^C`.
protocol WorkObserver: AnyObject {
  /// Whether a person can see the progress.
  var isWatched: Bool { get }
  /// Shows a line on the progress; `nil` removes it.
  func show(progress line: String?)
  /// Starts to listen for cancelling, until the result is released.
  ///
  /// - Throws: `TerminalError` when the system has no pipe for signals.
  func listen() throws -> any CancellationSource
}

/// Where the wish to cancel long work arrives.
protocol CancellationSource: AnyObject {
  /// The descriptors that become readable when somebody may have cancelled.
  var descriptors: [Int32] { get }
  /// Returns normally while the work may continue.
  ///
  /// - Parameters:
  ///   - work: the work, in words, for the message.
  ///   - outcome: the state that cancelling leaves: `nothing was changed`.
  /// - Throws: ``Failure`` with 128 + n when the work is cancelled.
  func check(_ work: String, outcome: String) throws
}

/// Work that may take long, with progress and cancelling: the one protocol for giving up.
///
/// Progress appears after half a second and is updated ten times a second. Calling ``report(_:share:)``
/// and ``check()`` for each of a million things costs next to nothing. Signals are listened to only from
/// the first check on, so that a wait for another program's lock ends at once as ever.
///
/// ```swift
/// let statistics = try LongWork("counting", for: observer).run { isCancelled in
///   try store.cancellable(isCancelled) { try store.statistics() }
/// }
/// ```
final class LongWork {
  private let words: String
  private let unit: String
  private let outcome: String
  private let observer: any WorkObserver
  private var source: (any CancellationSource)?
  /// The reason that the work was cancelled.
  private(set) var failure: (any Error)?
  private let start = ContinuousClock.now
  private var nextLine: ContinuousClock.Instant
  private var lastCheck = ContinuousClock.now
  private var (reports, checks) = (0, 0)
  private var isShown = false

  /// Work that is over sooner is not shown.
  static let patience = Duration.milliseconds(500)
  /// How often the line is updated, and slow steps are checked.
  static let interval = Duration.milliseconds(100)
  /// The clock and the system are asked once in so many steps.
  private static let stride = 64

  /// Begins work.
  ///
  /// - Parameters:
  ///   - words: the work, in words: `checking the journal`.
  ///   - unit: the things that are counted.
  ///   - outcome: the state that cancelling leaves, for the message.
  init(
    _ words: String, unit: String = "entries", outcome: String = "nothing was changed",
    for observer: any WorkObserver
  ) {
    self.words = words
    self.unit = unit
    self.outcome = outcome
    self.observer = observer
    nextLine = start + Self.patience
  }

  deinit { end() }

  /// Runs work that asks between its steps whether it is cancelled.
  ///
  /// - Parameter body: returns `nil`, or throws `GivenUp`, when it was cancelled.
  /// - Throws: the error of `body`; ``Failure`` with 128 + n when the work is cancelled.
  func run<Value>(_ body: (@escaping () -> Bool) throws -> Value?) throws -> Value {
    defer { end() }
    do {
      guard let value = try body({ self.isCancelled() }) else { throw GivenUp() }
      return value
    } catch {
      throw failure ?? error
    }
  }

  /// Reports a step of a change of many entries.
  ///
  /// - Throws: ``Failure`` with 128 + n when the work is cancelled.
  func step(_ done: Int, _ total: Int) throws {
    try check()
    report(done, share: Double(done) / Double(max(1, total)))
    // The index of words and the disk follow, which nothing can cancel.
    if done == total { phase("saving") }
  }

  // MARK: Progress

  /// Reports a count of things that are done.
  ///
  /// - Parameter share: the part of the whole, from 0 to 1, where it is known.
  func report(_ count: Int, share: @autoclosure () -> Double? = nil) {
    reports += 1
    guard reports % Self.stride == 0, isLineDue else { return }
    show(Self.line(words, count, unit, share()))
  }

  /// Reports that work continues in which nothing can be counted.
  private func pulse() {
    reports += 1
    guard reports % Self.stride == 0, isLineDue else { return }
    show(Self.line(words, seconds: start.duration(to: .now).components.seconds))
  }

  /// Shows a phase that cannot be counted, such as waiting for the disk, if the work takes long.
  func phase(_ words: String) {
    guard observer.isWatched, start.duration(to: .now) >= Self.patience else { return }
    show(words)
  }

  /// Removes the line, so that something else may be written; the next report shows it again.
  func clear() {
    guard isShown else { return }
    isShown = false
    observer.show(progress: nil)
  }

  /// Removes the line and stops listening.
  func end() {
    clear()
    source = nil
  }

  private var isLineDue: Bool {
    guard observer.isWatched else { return false }
    let now = ContinuousClock.now
    guard now >= nextLine else { return false }
    nextLine = now + Self.interval
    return true
  }

  private func show(_ line: String) {
    isShown = true
    observer.show(progress: line)
  }

  /// `importing: 120,000 entries, 43 %`.
  static func line(_ words: String, _ count: Int, _ unit: String, _ share: Double?) -> String {
    let part = share.map { ", \(Int(min(max($0, 0), 1) * 100)) %" } ?? ""
    return "\(words): \(Numbers.grouped(count)) \(unit)\(part)"
  }

  /// `checking the journal`, and from the first second on `checking the journal: 3 s`.
  static func line(_ words: String, seconds: Int64) -> String {
    seconds == 0 ? words : "\(words): \(seconds) s"
  }

  // MARK: Cancelling

  /// Checks between two steps whether the work is cancelled.
  ///
  /// - Throws: ``Failure`` with 128 + n when it is.
  func check() throws {
    checks += 1
    // Where steps are slow the clock is asked, which costs no call of the system.
    let now = ContinuousClock.now
    guard checks % Self.stride == 0 || now - lastCheck > Self.interval || source == nil else {
      return
    }
    lastCheck = now
    try checkNow()
  }

  /// Checks now, whenever the last check was.
  ///
  /// - Throws: ``Failure`` with 128 + n when the work is cancelled.
  func checkNow() throws {
    do {
      try listen().check(words, outcome: outcome)
    } catch {
      failure = error
      throw error
    }
  }

  /// Whether the work is cancelled; also shows that it continues.
  func isCancelled() -> Bool {
    guard failure == nil else { return true }
    pulse()
    try? check()
    return failure != nil
  }

  /// Waits until a descriptor can be read.
  ///
  /// - Throws: ``Failure`` with 128 + n when the work is cancelled before, 74 when the system cannot
  ///   wait: for want of memory that may pass, so the wait is tried some times.
  func wait(for descriptor: Int32) throws {
    let source = try listen()
    let requests = ([descriptor] + source.descriptors).map { pollfd.reading($0) }
    var poll = Poll()
    while true {
      // A person is shown that the work waits, unless they type what it waits for.
      let isShown = observer.isWatched && isatty(descriptor) == 0
      let ready: [pollfd]?
      do {
        ready = try poll.wait(for: requests, milliseconds: isShown ? 100 : -1)
      } catch let error {
        throw Failure(.inputOutput, "waiting failed (\(error.reason)); \(outcome)")
      }
      guard let ready else {
        if isShown, isLineDue { show(words) }
        continue
      }
      if ready.dropFirst().contains(where: { $0.revents != 0 }) { try checkNow() }
      if ready[0].revents != 0 { return }
    }
  }

  /// Starts to listen for cancelling now, before the first step.
  ///
  /// - Throws: `TerminalError` when the system has no pipe for signals.
  @discardableResult
  func listen() throws -> any CancellationSource {
    if let source { return source }
    let made = try observer.listen()
    source = made
    return made
  }
}
