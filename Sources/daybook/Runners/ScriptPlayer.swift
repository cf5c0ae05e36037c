import Glibc
import Journal
import JournalStore
import Screen
import Terminal
import TextLayout

/// Plays a script into the main loop: each step is a timer's work, so that signals, the size of the
/// screen and other processes' changes are attended to between any two keys.
final class ScriptPlayer {
  private var player: KeyPlayer
  private unowned let loop: ScreenLoop
  private let work: WorkAttendant

  init(_ player: KeyPlayer, loop: ScreenLoop, work: WorkAttendant) {
    self.player = player
    self.loop = loop
    self.work = work
  }

  /// Plays the next step, and sets the time of the one after it.
  func step() {
    guard let step = player.next() else { return finish() }
    switch step {
    case .event(let event): loop.press(event)
    case .wait: break
    case .say(let text): player.say(text)
    case .run(let words): runBeside(words)
    }
    // A step may have stopped the script.
    guard loop.isPlaying else { return }
    loop.timers.set(.key, after: player.pace.pause(after: step))
  }

  /// Stops because the person who watches wants the keys, or the program is to end.
  func stop() {
    let isWatched = loop.state.keysAreTyped
    leave()
    if isWatched {
      let way = loop.prompt.isActive ? "Esc, then q, quits" : "q quits"
      let news = "the script has stopped; the keys are yours, \(way)"
      loop.send(.journal(.saved(Saved(news))))
    } else {
      loop.send(.terminal(.signalled(SIGINT)))
    }
  }

  private func finish() {
    switch player.ending {
    // The last caption stays, because the last screen does.
    case .quits: loop.send(.terminal(.inputEnded))
    case .handsOver:
      leave()
      loop.send(.journal(.saved(Saved("the tour is over; try what you like, q quits"))))
    }
  }

  private func leave() {
    player.say(nil)
    loop.leaveScript()
  }

  /// Has another process run a command on this journal, with `{now}` in the place of the present
  /// moment; its changes arrive the way every other process's changes do.
  private func runBeside(_ text: String) {
    guard let store = loop.journal?.store else { return }
    do {
      guard store.path != ":memory:" else {
        throw Failure(.notDone, "<Run> needs a journal in a file; this one is in memory")
      }
      let now = store.clock.moment().description
      let words = try Command.words(text).map { $0 == "{now}" ? now : $0 }
      var isStopped = false
      let wish = work.wish(during: words.first ?? "")
      let result = try SubProcess.run(ProgramRunner.options(for: store) + words) {
        let now = wish()
        isStopped = isStopped || now == .givenUp
        return now
      }
      if work.isShown {
        work.isShown = false
        loop.send(.journal(.working(nil)))
      }
      // Who cancels a command of the script wants the script to stop.
      if isStopped { return stop() }
      guard result.code == 0 else {
        let reason = result.output.split(separator: "\n").last.map(String.init)
        throw Failure(.notDone, reason ?? "\(text) ended with \(result.code)")
      }
      loop.refresh()
    } catch {
      let message = (error as? Command.Failure)?.message ?? Failure(explaining: error).message
      loop.send(.journal(.failed(message)))
    }
  }
}
