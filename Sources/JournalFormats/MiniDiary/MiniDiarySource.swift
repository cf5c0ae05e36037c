import Journal

/// The JSON exports of Mini Diary and Mini Diarium.
enum MiniDiaryFormat: ReadableFormat {
  static let name = "mini-diary"
  static let guide = MiniDiarySource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    MiniDiarySource.recognises(head, path: path)
  }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    StreamFileSource(input, options, endings: [".json"]) { MiniDiarySource($0, options: options) }
  }
}

/// Reads the JSON export of Mini Diary, and of its successor Mini Diarium.
///
/// Mini Diary has one entry per day, in an object by days, with Markdown as text; Mini Diarium has a
/// list, whose texts are HTML. Neither has times of day: entries are at midnight.
struct MiniDiarySource: EntrySource {
  private let document: JSONDocument
  private let clock: WallClock

  init(_ stream: ByteStream, options: ImportOptions) {
    document = JSONDocument(
      stream, sections: ["entries"], options: JSONOptions(isLossy: options.isLossy))
    clock = options.clock
  }

  /// Whether a file is an export: `metadata` with the program's name, and `entries`.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    guard let names = JSONHead(head), names.root.isSuperset(of: ["metadata", "entries"]) else {
      return false
    }
    // Day One's has the same names, and a list of entries with `creationDate`.
    if names.record.contains("dateUpdated") { return true }
    return names.record.isEmpty && hasDays(head)
  }

  /// Whether an object has a day as name: `"2024-01-05": {`, or no entry.
  private static func hasDays(_ head: [UInt8]) -> Bool {
    let text = String(decoding: head, as: UTF8.self)
    guard let start = text.range(of: "\"entries\"")?.upperBound else { return false }
    let rest = text[start...].prefix(200).filter { !$0.isWhitespace }
    guard rest.hasPrefix(":{") else { return false }
    if rest.hasPrefix(":{}") { return text.contains("\"Mini Diar") }
    return rest.hasPrefix(":{\"") && Day(String(rest.dropFirst(3).prefix(10))) != nil
  }

  static let guide = ImportGuide(
    files: "JSON",
    ways: [
      "Mini Diary: File, Export, JSON", "Mini Diarium: Journal, Export, JSON",
    ])

  private static let known: Set = [
    "dateUpdated", "dateCreated", "title", "text", "date", "id", "tags",
  ]

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    while let record = try document.next() {
      do throws(FormatError) {
        guard let entry = try entry(of: record) else { continue }
        return .entry(entry, record.place)
      } catch {
        return .problem(error, error.place.line == nil ? record.place : error.place)
      }
    }
    return nil
  }

  /// The entry of a record; `nil` for a day without a text.
  private func entry(of record: JSONDocument.Record) throws(FormatError) -> ImportedEntry? {
    let value = try record.value.get()
    guard value.members != nil else { throw FormatError("\(value.kind) is not an entry") }
    let day = try value.text("date")
    let date = record.name ?? day
    guard case .date(let time, _, _) = DateText.read(date) else {
      throw FormatError.noDate(date)
    }
    let text = try value.text("text")
    let isHTML = text.hasPrefix("<") && (record.name == nil || text.contains("</"))
    let content = isHTML ? try HTMLText.convert(text) : .plain(text)
    let note = NoteText(title: try value.text("title"), body: content.text)
    let tags = value.texts("tags")
    guard !note.joined.isEmpty || !tags.isEmpty else { return nil }
    let midnight = WallTime(day: time.day)
    var entry = ImportedEntry(
      created: midnight.moment(clock), wallTime: midnight.moment(offset: 0), day: time.day,
      text: note.joined, tags: tags)
    if isHTML, record.name != nil {
      let plain = NoteText(title: try value.text("title"), body: text)
      entry.former = ImportedEntry.Former(text: plain.joined, time: midnight.moment(offset: 0))
    }
    entry.isAloneAtItsTime = true
    entry.modified = changed(value["dateUpdated"]?.string ?? "")
    entry.unkept = value.unkept(but: Self.known)
    entry.remarks += content.remarks
    return entry
  }

  /// `Fri Jan 05 2024 21:11:00 GMT+0100 (Central European Standard Time)`, or ISO 8601.
  private func changed(_ text: String) -> Moment? {
    if let moment = InstantText.moment(text, clock) { return moment }
    let words = text.split(separator: " ")
    guard words.count >= 5 else { return nil }
    let zone = words.count > 5 ? DayOneZone.offset(of: String(words[5])) : nil
    let date = words[1...4].joined(separator: " ")
    guard case .date(let time, true, _) = DateText.read(date) else { return nil }
    return time.moment(offset: zone, clock)
  }
}
