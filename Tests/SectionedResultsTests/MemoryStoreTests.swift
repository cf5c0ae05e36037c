import ResultsTestSupport
import TestSupport
import Testing

@testable import SectionedResults

/// The memory store's outlines, and the order of keys.
struct MemoryStoreTests {
  private static func row(_ id: Int64, _ key: Int64) -> VectorRow {
    VectorRow(id: .integer(id), section: "s\(key % 3)", key: .integer(key), value: .null)
  }

  @Test("controllers of equal requests sort the rows once, and those after a commit see it")
  func sharedOutline() throws {
    var reads = 0
    let store = MemoryResultsStore(rows: (1...90).map { Self.row($0, $0 * 37 % 90) }) { row, _ in
      reads += 1
      return !row.isHidden
    }
    func fetch(_ request: ResultsRequest<VectorRow>) throws -> [VectorRow]? {
      let controller = try ResultsController(request: request, store: store)
      try controller.performFetch()
      return try controller.fetchedObjects()
    }
    let request = VectorOptions().request
    let first = try fetch(request)
    #expect(reads > 0)
    reads = 0
    let second = try ResultsController(request: request, store: store)
    try second.performFetch()
    #expect(reads == 0)
    #expect(try second.fetchedObjects() == first)

    var other = request
    other.sortKeys[1].order = .descending
    #expect(try fetch(other) != first)
    reads = 0
    store.write { $0.put(Self.row(91, -1)) }
    let third = try fetch(request)
    #expect(reads > 0)
    #expect(third?.count == 91)
    #expect(third?.first { $0.id == 91 } != nil)
    // The last request is the one whose rows are known.
    store.write { $0.delete(.integer(91)) }
    #expect(try fetch(request)?.count == 90)
  }

  @Test("keys are sorted as their request compares them, ties by identity")
  func sorted() {
    var random = SeededGenerator(seed: 3)
    for round in 0..<200 {
      var options = VectorOptions()
      options.sectionOrder = round.isMultiple(of: 2) ? .ascending : .descending
      options.keyOrder = round.isMultiple(of: 3) ? .ascending : .descending
      options.isSectioned = !round.isMultiple(of: 5)
      let request = options.request
      let keys = (0..<random.below(60)).map { id in
        request.key(of: Self.row(Int64(id * 31 % 61), Int64(random.below(12))))
      }
      #expect(request.sorted(keys) == keys.sorted(by: request.precedes))
    }
  }

  @Test("a request with other sort keys orders by them")
  func changedSortKeys() {
    var request = VectorOptions().request
    #expect(request.compare(["a", 1], ["a", 2]) < 0)
    request.sortKeys[1].order = .descending
    #expect(request.compare(["a", 1], ["a", 2]) > 0)
    request.sortKeys.removeLast()
    #expect(request.compare(["a", 1], ["a", 2]) == 0)
  }
}
