import Journal
import Markdown
import TextLayout

/// The words of a text whose spelling counts: those of its prose.
///
/// Code, links, tags, names of fields, addresses, paths, names with digits or capitals inside, and words
/// of scripts without spaces are none.
package enum SpelledWords {
  package struct Word: Equatable, Sendable {
    package var text: String
    /// Its bytes in the text.
    package var range: Range<Int>
  }

  /// The bytes on each side of the cursor that are looked at.
  private static let reach = 4_096

  /// The words near the cursor, in order.
  ///
  /// - Parameter point: the cursor in bytes.
  /// - Complexity: independent of the length of a long text.
  package static func words(of text: String, near point: Int) -> [Word] {
    let around = max(0, point - reach)..<min(text.utf8.count, point + reach)
    guard !around.isEmpty else { return [] }
    let (part, start) = WritingStyles.part(of: text, around: around)
    let document = Document(part)
    var marks = Marks.places(in: part).map(\.range)[...]
    var words: [Word] = []
    for run in prose(of: document) {
      marks = marks.drop { $0.upperBound <= run.lowerBound }
      var rest = run
      for mark in marks.prefix(while: { $0.lowerBound < run.upperBound }) {
        if mark.lowerBound > rest.lowerBound {
          add(rest.lowerBound..<mark.lowerBound, of: document, start, to: &words)
        }
        rest = min(max(rest.lowerBound, mark.upperBound), rest.upperBound)..<rest.upperBound
      }
      add(rest, of: document, start, to: &words)
    }
    return words
  }

  /// The runs of text that are neither code nor in a link.
  private static func prose(of document: Document) -> [Range<Int>] {
    document.blocks.flatMap { block -> [Range<Int>] in
      switch block.kind {
      case .paragraph, .heading, .table:
        document.inlines(block.lines).lines.joined()
          .filter { $0.kind == .text && $0.link == nil }.map(\.range)
      case .blank, .indentedCode, .fencedCode, .thematicBreak: []
      }
    }
  }

  private static func add(
    _ range: Range<Int>, of document: Document, _ start: Int, to words: inout [Word]
  ) {
    var place = range.lowerBound
    let chunks = document.bytes[range].split(omittingEmptySubsequences: true) {
      $0 <= 0x20 || $0 == UInt8(ascii: "|")
    }
    for chunk in chunks {
      place = chunk.startIndex
      let text = String(decoding: chunk, as: UTF8.self)
      guard isPlain(text) else { continue }
      for word in parts(of: text) where isSpelled(word.text) {
        words.append(
          Word(
            text: word.text,
            range: word.range.lowerBound + place + start..<word.range.upperBound + place + start))
      }
    }
  }

  /// Whether a piece between blanks is neither an address, a path nor a name of a program.
  private static func isPlain(_ piece: String) -> Bool {
    var last: UInt8 = 0x20
    var isAfterDot = false
    for byte in piece.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): return false
      case UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "@"), UInt8(ascii: "_"),
        UInt8(ascii: "="), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "{"),
        UInt8(ascii: "}"), UInt8(ascii: "$"), UInt8(ascii: "~"), UInt8(ascii: "#"):
        return false
      default:
        // A dot inside: `example.org`.
        if isAfterDot, isLetter(byte) { return false }
      }
      isAfterDot = byte == UInt8(ascii: ".") && isLetter(last)
      last = byte
    }
    return true
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0x80 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }

  /// The words of a piece: letters and marks, with apostrophes between them.
  private static func parts(of piece: String) -> [Word] {
    var words: [Word] = []
    var (text, start, offset) = ("", 0, 0)
    func end(at offset: Int) {
      while text.last == "'" || text.last == "\u{2019}" { text.removeLast() }
      if !text.isEmpty { words.append(Word(text: text, range: start..<start + text.utf8.count)) }
      text = ""
    }
    for scalar in piece.unicodeScalars {
      let isApostrophe = scalar == "'" || scalar == "\u{2019}"
      if isInWord(scalar) || isApostrophe && !text.isEmpty {
        if text.isEmpty { start = offset }
        text.unicodeScalars.append(scalar)
      } else {
        end(at: offset)
      }
      offset += UTF8.width(scalar)
    }
    end(at: offset)
    return words
  }

  private static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return isLetter(UInt8(truncatingIfNeeded: scalar.value)) }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark:
      return true
    default: return false
    }
  }

  /// Whether a dictionary can know a word: it has two letters, no capital inside, and spaces around it
  /// in its script.
  private static func isSpelled(_ word: String) -> Bool {
    guard word.count > 1, !word.dropFirst().contains(where: \.isUppercase) else { return false }
    return !word.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x2E80...0xA4CF, 0xF900...0xFAFF,
        0x20000...0x3FFFF:
        true
      default: false
      }
    }
  }
}

/// The words offered in place of a wrong one.
package struct SpellingChoice: Equatable, Codable, Sendable {
  /// The wrong word.
  package var word: String
  /// Its bytes in the text.
  package var range: Range<Int>
  /// The words, best first; nine at most, each with its digit as key.
  package var suggestions: [String]

  package init(word: String, range: Range<Int>, suggestions: [String]) {
    (self.word, self.range, self.suggestions) = (word, range, suggestions)
  }

  /// Whether a text has the word at its place.
  package func isIn(_ text: String) -> Bool {
    text.utf8.dropFirst(range.lowerBound).prefix(range.count).elementsEqual(word.utf8)
  }

  /// The keys and their words.
  var items: [Choices.Item] {
    suggestions.enumerated().map { Choices.Item(keys: "\($0 + 1)", word: $1) } + [
      Choices.Item(keys: "+", word: "add \u{201C}\(word)\u{201D} to your words, a readable file"),
      Choices.Item(keys: "Esc", word: "close"),
    ]
  }
}
