import Glibc
import Journal
import JournalStore
import Screen
import Terminal
import TextLayout

/// A script types into the same loop as a person: each step is a timer's work, so that signals, the
/// size of the screen and other processes' changes are attended to between any two keys.
extension AppRunner {
  /// Begins to play.
  func play(_ player: KeyPlayer) {
    self.player = player
    timers.followScript(skipping: player.pace.skips)
    timers.set(.key, after: .zero)
  }

  /// Plays the next step, and sets the time of the one behind it.
  func playStep() {
    guard let step = player?.next() else { return finishPlaying() }
    switch step {
    case .event(let event): press(event)
    case .wait: break
    case .say(let text): player?.say(text)
    case .run(let words): runBeside(words)
    }
    timers.set(.key, after: player?.pace.pause(after: step))
  }

  /// Stops because the person who watches wants the keys, or the program is to end.
  func stopPlaying() {
    let isWatched = keysAreTyped
    leaveScript()
    if isWatched {
      let way = prompt.isActive ? "Esc, then q, quits" : "q quits"
      send(.saved(Saved("the script has stopped; the keys are yours, \(way)")))
    } else {
      send(.signalled(SIGINT))
    }
  }

  private func finishPlaying() {
    guard let ending = player?.ending else { return }
    switch ending {
    // The last caption stays, because the last screen does.
    case .quits: send(.inputEnded)
    case .handsOver:
      leaveScript()
      send(.saved(Saved("the tour is over; try what you like, q quits")))
    }
  }

  private func leaveScript() {
    player?.say(nil)
    player = nil
    timers.leaveScript()
    send(.resized(display.size))
  }

  /// Has another process run a command on this journal, with `{now}` in the place of the present
  /// moment; what it changes comes the way every other process's changes come.
  private func runBeside(_ text: String) {
    do {
      guard store.place != ":memory:" else {
        throw Failure(.notDone, "<Run> needs a journal in a file; this one is in memory")
      }
      let now = store.clock.moment().description
      let words = try Command.words(text).map { $0 == "{now}" ? now : $0 }
      var isStopped = false
      let wish = wish(during: words.first ?? "")
      let result = try SubProcess.run(sameJournal + words) {
        let now = wish()
        isStopped = isStopped || now == .givenUp
        return now
      }
      if state.work != nil { send(.working(nil)) }
      // Who gives a command of the script up wants the script to stop.
      if isStopped { return stopPlaying() }
      guard result.code == 0 else {
        let reason = result.output.split(separator: "\n").last.map(String.init)
        throw Failure(.notDone, reason ?? "\(text) ended with \(result.code)")
      }
      refresh()
    } catch {
      let failure = (error as? Command.Failure)?.message ?? Failure(explaining: error).message
      send(.failed(failure))
    }
  }
}
