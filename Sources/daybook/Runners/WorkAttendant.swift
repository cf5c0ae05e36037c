import Glibc
import JournalStore
import Screen
import Terminal
import TextLayout

/// Observes all work that blocks the main thread: changes, queries, commands and the opening of a
/// journal.
///
/// During work it shows the progress on the status line and reads keys. `^C` and a signal that ends
/// the program cancel the work; other keys are held until the work is finished. Keys from a pipe
/// are not read ahead.
final class WorkAttendant: WorkObserver {
  private let loop: EventLoop
  private let keysAreTyped: Bool
  /// The keys and signals that arrived during work, to be handled after it.
  private(set) var held: [LoopEvent] = []
  /// The held keys that were dropped.
  private var dropped: [LoopEvent] = []
  /// Shows a word for the work on the status line.
  var show: (String) -> Void = { _ in }
  /// Shows on the status line that another program has locked the journal.
  var showLock: () -> Void = {}
  /// Erases the word from the status line.
  var hide: () -> Void = {}
  /// Whether a word is drawn on the status line.
  private var isShown = false
  private var isLockShown = false
  private let display: (any Display)?

  /// - Parameter display: shows the progress in the terminal's tab, too.
  init(loop: EventLoop, keysAreTyped: Bool, display: (any Display)? = nil) {
    self.loop = loop
    self.keysAreTyped = keysAreTyped
    self.display = display
  }

  /// Shows a word for work that always takes long.
  func announce(_ word: String, share: Double? = nil) {
    isShown = true
    show(word)
    display?.show(share: share)
  }

  /// Erases the word after the work.
  func end() {
    guard isShown else { return }
    isShown = false
    hide()
    display?.endProgress()
  }

  /// Forgets that a word is drawn: the next event erases it, or the work starts again.
  func answered() {
    isShown = false
    display?.endProgress()
  }

  // MARK: Changes and commands

  var isWatched: Bool { keysAreTyped }

  func show(progress line: String?, share: Double?) {
    if let line { announce("\(line), ^C cancels", share: share) } else { end() }
  }

  func listen() throws -> any CancellationSource { HeldKeys(self) }

  /// Cancellation of a change or a command by held keys and signals.
  private final class HeldKeys: CancellationSource {
    private let attendant: WorkAttendant

    init(_ attendant: WorkAttendant) { self.attendant = attendant }

    var descriptors: [Int32] { attendant.loop.descriptors(withInput: attendant.keysAreTyped) }

    func check(_ work: String, outcome: String) throws {
      let isCancelled = attendant.keysAreTyped ? attendant.holdKeys() : attendant.holdSignals()
      guard isCancelled else { return }
      let ending = attendant.held.lazy.compactMap { event in
        if case .signal(let signal) = event, signal.endsProgram { signal.number } else { nil }
      }.first
      throw Failure(exitCode: 128 + (ending ?? SIGINT), "\(work) was cancelled; \(outcome)")
    }
  }

  // MARK: Queries

  /// Whether to interrupt a query because a key or a signal is pending.
  ///
  /// - Parameter word: the word shown if the query takes long; empty for one that nobody waits for.
  func interruption(_ word: String) -> () -> Bool {
    guard keysAreTyped else { return { false } }
    let start = ContinuousClock.now
    var isTold = word.isEmpty
    return { [unowned self] in
      if loop.isInputWaiting { return true }
      if !isTold, start.duration(to: .now) > .milliseconds(200) {
        isTold = true
        announce(word)
      }
      return false
    }
  }

  /// Whether to cancel a query that delays the next key.
  func cancellation(_ word: String) -> () -> Bool {
    guard keysAreTyped else { return { false } }
    let start = ContinuousClock.now
    return { [unowned self] in
      if !isShown, start.duration(to: .now) >= LongWork.patience {
        announce("\(word), ^C cancels")
      }
      return holdKeys()
    }
  }

  /// Whether a key is pending, or the wait is longer than `limit`.
  func isDue(since start: ContinuousClock.Instant, limit: Duration = .seconds(86_400)) -> Bool {
    keysAreTyped && (loop.isInputWaiting || start.duration(to: .now) > limit)
  }

  // MARK: Waiting for a journal's lock

  /// Shows that another program has locked the journal, and holds keys meanwhile.
  ///
  /// - Parameter milliseconds: the wait so far.
  /// - Returns: whether to stop waiting.
  func waited(_ milliseconds: Int64) -> Bool {
    guard keysAreTyped else { return false }
    guard milliseconds >= Main.waitToTell else {
      isLockShown = false
      return false
    }
    if !isLockShown {
      isLockShown = true
      showLock()
    }
    return holdKeys()
  }

  // MARK: Held keys

  /// Removes and returns the held keys and signals.
  func takeHeld() -> [LoopEvent] {
    defer { held = [] }
    return held
  }

  /// Drops the held keys: they were typed for an effect that failed.
  func dropHeldKeys() {
    dropped += held
    held.removeAll { if case .input = $0 { true } else { false } }
  }

  /// Removes and returns the keys that were dropped.
  func takeDropped() -> [LoopEvent] {
    defer { dropped = [] }
    return dropped
  }

  /// Holds the signals that have arrived.
  ///
  /// - Returns: whether one of them cancels the work; a SIGINT that does is not held.
  private func holdSignals() -> Bool {
    var cancels = false
    for signal in loop.signals?.drain() ?? [] {
      if signal != .interrupt { held.append(.signal(signal)) }
      cancels = cancels || signal == .interrupt || signal.endsProgram
    }
    return cancels
  }

  /// Holds the keys and signals that have arrived.
  ///
  /// - Returns: whether one of them cancels the work; a `^C` that does is not held.
  private func holdKeys() -> Bool {
    guard loop.isInputWaiting else { return false }
    for event in loop.wait(timeout: .zero) {
      switch event {
      case .input(let bytes):
        if let end = KeyDecoder.endOfInterrupt(in: bytes) {
          // The keys before it were typed for the cancelled work.
          dropped += held + [.input(Array(bytes[..<end]))]
          held = [.input(Array(bytes[end...]))].filter { $0 != .input([]) }
          return true
        }
        held.append(event)
      case .signal(.interrupt):
        dropped += held
        held = []
        return true
      case .signal(let signal):
        held.append(event)
        if signal.endsProgram { return true }
      case .inputEnded: held.append(event)
      case .readable, .timer: break
      }
    }
    return false
  }
}
