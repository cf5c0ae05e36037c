import ResultsTestSupport
import SectionedResults
import TestSupport
import Testing

/// Random transactions: the incremental step compared with a complete computation.
///
/// `RESULTS_STRESS` sets the number of transactions per store, `RESULTS_SEED` the seed of a failure.
@Suite("Stress")
struct StressTests {
  @Test(
    "random transactions give the batch that a slow comparison gives",
    arguments: StoreKind.allCases)
  func randomTransactions(_ kind: StoreKind) throws {
    let count = StressRun.count(kind == .memory ? 5_000 : 1_500)
    let failure = try StressRun.run(transactions: count) { VectorWorld(kind, &$0) }
    #expect(failure == nil)
  }
}

/// Rows of the vectors' kind over one of the library's own stores.
private struct VectorWorld: StressWorld {
  typealias Row = VectorRow

  let request: ResultsRequest<VectorRow>
  let store: any ResultsStore<VectorRow>
  let isTold: Bool
  private let options: VectorOptions
  private let memory: MemoryResultsStore<VectorRow>
  private var table: [SortValue: VectorRow] = [:]
  private var next = 100

  init(_ kind: StoreKind, _ random: inout SeededGenerator) {
    var options = VectorOptions()
    options.isSectioned = random.chance(0.85)
    options.sectionOrder = random.chance(0.5) ? .ascending : .descending
    options.keyOrder = random.chance(0.5) ? .ascending : .descending
    if random.chance(0.3) { options.limit = Int.random(in: 0..<9, using: &random) }
    if random.chance(0.2) { options.offset = Int.random(in: 0..<6, using: &random) }
    self.options = options
    request = options.request
    // Sections long enough for excerpts in the middle of them, now and then.
    for id in 0..<Int.random(in: 0..<(random.chance(0.2) ? 50 : 14), using: &random) {
      let row = Self.row(id, &random)
      table[row.id] = options.observed(row)
    }
    memory = MemoryResultsStore(rows: Array(table.values)) { row, _ in !row.isHidden }
    store = kind.store(over: memory)
    isTold = kind == .late
    (store as? CountingStore)?.isQuiet = isTold
    if random.chance(0.5) {
      (store as? CountingStore)?.excerptSize = Int.random(in: 1...3, using: &random)
    }
    if random.chance(0.5) {
      (store as? CountingStore)?.groupSize = Int.random(in: 1...4, using: &random)
    }
  }

  func visibleRows() -> [VectorRow] { table.values.filter { !$0.isHidden } }

  func tellCommits() {
    (store as? CountingStore)?.tellCommits()
  }

  mutating func commit(_ random: inout SeededGenerator) {
    memory.write { transaction in
      for _ in 0..<Int.random(in: 0..<8, using: &random) {
        let savepoint = (transaction, table)
        let id = writeOne(&random)
        if let value = table[id] { transaction.put(value) } else { transaction.delete(id) }
        if random.chance(0.1) { (transaction, table) = savepoint }
      }
    }
    if random.chance(0.05) { rollBack() }
  }

  private func rollBack() {
    struct Rollback: Error {}
    #expect(throws: Rollback.self) {
      try memory.write { transaction in
        for id in table.keys { transaction.delete(id) }
        throw Rollback()
      }
    }
  }

  private mutating func writeOne(_ random: inout SeededGenerator) -> SortValue {
    guard let id = table.keys.sorted().randomElement(using: &random), !random.chance(0.3) else {
      let new = Self.row(next, &random)
      next += 1
      table[new.id] = options.observed(new)
      return new.id
    }
    if random.chance(0.25) {
      table[id] = nil
    } else if var changed = table[id] {
      let other = Self.row(0, &random)
      if random.chance(0.4) { changed.section = other.section }
      if random.chance(0.5) { changed.key = other.key }
      if random.chance(0.4) { changed.value = other.value }
      if random.chance(0.2) { changed.isHidden = other.isHidden }
      table[id] = options.observed(changed)
    }
    return id
  }

  private static func row(_ id: Int, _ random: inout SeededGenerator) -> VectorRow {
    VectorRow(
      id: .integer(Int64(id)), section: "s\(Int.random(in: 0..<5, using: &random))",
      key: .integer(Int64.random(in: 0..<8, using: &random)),
      value: .integer(Int64.random(in: 0..<3, using: &random)), isHidden: random.chance(0.15))
  }
}
