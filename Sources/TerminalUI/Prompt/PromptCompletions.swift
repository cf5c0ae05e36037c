/// Ways to complete the word at the cursor.
public struct PromptCompletions: Equatable, Sendable {
  /// Whole words that can stand in the place of the typed one, best first.
  public var words: [String]
  /// What is shown for each word where there are several: `#home 12`.
  public var labels: [String]
  /// Whether a word that is the only one is finished, so that a space follows.
  public var isFinished: Bool

  /// Makes completions; the words are their own labels unless there are as many others.
  public init(_ words: [String] = [], labels: [String] = [], isFinished: Bool = true) {
    self.words = words
    self.labels = labels.count == words.count ? labels : words
    self.isFinished = isFinished
  }

  /// Finds completions: of the word `text` that begins at the byte `start` of `line`.
  public typealias Source = (_ text: String, _ start: Int, _ line: String) -> PromptCompletions
}
