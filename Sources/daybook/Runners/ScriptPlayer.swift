import Glibc
import Journal
import JournalStore
import Screen
import Terminal
import TextLayout

/// Plays a script in the main loop: each step is a timer, so that signals, resizing and the commits
/// of other processes are handled between two keys.
final class ScriptPlayer {
  private var player: KeyPlayer
  private unowned let loop: ScreenLoop
  private let work: WorkAttendant

  init(_ player: KeyPlayer, loop: ScreenLoop, work: WorkAttendant) {
    self.player = player
    self.loop = loop
    self.work = work
  }

  /// Plays the next step, and sets the timer of the following one.
  func step() {
    guard let next = player.next() else { return finish() }
    let step = next.step
    loop.failures.begin(step, at: next.place)
    switch step {
    case .event(let event): loop.press(event)
    case .wait: break
    case .say(let text): player.say(text)
    case .run(let words): runBeside(words)
    }
    // The step may have stopped the script.
    guard loop.isPlaying else { return }
    loop.timers.set(.key, after: player.pace.pause(after: step))
  }

  /// Stops because of a key, or because the program ends.
  func stop() {
    let isWatched = loop.state.environment.keysAreTyped
    leave()
    if isWatched {
      let way = loop.prompt.isActive ? "Esc, then q, quits" : "q quits"
      let news = "the script has stopped; the keys are yours, \(way)"
      loop.send(.journal(.noted(news)))
    } else {
      loop.send(.terminal(.signalled(SIGINT)))
    }
  }

  private func finish() {
    switch player.ending {
    // The last caption stays with the last screen.
    case .quits: loop.send(.terminal(.inputEnded))
    case .handsOver:
      leave()
      loop.send(.journal(.noted("the tour is over; try what you like, q quits")))
    }
  }

  private func leave() {
    player.say(nil)
    loop.leaveScript()
  }

  /// Runs a command on the journal through its own connection, with `{now}` replaced by the present
  /// time: its changes arrive like those of another program.
  private func runBeside(_ text: String) {
    guard let shown = loop.journal?.store else { return }
    do {
      let now = shown.clock.moment().description
      let words = try Command.words(text).map { $0 == "{now}" ? now : $0 }
      // A journal in memory has only one connection.
      let store =
        shown.path == ":memory:"
        ? shown
        : try JournalLookup.opened(
          shown.path, readOnly: shown.isReadOnly, for: .writing, clock: shown.clock,
          observer: work
        ).store
      let outcome = CommandRunner.outcome(
        of: words, over: store, loop.state.settings, observer: work)
      work.end()
      if let failure = outcome.failure {
        // Cancelling a command of the script stops the script; another signal is held, and ends the
        // program.
        if failure.code == 128 + SIGINT { return stop() }
        if failure.code > 128 { return }
        throw failure
      }
      loop.refresh()
    } catch {
      let message = (error as? Command.Failure)?.message ?? Failure(explaining: error).message
      loop.send(.journal(.failed(message)))
    }
  }
}

// MARK: - Scripts in the main loop

extension ScreenLoop {
  /// Starts a script.
  func play(_ player: KeyPlayer) {
    script = ScriptPlayer(player, loop: self, work: work)
    timers.followScript(skipping: player.pace.skips)
    timers.set(.key, after: .zero)
  }

  /// Whether a script is played.
  var isPlaying: Bool { script != nil }

  /// Whether the keys come from a pipe or a script.
  var isScripted: Bool { isPlaying || !state.environment.keysAreTyped }

  /// Stops the script.
  func stopPlaying() { script?.stop() }

  func press(_ event: KeyEvent) { input?.press(event) }

  /// Returns to the user's keys and the system clock.
  func leaveScript() {
    script = nil
    timers.leaveScript()
    send(.terminal(.resized(display.size)))
  }
}
