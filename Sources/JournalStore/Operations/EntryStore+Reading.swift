import Journal
import SectionedResults

extension EntryStore {
  /// The entry with a number, in the trash or not.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Kind/noSuchEntry(_:)`` when there is none.
  package func entry(_ number: Int64) throws -> Entry {
    try inspect { try $0.existing(number) }
  }

  /// The entries with these numbers, in the order given; numbers without one are left out.
  package func entries(_ numbers: [Int64]) throws -> [Entry] {
    try inspect { reader in try numbers.compactMap { try reader.entry(number: $0) } }
  }

  /// The numbers of the entries a query matches, ascending; without a query all outside the trash.
  package func numbers(matching query: Query?) throws -> [Int64] {
    try inspect { try $0.numbers(matching: query) }
  }

  /// How many entries are outside the trash.
  package func count() throws -> Int {
    try inspect { try $0.count() }
  }

  /// The tags in use outside the trash with their counts, by key.
  package func tagCounts() throws -> [TagCount] {
    try inspect { try $0.tagCounts() }
  }

  /// How much was written when, in the entries a query matches; without one in all outside the trash.
  ///
  /// - Complexity: linear in the entries; an SQLite journal reads a small index of them once.
  package func statistics(of query: Query? = nil) throws -> Statistics {
    try inspect { try $0.statistics(of: query) }
  }

  /// The texts an entry has had, oldest first, the present one last.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Kind/noSuchEntry(_:)`` when there is no such entry.
  package func versions(_ number: Int64) throws -> [EntryVersion] {
    try inspect { reader in
      _ = try reader.existing(number)
      return try reader.versions(of: number)
    }
  }

  /// What the next undo and the next redo would do.
  package func pendingSteps() throws -> (undo: ChangeSet?, redo: ChangeSet?) {
    try inspect { (try $0.undoable(), try $0.redoable()) }
  }
}

extension EntryReading {
  /// The entry with a number, or an error that names it.
  func existing(_ number: Int64) throws -> Entry {
    guard let entry = try entry(number: number) else {
      throw StoreError(
        .noSuchEntry(String(number)), at: place, "no entry has the number \(number)")
    }
    return entry
  }
}
