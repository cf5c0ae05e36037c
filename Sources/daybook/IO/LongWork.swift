import Files
import Glibc
import Journal
import JournalStore

/// The person waiting for long work: sees its progress, and may cancel it.
///
/// In a shell: a line on standard error, and the signals that end a program. On the screen: the
/// status line, and `^C`.
protocol WorkObserver: AnyObject {
  /// Whether a person can see the progress.
  var isWatched: Bool { get }
  /// Shows a line on the progress, and the part of the whole from 0 to 1, where it is known; a line of
  /// `nil` removes both.
  func show(progress line: String?, share: Double?)
  /// Starts to listen for cancellation, until the result is released.
  ///
  /// - Throws: `TerminalError` when the system has no pipe for signals.
  func listen() throws -> any CancellationSource
}

/// A source of cancellation.
protocol CancellationSource: AnyObject {
  /// The descriptors that become readable on a possible cancellation.
  var descriptors: [Int32] { get }
  /// Returns normally while the work may continue.
  ///
  /// - Parameters:
  ///   - work: the work, in words, for the message.
  ///   - outcome: the state after cancelling: `nothing was changed`.
  /// - Throws: ``Failure`` with 128 + n when the work is cancelled.
  func check(_ work: String, outcome: String) throws
}

/// Long work with progress and cancellation.
///
/// Progress appears after half a second and is updated ten times a second. ``report(_:share:)`` and
/// ``check()`` are cheap enough to call a million times. Signals are received only from the first
/// check on, so that they end a wait for another program's lock at once.
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
  private var (reports, pulses, checks) = (0, 0, 0)
  private var isShown = false
  /// Whether finished things are counted, so that the time is not shown.
  private var isCounted = false
  /// The phase after the counted ones.
  private var phaseWords: String?

  /// Shorter work is not shown.
  static let patience = Duration.milliseconds(500)
  /// The interval of updates, and of checks between slow steps.
  static let interval = Duration.milliseconds(100)
  /// The number of steps between two looks at the clock.
  private static let stride = 64

  /// Begins work.
  ///
  /// - Parameters:
  ///   - words: the work, in words: `checking the journal`.
  ///   - unit: the things that are counted.
  ///   - outcome: the state after cancelling, for the message.
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

  /// Runs cancellable work.
  ///
  /// - Parameter body: checks between its steps; returns `nil`, or throws `GivenUp`, when
  ///   cancelled.
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

  /// Runs work whose steps ask `GivenUp.check`, and goes on after it.
  ///
  /// - Throws: the error of `body`; ``Failure`` with 128 + n when the work is cancelled, also if
  ///   `body` ended early then without an error.
  func asked<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      let value = try GivenUp.asking(isCancelled, body)
      if let failure { throw failure }
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
    // Updating the full-text index and syncing the disk follow.
    if done == total { phase("saving") }
  }

  // MARK: Progress

  /// Reports the number of finished things.
  ///
  /// - Parameter share: the part of the whole, from 0 to 1, where it is known.
  func report(_ count: Int, share: @autoclosure () -> Double? = nil) {
    reports += 1
    isCounted = true
    guard reports % Self.stride == 0, isLineDue else { return }
    let share = share()
    show(Self.line(words, count, unit, share), share: share)
  }

  /// Reports the bytes of a file so far; each report is of many, so that every one may be shown.
  func reportBytes(_ done: Int, of total: Int) {
    isCounted = true
    guard isLineDue else { return }
    let share = Double(done) / Double(max(1, total))
    show(Self.line(words, "\(Int(min(max(share, 0), 1) * 100)) % of \(Numbers.bytes(total))"))
  }

  /// The attendance of a store's work: it is shown, and cancelled, as all work.
  var attendance: WorkAttendance {
    WorkAttendance(isGivenUp: isCancelled, report: report(part:_:_:))
  }

  /// Reports a step of a part of the work.
  ///
  /// - Parameters:
  ///   - part: the part, in words: `search index`; empty if the work has no parts.
  ///   - done: the number of its finished steps.
  ///   - total: the number of all; 0 if it is not known.
  private func report(part: String, _ done: Int, _ total: Int) {
    guard total > 0 else {
      phaseWords = words(of: part)
      return
    }
    phaseWords = nil
    reports += 1
    isCounted = true
    guard reports % Self.stride == 0, isLineDue else { return }
    let share = min(max(Double(done) / Double(total), 0), 1)
    show(Self.line(words(of: part), "\(Int(share * 100)) %"), share: share)
  }

  private func words(of part: String) -> String {
    part.isEmpty ? words : "\(words): \(part)"
  }

  /// Reports that work without a count continues.
  private func pulse() {
    pulses += 1
    guard !isCounted || phaseWords != nil, pulses % Self.stride == 0, isLineDue else { return }
    show(Self.line(phaseWords ?? words, seconds: start.duration(to: .now).components.seconds))
  }

  /// Shows a phase without a count, such as waiting for the disk, if the work takes long.
  func phase(_ words: String) {
    phaseWords = words
    guard observer.isWatched, start.duration(to: .now) >= Self.patience else { return }
    show(words)
  }

  /// Removes the line, so that something else may be written; the next report shows it again.
  func clear() {
    guard isShown else { return }
    isShown = false
    observer.show(progress: nil, share: nil)
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

  private func show(_ line: String, share: Double? = nil) {
    isShown = true
    observer.show(progress: line, share: share)
  }

  /// `importing: 120,000 entries, 43 %`.
  static func line(_ words: String, _ count: Int, _ unit: String, _ share: Double?) -> String {
    let part = share.map { ", \(Int(min(max($0, 0), 1) * 100)) %" } ?? ""
    return "\(words): \(Numbers.grouped(count)) \(unit)\(part)"
  }

  /// `checking the journal`, and from the first second on `checking the journal: 3 s`.
  static func line(_ words: String, seconds: Int64) -> String {
    seconds == 0 ? words : line(words, "\(seconds) s")
  }

  /// `copying the journal: 43 %`, and of a part `checking the journal: search index, 43 %`.
  private static func line(_ words: String, _ amount: String) -> String {
    words.contains(": ") ? "\(words), \(amount)" : "\(words): \(amount)"
  }

  // MARK: Cancelling

  /// Checks between two steps whether the work is cancelled.
  ///
  /// - Throws: ``Failure`` with 128 + n when it is.
  func check() throws {
    checks += 1
    // Slow steps check the clock, which costs no system call.
    let now = ContinuousClock.now
    guard checks % Self.stride == 0 || now - lastCheck > Self.interval || source == nil else {
      return
    }
    lastCheck = now
    try checkNow()
  }

  /// Checks now, independent of the last check.
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

  /// Whether the work is cancelled; also updates the progress line.
  func isCancelled() -> Bool {
    guard failure == nil else { return true }
    pulse()
    try? check()
    return failure != nil
  }

  /// Waits until a descriptor is readable.
  ///
  /// - Throws: ``Failure`` with 128 + n when the work is cancelled first, 74 when the system cannot
  ///   wait; a lack of memory may pass, so the wait is retried.
  func wait(for descriptor: Int32) throws {
    let source = try listen()
    let requests = ([descriptor] + source.descriptors).map { pollfd.reading($0) }
    var poll = Poll()
    while true {
      // No progress line is shown while the person types the input.
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

  /// Waits until a process has ended or the time is over; without a process, the time.
  ///
  /// - Throws: ``Failure`` with 128 + n when the work is cancelled first.
  func wait(forEndOf process: ProcessDescriptor?, within limit: Duration) throws {
    let milliseconds = Int32(max(0, min(limit / .milliseconds(1), 1e9)).rounded(.up))
    let descriptors = try listen().descriptors
    if let process {
      process.wait(or: descriptors, milliseconds: milliseconds)
    } else {
      var poll = Poll()
      _ = try? poll.wait(for: descriptors.map { .reading($0) }, milliseconds: milliseconds)
    }
    try checkNow()
  }

  /// Starts to listen for cancellation now, before the first step.
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
