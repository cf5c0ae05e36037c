import Journal

/// The CSV export and the backup of Daylio.
enum DaylioFormat: ReadableFormat {
  static let name = "daylio"
  static let guide = DaylioSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    DaylioSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { DaylioBackupSource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    if case .directory(let directory) = input, recognises(files: directory.files) {
      return DaylioBackupSource(directory, options: options)
    }
    return StreamFileSource(input, options, endings: [".csv"]) {
      DaylioSource($0, options: options)
    }
  }
}

/// Reads the CSV export of Daylio.
///
/// Mood and activities become fields; an entry may have nothing else. Titles and notes are texts, the
/// latter with some HTML in newer versions.
struct DaylioSource: EntrySource {
  private let table: CSVTable
  private let clock: WallClock
  private var columns: [String: Int]?

  /// Makes a source of a stream.
  init(_ stream: ByteStream, options: ImportOptions) {
    table = CSVTable(stream, options: options)
    clock = options.clock
  }

  /// Whether a file is an export: its first column is `full_date`, and it has moods.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    let mark = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let line = head[mark...].prefix { $0 != 0x0A && $0 != 0x0D }
    let names = String(decoding: line, as: UTF8.self).split { "\",;\t".contains($0) }
    return names.first == "full_date" && names.contains("mood")
  }

  static let guide = ImportGuide(
    files: "CSV, or the backup (.daylio)",
    ways: [
      "Daylio: More, Export Entries, CSV",
      "Daylio, with photos: More, Backup & Restore, Advanced Options, Export",
    ])

  private static let known: Set = [
    "full_date", "date", "weekday", "time", "mood", "activities", "scales", "note_title", "note",
  ]

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    if columns == nil {
      try table.open()
      columns = Dictionary(zip(table.columns, table.columns.indices)) { first, _ in first }
    }
    switch try table.next() {
    case nil: return nil
    case .report(let item)?: return item
    case .row(let row)?:
      do throws(FormatError) {
        return .entry(try entry(row), row.place)
      } catch {
        return .problem(error, row.place)
      }
    }
  }

  private func entry(_ row: CSVTable.Row) throws(FormatError) -> ImportedEntry {
    func value(_ name: String) -> String { columns?[name].map { row.values[$0] } ?? "" }
    let date = value("full_date")
    guard case .date(var time, _, _) = DateText.read(date) else {
      throw FormatError.noDate(date)
    }
    let clockText = OneLine.text(value("time"))
    let second = DateText.time(Array(clockText.utf8.prefix(40))[...])
    time.second = second ?? 0
    let note = NoteText(title: value("note_title"), body: try DaylioNote.markdown(value("note")))
    var entry = ImportedEntry(
      created: time.moment(clock), wallTime: time.moment(offset: 0), day: time.day,
      text: note.joined)
    entry.isAloneAtItsTime = true
    entry.keep(value("mood"), as: "mood")
    entry.keep(DaylioNote.list(value("activities")), as: "activities")
    entry.keep(DaylioNote.list(value("scales")), as: "scales")
    if second == nil, !clockText.isEmpty { entry.unkept.append("time") }
    for (name, index) in columns ?? [:]
    where !Self.known.contains(name) && !row.values[index].isEmpty {
      entry.unkept.append(name)
    }
    guard !entry.text.isEmpty || !entry.fields.isEmpty else {
      throw FormatError(entry: "has no text")
    }
    return entry
  }
}

/// The parts of an entry of Daylio.
enum DaylioNote {
  /// A note, which has HTML if a tag is in it.
  static func markdown(_ note: String) throws(FormatError) -> String {
    guard note.utf8.contains(UInt8(ascii: "<")) else { return note }
    let tags = ["<br", "<div", "<p>", "<b>", "<i>", "<u>", "<s>", "<ul", "<ol", "<li", "<font"]
    return tags.contains(where: note.contains) ? try HTMLText.markdown(note) : note
  }

  /// A list between bars, with commas: `walk, friends`.
  static func list(_ text: String) -> String {
    text.split(separator: "|").map { OneLine.text(String($0)) }.filter { !$0.isEmpty }
      .joined(separator: ", ")
  }
}
