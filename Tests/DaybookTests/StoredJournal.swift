import Journal
import JournalStore

/// Looks into a journal's file in this process, which costs no start of the program.
enum StoredJournal {
  /// Opens it as the program does.
  static func open(
    _ path: String, mode: OpenMode = .readWrite
  ) throws -> any EntryStore {
    try JournalLocation(path: path, isExplicit: true).open(mode: mode)
  }

  /// The texts of its entries, or of those that match.
  static func texts(_ path: String, matching query: Query? = nil) throws -> [String] {
    let store = try open(path)
    return try store.entries(try store.numbers(matching: query)).map(\.text)
  }

  /// All of its entries, also those in the trash, in an order that does not depend on their numbers.
  static func entries(_ path: String) throws -> [Entry] {
    let store = try open(path, mode: .readOnly)
    let numbers = try store.numbers(matching: nil) + store.numbers(matching: .flag(.deleted))
    return try store.entries(numbers).sorted { $0.uuid < $1.uuid }
  }

  /// Adds entries, a step each, and makes the journal where there is none.
  static func add(_ texts: [String], to path: String) throws {
    let store = try open(path, mode: .create)
    for text in texts {
      let created = Moment(seconds: 1_795_280_400, offset: 0)
      _ = try store.add([NewEntry(text: text, created: created, day: created.localDay)])
    }
  }
}
