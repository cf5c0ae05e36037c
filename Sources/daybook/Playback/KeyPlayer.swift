import TerminalUI

/// A script that is being played: what comes next and when.
struct KeyPlayer {
  /// What comes behind the last step.
  enum Ending {
    /// The program ends, as at the end of piped keys.
    case quits
    /// The person who watched has the keys.
    case handsOver
  }

  /// How fast it is played.
  let pace: Pace
  /// What comes behind the last step.
  let ending: Ending
  /// Shows a caption; `nil` gives its place back.
  let say: (String?) -> Void
  private var steps: ArraySlice<KeyScript.Step>

  /// Makes a player at the beginning of a script.
  init(
    _ steps: [KeyScript.Step], pace: Pace, ending: Ending, say: @escaping (String?) -> Void
  ) {
    self.steps = steps[...]
    self.pace = pace
    self.ending = ending
    self.say = say
  }

  /// The next step; `nil` at the end.
  mutating func next() -> KeyScript.Step? { steps.popFirst() }
}
