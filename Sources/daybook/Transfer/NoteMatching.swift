import Journal
import JournalStore

/// Finds the entries of notes that have no identity of their own and were changed since they were imported.
///
/// Such a note is taken for an entry with the same time if most words of the shorter text are in the other
/// one, and if no note of the import is that entry. That is known at the end of the import only, so
/// that until then notes with an entry of the same time wait.
struct NoteMatching {
  /// The notes that wait.
  private(set) var waiting: [ImportRun.Record] = []
  private var claimed: Set<UUIDBits> = []

  /// The entries outside the trash at a time on a day.
  typealias Entries = (Day, Moment) throws -> [Entry]

  /// Takes a note.
  ///
  /// - Parameters:
  ///   - uuid: its entry in the journal; `nil` if there is none.
  ///   - entries: those of the journal.
  /// - Returns: whether it waits.
  mutating func take(
    _ record: ImportRun.Record, as uuid: String?, _ entries: Entries
  ) rethrows -> Bool {
    guard record.imported.isNote else { return false }
    if uuid == nil, record.imported.uuid == nil, try !candidates(record, entries).isEmpty {
      waiting.append(record)
      return true
    }
    claimed.insert(UUIDBits(uuid ?? record.entry.uuid))
    return false
  }

  /// Ends the import of a file or directory.
  ///
  /// - Returns: the notes that waited, each with its entry; `nil` for a new one.
  mutating func end(_ entries: Entries) rethrows -> [(record: ImportRun.Record, entry: Entry?)] {
    var found: [(record: ImportRun.Record, entry: Entry?)] = []
    for record in waiting {
      let near = try candidates(record, entries)
      let entry = near.count == 1 ? near[0] : nil
      claimed.insert(UUIDBits(entry?.uuid ?? record.entry.uuid))
      found.append((record, entry))
    }
    waiting = []
    return found
  }

  private func candidates(
    _ record: ImportRun.Record, _ entries: Entries
  ) rethrows -> [Entry] {
    try entries(record.entry.day, record.entry.created).filter { entry in
      !claimed.contains(UUIDBits(entry.uuid)) && Self.areNear(entry.text, record.entry.text)
    }
  }

  /// Whether most words of the shorter text are in the other one.
  private static func areNear(_ first: String, _ second: String) -> Bool {
    let words = [first, second].map { Set($0.split(whereSeparator: \.isWhitespace)) }
    let common = words[0].intersection(words[1]).count
    return common * 2 > min(words[0].count, words[1].count)
  }
}
