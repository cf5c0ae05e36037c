import Markdown

/// Writes the visible bytes of a paragraph with the delimiters of their styles and links, and a
/// backslash before signs that would be Markdown by accident.
struct MarkdownWriter {
  /// Represents a run that is written as it is, for its neighbours.
  static let placeholder: UInt8 = 1

  private let isCell: Bool
  private let sign: (Inline.Styles) -> String
  private var bytes: [UInt8] = []
  /// White space before the next visible byte.
  private var pending: [UInt8] = []
  /// The open styles, the innermost last.
  private var open: [Inline.Styles] = []
  private var link: (index: Int, address: String)?
  /// The position in the source of a sign to escape: the point of `1.`.
  private var numberSign: Int?

  /// Makes a writer.
  ///
  /// - Parameter sign: the delimiter of a style.
  init(isCell: Bool, sign: @escaping (Inline.Styles) -> String) {
    self.isCell = isCell
    self.sign = sign
  }

  /// Adds white space.
  mutating func space(_ byte: UInt8) { pending.append(byte) }

  /// Begins a visible byte of some styles and a link.
  mutating func begin(_ styles: Inline.Styles, link wanted: (index: Int, address: String)?) {
    let changesLink = wanted?.index != link?.index
    if changesLink {
      closeStyles { _ in true }
      closeLink()
    }
    let isBreak = link == nil && pending.contains(0x0A)
    closeStyles { isBreak || !styles.contains($0) }
    flush()
    if changesLink, let wanted {
      // `!` before a link would make it a picture.
      if bytes.last == UInt8(ascii: "!") {
        bytes.insert(UInt8(ascii: "\\"), at: bytes.count - 1)
      }
      protectBackslash()
      bytes.append(UInt8(ascii: "["))
      link = wanted
    }
    for style in [Inline.Styles.strong, .emphasis, .strikethrough]
    where styles.contains(style) && !open.contains(style) {
      protectBackslash()
      bytes.append(contentsOf: sign(style).utf8)
      open.append(style)
    }
  }

  /// Writes Markdown as it is.
  mutating func raw(_ markdown: [UInt8]) {
    protectBackslash()
    if bytes.last == UInt8(ascii: "!"), markdown.first == UInt8(ascii: "[") {
      bytes.insert(UInt8(ascii: "\\"), at: bytes.count - 1)
    }
    guard isCell else {
      bytes += markdown
      return
    }
    for byte in markdown {
      if byte == UInt8(ascii: "|") { bytes.append(UInt8(ascii: "\\")) }
      bytes.append(byte)
    }
  }

  /// Writes the byte at a position of the paragraph, or the whole address there, and returns the
  /// next position.
  mutating func text(_ source: [UInt8], at index: Int) -> Int {
    if source[index] == UInt8(ascii: "h"), link == nil,
      let end = MarkdownAddress.end(in: source, from: index)
    {
      bytes += source[index..<end]
      return end
    }
    if isLineStart(source, index) { numberSign = nil }
    if isEscaped(source, index) { bytes.append(UInt8(ascii: "\\")) }
    bytes.append(source[index])
    return index + 1
  }

  /// The Markdown, without white space at its end.
  mutating func finished() -> [UInt8] {
    closeStyles { _ in true }
    closeLink()
    return bytes
  }

  private mutating func flush() {
    if link != nil || isCell {
      if !pending.isEmpty, !bytes.isEmpty { bytes.append(0x20) }
    } else {
      bytes += pending
    }
    pending = []
  }

  private mutating func closeStyles(_ isClosed: (Inline.Styles) -> Bool) {
    guard let first = open.firstIndex(where: isClosed) else { return }
    protectBackslash()
    for style in open[first...].reversed() { bytes.append(contentsOf: sign(style).utf8) }
    open.removeSubrange(first...)
  }

  private mutating func closeLink() {
    guard let link else { return }
    protectBackslash()
    bytes.append(contentsOf: "](\(MarkdownAddress.target(link.address)))".utf8)
    self.link = nil
  }

  // MARK: Escapes

  /// Doubles a backslash of the text that would hide a delimiter.
  private mutating func protectBackslash() {
    let backslash = UInt8(ascii: "\\")
    let count = bytes.reversed().prefix { $0 == backslash }.count
    if count % 2 == 1 { bytes.append(backslash) }
  }

  private func isLineStart(_ source: [UInt8], _ index: Int) -> Bool {
    index == 0 || source[index - 1] == 0x0A
  }

  private mutating func isEscaped(_ source: [UInt8], _ index: Int) -> Bool {
    let before = index > 0 ? source[index - 1] : 0x20
    let after = index + 1 < source.count ? source[index + 1] : 0x20
    if isLineStart(source, index), beginsBlock(source, index) { return true }
    if numberSign == index { return true }
    switch source[index] {
    case UInt8(ascii: "\\"): return ASCII.isPunctuation(after)
    case UInt8(ascii: "`"): return true
    case UInt8(ascii: "*"), UInt8(ascii: "_"):
      let isInside = Self.isWord(before) && Self.isWord(after)
      return !isInside && !(ASCII.isSpace(before) && ASCII.isSpace(after))
    case UInt8(ascii: "~"):
      return before == UInt8(ascii: "~") || after == UInt8(ascii: "~")
    case UInt8(ascii: "["): return link != nil
    case UInt8(ascii: "]"): return link != nil || after == UInt8(ascii: "(")
    case UInt8(ascii: "<"): return ASCII.isLetter(after) || "/!?".utf8.contains(after)
    case UInt8(ascii: "|"): return isCell
    default: return false
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte)
  }

  /// Whether the byte at the start of a line is to be escaped, so that the line begins no block.
  private mutating func beginsBlock(_ source: [UInt8], _ start: Int) -> Bool {
    let line = source[start...].prefix { $0 != 0x0A }
    let after = start + 1 < line.endIndex ? line[start + 1] : 0x20
    switch source[start] {
    case UInt8(ascii: "#"):
      let signs = line.prefix(7).prefix { $0 == UInt8(ascii: "#") }.count
      return signs <= 6 && (start + signs >= line.endIndex || ASCII.isSpace(line[start + signs]))
    case UInt8(ascii: ">"): return true
    case UInt8(ascii: "*"), UInt8(ascii: "+"):
      return ASCII.isSpace(after)
    case UInt8(ascii: "-"):
      return ASCII.isSpace(after) || Self.isRule(line)
    case UInt8(ascii: "_"), UInt8(ascii: "|"), UInt8(ascii: ":"):
      return Self.isRule(line)
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      let digits = line.prefix(10).prefix(while: ASCII.isDigit).count
      let sign = start + digits
      guard sign < line.endIndex, ".)".utf8.contains(line[sign]),
        sign + 1 >= line.endIndex || ASCII.isSpace(line[sign + 1])
      else { return false }
      numberSign = sign
      return false
    default: return false
    }
  }

  /// Whether a line has only signs of rules and of the second line of a table.
  private static func isRule(_ line: ArraySlice<UInt8>) -> Bool {
    line.allSatisfy { "-_|: ".utf8.contains($0) }
  }
}

/// Addresses in Markdown.
enum MarkdownAddress {
  /// The target of a link, in angle brackets if it has signs that end a plain one.
  static func target(_ address: String) -> String {
    var result: [UInt8] = []
    var isPlain = !address.isEmpty
    var depth = 0
    for byte in address.utf8 {
      switch byte {
      case ..<0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: ">"):
        result.append(contentsOf: percent(byte))
        continue
      case 0x20: isPlain = false
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      default: break
      }
      if depth < 0 || depth > 4 { isPlain = false }
      result.append(byte)
    }
    let text = String(decoding: result, as: UTF8.self)
    return isPlain && depth == 0 ? text : "<\(text)>"
  }

  /// An address that is its own text: bare, or in angle brackets; `nil` for another text.
  static func plain(_ address: String, text: ArraySlice<UInt8>) -> [UInt8]? {
    let bytes = Array(text)
    let isSame = address.utf8.elementsEqual(bytes)
    if isSame, end(in: bytes, from: 0) == bytes.count { return bytes }
    guard isSame || "mailto:\(String(decoding: bytes, as: UTF8.self))" == address else {
      return nil
    }
    let isAllowed = bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"<>".utf8.contains($0) }
    guard isAllowed, bytes.contains(isSame ? UInt8(ascii: ":") : UInt8(ascii: "@")),
      bytes.first.map(ASCII.isLetter) ?? false
    else { return nil }
    return [UInt8(ascii: "<")] + bytes + [UInt8(ascii: ">")]
  }

  /// The end of a bare address that begins at a position; `nil` if none does.
  static func end(in bytes: [UInt8], from start: Int) -> Int? {
    if start > 0, ASCII.isLetter(bytes[start - 1]) || ASCII.isDigit(bytes[start - 1]) { return nil }
    let rest = bytes[start...]
    guard let scheme = ["http://", "https://"].first(where: { rest.starts(with: $0.utf8) }) else {
      return nil
    }
    let first = start + scheme.utf8.count
    var end = first
    while end < bytes.count, (0x21...0x7E).contains(bytes[end]),
      !"<>[]\"`|\\".utf8.contains(bytes[end])
    {
      end += 1
    }
    // What the parser takes for the end of a sentence.
    let closing = UInt8(ascii: ")")
    var open = bytes[first..<end].reduce(0) { count, byte in
      byte == UInt8(ascii: "(") ? count + 1 : byte == closing ? count - 1 : count
    }
    while end > first {
      if bytes[end - 1] == closing, open < 0 {
        open += 1
      } else if !".,:;!?'*_~".utf8.contains(bytes[end - 1]) {
        break
      }
      end -= 1
    }
    return end > first ? end : nil
  }

  private static func percent(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}
