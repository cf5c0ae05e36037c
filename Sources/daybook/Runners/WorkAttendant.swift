import JournalStore
import Screen
import Terminal

/// Progress and cancelling of everything that keeps the main thread busy: one protocol for changes,
/// queries, child processes and the opening of a journal.
///
/// Work is done on the main thread. While it goes on, the attendant shows a word for it on the status
/// line and takes the keys that arrive; `^C` and a signal that ends the program cancel the work, other
/// keys are held until it is over. Keys from a pipe are never looked at before their time.
final class WorkAttendant {
  /// The work was cancelled with `^C`, or the program is to end.
  struct Cancelled: Error {}

  private let loop: EventLoop
  private let keysAreTyped: Bool
  /// The keys and signals that arrived during work, to be handled when it is over.
  private(set) var held: [LoopEvent] = []
  /// Draws a word for the work on the status line.
  var show: (String) -> Void = { _ in }
  /// Draws on the status line that another program has locked the journal.
  var showLock: () -> Void = {}
  /// Removes the word for finished work from the status line.
  var hide: () -> Void = {}
  /// Whether a word is drawn on the status line.
  private(set) var isShown = false
  private var isLockShown = false

  /// Work that is over sooner is not shown.
  private static let patience = Duration.milliseconds(500)
  /// How often the word is drawn and keys are taken.
  private static let interval = Duration.milliseconds(100)

  init(loop: EventLoop, keysAreTyped: Bool) {
    self.loop = loop
    self.keysAreTyped = keysAreTyped
  }

  /// Shows a word for work that is known to take long.
  func announce(_ word: String) {
    isShown = true
    show(word)
  }

  /// Ends the work, and removes its word if one was shown.
  func end() {
    guard isShown else { return }
    isShown = false
    hide()
  }

  /// Ends work whose answer removes the word itself.
  func answered() { isShown = false }

  // MARK: Changes of many entries

  /// The progress of a transaction; it throws ``Cancelled`` when there is a reason to give it up.
  func progress(_ word: String) -> ((Int, Int) throws -> Void)? {
    guard keysAreTyped else { return nil }
    let start = ContinuousClock.now
    var next = start + Self.interval
    return { [unowned self] done, total in
      // Asking the clock costs more than changing an entry's star.
      guard done & 31 == 0 || done == total else { return }
      let now = ContinuousClock.now
      guard now >= next || done == total else { return }
      next = now + Self.interval
      if holdKeys() { throw Cancelled() }
      guard start.duration(to: now) >= Self.patience else { return }
      // The index of words and the disk follow, which nothing can stop.
      if done == total { return announce("\(word): writing it down") }
      announce("\(word) \(done * 100 / max(1, total))%, ^C gives up")
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
      if !isShown, start.duration(to: .now) >= Self.patience { announce("\(word), ^C gives up") }
      return holdKeys()
    }
  }

  /// Whether a key waits, or a person has waited longer than `limit`.
  func isDue(since start: ContinuousClock.Instant, limit: Duration = .seconds(86_400)) -> Bool {
    keysAreTyped && (loop.isInputWaiting || start.duration(to: .now) > limit)
  }

  // MARK: Child processes

  /// The fate of a child process, asked again and again while it runs.
  ///
  /// - Parameter word: the word that is shown when it takes long.
  func wish(during word: String) -> () -> SubProcess.Wish {
    let start = ContinuousClock.now
    var isTold = false
    return { [unowned self] in
      let wish = wish()
      switch wish {
      case .givenUp: if keysAreTyped { announce("\(word) is given up, ^C once more kills it") }
      case .ends: break
      case .goesOn:
        guard keysAreTyped, !isTold, start.duration(to: .now) >= Self.patience else { break }
        announce("\(word), ^C gives up")
      }
      isTold = isTold || wish == .givenUp || isShown
      return wish
    }
  }

  private func wish() -> SubProcess.Wish {
    if keysAreTyped {
      guard holdKeys() else { return .goesOn }
    } else {
      guard holdSignals() else { return .goesOn }
    }
    let isEnding = held.contains { event in
      if case .signal(let signal) = event { signal.endsProgram } else { false }
    }
    return isEnding ? .ends : .givenUp
  }

  // MARK: Opening a journal, and waiting for its lock

  /// Shows that a journal has to be upgraded before it can be shown.
  var openingAttendant: UpgradeObserver {
    UpgradeObserver { [unowned self] work in
      announce("\(JournalOpening.words(for: work))" + (keysAreTyped ? ", ^C gives up" : ""))
      var next = ContinuousClock.now + Self.interval
      var isCancelled = false
      return { [unowned self] in
        guard keysAreTyped, !isCancelled, ContinuousClock.now >= next else { return isCancelled }
        next = .now + Self.interval
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
