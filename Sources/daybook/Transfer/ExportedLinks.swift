import Journal
import JournalFormats
import JournalStore
import SectionedResults

/// Where the links of exported entries lead among the entries that are exported with them.
struct ExportedLinks {
  private let store: any EntryStore
  private let query: Query?
  /// The numbers of the exported entries, if they were given.
  private let numbers: Set<Int64>?

  init(_ entries: ExportedEntries) {
    (store, query) = (entries.store, entries.query)
    numbers = entries.numbers.map { Set($0) }
  }

  /// The entry that a link leads to, or the first day with an entry of the link's days; `nil` for nothing, and
  /// for what cannot be read: the export itself says so.
  func anchor(of link: Link, in entry: Entry) -> LinkAnchor? {
    try? found(link, in: entry.number)
  }

  private func found(_ link: Link, in source: Int64) throws -> LinkAnchor? {
    let number: Int64?
    switch try store.destination(of: link, in: source) {
    case .entry(let destination): number = try isExported(destination) ? destination : nil
    case .days(let days): number = try firstEntry(of: days)
    case .nothing: number = nil
    }
    guard let number, let entry = try store.entries([number]).first else { return nil }
    if case .days = Link.target(ofKey: link.key) { return .day(entry.day) }
    return .entry(entry.uuid)
  }

  private func isExported(_ number: Int64) throws -> Bool {
    if let numbers { return numbers.contains(number) }
    let request = EntryRequest.entries(query: query)
    return try store.read { try !$0.rows(of: request, ids: [EntryRowID(number: number)]).isEmpty }
  }

  private func firstEntry(of days: ClosedRange<Day>) throws -> Int64? {
    let isOfDays = Query.on(days)
    if let numbers { return try store.numbers(matching: isOfDays).filter(numbers.contains).min() }
    let request = EntryRequest.entries(
      query: query.map { .and([$0, isOfDays]) } ?? isOfDays, order: .oldest)
    return try store.firstRow(of: request, after: nil)?.number
  }
}
