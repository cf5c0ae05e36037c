import Journal
import SectionedResults

@testable import JournalStore

/// The slow, obvious way to every list: look at all entries and sort them.
struct Oracle {
  var entries: [Int64: Entry]
  private let files: [StoredFile]

  init(_ store: any EntryStore) throws {
    let deletedToo = try Lists.query("is:deleted")
    let numbers = try store.numbers(matching: nil) + store.numbers(matching: deletedToo)
    entries = Dictionary(
      uniqueKeysWithValues: try store.entries(numbers).map { ($0.number, $0) })
    files = try store.files()
  }

  func rows(of request: EntryRequest) -> [EntryRow] {
    Self.sorted(matchingRows(of: request), request)
  }

  /// The rows that pass the request's filter, in any order.
  func matchingRows(of request: EntryRequest) -> [EntryRow] {
    let query = request.filter ?? .everything
    return rows(of: matches(of: query), like: request)
  }

  /// The entries that a query matches, in any order.
  func matches(of query: Query) -> [Entry] {
    let links = LinkOracle(entries.values)
    return entries.values.filter { entry in
      query.matches(entry) { part, entry in
        guard case .file(.size(let range)) = part else { return links.decide(part, entry) }
        return FileLink.all(in: entry.text).contains { link in
          files.contains { $0.hash.hasPrefix(link.target) && range.contains(Int64($0.size)) }
        }
      }
    }
  }

  /// The rows that all entries would have without the request's filter, also those in the trash.
  func allRows(like request: EntryRequest) -> [EntryRow] {
    Self.sorted(rows(of: Array(entries.values), like: request), request)
  }

  private func rows(of entries: [Entry], like request: EntryRequest) -> [EntryRow] {
    entries.flatMap { entry -> [EntryRow] in
      let tags =
        request.sectionField != .tag || entry.tags.isEmpty
        ? [""] : entry.tags.map { Tag.key(of: $0) }
      let keys = (request.sortKeys.map(\.field) + request.aggregatedFields).compactMap(\.fieldKey)
      return tags.map { tag in
        var row = entry.row(tag: tag)
        for key in Set(keys) {
          let values = Field.all(in: entry.text).filter { $0.key == key }.map(\.value)
          row.fieldValues[key] = values.isEmpty ? nil : values
        }
        return row
      }
    }
  }

  /// Sorts rows by keys that are made once per row, not once per comparison.
  private static func sorted(_ rows: [EntryRow], _ request: EntryRequest) -> [EntryRow] {
    rows.map { (key: request.key(of: $0), row: $0) }
      .sorted { request.precedes($0.key, $1.key) }.map(\.row)
  }
}

/// Every list the app can show over a few queries.
enum Lists {
  static let queries: [String] = [
    "", "#work", "-#work", "is:starred", "is:untagged", "is:deleted", "is:deleted OR #home",
    "is:edited", "is:conflict", "-is:conflict", "bread", "-bread", "str*", "bread #work",
    "words:>3", "since:2025-12-01",
    "東", "\"met again\"", "cafe", "on:*-11-21", "id:3", "#caf*", "-(bread OR #home)",
    "links:bread", "linked:rain", "is:orphan", "is:broken", "mood:>2", "run:>3km", "field:slept",
    "-field:mood",
    "has:picture", "-has:file", "file:*.pdf", "file:>1k",
  ]

  static func query(_ text: String) throws -> Query {
    let clock = WallClock.fixed(seconds: 1_795_000_000, offset: 3600)
    return try Query.parse(text, now: clock.moment(), clock: clock)
  }

  /// The lists whose commits a store of some kind has: the oracle's lists that other entries decide are
  /// fetched again.
  static func followed(by kind: StoreKind) throws -> [EntryRequest] {
    try all().filter { kind != .oracle || $0.filter?.needsOthers != true }
  }

  /// Sums of fields that ``Samples`` has, of numbers, of durations, and of a unit in another case.
  static let measures = [
    FieldMeasure(name: "Mood", unit: FieldUnit("")), FieldMeasure(name: "slept", unit: .duration),
    FieldMeasure(name: "run", unit: FieldUnit("KM")),
  ]

  static func all() throws -> [EntryRequest] {
    try queries.enumerated().flatMap { index, text in
      let query = text.isEmpty ? nil : try Lists.query(text)
      let measure = measures[index % measures.count]
      let ofFields: [EntryRequest] = [
        .entries(query: query, order: .field("mood"), grouping: .none),
        .entries(query: query, order: .field("slept"), grouping: .month, measure: measure),
        .entries(query: query, grouping: .field("mood"), measure: measure),
        .entries(query: query, order: .title, grouping: .field("place")),
        .entries(query: query, order: .field("mood"), grouping: .tag, measure: measure),
        .entries(query: query, order: .field("run"), grouping: .none),
        .entries(query: query, grouping: .field("run"), measure: measure),
        .entries(query: query, measure: measure),
      ]
      return ofFields
        + ListOrder.allCases.flatMap { order in
          Grouping.allCases.map { grouping in
            EntryRequest.entries(query: query, order: order, grouping: grouping)
          }
        }
    }
  }
}
