/// A difference as one text that can be wrapped and drawn: its lines below one another, what became of
/// each, and where the words are that changed.
public struct MarkedDifference: Hashable, Sendable {
  /// The lines of both texts, with line feeds between them.
  public let text: String
  /// What became of each line.
  public let kinds: [TextDifference.Kind]
  /// The words that changed within lines, in bytes of ``text``, ascending.
  public let changes: [Range<Int>]
  /// How many words came.
  public let addedWords: Int
  /// How many words went.
  public let removedWords: Int

  /// Puts the lines of a difference below one another.
  public init(_ difference: TextDifference) {
    text = difference.lines.map(\.text).joined(separator: "\n")
    kinds = difference.lines.map(\.kind)
    var start = 0
    var changes: [Range<Int>] = []
    for line in difference.lines {
      for change in line.changes ?? [] {
        changes.append((start + change.lowerBound)..<(start + change.upperBound))
      }
      start += line.text.utf8.count + 1
    }
    self.changes = changes
    addedWords = difference.wordCount(.added)
    removedWords = difference.wordCount(.removed)
  }

  /// What lies between two texts.
  public init(from old: String, to new: String) {
    self.init(TextDifference(from: old, to: new))
  }
}
