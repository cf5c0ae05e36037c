import Journal

/// A note of a vault of Obsidian: properties, and the text of an entry.
///
/// ```
/// ---
/// created: 2026-11-21T09:15:00
/// tags:
///   - "home"
/// aliases:
///   - "Potato soup: a recipe"
/// links:
///   - "Potato soup a recipe|Potato soup: a recipe"
/// daybook: "created=2026-11-21T09:15:00+01:00 uuid=01890a5d-... starred sum=1234"
/// ---
/// Text, with [[Potato soup a recipe|Potato soup: a recipe]].
/// ```
///
/// The property `daybook` has what ``EntryMark`` has, and a checksum of the rest of the file: so an
/// entry comes back byte by byte, and a note that somebody changed is known. Links to a title whose
/// file has another name have that name before the title; `links` says which, so that reading takes it
/// back. A text for which that fails keeps its links.
package struct VaultNote {
  /// The entry, with the changes that somebody made to the note.
  package let entry: ImportedEntry
  /// Whether nobody changed the file.
  package let isUntouched: Bool

  private static let opening = "---\n"
  private static let property = "daybook: "
  private static let sum = "sum="

  // MARK: Writing

  /// The bytes of an entry's note.
  package static func encode(_ entry: Entry, _ names: VaultNames) -> [UInt8] {
    let links = VaultLinks(entry, names)
    let title = VaultTitle(of: entry)
    var head = opening
    let (hour, minute, second) = entry.created.localTime
    let time = [hour, minute, second].map { Digits.padded($0) }.joined(separator: ":")
    head += "created: \(entry.created.localDay)T\(time)\n"
    // Obsidian has no names as tags; they stay in the text.
    head += list("tags", entry.tags.filter { !$0.hasPrefix("@") })
    let stem = names.path(of: entry)?.stem
    var aliases = [title.words, title.whole].filter { !$0.isEmpty && $0 != stem }
    if aliases.count == 2, aliases[0] == aliases[1] { aliases.removeLast() }
    head += list("aliases", aliases)
    head += list("links", links.properties)
    let rest = opening + links.text + "\n"
    let sum = Entry.checksum(of: head + rest)
    return Array(
      (head + property + quoted(mark(of: entry) + "\(Self.sum)\(sum)") + "\n" + rest).utf8)
  }

  /// A list of texts in YAML; nothing for an empty one.
  private static func list(_ name: String, _ values: [String]) -> String {
    values.isEmpty ? "" : "\(name):\n" + values.map { "  - \(quoted($0))\n" }.joined()
  }

  /// A text in quotes, which YAML and JSON read alike.
  private static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONText.append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The words of an entry's comment, and a space.
  private static func mark(of entry: Entry) -> String {
    var bytes: [UInt8] = []
    EntryMark.append(entry, to: &bytes)
    return String(
      decoding: bytes.dropFirst(EntryMark.opening.utf8CodeUnitCount).dropLast(4), as: UTF8.self)
  }

  // MARK: Reading

  /// Reads a file; `nil` for one that is no note of a vault of Daybook.
  package init?(_ bytes: [UInt8]) {
    let fence = Array(Self.opening.utf8)
    // Another program may have changed the line ends.
    let isPaired = bytes.starts(with: Array("---\r\n".utf8))
    let bytes = isPaired ? LineEnds.unified(bytes) : bytes
    guard bytes.starts(with: fence) else { return nil }
    var (start, end) = (fence.count, 0)
    var line: Range<Int>?
    while end == 0 {
      guard let next = bytes[start...].firstIndex(of: 0x0A) else { return nil }
      if bytes[start...next].elementsEqual(fence) { end = start }
      if bytes[start...next].starts(with: Self.property.utf8) { line = start..<next + 1 }
      start = next + 1
    }
    guard let line, let mark = Self.mark(in: bytes[line]),
      let text = String(validating: bytes[start...], as: UTF8.self)
    else { return nil }
    let rest = bytes[..<line.lowerBound] + bytes[line.upperBound...]
    let sum = Entry.checksum(of: String(decoding: rest, as: UTF8.self))
    isUntouched = !isPaired && mark.words.hasSuffix(" \(Self.sum)\(sum)")
    var entry = mark.entry
    let body = text.utf8.last == 0x0A ? String(text.unicodeScalars.dropLast()) : text
    var lines = TextLines(Array(bytes[..<start]))
    var matter = FrontMatter(&lines)
    entry.text = VaultLinks.text(body, without: matter?.takeValues(["links"])?.texts ?? [])
    if !isUntouched { Self.takeChanges(&matter, to: &entry) }
    entry.isNote = true
    entry.takeOwnFiles()
    self.entry = entry
  }

  /// Takes the properties that somebody changed or added.
  private static func takeChanges(_ matter: inout FrontMatter?, to entry: inout ImportedEntry) {
    // The time of the change is not in the file.
    entry.written = entry.modified ?? entry.created
    entry.modified = nil
    guard var fields = matter else { return }
    defer { matter = fields }
    entry.tags = fields.takeValues(["tags", "tag"])?.texts ?? []
    if let text = fields.take(["created"]),
      case .date(let time, _, let offset) = DateText.read(text)
    {
      let created = time.moment(offset: offset ?? entry.created.offset)
      let isSame = created.seconds == entry.created.seconds
      if !isSame { (entry.created, entry.day) = (created, time.day) }
    }
    // Those of ours follow from the text.
    let aliases = fields.takeValues(["aliases"])?.texts ?? []
    let title = (try? entry.entry()).map(VaultTitle.init)
    if aliases.contains(where: { $0 != title?.words && $0 != title?.whole }) {
      entry.unkept.append("aliases")
    }
    fields.take(name: "daybook")
    _ = fields.takeValues(["links"])
    entry.fields = fields.takeFields(except: Note.technical)
    entry.unkept += fields.unkept
    if fields.hasComments { entry.unkept.append("a comment") }
  }

  private static func mark(in line: ArraySlice<UInt8>) -> (entry: ImportedEntry, words: String)? {
    let value = line.dropFirst(property.utf8.count).dropLast()
    guard let words = (try? JSONValue(Array(value)))?.string else { return nil }
    let comment = Array("\(EntryMark.opening)\(words) -->".utf8)
    guard let mark = try? EntryMark(comment[...]) else { return nil }
    return (mark.entry, words)
  }
}

/// Writes an entry as a note of a vault; ``VaultNames`` has its file.
package struct VaultEncoder: EntryEncoder {
  /// The names of all notes.
  package var names = VaultNames(others: [])

  package init() {}

  package mutating func begin(_ buffer: inout [UInt8]) {}

  package mutating func append(_ entry: Entry, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: VaultNote.encode(entry, names))
  }

  package mutating func end(_ buffer: inout [UInt8]) {}

  /// Always empty.
  package var losses: [String] { [] }
}
