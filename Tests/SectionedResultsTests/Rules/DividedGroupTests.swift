import ResultsTestSupport
import SectionedResults
import Testing

/// A long group is divided when one of its rows is first needed; the others stay as they were counted.
struct DividedGroupTests {
  private func controller(
    groupSize: Int?
  ) throws -> (
    controller: ResultsController<VectorRow>, store: CountingStore,
    memory: MemoryResultsStore<VectorRow>
  ) {
    let rows = (0..<600).map { row($0, ["a", "b", "c"][$0 / 200], $0 % 200) }
    let memory = MemoryResultsStore(rows: rows) { (row: VectorRow, _) in !row.isHidden }
    let store = CountingStore(memory)
    store.groupSize = groupSize
    let controller = try ResultsController(request: VectorOptions().request, store: store)
    try controller.performFetch()
    return (controller, store, memory)
  }

  @Test("a row reads the keys of its part, not those of its section")
  func reads() throws {
    let (controller, store, _) = try controller(groupSize: 20)
    #expect(store.keysRead == 0 && controller.sectionCounts == [200, 200, 200])
    for (section, row) in [(1, 0), (1, 199), (2, 100)] {
      let before = store.keysRead
      let id = SortValue.integer(Int64(section * 200 + row))
      #expect(try controller.identity(at: RowPath(section, row)) == id)
      #expect(store.keysRead - before <= 20)
    }
    let whole = try self.controller(groupSize: nil)
    _ = try whole.controller.identity(at: RowPath(1, 0))
    #expect(whole.store.keysRead == 200)
  }

  @Test("a list that is read page by page reads the keys part by part")
  func pages() throws {
    let (controller, store, _) = try controller(groupSize: 20)
    var numbers: [Int] = []
    try controller.forEachPage(inSection: 1) { numbers += $0.map(\.number) }
    #expect(numbers == Array(200..<400) && store.keysRead == 200)
    #expect(store.keyReads == 10)
  }
}
