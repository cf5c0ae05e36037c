import Journal

/// An item of Joplin as the RAW and JEX exports write it: a title, a text, and lines of properties
/// at the end.
struct JoplinItem {
  /// The kinds of items, by their numbers.
  enum Kind: Int {
    case note = 1
    case notebook = 2
    case resource = 4
    case tag = 5
    case noteTag = 6
  }

  /// The title, possibly empty.
  let title: String
  /// The text of a note.
  let body: String
  /// The kind; `nil` for one that no import needs.
  let kind: Kind?
  private let properties: [String: String]

  /// Reads an item; `nil` if the bytes are none.
  ///
  /// - Throws: ``FormatError`` for invalid UTF-8.
  init?(_ bytes: [UInt8], isLossy: Bool) throws(FormatError) {
    let bytes = LineEnds.unified(bytes)
    let end = JoplinItem.propertiesStart(in: bytes)
    var properties: [String: String] = [:]
    for line in bytes[end...].split(separator: 0x0A) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let value = ASCII.trimmed(line[(colon + 1)...])
      properties[String(decoding: ASCII.trimmed(line[..<colon]), as: UTF8.self)] =
        String(decoding: value, as: UTF8.self)
    }
    guard let id = properties["id"], JoplinItem.isIdentifier(id),
      let type = properties["type_"].flatMap({ Int($0) })
    else { return nil }
    self.properties = properties
    kind = Kind(rawValue: type)
    let text = try UTF8Text.decode(Array(bytes[..<end]), isLossy: isLossy)
    // A note tag has no title, and its file begins with the properties.
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    title = lines.first.map(String.init) ?? ""
    body = lines.count > 1 ? String(lines[1]).trimmingBlankLines : ""
  }

  /// The start of the properties: the last lines without a blank one between them.
  private static func propertiesStart(in bytes: [UInt8]) -> Int {
    var end = bytes.count
    while end > 0, ASCII.isSpace(bytes[end - 1]) { end -= 1 }
    while end > 0 {
      let lineStart = (bytes[..<end].lastIndex(of: 0x0A) ?? -1) + 1
      if bytes[lineStart..<end].allSatisfy(ASCII.isSpace) { return lineStart }
      if lineStart == 0 { return 0 }
      end = lineStart - 1
      if end == 0 || bytes[end - 1] == 0x0A { return lineStart }
    }
    return end
  }

  /// A property; `nil` if it is missing or empty.
  subscript(_ name: String) -> String? {
    properties[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A number that is not zero.
  func number(_ name: String) -> Double? {
    self[name].flatMap { Double($0) }.flatMap { $0 == 0 || !$0.isFinite ? nil : $0 }
  }

  /// Whether a property is 1.
  func flag(_ name: String) -> Bool { self[name] == "1" }

  /// The names of all properties with a value.
  var names: [String] { properties.filter { !$0.value.isEmpty }.map(\.key).sorted() }

  /// Whether a text is the identifier of an item: 32 hexadecimal digits.
  static func isIdentifier(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 32
      && text.utf8.allSatisfy { byte in
        ASCII.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
      }
  }
}
