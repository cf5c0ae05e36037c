import Journal

/// The lines at the start of a page of Zim: `Content-Type: text/x-zim-wiki`.
enum ZimHeader {
  /// A page whose header is front matter with its date of creation; any other text as it is.
  ///
  /// The number of lines stays.
  static func asFrontMatter(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.starts(with: "Content-Type: text/x-zim-wiki".utf8) else { return bytes }
    var lines = TextLines(bytes)
    var header: [ArraySlice<UInt8>] = []
    while let line = lines.next(), !lines.isBlank(line) { header.append(bytes[line.range]) }
    let body = lines.peek().map { bytes[$0.range.lowerBound...] } ?? []
    let created = header.first { $0.starts(with: "Creation-Date:".utf8) } ?? []
    var note = Array("---\n".utf8) + created + Array("\n---\n".utf8)
    for _ in 0..<max(header.count - 2, 0) { note.append(0x0A) }
    return note + body
  }
}
