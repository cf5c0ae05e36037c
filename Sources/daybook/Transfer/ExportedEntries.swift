import Journal
import JournalStore

/// The entries of an export, the oldest first, each once.
struct ExportedEntries {
  let store: any EntryStore
  /// Which entries; `nil` for all outside the trash.
  var query: Query?
  /// The numbers of the entries, where they were named.
  var numbers: [Int64]?

  /// Calls `body` with each entry; no transaction stays open between them.
  ///
  /// - Throws: what the store and `body` throw.
  func eachEntry(_ body: (Entry) throws -> Void) throws {
    if let numbers { return try eachEntry(of: numbers, body) }
    let request = EntryRequest.entries(query: query, order: .oldest, pageSize: 256)
    switch try store.forEachPagedEntry(of: request, body) {
    case .whole?: return
    case .changed?:
      return Console.complain(
        "\(store.place): was changed while it was exported; export again for one state of it")
    case nil: break
    }
    try RowPages(request: request, store: store).forEachEntry(once: true) { try body($1) }
  }

  private func eachEntry(of numbers: [Int64], _ body: (Entry) throws -> Void) throws {
    let entries = try store.entries(numbers)
    let sorted = entries.sorted {
      ($0.day, $0.created.seconds, $0.number) < ($1.day, $1.created.seconds, $1.number)
    }
    for entry in sorted { try body(entry) }
  }
}
