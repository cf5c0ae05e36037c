import Markdown

/// A file that a text names by its path while it is written: `![Harbour](attach:/home/me/harbour.jpg)`.
///
/// The prompt puts such links into a text. When the text is saved, the file becomes a part of the journal, and the
/// address that of a ``FileLink``. Until then a draft of the text has all that is needed, and no file is copied.
package struct PathLink: Hashable, Sendable {
  /// The path of the file, from the root.
  package var path: String
  /// The words of the link, without escapes.
  package var words: String
  /// Whether the link shows a picture.
  package var isPicture: Bool

  /// A link to a file, with the words of its name.
  package init(_ path: String, isPicture: Bool) {
    self.path = path
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    words = FileLink(toFileNamed: name, target: "", isPicture: isPicture).words
    self.isPicture = isPicture
  }

  /// The scheme of the address.
  package static let scheme = "attach:"

  /// The Markdown of the link.
  package var markdown: String {
    FileLink.markdown(words: words, address: Self.scheme + Self.encoded(path), isPicture)
  }

  /// The address of a path; signs of Markdown, blanks and controls as percent escapes.
  package static func encoded(_ path: String) -> String {
    var bytes: [UInt8] = []
    PercentEscapes.append(path.utf8, to: &bytes) { !isPlain($0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x80...0xFF, UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: "/.-_,+=".utf8.contains(byte)
    }
  }
}

// MARK: - Reading

extension PathLink {
  /// Whether a text has the sign of such a link, which is cheap to find out.
  package static func mayBeIn(_ text: String) -> Bool { text.contains(scheme) }

  /// The paths of the files that a text names so, in order.
  ///
  /// - Complexity: linear in the bytes of the text.
  package static func paths(in text: String) -> [String] {
    addresses(in: text).map(\.path)
  }

  /// The text with other addresses for some of these files.
  ///
  /// - Parameter addresses: by the paths.
  package static func replacing(_ addresses: [String: String], in text: String) -> String {
    guard !addresses.isEmpty else { return text }
    var bytes = Array(text.utf8)
    for found in self.addresses(in: text).reversed() {
      guard let address = addresses[found.path] else { continue }
      bytes.replaceSubrange(found.range, with: address.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text without such links, for a text that nobody wrote just now: the addresses are plain paths.
  package static func disarmed(_ text: String) -> String {
    let found = addresses(in: text)
    return replacing(
      Dictionary(found.map { ($0.path, encoded($0.path)) }) { first, _ in first }, in: text)
  }

  /// The addresses of a text, in the order of their bytes, with their paths.
  private static func addresses(in text: String) -> [(range: Range<Int>, path: String)] {
    guard mayBeIn(text) else { return [] }
    let document = Document(text)
    let links = document.blocks.flatMap { block -> [Markdown.Link] in
      switch block.kind {
      case .blank, .fencedCode, .indentedCode, .thematicBreak: []
      case .paragraph, .heading: document.inlines(block.lines).links
      case .table:
        block.lines.flatMap { document.cells(of: $0) }.flatMap { document.inlines([$0]).links }
      }
    }
    return links.compactMap { link -> (range: Range<Int>, path: String)? in
      guard let path = path(of: document.bytes[link.destination]) else { return nil }
      return (link.destination, path)
    }.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// The path of an address; `nil` for any other address.
  private static func path(of address: ArraySlice<UInt8>) -> String? {
    guard address.starts(with: scheme.utf8) else { return nil }
    return PercentEscapes.decoded(address.dropFirst(scheme.utf8.count)).flatMap {
      $0.hasPrefix("/") ? $0 : nil
    }
  }
}
