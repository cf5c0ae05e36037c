import JournalApp
import JournalStore
import TerminalUI

/// Changes of many entries: one transaction on the main thread that says how far it is, and that ^C
/// gives up.
extension AppRunner {
  /// Somebody pressed ^C, or the program is to end.
  private struct GivenUp: Error {}

  /// Nobody needs to hear of what is over sooner.
  private static let patience = Duration.milliseconds(500)
  /// How often the line is drawn and keys are looked at.
  private static let interval = Duration.milliseconds(100)

  /// Makes a change and tells how it went; given up, it says so and nothing is changed.
  func changeMany(_ word: String, _ body: (BulkOptions) throws -> Saved) throws {
    defer { if state.work != nil { send(.working(nil)) } }
    do {
      send(.saved(try body(BulkOptions(skipsMissing: true, progress: progress(word)))))
    } catch is GivenUp {
      send(.failed("\(word) was given up; nothing was changed"))
    }
  }

  /// Draws the progress, and throws when there is a reason to give up.
  ///
  /// Keys from a pipe are never looked at before their time.
  private func progress(_ word: String) -> ((Int, Int) throws -> Void)? {
    guard keysAreTyped else { return nil }
    let start = ContinuousClock.now
    var next = start + Self.interval
    return { [unowned self] done, total in
      // Asking the clock costs more than changing an entry's star.
      guard done & 31 == 0 || done == total else { return }
      let now = ContinuousClock.now
      guard now >= next || done == total else { return }
      next = now + Self.interval
      if holdKeys() { throw GivenUp() }
      guard start.duration(to: now) >= Self.patience else { return }
      // The index of words and the disk follow, which nothing can stop.
      if done == total { return showWork("\(word): writing it down") }
      showWork("\(word) \(done * 100 / max(1, total))%, ^C gives up")
    }
  }

  /// Says after a while that work goes on, and tells whether there is a reason to give it up.
  ///
  /// Keys from a pipe are never looked at before their time.
  func patience(_ word: String) -> () -> Bool {
    guard keysAreTyped else { return { false } }
    let start = ContinuousClock.now
    return { [unowned self] in
      if state.work == nil, start.duration(to: .now) >= Self.patience {
        showWork("\(word), ^C gives up")
      }
      return holdKeys()
    }
  }

  /// Says after a while that a program is at work, and tells what is to become of it.
  ///
  /// Keys from a pipe are never looked at before their time; signals are.
  func wish(during word: String) -> () -> SubProcess.Wish {
    let start = ContinuousClock.now
    var isTold = false
    return { [unowned self] in
      let wish = wishOfPerson()
      switch wish {
      case .givenUp:
        if keysAreTyped { showWork("\(word) is given up, ^C once more kills it") }
      case .ends: break
      case .goesOn:
        guard keysAreTyped, !isTold, start.duration(to: .now) >= Self.patience else { break }
        showWork("\(word), ^C gives up")
      }
      isTold = isTold || wish == .givenUp || state.work != nil
      return wish
    }
  }

  private func wishOfPerson() -> SubProcess.Wish {
    if keysAreTyped {
      guard holdKeys() else { return .goesOn }
    } else {
      guard holdSignals() else { return .goesOn }
    }
    let isEnding = heldEvents.contains { event in
      if case .signal(let signal) = event { signal.endsProgram } else { false }
    }
    return isEnding ? .ends : .givenUp
  }

  /// Takes the signals that have come, to be handled later.
  ///
  /// - Returns: whether one of them is to end the work; SIGINT has done its duty then.
  private func holdSignals() -> Bool {
    var ends = false
    for signal in loop.signals?.drain() ?? [] {
      if signal != .interrupt { heldEvents.append(.signal(signal)) }
      ends = ends || signal == .interrupt || signal.endsProgram
    }
    return ends
  }

  /// Tells that another journal has to be brought up to date before it can be shown.
  var openingAttendant: UpgradeObserver {
    UpgradeObserver { [unowned self] work in
      showWork("\(JournalOpening.words(for: work))" + (keysAreTyped ? ", ^C gives up" : ""))
      var next = ContinuousClock.now + Self.interval
      var isGivenUp = false
      return { [unowned self] in
        guard keysAreTyped, !isGivenUp, ContinuousClock.now >= next else { return isGivenUp }
        next = .now + Self.interval
        isGivenUp = holdKeys()
        return isGivenUp
      }
    }
  }

  /// Says on the screen that another program is waited for, and takes the keys that come meanwhile.
  ///
  /// - Returns: whether to give up, since ^C was pressed.
  func waited(_ milliseconds: Int64) -> Bool {
    guard keysAreTyped else { return false }
    guard milliseconds >= Main.waitToTell else {
      isWaitTold = false
      return false
    }
    if !isWaitTold {
      isWaitTold = true
      showWait()
    }
    return holdKeys()
  }

  /// Takes the keys and signals that have come, to be handled later.
  ///
  /// - Returns: whether one of them is to end the work; a ^C has done its duty then.
  private func holdKeys() -> Bool {
    guard loop.isInputWaiting else { return false }
    for event in loop.wait(timeout: .zero) {
      switch event {
      case .input(let bytes):
        if let place = bytes.lastIndex(of: 0x03) {
          // What was typed before it was typed for what is given up.
          heldEvents = [.input(Array(bytes[(place + 1)...]))].filter { $0 != .input([]) }
          return true
        }
        heldEvents.append(event)
      case .signal(.interrupt):
        heldEvents = []
        return true
      case .signal(let signal):
        heldEvents.append(event)
        if signal.endsProgram { return true }
      case .inputEnded: heldEvents.append(event)
      case .readable, .timer: break
      }
    }
    return false
  }
}
