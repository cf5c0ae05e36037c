import Glibc
import JournalStore
import Screen
import Terminal

/// The person at the screen, who waits for everything that keeps the main thread busy: changes,
/// queries, commands and the opening of a journal.
///
/// While work goes on, the attendant shows its progress on the status line and takes the keys that
/// arrive; `^C` and a signal that ends the program cancel the work, other keys are held until it is
/// over. Keys from a pipe are never looked at before their time.
final class WorkAttendant: WorkObserver {
  private let loop: EventLoop
  private let keysAreTyped: Bool
  /// The keys and signals that arrived during work, to be handled when it is over.
  private(set) var held: [LoopEvent] = []
  /// Draws a word for the work on the status line.
  var show: (String) -> Void = { _ in }
  /// Draws on the status line that another program has locked the journal.
  var showLock: () -> Void = {}
  /// Erases the word from the status line.
  var hide: () -> Void = {}
  /// Whether a word is drawn on the status line.
  private var isShown = false
  private var isLockShown = false

  init(loop: EventLoop, keysAreTyped: Bool) {
    self.loop = loop
    self.keysAreTyped = keysAreTyped
  }

  /// Shows a word for work that is known to take long.
  func announce(_ word: String) {
    isShown = true
    show(word)
  }

  /// Erases the word for work that is over.
  func end() {
    guard isShown else { return }
    isShown = false
    hide()
  }

  /// Forgets that a word is drawn: the next event takes it away, or the work begins again.
  func answered() { isShown = false }

  // MARK: Changes and commands

  var isWatched: Bool { keysAreTyped }

  func show(progress line: String?) {
    if let line { announce("\(line), ^C gives up") } else { end() }
  }

  func listen() throws -> any CancellationSource { HeldKeys(self) }

  /// Cancelling of a change or a command by the keys and signals that are held.
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
      throw Failure(exitCode: 128 + (ending ?? SIGINT), "\(work) was given up; \(outcome)")
    }
  }

  // MARK: Queries

  /// Whether to interrupt a query for now: a key or a signal waits.
  ///
  /// - Parameter word: the word that is shown when the query takes long.
  func interruption(_ word: String) -> () -> Bool {
    guard keysAreTyped else { return { false } }
    let start = ContinuousClock.now
    var isTold = false
    return { [unowned self] in
      if loop.isInputWaiting { return true }
      if !isTold, start.duration(to: .now) > .milliseconds(200) {
        isTold = true
        announce(word)
      }
      return false
    }
  }

  /// Whether to cancel a query that a key waits for.
  func cancellation(_ word: String) -> () -> Bool {
    guard keysAreTyped else { return { false } }
    let start = ContinuousClock.now
    return { [unowned self] in
      if !isShown, start.duration(to: .now) >= LongWork.patience {
        announce("\(word), ^C gives up")
      }
      return holdKeys()
    }
  }

  /// Whether a key waits, or a person has waited longer than `limit`.
  func isDue(since start: ContinuousClock.Instant, limit: Duration = .seconds(86_400)) -> Bool {
    keysAreTyped && (loop.isInputWaiting || start.duration(to: .now) > limit)
  }

  // MARK: Opening a journal, and waiting for its lock

  /// Shows that a journal has to be upgraded before it can be shown.
  var openingAttendant: UpgradeObserver {
    UpgradeObserver { [unowned self] work in
      announce("\(JournalOpening.words(for: work))" + (keysAreTyped ? ", ^C gives up" : ""))
      var next = ContinuousClock.now + LongWork.interval
      var isCancelled = false
      return { [unowned self] in
        guard keysAreTyped, !isCancelled, ContinuousClock.now >= next else { return isCancelled }
        next = .now + LongWork.interval
        isCancelled = holdKeys()
        return isCancelled
      }
    }
  }

  /// Shows that another program has locked the journal, and takes the keys that arrive meanwhile.
  ///
  /// - Parameter milliseconds: how long it has been waited for.
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

  /// Takes the held keys and signals.
  func takeHeld() -> [LoopEvent] {
    defer { held = [] }
    return held
  }

  /// Drops the held keys: they were typed for an effect that failed.
  func dropHeldKeys() {
    held.removeAll { if case .input = $0 { true } else { false } }
  }

  /// Takes the signals that have arrived, to be handled later.
  ///
  /// - Returns: whether one of them cancels the work; SIGINT has done its duty then.
  private func holdSignals() -> Bool {
    var cancels = false
    for signal in loop.signals?.drain() ?? [] {
      if signal != .interrupt { held.append(.signal(signal)) }
      cancels = cancels || signal == .interrupt || signal.endsProgram
    }
    return cancels
  }

  /// Takes the keys and signals that have arrived, to be handled later.
  ///
  /// - Returns: whether one of them cancels the work; a `^C` has done its duty then.
  private func holdKeys() -> Bool {
    guard loop.isInputWaiting else { return false }
    for event in loop.wait(timeout: .zero) {
      switch event {
      case .input(let bytes):
        if let place = bytes.lastIndex(of: 0x03) {
          // The keys before it were typed for the work that is cancelled.
          held = [.input(Array(bytes[(place + 1)...]))].filter { $0 != .input([]) }
          return true
        }
        held.append(event)
      case .signal(.interrupt):
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
