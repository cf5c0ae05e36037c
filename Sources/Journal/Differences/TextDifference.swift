/// The difference between two texts, by lines, and by words in changed lines.
///
/// The lines of both texts are in order: removed lines before the added ones that replace them. A
/// command prints this value, and a screen draws it:
///
/// ```swift
/// for line in TextDifference(from: old, to: new).lines { print(line.sign + line.text) }
/// ```
package struct TextDifference: Hashable, Sendable {
  /// The state of a line.
  package enum Kind: Hashable, Codable, Sendable {
    /// The line is in both texts.
    case same
    /// The line is only in the old text.
    case removed
    /// The line is only in the new text.
    case added
  }

  /// A line of one or both texts.
  package struct Line: Hashable, Sendable {
    /// The state of the line.
    package var kind: Kind
    /// The line, without its end.
    package var text: String
    /// The changed words, as ascending byte ranges in the line; `nil` if no line replaces it, or
    /// none with a common word: then the whole line is changed.
    package var changes: [Range<Int>]?

    package init(_ kind: Kind, _ text: String, changes: [Range<Int>]? = nil) {
      self.kind = kind
      self.text = text
      self.changes = changes
    }

    /// The prefix of the line in print: `+ `, `- ` or two spaces.
    package var sign: String {
      switch kind {
      case .same: "  "
      case .removed: "- "
      case .added: "+ "
      }
    }
  }

  /// The lines of both texts.
  package private(set) var lines: [Line] = []

  /// The maximum length in bytes of lines compared word by word.
  private static let wordLimit = 1 << 18

  /// Compares two texts.
  ///
  /// - Complexity: O(n log n) in the bytes of both, and a bounded number of further steps:
  ///   unrelated texts of megabytes count as replaced, since a closer comparison would take
  ///   seconds.
  package init(from old: String, to new: String) {
    let before = Self.split(old)
    let after = Self.split(new)
    var numbers = Interning()
    let kept = SequenceDifference(from: numbers.take(before), to: numbers.take(after))
    var (left, right) = (0, 0)
    while left < before.count || right < after.count {
      let removed = before[left...].indices.prefix { !kept.keptOld[$0] }
      let added = after[right...].indices.prefix { !kept.keptNew[$0] }
      append(removed: removed.map { before[$0] }, added: added.map { after[$0] })
      (left, right) = (left + removed.count, right + added.count)
      guard left < before.count, right < after.count else { continue }
      lines.append(Line(.same, after[right]))
      (left, right) = (left + 1, right + 1)
    }
  }

  /// The lines with a maximum number of unchanged ones on each side of a change.
  package func lines(around count: Int) -> [Line] {
    var nearness = Array(repeating: false, count: lines.count)
    for index in lines.indices where lines[index].kind != .same {
      for near in max(0, index - count)...min(lines.count - 1, index + count) {
        nearness[near] = true
      }
    }
    return lines.indices.filter { nearness[$0] }.map { lines[$0] }
  }

  /// The difference with a line that counts them in the place of unchanged lines far from a change:
  /// `⋯ 36 equal lines`.
  ///
  /// - Parameter count: the unchanged lines that stay on each side of a change.
  package func folded(around count: Int) -> TextDifference {
    var folded = self
    folded.lines = []
    var index = 0
    while index < lines.count {
      let run = lines[index...].prefix { $0.kind == .same }
      guard !run.isEmpty else {
        folded.lines.append(lines[index])
        index += 1
        continue
      }
      let first = run.startIndex == 0 ? 0 : count
      let last = run.endIndex == lines.count ? 0 : count
      let hidden = run.count - first - last
      if hidden > 1 {
        folded.lines += run.prefix(first)
        folded.lines.append(Line(.same, "⋯ \(Numbers.grouped(hidden)) equal lines"))
        folded.lines += run.suffix(last)
      } else {
        folded.lines += run
      }
      index = run.endIndex
    }
    return folded
  }

  /// The number of removed or added words.
  package func wordCount(_ kind: Kind) -> Int {
    lines.reduce(0) { count, line in
      guard line.kind == kind else { return count }
      guard let changes = line.changes else { return count + Folding.wordCount(of: line.text) }
      let bytes = Array(line.text.utf8)
      return changes.reduce(count) {
        $0 + Folding.wordCount(of: String(decoding: bytes[$1], as: UTF8.self))
      }
    }
  }

  private static func split(_ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    return text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
  }

  private mutating func append(removed: [String], added: [String]) {
    let size = (removed + added).reduce(0) { $0 + $1.utf8.count }
    guard !removed.isEmpty, !added.isEmpty, size <= Self.wordLimit else {
      lines += removed.map { Line(.removed, $0) } + added.map { Line(.added, $0) }
      return
    }
    guard let (old, new) = WordDifference.changes(from: removed, to: added) else {
      lines += removed.map { Line(.removed, $0) } + added.map { Line(.added, $0) }
      return
    }
    lines += zip(removed, old).map { Line(.removed, $0, changes: $1) }
    lines += zip(added, new).map { Line(.added, $0, changes: $1) }
  }
}

/// Finds the words that differ between removed and added lines.
enum WordDifference {
  /// A word, or the text between words, with its position.
  private struct Piece {
    var line: Int
    var range: Range<Int>
    var isWord: Bool
  }

  /// The ascending byte ranges in each line that the other lines do not have; `nil` if no word is
  /// common, since then the whole line would be marked.
  static func changes(
    from old: [String], to new: [String]
  ) -> (old: [[Range<Int>]], new: [[Range<Int>]])? {
    var interning = Interning()
    let (before, after) = (pieces(of: old), pieces(of: new))
    let kept = SequenceDifference(
      from: numbers(of: before, old, &interning), to: numbers(of: after, new, &interning))
    let hasCommonWord = zip(before, kept.keptOld).contains { $0.isWord && $1 }
    guard hasCommonWord else { return nil }
    return (
      changed(before, kept.keptOld, lines: old.count),
      changed(after, kept.keptNew, lines: new.count)
    )
  }

  private static func numbers(
    of pieces: [Piece], _ lines: [String], _ interning: inout Interning
  ) -> [Int] {
    var line = -1
    var bytes: [UInt8] = []
    return pieces.map { piece in
      if piece.line != line {
        line = piece.line
        bytes = Array(lines[line].utf8)
      }
      return interning.number(of: Array(bytes[piece.range]))
    }
  }

  /// The pieces of lines; the end of a line is an empty piece.
  private static func pieces(of lines: [String]) -> [Piece] {
    lines.enumerated().flatMap { index, line in
      pieces(of: line, index) + [Piece(line: index, range: 0..<0, isWord: false)]
    }
  }

  /// Words, runs of white space, and all other characters one by one; no character is split.
  private static func pieces(of text: String, _ line: Int) -> [Piece] {
    var pieces: [Piece] = []
    var lastClass: PieceClass?
    var place = 0
    for character in text {
      let end = place + character.utf8.count
      let pieceClass = PieceClass(character)
      if pieceClass == lastClass, pieceClass != .alone, let last = pieces.indices.last {
        pieces[last].range = pieces[last].range.lowerBound..<end
      } else {
        pieces.append(
          Piece(line: line, range: place..<end, isWord: character.isWordLike))
      }
      lastClass = pieceClass
      place = end
    }
    return pieces
  }

  /// The ranges of the changed pieces; adjacent ones, and those separated by a single blank, are
  /// joined.
  private static func changed(
    _ pieces: [Piece], _ isKept: [Bool], lines: Int
  ) -> [[Range<Int>]] {
    var ranges = Array(repeating: [Range<Int>](), count: lines)
    var joined = true
    for (index, piece) in pieces.enumerated() {
      guard !isKept[index], !piece.range.isEmpty else {
        let isBlank = !piece.isWord && piece.range.count == 1
        joined = joined && isBlank
        continue
      }
      if joined, let last = ranges[piece.line].last {
        ranges[piece.line][ranges[piece.line].count - 1] =
          last.lowerBound..<piece.range.upperBound
      } else {
        ranges[piece.line].append(piece.range)
      }
      joined = true
    }
    return ranges
  }
}

/// The classes of characters that form pieces.
private enum PieceClass {
  case word, space, alone

  init(_ character: Character) {
    let first = character.unicodeScalars.first ?? " "
    if character.isWhitespace {
      self = .space
    } else {
      self = WordClass(first) == .letter ? .word : .alone
    }
  }
}

extension Character {
  /// Whether it belongs to a word as people count them.
  var isWordLike: Bool {
    unicodeScalars.first.map { WordClass($0) != .other } ?? false
  }
}

/// A difference as one text for wrapping and drawing: all lines, their states, and the ranges of
/// the changed words.
package struct MarkedDifference: Hashable, Codable, Sendable {
  /// The lines of both texts, with line feeds between them.
  package let text: String
  /// The state of each line.
  package let kinds: [TextDifference.Kind]
  /// The words that changed within lines, as ascending byte ranges of ``text``.
  package let changes: [Range<Int>]
  /// The number of added words.
  package let addedWords: Int
  /// The number of removed words.
  package let removedWords: Int

  /// Joins the lines of a difference.
  package init(_ difference: TextDifference) {
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

  /// The difference between two texts.
  package init(from old: String, to new: String) {
    self.init(TextDifference(from: old, to: new))
  }
}
