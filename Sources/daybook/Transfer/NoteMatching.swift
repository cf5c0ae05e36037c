import Journal
import JournalFormats
import JournalStore

/// Finds the entries of records that have no identity of their own and were changed since they were imported:
/// notes that are files, records that are alone at their day or time in their file, and records with an instant.
///
/// Such a record is taken for an entry with the same time if four fifths of the words of the entry, or of what an
/// import gave it, are in it, and if no record of the import is that entry. A note whose file or properties give it
/// a title has the title of its entry. A day of a file for all days also is an entry of its time that has the same
/// text. Few words are no proof: then the record must have all of them, and one with an instant the title. What is
/// claimed is known at the end of the import only, so that until then records with an entry of the same time wait.
///
/// A note that was renamed has another title, and the rest of its text. It is the one whose file is gone from the same
/// directory, if there is one of that text at its time.
///
/// That is a guess still: two notes of one day may come from one template. So a record that lacks lines of the
/// entry becomes the other text of a conflict, and a new entry beside one in the trash.
struct NoteMatching {
  /// The records that wait.
  private(set) var waiting: [ImportRun.Record] = []
  private var claimed: Set<UUIDBits> = []
  /// The files of the records.
  private var files: Set<Int64> = []
  /// Whether the journal had entries before the import.
  private let hasEntries: Bool

  init(hasEntries: Bool) { self.hasEntries = hasEntries }

  /// The entries of a journal.
  struct Entries {
    /// Those at a time on a day, in the trash or not.
    var present: (Day, Moment) throws -> [Entry]
    /// The texts that records of imports gave to one.
    var recordTexts: (Int64) throws -> [String]
    /// The texts that files had when they were imported into one.
    var bases: (Int64) throws -> [ImportBase]
  }

  /// Takes a record.
  ///
  /// - Parameters:
  ///   - uuid: its entry in the journal; `nil` if there is none.
  ///   - entries: those of the journal.
  /// - Returns: whether it waits.
  mutating func take(
    _ record: ImportRun.Record, as uuid: String?, _ entries: Entries
  ) throws -> Bool {
    guard hasEntries else { return false }
    if let file = record.source { files.insert(file) }
    if uuid == nil, record.imported.uuid == nil, Self.mayMatch(record),
      try !candidates(record, entries).isEmpty || !former(record, entries).isEmpty
    {
      waiting.append(record)
      return true
    }
    claimed.insert(UUIDBits(uuid ?? record.entry.uuid))
    return false
  }

  /// Ends the import of a file or directory.
  ///
  /// - Returns: the records that waited, each with its entry; `nil` for a new one.
  mutating func end(_ entries: Entries) throws -> [(record: ImportRun.Record, entry: Entry?)] {
    var found: [(record: ImportRun.Record, entry: Entry?)] = []
    for record in waiting {
      let near = try candidates(record, entries)
      var record = record
      var entry = near.count == 1 ? near[0] : nil
      record.isGuess = entry != nil
      if near.isEmpty {
        let gone = try former(record, entries).compactMap {
          former -> (entry: Entry, source: Int64)? in
          try entries.bases(former.number).last.flatMap { base in
            base.folder == record.compared(nil).folder && !files.contains(base.source)
              ? (former, base.source) : nil
          }
        }
        if gone.count == 1 {
          entry = gone[0].entry
          record.formerSource = gone[0].source
        }
      }
      claimed.insert(UUIDBits(entry?.uuid ?? record.entry.uuid))
      found.append((record, entry))
    }
    waiting = []
    return found
  }

  /// A time of the day alone says too little, as in a table.
  private static func mayMatch(_ record: ImportRun.Record) -> Bool {
    let imported = record.imported
    return imported.isNote || imported.isOfDays || imported.isAloneAtItsTime
      || imported.wallTime == nil
  }

  /// The entries at the time of a titled note that have its text under another title.
  private func former(_ record: ImportRun.Record, _ entries: Entries) throws -> [Entry] {
    guard record.imported.isNote, record.imported.isTitled, record.folder != nil,
      let body = Self.body(record.entry.text)
    else { return [] }
    return try entries.present(record.entry.day, record.entry.created).filter { entry in
      !claimed.contains(UUIDBits(entry.uuid)) && entry.deleted == nil
        && Self.body(entry.text).map { $0.isSame(as: body) } ?? false
    }
  }

  /// A text below its first line; `nil` without one.
  private static func body(_ text: String) -> String? {
    guard let end = text.firstIndex(where: \.isNewline) else { return nil }
    let body = text[end...].drop(while: \.isWhitespace)
    return body.isEmpty ? nil : String(body)
  }

  private func candidates(
    _ record: ImportRun.Record, _ entries: Entries
  ) throws -> [Entry] {
    let all = try entries.present(record.entry.day, record.entry.created).filter { entry in
      !claimed.contains(UUIDBits(entry.uuid))
    }
    let same = all.first { $0.text.isSame(as: record.entry.text) }
    if same != nil || record.imported.isOfDays && !record.imported.isAloneAtItsTime {
      return same.map { [$0] } ?? []
    }
    let isIn = { (text: String) in Self.isIn(text, record.entry.text, record.imported) }
    var found = all.filter { isIn($0.text) }
    if found.isEmpty {
      found = try all.filter { try entries.recordTexts($0.number).contains(where: isIn) }
    }
    let outside = found.filter { $0.deleted == nil }
    guard outside.isEmpty else { return outside }
    let compared = record.compared(nil)
    return found.filter { compared.keepsLines(of: $0.text) }
  }

  /// Whether enough of the words of a text are in another one.
  private static func isIn(_ text: String, _ other: String, _ record: ImportedEntry) -> Bool {
    let hasTitle = Entry.title(of: text).isSame(as: Entry.title(of: other))
    guard hasTitle || !record.isTitled else { return false }
    let words = [text, other].map { Set($0.split { !$0.isLetter && !$0.isNumber }) }
    let common = words[0].intersection(words[1]).count
    guard words[0].count < fewWords else { return common * 5 >= words[0].count * 4 }
    return common > 0 && common == words[0].count && (record.isNote || hasTitle)
  }

  private static let fewWords = 10
}
