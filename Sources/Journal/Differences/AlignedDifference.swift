/// The lines of two texts side by side.
///
/// Unchanged lines share a row. Changed lines share a row with the line that replaces them: the one
/// with which they have the most words in common, in order.
package struct AlignedDifference: Hashable, Codable, Sendable {
  /// A row: a line of one text, or of both.
  package struct Row: Hashable, Codable, Sendable {
    /// The line of the old text, from 0; `nil` for a blank.
    package var old: Int?
    /// The line of the new text, from 0; `nil` for a blank.
    package var new: Int?
  }

  /// A text with the words that the other one does not have.
  package struct Side: Hashable, Codable, Sendable {
    /// The text.
    package fileprivate(set) var text = ""
    /// The state of each line.
    package fileprivate(set) var kinds: [TextDifference.Kind] = []
    /// The words that changed within lines, as ascending byte ranges of ``text``.
    package fileprivate(set) var changes: [Range<Int>] = []

    fileprivate mutating func append(_ line: TextDifference.Line) {
      if !kinds.isEmpty { text += "\n" }
      let start = text.utf8.count
      text += line.text
      kinds.append(line.kind)
      for change in line.changes ?? [] {
        changes.append((start + change.lowerBound)..<(start + change.upperBound))
      }
    }
  }

  /// The old text.
  package private(set) var old = Side()
  /// The new text.
  package private(set) var new = Side()
  /// All lines of both texts, each once and in order.
  package private(set) var rows: [Row] = []

  /// The maximum number of pairs of lines compared within one change; larger changes are paired in
  /// order.
  private static let mostPairs = 4_096

  /// Aligns the lines of a difference.
  package init(_ difference: TextDifference) {
    let lines = difference.lines
    var next = 0
    while next < lines.count {
      if lines[next].kind == .same {
        rows.append(Row(old: old.kinds.count, new: new.kinds.count))
        old.append(lines[next])
        new.append(lines[next])
        next += 1
        continue
      }
      let removed = lines[next...].prefix { $0.kind == .removed }
      let added = lines[removed.endIndex...].prefix { $0.kind == .added }
      let (first, other) = (old.kinds.count, new.kinds.count)
      rows += Self.aligned(removed.map(\.text), added.map(\.text)).map { row in
        Row(old: row.old.map { $0 + first }, new: row.new.map { $0 + other })
      }
      for line in removed { old.append(line) }
      for line in added { new.append(line) }
      next = added.endIndex
    }
  }

  /// The rows of one change: the lines with common words pair up, and those between them in order.
  private static func aligned(_ old: [String], _ new: [String]) -> [Row] {
    let pairs = similarLines(old, new)
    var rows: [Row] = []
    var (left, right) = (0, 0)
    for (end, otherEnd) in pairs + [(old.count, new.count)] {
      for row in 0..<max(end - left, otherEnd - right) {
        rows.append(
          Row(
            old: left + row < end ? left + row : nil,
            new: right + row < otherEnd ? right + row : nil))
      }
      guard end < old.count, otherEnd < new.count else { break }
      rows.append(Row(old: end, new: otherEnd))
      (left, right) = (end + 1, otherEnd + 1)
    }
    return rows
  }

  /// The pairs of lines, ascending on both sides, that have the most words in common.
  private static func similarLines(_ old: [String], _ new: [String]) -> [(Int, Int)] {
    guard !old.isEmpty, !new.isEmpty, old.count * new.count <= mostPairs else { return [] }
    let (before, after) = (old.map(words), new.map(words))
    // The longest common subsequence, weighted by common words.
    let width = new.count + 1
    var best = Array(repeating: 0, count: (old.count + 1) * width)
    var common = best
    for left in old.indices.reversed() {
      for right in new.indices.reversed() {
        let place = left * width + right
        common[place] = before[left].intersection(after[right]).count
        best[place] = max(
          best[place + width], best[place + 1], common[place] + best[place + width + 1])
      }
    }
    var pairs: [(Int, Int)] = []
    var (left, right) = (0, 0)
    while left < old.count, right < new.count {
      let place = left * width + right
      if common[place] > 0, best[place] == common[place] + best[place + width + 1] {
        pairs.append((left, right))
        (left, right) = (left + 1, right + 1)
      } else if best[place] == best[place + width] {
        left += 1
      } else {
        right += 1
      }
    }
    return pairs
  }

  /// The words of a line; each character of a script without spaces is one.
  private static func words(of line: String) -> Set<Substring> {
    var words: Set<Substring> = []
    var rest = line[...]
    while let first = rest.first {
      let end =
        first.isWordLetter
        ? rest.prefix { $0.isWordLetter }.endIndex : rest.index(after: rest.startIndex)
      if first.isWordLike { words.insert(rest[..<end]) }
      rest = rest[end...]
    }
    return words
  }
}

extension Character {
  /// Whether it forms a word with the letters beside it.
  fileprivate var isWordLetter: Bool {
    unicodeScalars.first.map { WordClass($0) == .letter } ?? false
  }
}
