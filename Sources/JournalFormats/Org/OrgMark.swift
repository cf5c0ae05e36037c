import Journal

/// The properties with which Daybook's own entries come back from Org byte by byte.
///
/// ```
/// :DAYBOOK:  created=2024-01-05T09:15:30+01:00 uuid=01890a5d-... sum=9f3a...
/// :DAYBOOK_TEXT: "Walked\n\n- a"
/// ```
///
/// The first has the fields that Org cannot express, and the checksum of the section. The second is
/// there where the markup would come back as another text. Who edits the section in Emacs changes
/// its checksum: then its markup counts, and the property of the text does not.
struct OrgMark {
  /// The entry of the fields, with its text if it is in the properties.
  private(set) var entry: ImportedEntry
  /// Whether nobody changed the section.
  let isIntact: Bool
  /// Whether the entry has its text.
  let hasText: Bool

  static let name = "DAYBOOK"
  static let textName = "DAYBOOK_TEXT"
  private static let sum = "sum="

  /// Appends a section with its properties.
  ///
  /// - Parameters:
  ///   - head: the section up to the properties of Org.
  ///   - tail: the section from the end of the drawer on.
  ///   - text: the text, if the markup would not come back as it.
  static func append(
    _ entry: Entry, _ head: [UInt8], _ tail: [UInt8], text: String?, to buffer: inout [UInt8]
  ) {
    buffer += head + Array(":\(name):  ".utf8)
    EntryMark.appendFields(entry, to: &buffer)
    let sum = UInt64(bitPattern: checksum((head + tail)[...]))
    buffer += Array("\(Self.sum)\(String(sum, radix: 16))\n".utf8)
    if let text {
      buffer += Array(":\(textName): ".utf8)
      JSONText.append(text, to: &buffer)
      buffer.append(0x0A)
    }
    buffer += tail
  }

  /// Reads the properties of a section; `nil` for one of another program.
  ///
  /// - Parameter bytes: the whole section with the ones below it.
  init?(_ section: OrgSection, _ bytes: ArraySlice<UInt8>) {
    guard let value = section.value(Self.name) else { return nil }
    let words = Array(value.utf8)[...].split(separator: 0x20)
    guard let entry = try? EntryMark(fields: words).entry else { return nil }
    self.entry = entry
    let said = words.last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    let sum = UInt64(bitPattern: Self.checksum(bytes))
    isIntact = said == "\(Self.sum)\(String(sum, radix: 16))"
    let json = section.value(Self.textName).flatMap { try? JSONValue(Array($0.utf8)) }
    hasText = json?.string != nil
    if let text = json?.string { self.entry.text = text }
  }

  /// The entry with the text that its markup came back as.
  func entry(withText text: String) -> ImportedEntry {
    var entry = entry
    if !hasText { entry.text = text }
    return entry
  }

  /// The number of blank lines after the properties of a section.
  static func gap(in bytes: ArraySlice<UInt8>) -> Int {
    let end = Array("\n:END:\n".utf8)
    var rest = bytes
    while let index = rest.firstIndex(of: 0x0A) {
      rest = rest[index...]
      if rest.starts(with: end) { return rest.dropFirst(end.count).prefix { $0 == 0x0A }.count }
      rest = rest.dropFirst()
    }
    return 0
  }

  /// The checksum of a section without the properties of Daybook and blank lines at its end.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> Int64 {
    var counted: [UInt8] = []
    counted.reserveCapacity(bytes.count)
    let own = Array(":\(name)".utf8)
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    where !line.starts(with: own) {
      counted += line
      counted.append(0x0A)
    }
    while counted.last == 0x0A { counted.removeLast() }
    return counted.withUnsafeBufferPointer { Entry.checksum(of: $0) }
  }
}
