import Glibc
import Markdown

/// A file in an entry's text: `![Harbour at six](file:3f2a9c1b7d5e6f70.jpg)` for a picture,
/// `[Contract](file:9b0c….pdf)` for any other file.
///
/// The target names the content by the beginning of its hash, so that it says the same wherever the text
/// goes. It is Markdown, and counts where links do: not in code.
package struct FileLink: Hashable, Sendable {
  /// The beginning of the hash of the content, in hexadecimal digits of lower case.
  package var target: String
  /// The suffix after the hash, without its dot; empty for a file without one.
  package var suffix: String
  /// The words of the link, without escapes, on one line.
  package var words: String
  /// Whether the link shows a picture.
  package var isPicture: Bool

  package init(target: String, suffix: String, words: String, isPicture: Bool) {
    (self.target, self.suffix, self.words, self.isPicture) = (target, suffix, words, isPicture)
  }

  /// The version of what such a link is; stored links must be found again when it changes.
  package static let version = 1

  /// The number of digits of a hash, and the fewest that name one.
  package static let (digits, fewestDigits) = (64, 16)

  /// Whether digits may be the beginning of a SHA-256 in the name of a file.
  package static func isHash(_ digits: some StringProtocol) -> Bool {
    (fewestDigits...Self.digits).contains(digits.utf8.count)
      && digits.utf8.allSatisfy { Hexadecimal.value(of: $0) != nil }
  }
  /// The scheme of a target.
  package static let scheme = "file:"

  /// The name of the file as a text names it: `Contract.pdf`.
  package var name: String {
    if words.isEmpty { return suffix.isEmpty ? target : "\(target).\(suffix)" }
    return suffix.isEmpty ? words : "\(words).\(suffix)"
  }
}

// MARK: - Reading

extension FileLink {
  /// The files that a text names, in order.
  ///
  /// - Complexity: linear in the bytes of the text.
  package static func all(in text: String) -> [FileLink] {
    mayBeIn(text) ? all(in: Document(text)) : []
  }

  /// The files that a document names, in order.
  package static func all(in document: Document) -> [FileLink] {
    document.blocks.flatMap { block -> [FileLink] in
      switch block.kind {
      case .blank, .fencedCode, .indentedCode, .thematicBreak: []
      case .paragraph, .heading: all(in: block.lines, of: document)
      case .table:
        block.lines.flatMap { document.cells(of: $0) }.flatMap { all(in: [$0], of: document) }
      }
    }
  }

  private static func all(in lines: [Block.Line], of document: Document) -> [FileLink] {
    document.inlines(lines).links.sorted { $0.destination.lowerBound < $1.destination.lowerBound }
      .compactMap { FileLink($0, in: document) }
  }

  /// A file in a text, with its place.
  package struct Place: Equatable, Sendable {
    package var link: FileLink
    /// The bytes of the whole link.
    package var range: Range<Int>
    /// The bytes of its words, else of the address.
    package var shown: Range<Int>
  }

  /// The places of the files that a text names, in order, each apart from the others; of those in links to
  /// addresses only the pictures.
  ///
  /// - Complexity: linear in the bytes of the text.
  package static func places(in text: String) -> [Place] {
    guard mayBeIn(text) else { return [] }
    let document = Document(text)
    return document.blocks.flatMap { block -> [Place] in
      switch block.kind {
      case .blank, .fencedCode, .indentedCode, .thematicBreak: []
      case .paragraph, .heading: places(in: block.lines, of: document)
      case .table:
        block.lines.flatMap { document.cells(of: $0) }.flatMap { places(in: [$0], of: document) }
      }
    }
  }

  private static func places(in lines: [Block.Line], of document: Document) -> [Place] {
    let content = document.inlines(lines)
    var ranges: [Int: Range<Int>] = [:]
    for run in content.lines.joined() {
      guard let link = run.link else { continue }
      let start = ranges[link]?.lowerBound ?? run.range.lowerBound
      ranges[link] = start..<run.range.upperBound
    }
    var places: [Place] = []
    // A link comes after the pictures in it.
    for index in content.links.indices.reversed() {
      let found = content.links[index]
      guard let link = FileLink(found, in: document),
        let range = ranges[index] ?? document.range(ofInnerImage: found),
        !(places.last.map { $0.range.overlaps(range) } ?? false)
      else { continue }
      places.append(Place(link: link, range: range, shown: found.text))
    }
    return places.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// A link of a document, if its destination names a file.
  package init?(_ link: Markdown.Link, in document: Document) {
    guard let (target, suffix) = Self.parts(of: document.bytes[link.destination]) else {
      return nil
    }
    let words =
      link.text == link.destination ? "" : Self.unescaped(document.bytes[link.text])
    self.init(target: target, suffix: suffix, words: words, isPicture: link.isImage)
  }

  /// The hash and the suffix of a destination; `nil` for any other address, such as that of a file by its
  /// path.
  private static func parts(of destination: ArraySlice<UInt8>) -> (String, String)? {
    guard destination.starts(with: scheme.utf8) else { return nil }
    let name = destination.dropFirst(scheme.utf8.count)
    let hash = name.prefix { Hexadecimal.value(of: $0) != nil }
    guard (fewestDigits...digits).contains(hash.count) else { return nil }
    let rest = name[hash.endIndex...]
    let target = String(decoding: hash, as: UTF8.self)
    if rest.isEmpty { return (target, "") }
    let suffix = rest.dropFirst()
    guard rest.first == UInt8(ascii: "."), isSuffix(suffix) else { return nil }
    return (target, String(decoding: suffix, as: UTF8.self))
  }

  /// Whether bytes are letters and digits of ASCII, up to sixteen.
  private static func isSuffix(_ bytes: ArraySlice<UInt8>) -> Bool {
    (1...16).contains(bytes.count) && bytes.allSatisfy { isLetterOrDigit($0) }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }

  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    var plain: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let next = index + 1
      if bytes[index] == UInt8(ascii: "\\"), next < bytes.endIndex, isPunctuation(bytes[next]) {
        index = next
      }
      plain.append(bytes[index] == 0x0A || bytes[index] == 0x0D ? 0x20 : bytes[index])
      index += 1
    }
    return String(decoding: plain, as: UTF8.self)
  }

  private static func isPunctuation(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !isLetterOrDigit(byte)
  }

  /// Whether a text has the sign of such a link, which is cheap to find out.
  package static func mayBeIn(_ text: String) -> Bool {
    Utf8.withBytes(of: text) { bytes in
      var start = 0
      // Rows of lists ask this of each text, and most texts have few colons.
      while start < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + start, Int32(UInt8(ascii: ":")), bytes.count - start)
      {
        let index = UnsafeRawPointer(found) - UnsafeRawPointer(base)
        if isScheme(bytes, endingAt: index) { return true }
        start = index + 1
      }
      return false
    }
  }

  /// Whether `file:` ends with the byte at an index, and the digits of a hash follow.
  static func isScheme(_ bytes: UnsafeBufferPointer<UInt8>, endingAt index: Int) -> Bool {
    guard bytes[index] == UInt8(ascii: ":"), index >= 4, bytes[index - 1] == UInt8(ascii: "e"),
      bytes[index - 2] == UInt8(ascii: "l"), bytes[index - 3] == UInt8(ascii: "i"),
      bytes[index - 4] == UInt8(ascii: "f"), index + fewestDigits < bytes.count
    else { return false }
    return (index + 1...index + fewestDigits).allSatisfy { Hexadecimal.value(of: bytes[$0]) != nil }
  }

  /// The digits after `file:` anywhere in a text, also in code: whatever a text may mean by it, the file is
  /// in use.
  package static func targets(anywhereIn text: String) -> Set<String> {
    Utf8.withBytes(of: text) { bytes in
      var found: Set<String> = []
      for index in bytes.indices where isScheme(bytes, endingAt: index) {
        let hash = bytes[(index + 1)...].prefix(digits).prefix { Hexadecimal.value(of: $0) != nil }
        found.insert(String(decoding: hash, as: UTF8.self))
      }
      return found
    }
  }
}

// MARK: - Writing

extension FileLink {
  /// The Markdown of the link, which reads back as the same link.
  package var markdown: String { Self.markdown(words: words, address: address, isPicture) }

  /// The address of the link: `file:3f2a9c1b7d5e6f70.jpg`.
  package var address: String {
    "\(Self.scheme)\(target)\(suffix.isEmpty ? "" : "." + suffix)"
  }

  /// The Markdown of a link, whose address has no sign of Markdown.
  static func markdown(words: String, address: String, _ isPicture: Bool) -> String {
    var text = isPicture ? "![" : "["
    let scalars = Array(words.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let isInWord =
        scalar == "_" && index > 0 && index + 1 < scalars.count
        && scalars[index - 1].properties.isAlphabetic && scalars[index + 1] != "_"
      if Self.escaped.contains(scalar), !isInWord { text += "\\" }
      text.unicodeScalars.append(scalar)
    }
    return text + "](\(address))"
  }

  /// The signs that would end the words, or be markup, tags or fields in them.
  private static let escaped = "\\[]<>`*_~#@:|&".unicodeScalars

  /// A link to a file that is called like this where it comes from.
  ///
  /// - Parameter target: the beginning of its hash.
  package init(toFileNamed name: String, target: String, isPicture: Bool) {
    let (words, suffix) = Self.divided(name)
    self.init(target: target, suffix: suffix, words: words, isPicture: isPicture)
  }

  /// The words and the suffix of a file's name.
  ///
  /// The words have no sign that could end a line or control a terminal, and no blank at an end.
  private static func divided(_ name: String) -> (words: String, suffix: String) {
    let bytes = Array(name.utf8)
    var suffix = ""
    var words = name
    if let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0,
      isSuffix(bytes[(dot + 1)...])
    {
      suffix = String(decoding: bytes[(dot + 1)...], as: UTF8.self).lowercased()
      words = String(decoding: bytes[..<dot], as: UTF8.self)
    }
    let plain = String(
      String.UnicodeScalarView(words.unicodeScalars.map { isPlain($0) ? $0 : " " }))
    let trimmed = plain.split(separator: " ", omittingEmptySubsequences: true)
    return (trimmed.isEmpty ? "file" : trimmed.joined(separator: " "), suffix)
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
    // Signs that turn the direction of a text hide what a name says.
    case .format: scalar.value == 0x200D || scalar.value == 0x200C
    default: true
    }
  }

  /// A text with links after it: each in a paragraph of its own.
  package static func text(_ text: String, appending links: [FileLink]) -> String {
    guard !links.isEmpty else { return text }
    let added = links.map(\.markdown).joined(separator: "\n\n")
    if text.allSatisfy(\.isWhitespace) { return added }
    let ends = text.utf8.reversed().prefix { $0 == 0x0A }.count
    return text + String(repeating: "\n", count: max(0, 2 - ends)) + added
  }
}
