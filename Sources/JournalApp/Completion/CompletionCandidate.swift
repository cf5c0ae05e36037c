/// One way to complete a word.
public struct CompletionCandidate: Hashable, Sendable {
  /// What stands in the word's place afterwards.
  public var text: String
  /// What tells it from the others: how often a tag is used, an entry's title.
  public var detail: String?
  /// Whether something must follow directly, as after `since:`.
  public var isOpen: Bool

  /// Makes a candidate.
  public init(_ text: String, detail: String? = nil, isOpen: Bool = false) {
    self.text = text
    self.detail = detail
    self.isOpen = isOpen
  }

  /// The candidate in a list of choices: `#home 12`.
  public var label: String { detail.map { "\(text) \($0)" } ?? text }

  /// The candidate behind what stands before it in the same word, as `-` before a tag.
  func behind(_ prefix: String) -> CompletionCandidate {
    CompletionCandidate(prefix + text, detail: detail, isOpen: isOpen)
  }
}
