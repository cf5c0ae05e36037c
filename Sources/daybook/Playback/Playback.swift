import Glibc
import TerminalUI

/// A key script on its way through the screen: who watches, how fast it goes, what is recorded.
final class Playback {
  /// Where the keys of a person come from, who stops the script with any of them.
  let input: Int32
  /// Whether a person watches on a terminal and has keys.
  let isWatched: Bool
  private let steps: [KeyScript.Step]
  private let pace: Pace
  private let ending: KeyPlayer.Ending
  private let recording: Recording?
  private var captions: CaptionDisplay?

  /// Makes a playback that has not begun.
  ///
  /// - Parameters:
  ///   - steps: the script.
  ///   - speed: how fast; `nil` as fast as a person where one watches, else without pauses between keys.
  ///   - waits: whether written waits take time where nobody watches and no speed is named.
  ///   - handsOver: whether a person who watched to the end has the keys then.
  ///   - recording: what is kept of it.
  init(
    _ steps: [KeyScript.Step], speed: Speed?, waits: Bool, handsOver: Bool, recording: Recording?
  ) {
    self.steps = steps
    self.recording = recording
    let hasTerminal = isatty(STDOUT_FILENO) == 1
    input = hasTerminal ? Self.personsInput() : -1
    isWatched = input >= 0
    ending = handsOver && isWatched ? .handsOver : .quits
    if let speed {
      pace = Pace(speed: speed.factor ?? 1, skips: speed.factor == nil)
    } else if hasTerminal {
      pace = Pace()
    } else {
      pace = Pace(skips: !waits, hasRhythm: !waits)
    }
  }

  /// Standard input, or the terminal itself when the script came from there; -1 for neither.
  private static func personsInput() -> Int32 {
    isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : open("/dev/tty", O_RDONLY | O_CLOEXEC)
  }

  /// The display with what the script needs around it.
  func display(over base: any Display) -> any Display {
    let recorded = recording.map { RecordingDisplay(over: base, $0) } ?? base
    guard steps.contains(where: { if case .say = $0 { true } else { false } }) else {
      return recorded
    }
    let captions = CaptionDisplay(over: recorded)
    if case .say(let text)? = steps.first { captions.say(text) }
    self.captions = captions
    return captions
  }

  /// Begins to play.
  func start(_ runner: AppRunner) {
    runner.loop.setReadsInput(isWatched)
    recording?.time = { [weak runner] in runner?.timers.scriptTime ?? .zero }
    runner.play(
      KeyPlayer(steps, pace: pace, ending: ending) { [captions] in captions?.say($0) })
  }

  /// Writes what was recorded.
  ///
  /// - Throws: ``Failure`` 73, 74 or 77.
  func finish() throws {
    try recording?.write()
  }
}
