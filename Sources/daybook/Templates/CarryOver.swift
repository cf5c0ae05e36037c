import Journal
import JournalStore

/// Task items that were left open.
enum CarryOver {
  /// How far back open items are looked for, in entries.
  private static let lookBack = 1_000

  /// The open items of the last day before another one that has some, in the order they were written.
  ///
  /// - Throws: what the store throws.
  static func openItems(in store: any EntryStore, before day: Day) throws -> [String] {
    var found: (day: Day, items: [String])?
    try store.forEachEntry(
      of: .entries(query: .until(day.adding(days: -1)), limit: Self.lookBack)
    ) { _, entry in
      if let found, found.day != entry.day { return false }
      let items = TaskItems.open(in: entry.text)
      // Newest entries come first; the items are wanted as they were written.
      if !items.isEmpty { found = (entry.day, items + (found?.items ?? [])) }
      return true
    }
    return found?.items ?? []
  }
}
