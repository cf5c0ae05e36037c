/// Finds the words that differ between lines that went and lines that came.
enum WordDifference {
  /// A word, or what stands between words, and where.
  private struct Piece {
    var line: Int
    var range: Range<Int>
    var isWord: Bool
  }

  /// The places in each line, in bytes and ascending, that the other lines do not have; `nil` where no
  /// word is common, since then everything would be marked.
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

  /// The pieces of lines; a line's end is a piece of no bytes.
  private static func pieces(of lines: [String]) -> [Piece] {
    lines.enumerated().flatMap { index, line in
      pieces(of: line, index) + [Piece(line: index, range: 0..<0, isWord: false)]
    }
  }

  /// Words, runs of white space, and all other characters one by one; no character is cut.
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

  /// The places of the pieces that are not kept, those side by side and those with nothing but a
  /// blank between them joined.
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

/// How characters join into pieces.
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
  /// Whether a person would count it, or what it is part of, as a word.
  fileprivate var isWordLike: Bool {
    unicodeScalars.first.map { WordClass($0) != .other } ?? false
  }
}
