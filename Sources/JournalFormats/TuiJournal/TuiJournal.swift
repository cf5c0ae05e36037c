import Journal

/// Reads the JSON of tui-journal.
///
/// Its own file is a bare array, its export an object with the array in the member `entries`.
/// ``TuiJournalEntry`` describes the conversion of the fields.
struct TuiJournalSource: EntrySource {
  private let records: JSONRecords
  private let clock: WallClock

  init(_ stream: ByteStream, options: ImportOptions) {
    records = JSONRecords(stream, options: JSONOptions(isLossy: options.isLossy))
    clock = options.clock
  }

  private static let members: Set = ["date", "title", "content", "tags", "priority"]

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    try records.nextItem(members: Self.members, derived: ["id"]) { value, _ in
      try TuiJournalEntry.make(
        date: value.text("date"), title: value.text("title"), content: value.text("content"),
        tags: value.texts("tags"), priority: value["priority"]?.integer, clock: clock)
    }
  }
}

/// Converts an entry of tui-journal from any of its files.
///
/// Its title is the first line. Its priority is kept as a tag, `#priority/3`, which an export
/// converts back. Its date is a midnight in UTC that represents a calendar day, and keeps that day
/// in every zone. Other programs may write a time of day: one in UTC is shown on the clock, as
/// everywhere, and an offset is kept.
package enum TuiJournalEntry {
  /// The name of the tag of a priority: `priority/3`.
  static func tag(ofPriority priority: Int) -> String { "\(prefix)\(priority)" }

  /// The priority in a tag's name.
  static func priority(ofTag name: String) -> Int? {
    let key = Tag.key(of: name)
    guard key.hasPrefix(prefix), let priority = UInt32(key.dropFirst(prefix.count)) else {
      return nil
    }
    return tag(ofPriority: Int(priority)) == key ? Int(priority) : nil
  }

  private static let prefix = "priority/"

  /// Makes an entry of its fields.
  ///
  /// - Parameters:
  ///   - date: the date in the file: `2024-03-04T00:00:00Z`.
  ///   - clock: the clock with the zone for dates with a time of day.
  /// - Throws: ``FormatError`` for an invalid date or an empty text.
  package static func make(
    date: String, title: String, content: String, tags: [String], priority: Int?, clock: WallClock
  ) throws(FormatError) -> ImportedEntry {
    let text = content.isEmpty ? title : title.isEmpty ? content : "\(title)\n\(content)"
    guard !text.isEmpty else { throw FormatError(entry: "has no text") }
    guard !date.isEmpty else { throw FormatError(entry: "has no date") }
    guard case .date(let time, _, let offset) = DateText.read(date) else {
      throw FormatError("there is no date \(date.excerpt)")
    }
    var created = time.moment(offset: offset ?? 0)
    if time.second != 0, DateText.isUniversal(Array(date.utf8)[...]) {
      created = clock.moment(at: created.seconds)
    }
    let priority = priority.flatMap { $0 >= 0 ? tag(ofPriority: $0) : nil }
    return ImportedEntry(
      created: created, day: time.second == 0 ? time.day : nil, text: text,
      tags: tags + (priority.map { [$0] } ?? []))
  }
}

/// Writes entries as tui-journal's export, for `tjournal import-journals`.
///
/// The first line is the title, tags at the end of the text are moved to the field of tags, and
/// `#priority/3` is the priority. tui-journal has dates without time.
struct TuiJournalEncoder: EntryEncoder {
  private var tally = LossTally(keeping: ["day"])
  private var isFirst = true

  init() {}

  /// Appends the opening of the document.
  mutating func begin(_ buffer: inout [UInt8]) {
    buffer.append(contentsOf: "{\n  \"version\": 100,\n  \"entries\": [".utf8)
  }

  /// Appends an entry.
  mutating func append(_ entry: Entry, to buffer: inout [UInt8]) {
    let entry = tally.withLineFeeds(entry)
    buffer.append(contentsOf: isFirst ? "\n".utf8 : ",\n".utf8)
    isFirst = false
    let priority = entry.tags.lazy.compactMap(TuiJournalEntry.priority).first
    let tags = entry.tags.filter { TuiJournalEntry.priority(ofTag: $0) == nil }
    let appended = tags + (priority.map { [TuiJournalEntry.tag(ofPriority: $0)] } ?? [])
    let lines = PlainLines(TrailingTags.split(entry.text, tags: appended))
    count(entry, lines)
    var object = JSONObject(indent: "    ", to: &buffer)
    object.add("date", "\(entry.day)T00:00:00Z", to: &buffer)
    object.add("title", String(decoding: lines.title, as: UTF8.self), to: &buffer)
    object.add("content", String(decoding: lines.body, as: UTF8.self), to: &buffer)
    object.add("tags", tags, to: &buffer)
    object.add("priority", number: priority, to: &buffer)
    object.end(&buffer)
  }

  /// Appends the end of the document.
  mutating func end(_ buffer: inout [UInt8]) {
    buffer.append(contentsOf: isFirst ? "]\n}\n".utf8 : "\n  ]\n}\n".utf8)
  }

  /// The data that tui-journal cannot store.
  var losses: [String] { tally.phrases }

  private mutating func count(_ entry: Entry, _ lines: PlainLines) {
    tally.add("the time of day of", if: entry.created.localTime != (0, 0, 0))
    tally.add(fieldsOf: entry)
    tally.add("the white space around the text of", if: lines.isTrimmed)
  }
}
