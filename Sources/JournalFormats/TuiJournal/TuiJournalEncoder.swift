import Journal

/// Writes entries as tui-journal's export, which `tjournal import-journals` takes.
///
/// The first line is the title, tags at the very end of the text stand with the other tags alone, and
/// `#priority/3` is the priority. tui-journal has dates without time.
struct TuiJournalEncoder: EntryEncoder {
  private var tally = LossTally()
  private var isFirst = true

  /// Makes an encoder.
  init() {}

  /// Appends the opening of the document.
  mutating func begin(_ buffer: inout [UInt8]) {
    buffer.append(contentsOf: "{\n  \"version\": 100,\n  \"entries\": [".utf8)
  }

  /// Appends an entry.
  mutating func append(_ entry: Entry, to buffer: inout [UInt8]) {
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

  /// What tui-journal cannot hold.
  var losses: [String] { tally.phrases }

  private mutating func count(_ entry: Entry, _ lines: PlainLines) {
    tally.add("the time of day of", if: entry.created.localTime != (0, 0, 0))
    tally.add("the star of", if: entry.starred)
    tally.add("the trash mark of", if: entry.deleted != nil)
    tally.add("the time of the last change of", if: entry.modified != entry.created)
    tally.add("the white space around the text of", if: lines.isTrimmed)
  }
}
