import Journal

/// A paragraph of Lifeograph.
struct LifeographParagraph {
  /// The signs of its style in version 3000.
  var style: [UInt8] = []
  var text: [UInt8]
  /// The address of a picture.
  var address = ""
  /// Formats by their first and last characters.
  private var formats: [(kind: UInt8, range: Range<Int>, value: String)] = []

  init(style: ArraySlice<UInt8> = [], text: [UInt8]) {
    (self.style, self.text) = (Array(style), text)
  }

  /// `EfB36|42|`.
  mutating func addFormat(_ bytes: ArraySlice<UInt8>) {
    guard let kind = bytes.first, formats.count < 10_000 else { return }
    let parts = bytes.dropFirst().split(
      separator: UInt8(ascii: "|"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count > 1, let start = Int(String(decoding: parts[0].prefix(9), as: UTF8.self)),
      let end = Int(String(decoding: parts[1].prefix(9), as: UTF8.self)), start >= 0, start < end
    else { return }
    let value = parts.count > 2 ? String(decoding: parts[2], as: UTF8.self) : ""
    formats.append((kind, start..<end, value))
  }

  private var isPicture: Bool { style.count > 6 && style[6] == UInt8(ascii: "I") }

  /// Whether it is a chart or a table of the program, of which only the name is in the text.
  var isChart: Bool {
    style.count > 6 && (style[6] == UInt8(ascii: "C") || style[6] == UInt8(ascii: "T"))
  }

  /// Whether it is an item of a list.
  var isItem: Bool { style.count > 2 && style[2] != UInt8(ascii: "_") }

  /// The words that are tags.
  var tags: [String] {
    let ranges = formats.filter { $0.kind == UInt8(ascii: "T") }.map(\.range)
    guard !ranges.isEmpty else { return [] }
    let characters = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
    return ranges.map { range in
      var tag = String.UnicodeScalarView()
      tag.append(contentsOf: characters[range.clamped(to: 0..<characters.count)])
      return String(tag).trimmingSpace
    }
  }

  /// Whether there is nothing but a tag.
  var isTags: Bool {
    tags.count == 1 && tags[0] == String(decoding: text, as: UTF8.self).trimmingSpace
  }

  /// The Markdown of the paragraph.
  func markdown(isTitle: Bool) -> [UInt8] {
    var line = formatted
    if isPicture {
      // Up to version 3005 the text is the address, and after it what is written below the picture.
      let place =
        address.isEmpty ? String(decoding: ASCII.trimmed(text[...]), as: UTF8.self) : address
      let words = address.isEmpty || line.isEmpty ? [] : [0x20] + line
      if !place.isEmpty { return Array(MarkupLinks.picture(place).utf8) + words }
    }
    guard !isTitle else { return Array(ASCII.trimmed(line[...])) }
    guard style.count > 5 else { return Self.marked(line) }
    line = Array(ASCII.trimmed(line[...]))
    guard !line.isEmpty else {
      return style.count > 10 && style[10] == UInt8(ascii: "R") ? Array("---".utf8) : []
    }
    let indent = Int(style[5]) - 0x30
    let before = Array(repeating: UInt8(0x20), count: min(max(indent - 1, 0), 8) * 2)
    switch style[2] {
    case UInt8(ascii: "O"), UInt8(ascii: "~"): return before + Array("- [ ] ".utf8) + line
    case UInt8(ascii: "+"), UInt8(ascii: "X"): return before + Array("- [x] ".utf8) + line
    case UInt8(ascii: "-"): return before + Array("- ".utf8) + line
    case UInt8(ascii: "1"), UInt8(ascii: "A"), UInt8(ascii: "a"), UInt8(ascii: "R"),
      UInt8(ascii: "r"):
      return before + Array("1. ".utf8) + line
    default: break
    }
    switch style[1] {
    case UInt8(ascii: "T"): return Array("# ".utf8) + line
    case UInt8(ascii: "S"): return Array("## ".utf8) + line
    case UInt8(ascii: "B"): return Array("### ".utf8) + line
    default:
      return style.count > 4 && style[4] == UInt8(ascii: "Q") ? Array("> ".utf8) + line : line
    }
  }

  /// A line of older versions, where one space begins a heading and two a smaller one, and signs
  /// mark words: `*bold*`, `_italic_`, `=struck=`.
  private static func marked(_ line: [UInt8]) -> [UInt8] {
    let spaces = line.prefix { $0 == 0x20 }.count
    let text = line.dropFirst(spaces)
    guard let first = text.first else { return [] }
    if (1...2).contains(spaces), first != 0x09 {
      return Array(repeating: UInt8(ascii: "#"), count: spaces + 1) + [0x20] + text
    }
    return Array(text)
  }

  /// The text with its formats, or with those that its signs mark.
  private var formatted: [UInt8] {
    guard !formats.isEmpty else {
      guard style.isEmpty else { return text }
      let spaces = text.prefix { $0 == 0x20 || $0 == 0x09 }
      return spaces + InlineConverter.markdown(Array(text.dropFirst(spaces.count)), Self.syntax)
    }
    let characters = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
    var (before, after) = ([Int: String](), [Int: String]())
    for format in formats {
      let range = format.range.clamped(to: 0..<characters.count)
      guard !range.isEmpty else { continue }
      let (opening, closing) = Self.delimiters(format.kind, format.value)
      before[range.lowerBound, default: ""] += opening
      after[range.upperBound] = closing + (after[range.upperBound] ?? "")
    }
    var result = String.UnicodeScalarView()
    for (index, character) in characters.enumerated() {
      result.append(contentsOf: (after[index] ?? "").unicodeScalars)
      result.append(contentsOf: (before[index] ?? "").unicodeScalars)
      result.append(character)
    }
    result.append(contentsOf: (after[characters.count] ?? "").unicodeScalars)
    return Array(String(result).utf8)
  }

  private static func delimiters(_ kind: UInt8, _ value: String) -> (String, String) {
    switch kind {
    case UInt8(ascii: "B"): ("**", "**")
    case UInt8(ascii: "I"), UInt8(ascii: "U"): ("*", "*")
    case UInt8(ascii: "S"): ("~~", "~~")
    case UInt8(ascii: "L"): value.isEmpty ? ("", "") : ("[", "](\(value))")
    default: ("", "")
    }
  }

  private static let syntax = InlineSyntax(marks: [
    .init("*", .strong, .words), .init("_", .emphasis, .words),
    .init("=", .strikethrough, .words),
  ])
}
