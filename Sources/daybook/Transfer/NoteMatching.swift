import Journal
import JournalFormats
import JournalStore

/// Finds the entries of records that have no identity of their own and were changed since they were imported:
/// notes that are files, records that are alone at their day or time in their file, and records with an instant.
///
/// Such a record is taken for an entry with the same time if four fifths of the words of the entry, or of what an
/// import gave it, are in it, and if no record of the import is that entry. A note whose file or properties give it a title has the
/// title of its entry. Any record is an entry of its time that has the same text. Few words are no proof: then the record must have all of
/// them, and one with an instant the title. What is claimed is known at the end of the import
/// only, so that until then records with an entry of the same time wait.
///
/// That is a guess still: two notes of one day may come from one template. So a record that lacks lines of the
/// entry becomes the other text of a conflict, and a new entry beside one in the trash.
struct NoteMatching {
  /// The records that wait.
  private(set) var waiting: [ImportRun.Record] = []
  private var claimed: Set<UUIDBits> = []
  /// Whether the journal had entries before the import.
  private let hasEntries: Bool

  init(hasEntries: Bool) { self.hasEntries = hasEntries }

  /// The entries of a journal.
  struct Entries {
    /// Those at a time on a day, in the trash or not.
    var present: (Day, Moment) throws -> [Entry]
    /// The texts that records of imports gave to one.
    var recordTexts: (Int64) throws -> [String]
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
    if uuid == nil, record.imported.uuid == nil,
      try !candidates(record, entries).isEmpty
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
      let entry = near.count == 1 ? near[0] : nil
      var record = record
      record.isGuess = entry != nil
      claimed.insert(UUIDBits(entry?.uuid ?? record.entry.uuid))
      found.append((record, entry))
    }
    waiting = []
    return found
  }

  /// A time of the day alone says too little, as in a table.
  private static func mayMatch(_ record: ImportRun.Record) -> Bool {
    let imported = record.imported
    return imported.isNote || imported.isAloneAtItsTime
      || imported.wallTime == nil
  }

  private func candidates(
    _ record: ImportRun.Record, _ entries: Entries
  ) throws -> [Entry] {
    let all = try entries.present(record.entry.day, record.entry.created).filter { entry in
      !claimed.contains(UUIDBits(entry.uuid))
    }
    let same = all.first { $0.text.isSame(as: record.entry.text) }
    if same != nil || !Self.mayMatch(record) { return same.map { [$0] } ?? [] }
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
