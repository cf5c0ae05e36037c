import Journal
import Markdown

/// A place where a Markdown text names another file: `![Sea](assets/sea.jpg)`, `[Contract](a.pdf)`,
/// `![Sea][1]` with a definition `[1]: assets/sea.jpg`, Obsidian's `![[sea.jpg|300]]`, or an `<img src="sea.jpg">`.
///
/// Addresses with a scheme but `file://`, and what is in code, are none.
struct FileReference: Equatable {
  /// The ways in which a text names a file.
  enum Form: Equatable {
    /// A link of Markdown, with the places of its words.
    case link(words: Range<Int>, isImage: Bool)
    /// An embedded file, a tag, or a link with a definition, with its words.
    case embed(words: String, isImage: Bool)
  }

  /// The path as it is meant, in the order of likelihood.
  var paths: [String]
  /// The bytes to replace: the destination of a link, else all of it.
  var range: Range<Int>
  var form: Form

  /// The references of a text, in order.
  ///
  /// - Complexity: linear in the bytes of the text.
  static func all(in text: String) -> [FileReference] {
    guard mayBeIn(text) else { return [] }
    let document = Document(text)
    let definitions = definitions(of: document)
    var found = document.linkLines.flatMap { all(in: $0, of: document, definitions) }
    found.sort { $0.range.lowerBound < $1.range.lowerBound }
    var end = 0
    return found.filter { reference in
      guard reference.range.lowerBound >= end else { return false }
      end = reference.range.upperBound
      return true
    }
  }

  /// Whether a text has the signs of a link or an element; most texts have none.
  private static func mayBeIn(_ text: String) -> Bool {
    var previous: UInt8 = 0
    return text.utf8.contains { byte in
      defer { previous = byte }
      return switch byte {
      case UInt8(ascii: "<"): true
      case UInt8(ascii: "("): previous == UInt8(ascii: "]")
      case UInt8(ascii: "["): previous == UInt8(ascii: "[")
      case UInt8(ascii: ":"): previous == UInt8(ascii: "]")
      default: false
      }
    }
  }

  private static func all(
    in lines: [Block.Line], of document: Document, _ definitions: [String: Range<Int>]
  ) -> [FileReference] {
    let content = document.inlines(lines)
    let links = content.links.compactMap { FileReference($0, in: document) }
    let code = content.lines.joined().filter { $0.kind == .code }.map(\.range)
    let others = lines.flatMap { line in
      embeds(in: document.bytes, line.range) + elements(in: document.bytes, line.range)
        + defined(in: document.bytes, line.range, definitions)
    }.filter { other in !code.contains { $0.overlaps(other.range) } }
    return links + others
  }

  private init?(_ link: Markdown.Link, in document: Document) {
    guard !link.isEmail, !link.destination.isEmpty, let words = document.words(of: link) else {
      return nil
    }
    let bytes = document.bytes
    paths = Self.paths(bytes[link.destination])
    guard !paths.isEmpty else { return nil }
    range = link.destination
    if range.lowerBound > 0, range.upperBound < bytes.count,
      bytes[range.lowerBound - 1] == UInt8(ascii: "<"), bytes[range.upperBound] == UInt8(ascii: ">")
    {
      range = range.lowerBound - 1..<range.upperBound + 1
    }
    form = .link(words: words, isImage: link.isImage)
  }

  private init(_ path: ArraySlice<UInt8>, _ range: Range<Int>, words: String, isImage: Bool) {
    paths = Self.paths(path)
    self.range = range
    form = .embed(words: words, isImage: isImage)
  }

  // MARK: Definitions

  /// The destinations of the definitions of a text, `[1]: assets/sea.jpg "Sea"`, by their labels.
  private static func definitions(of document: Document) -> [String: Range<Int>] {
    let bytes = document.bytes
    var found: [String: Range<Int>] = [:]
    for line in document.linkLines.joined() {
      let range = line.range
      guard bytes[range].first == UInt8(ascii: "["),
        bytes[range].dropFirst().first != UInt8(ascii: "^"),
        let end = first(Array("]:".utf8), in: bytes[...], range)
      else { continue }
      let rest = bytes[(end + 2)..<range.upperBound].drop(while: ASCII.isSpace)
      let isQuoted = rest.first == UInt8(ascii: "<")
      let destination = (isQuoted ? rest.dropFirst() : rest).prefix {
        isQuoted ? $0 != UInt8(ascii: ">") : !ASCII.isSpace($0)
      }
      let key = label(bytes[(range.lowerBound + 1)..<end])
      guard !destination.isEmpty, found[key] == nil else { continue }
      found[key] = destination.startIndex..<destination.endIndex
    }
    return found
  }

  private static func label(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).lowercased().split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
  }

  /// The links of a line whose destinations are in definitions: `![Sea][1]`, `![Sea][]`, `![Sea]`.
  private static func defined(
    in bytes: [UInt8], _ line: Range<Int>, _ definitions: [String: Range<Int>]
  ) -> [FileReference] {
    guard !definitions.isEmpty else { return [] }
    var found: [FileReference] = []
    var index = line.lowerBound
    while let start = bytes[index..<line.upperBound].firstIndex(of: UInt8(ascii: "[")) {
      index = start + 1
      guard let words = brackets(at: start, in: bytes, line) else { continue }
      let name = brackets(at: words.upperBound + 1, in: bytes, line)
      let end = (name ?? words).upperBound + 1
      // A definition itself, and a link with a destination of its own.
      guard end == line.upperBound || ![0x3A, 0x28].contains(bytes[end]),
        let destination = definitions[label(bytes[name.map { $0.isEmpty ? words : $0 } ?? words])]
      else { continue }
      let isImage = start > line.lowerBound && bytes[start - 1] == UInt8(ascii: "!")
      let reference = FileReference(
        bytes[destination], (isImage ? start - 1 : start)..<end,
        words: String(decoding: bytes[words], as: UTF8.self), isImage: isImage)
      guard !reference.paths.isEmpty, isImage || reference.isOfFile else { continue }
      found.append(reference)
      index = end
    }
    return found
  }

  /// What is in the brackets that begin at a place, without brackets in it.
  private static func brackets(
    at start: Int, in bytes: [UInt8], _ line: Range<Int>
  ) -> Range<Int>? {
    guard start < line.upperBound, bytes[start] == UInt8(ascii: "[") else { return nil }
    let inner = bytes[(start + 1)..<line.upperBound].prefix {
      $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]")
    }
    guard inner.endIndex < line.upperBound, bytes[inner.endIndex] == UInt8(ascii: "]") else {
      return nil
    }
    return inner.startIndex..<inner.endIndex
  }

  // MARK: Obsidian and HTML

  private static func embeds(in bytes: [UInt8], _ line: Range<Int>) -> [FileReference] {
    var found: [FileReference] = []
    var index = line.lowerBound
    let (opening, closing) = (Array("[[".utf8), Array("]]".utf8))
    while let start = first(opening, in: bytes[...], index..<line.upperBound) {
      guard let end = first(closing, in: bytes[...], start + 2..<line.upperBound) else { break }
      index = end + 2
      let parts = bytes[start + 2..<end].split(
        separator: UInt8(ascii: "|"), maxSplits: 1, omittingEmptySubsequences: false)
      let isImage = start > line.lowerBound && bytes[start - 1] == UInt8(ascii: "!")
      let words = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
      // A number is the width in pixels.
      let isSize = words.allSatisfy { $0.isNumber || $0 == "x" }
      let reference = FileReference(
        parts[0].prefix { $0 != UInt8(ascii: "#") }, (isImage ? start - 1 : start)..<index,
        words: isSize ? "" : words, isImage: isImage)
      if !reference.paths.isEmpty { found.append(reference) }
    }
    return found
  }

  /// The elements of HTML that show a file.
  private static let elements = ["img", "video", "audio", "source", "embed"].map { Array($0.utf8) }

  private static func elements(in bytes: [UInt8], _ line: Range<Int>) -> [FileReference] {
    var found: [FileReference] = []
    var index = line.lowerBound
    while let start = bytes[index..<line.upperBound].firstIndex(of: UInt8(ascii: "<")) {
      index = start + 1
      let name = bytes[index..<line.upperBound].prefix(while: ASCII.isLetter).map(ASCII.lowercased)
      guard elements.contains(name),
        let end = bytes[index..<line.upperBound].firstIndex(of: UInt8(ascii: ">"))
      else { continue }
      index = end + 1
      let tag = bytes[start..<end]
      guard let source = attribute("src", in: tag) else { continue }
      let closing = Array("</".utf8) + name + Array(">".utf8)
      if bytes[index..<line.upperBound].prefix(closing.count).map(ASCII.lowercased) == closing {
        index += closing.count
      }
      let words = attribute("alt", in: tag).map { String(decoding: $0, as: UTF8.self) }
      let reference = FileReference(
        source, start..<index, words: words ?? "", isImage: name == elements[0])
      if !reference.paths.isEmpty { found.append(reference) }
    }
    return found
  }

  /// The value of an attribute in quotes, whose name may be in upper case.
  private static func attribute(_ name: String, in tag: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let lowered = tag.map(ASCII.lowercased)
    for quote in [UInt8(ascii: "\""), UInt8(ascii: "'")] {
      let opening = Array("\(name)=".utf8) + [quote]
      var from = 0
      while let start = first(opening, in: lowered[...], from..<lowered.count) {
        from = start + 1
        guard start > 0, ASCII.isSpace(lowered[start - 1]) else { continue }
        return tag[(tag.startIndex + start + opening.count)...].prefix { $0 != quote }
      }
    }
    return nil
  }

  private static func first(
    _ wanted: [UInt8], in bytes: ArraySlice<UInt8>, _ range: Range<Int>
  ) -> Int? {
    var index = range.lowerBound
    while index + wanted.count <= range.upperBound {
      if bytes[index] == wanted[0], bytes[index..<index + wanted.count].elementsEqual(wanted) {
        return index
      }
      index += 1
    }
    return nil
  }

  // MARK: Paths

  /// What a destination may mean: the path as typed, without escapes of Markdown, of addresses, and
  /// without a fragment.
  private static func paths(_ written: ArraySlice<UInt8>) -> [String] {
    var plain = String(decoding: written, as: UTF8.self).trimmingSpace
    if plain.hasPrefix("file:///") { plain = String(plain.dropFirst("file://".count)) }
    guard !plain.isEmpty, !plain.hasPrefix("//"), !hasScheme(plain) else { return [] }
    var paths = [plain, withoutBackslashes(plain)]
    paths.append(PercentEncoding.decode(plain))
    if let sign = plain.firstIndex(where: { $0 == "#" || $0 == "?" }), sign > plain.startIndex {
      let short = String(plain[..<sign])
      paths += [short, PercentEncoding.decode(short)]
    }
    var seen: Set<String> = []
    return paths.filter { seen.insert($0).inserted && !$0.utf8.contains(0) }
  }

  private static func hasScheme(_ text: String) -> Bool {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return text.utf8[..<colon].allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2B }
      && colon != text.utf8.startIndex
  }

  private static func withoutBackslashes(_ text: String) -> String {
    var bytes: [UInt8] = []
    let source = Array(text.utf8)
    for (index, byte) in source.enumerated() {
      let isEscape =
        byte == UInt8(ascii: "\\") && index + 1 < source.count
        && ASCII.isPunctuation(source[index + 1])
      if !isEscape { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

// MARK: - Rewriting

extension FileReference {
  /// A text whose references name files of the journal.
  ///
  /// - Parameter link: the link to what a reference names, and whether it is kept as it is but for its
  ///   target; `nil` for one that stays.
  static func text(
    _ text: String, _ references: [FileReference],
    _ link: (FileReference) -> (link: FileLink, isExact: Bool)?
  ) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var copied = 0
    func replace(_ range: Range<Int>, by words: String) {
      // The words of a link in a link come before what holds them.
      guard range.lowerBound >= copied else { return }
      result += bytes[copied..<range.lowerBound]
      result += words.utf8
      copied = range.upperBound
    }
    for reference in references {
      guard let (link, isExact) = link(reference) else { continue }
      switch reference.form {
      case .embed: replace(reference.range, by: link.markdown)
      case .link(let words, let isImage):
        if !isExact, isImage, !link.isPicture {
          let start = words.lowerBound - 2
          if start >= 0, bytes[start] == UInt8(ascii: "!") { replace(start..<start + 1, by: "") }
          if words.isEmpty { replace(words, by: FileLink.escaped(link.words)) }
        }
        // Brackets around the path are needed no more, but were there in a text of ours.
        let hasBrackets = isExact && bytes[reference.range.lowerBound] == UInt8(ascii: "<")
        replace(
          hasBrackets
            ? reference.range.lowerBound + 1..<reference.range.upperBound - 1 : reference.range,
          by: link.address)
      }
    }
    return String(decoding: result + bytes[copied...], as: UTF8.self)
  }
}

extension FileLink {
  /// The destination of the link: `file:3f2a9c1b7d5e6f70.jpg`.
  var address: String { "\(Self.scheme)\(target)\(suffix.isEmpty ? "" : "." + suffix)" }

  /// Words with the escapes that a link needs.
  static func escaped(_ words: String) -> String {
    let link = FileLink(target: "", suffix: "", words: words, isPicture: false).markdown
    return String(link.dropFirst().dropLast("](\(scheme))".count))
  }
}

extension ImportedEntry {
  /// The paths of other files that a text names, in order.
  package static func filePaths(in text: String) -> [String] {
    FileReference.all(in: text).compactMap(\.paths.first)
  }
}
