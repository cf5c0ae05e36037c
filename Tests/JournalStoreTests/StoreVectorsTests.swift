import Journal
import JournalStore
import ResultsTestSupport
import SectionedResults
import Testing

/// Every vector over every store: its rows become entries, its sections days, its keys times.
@Suite("Vectors over the stores")
struct StoreVectorsTests {
  @Test(
    "every vector gives the batch it expects over every store",
    arguments: try Vector.all(), StoreKind.allCases)
  func vector(_ vector: Vector, _ kind: StoreKind) throws {
    let directory = TemporaryDirectory(isInMemory: true)
    let store = try kind.make(in: directory)
    let entries = VectorEntries(vector)
    try store.change(.add) { transaction in
      for row in vector.before { _ = try transaction.insert(entries.entry(for: row)) }
    }
    let controller = try store.controller(for: entries.request)
    var changes: [ResultsChange<EntryRow>] = []
    let token = try controller.observe { changes.append($0) }
    try store.change(.edit) { transaction in
      for operation in vector.operations { try entries.perform(operation, in: transaction) }
    }
    token.cancel()
    #expect(changes.count <= 1)
    #expect((changes.first.map { BatchLists($0.batch) } ?? BatchLists()) == vector.expected)
    #expect((changes.first.map { BatchLists(delegate: $0) } ?? BatchLists()) == vector.delegate)
    if let after = vector.after {
      #expect(try entries.identities(of: controller) == after.map { Array($0.values)[0] })
    }
  }
}

/// Gives the rows of a vector the shape of entries, keeping every order.
private final class VectorEntries {
  let request: ResultsRequest<EntryRow>
  private let options: VectorOptions
  private let ids: [SortValue]
  private let keys: [SortValue]
  private let sections: [String]
  private var rows: [SortValue: VectorRow]

  init(_ vector: Vector) {
    options = vector.options
    let patches = vector.operations.map(\.patch)
    ids = Set(vector.before.map(\.id) + patches.map(\.id)).sorted()
    keys = Set(vector.before.map(\.key) + patches.compactMap(\.key)).sorted()
    sections = Set(vector.before.map(\.section) + patches.compactMap(\.section)).sorted()
    rows = Dictionary(uniqueKeysWithValues: vector.before.map { ($0.id, $0) })
    let days: [SortKey<EntryField>] =
      options.isSectioned ? [SortKey(.day, options.sectionOrder)] : []
    request = ResultsRequest(
      sortKeys: days + [SortKey(.created, options.keyOrder), SortKey(.number)],
      sectionField: options.isSectioned ? .day : nil, limit: options.limit,
      offset: options.offset, pageSize: 3)
  }

  func entry(for row: VectorRow) -> Entry {
    let key = Int64(keys.firstIndex(of: row.key) ?? 0)
    let section = options.isSectioned ? sections.firstIndex(of: row.section) ?? 0 : 0
    let moment = Moment(seconds: 1_700_000_000 + key, offset: 0)
    let number = (ids.firstIndex(of: row.id) ?? 0) + 1
    return Entry(
      uuid: EntryUUID.derived(text: "\(number)", created: moment), number: Int64(number),
      created: moment, modified: Moment(seconds: 1_800_000_000, offset: 0),
      day: Day(daysSinceEpoch: 19_000 + section), text: "entry \(row.value)",
      deleted: row.isHidden ? moment : nil)
  }

  func perform(_ operation: Vector.Operation, in transaction: any EntryWriting) throws {
    let id = operation.patch.id
    let number = Int64((ids.firstIndex(of: id) ?? 0) + 1)
    let old = try transaction.entry(number: number)
    switch (operation.kind, old) {
    case ("delete", let old?):
      rows[id] = nil
      try transaction.remove(old)
    case ("update", let old?):
      let row = operation.patch.applied(rows[id] ?? operation.patch.row)
      rows[id] = row
      var new = entry(for: row)
      new.uuid = old.uuid
      try transaction.update(new, from: old)
    default:
      rows[id] = operation.patch.row
      if let old { try transaction.remove(old) }
      _ = try transaction.insert(entry(for: operation.patch.row))
    }
  }

  func identities(of controller: ResultsController<EntryRow>) throws -> [[SortValue]] {
    try controller.sectionCounts.enumerated().map { section, count in
      try (0..<count).map { row in
        ids[Int(try controller.identity(at: RowPath(section, row)).number) - 1]
      }
    }
  }
}
