import ResultsTestSupport
import SectionedResults
import Testing

/// Every vector, over the memory store and over a store that returns counts only, so that every key
/// is read lazily.
@Suite("Vectors")
struct VectorsTests {
  @Test(
    "every vector gives the batch and the delegate calls it expects",
    arguments: try Vector.all())
  func vector(_ vector: Vector) throws {
    for store in [StoreKind.memory, .lazy] {
      let outcome = try run(vector, store)
      #expect(outcome.table == vector.expected, "table form over \(store)")
      #expect(outcome.delegate == vector.delegate, "delegate form over \(store)")
      if let after = vector.after { #expect(outcome.after == after) }
    }
  }

  @Test("the files hold vectors")
  func filesHoldVectors() throws {
    #expect(try Vector.all().count >= 73)
  }

  private struct Outcome {
    var table: BatchLists
    var delegate: BatchLists
    var after: [[String: [SortValue]]]
  }

  private func run(_ vector: Vector, _ kind: StoreKind) throws -> Outcome {
    let memory = MemoryResultsStore<VectorRow>(rows: vector.before.map(vector.options.observed)) {
      row, _ in !row.isHidden
    }
    let controller = try ResultsController(
      request: vector.options.request, store: kind.store(over: memory))
    var changes: [ResultsChange<VectorRow>] = []
    let token = try controller.observe { changes.append($0) }
    let after = vector.rowsAfter()
    memory.write { transaction in
      for row in vector.before where after[row.id] == nil { transaction.delete(row.id) }
      for row in after.values { transaction.put(vector.options.observed(row)) }
    }
    token.cancel()
    #expect(changes.count <= 1)
    let empty = BatchLists()
    return Outcome(
      table: changes.first.map { BatchLists($0.batch) } ?? empty,
      delegate: changes.first.map { BatchLists(delegate: $0) } ?? empty,
      after: try controller.sectionIdentities())
  }
}

/// The stores of the library's own tests.
enum StoreKind: CaseIterable {
  /// Gives keys with its outline.
  case memory
  /// Gives counts only, so that every key is read when it is needed.
  case lazy
  /// As `lazy`, and announces several commits at once.
  case late

  func store(over memory: MemoryResultsStore<VectorRow>) -> any ResultsStore<VectorRow> {
    switch self {
    case .memory: memory
    case .lazy, .late: CountingStore(memory)
    }
  }
}

extension ResultsController where Row == VectorRow {
  /// The sections with the identities of their rows.
  func sectionIdentities() throws -> [[String: [SortValue]]] {
    try sectionKeys.indices.map { section in
      let ids = try (0..<numberOfRows(inSection: section)).map {
        try identity(at: RowPath(section, $0))
      }
      return [sectionKey(at: section) ?? "": ids]
    }
  }
}
