import ResultsTestSupport
import SectionedResults
import Testing

/// The data provider and the data source.
@Suite("Rules: data providers and data sources")
struct RulesProviderTests {
  private let store = SpyStore(
    MemoryResultsStore(
      rows: [row(1, "a", 1), row(2, "a", 2), row(3, "b", 1), row(4, "b", 2, hidden: true)]
    ) { row, _ in !row.isHidden })

  private func provider() throws -> ResultsDataProvider<SpyStore> {
    let provider = try ResultsDataProvider(request: VectorOptions().request, store: store)
    try provider.reload()
    return provider
  }

  @Test("rule 9: a provider's objects, sections and paths are its controller's")
  func reading() throws {
    let provider = try ResultsDataProvider(request: VectorOptions().request, store: store)
    #expect(try provider.objects().isEmpty)
    try provider.reload()
    #expect(try provider.objects().map(\.number) == [1, 2, 3])
    #expect(provider.sectionNames == ["a", "b"])
    #expect(provider.sectionCounts == [2, 1])
    #expect(provider.sectionIndexTitles == ["A", "B"])
    #expect(try provider.object(at: RowPath(1, 0)).number == 3)
    #expect(try provider.identity(at: RowPath(0, 1)) == .integer(2))
  }

  @Test("rule 22: reload and filter are resets: they tell so, and send no batch")
  func resets() throws {
    let provider = try provider()
    let listener = BatchListener()
    try provider.controller.setDelegate(listener)
    var told: [String] = []
    provider.didReload = { told.append("reload") }
    provider.didFilter = { told.append("filter") }
    try provider.filter(nil)
    #expect(try provider.objects().map(\.number) == [1, 2, 3, 4])
    try provider.reload()
    #expect(told == ["filter", "reload"])
    #expect(listener.told.isEmpty)
  }

  @Test("rule 52: a filter that fails leaves the one before, and tells nothing")
  func failingFilter() throws {
    let provider = try provider()
    provider.didFilter = { Issue.record("nothing was filtered") }
    store.isBroken = true
    #expect(throws: SpyStore.Fault.self) { try provider.filter(nil) }
    store.isBroken = false
    #expect(provider.controller.request.filter == .visible)
    try provider.reload()
    #expect(try provider.objects().map(\.number) == [1, 2, 3])
  }

  @Test("rule 24: edits by path come back as batches")
  func edits() throws {
    let provider = try provider()
    let listener = BatchListener()
    try provider.controller.setDelegate(listener)
    try provider.insert(row(5, "c"))
    try provider.update(at: RowPath(0, 0), to: row(1, "a", 1, value: 3))
    try provider.delete(at: RowPath(1, 0))
    #expect(listener.batches.map(\.insertedSections) == [[2], [], []])
    #expect(listener.batches.map(\.updates.count) == [0, 1, 0])
    #expect(listener.batches.map(\.deletedSections) == [[], [], [1]])
    #expect(throws: ResultsError.noSuchRow(RowPath(7, 0))) {
      try provider.delete(at: RowPath(7, 0))
    }
    #expect(throws: ResultsError.noSuchRow(RowPath(7, 0))) {
      try provider.update(at: RowPath(7, 0), to: row(9))
    }
  }

  @Test("rule 23: a path means the row that is shown there, whatever was committed meanwhile")
  func pathsAreIdentities() throws {
    let provider = try provider()
    let listener = BatchListener()
    try provider.controller.setDelegate(listener)
    store.isQuiet = true
    try store.insert(row(0, "a", 0))
    try store.delete(.integer(3))
    try provider.update(at: RowPath(0, 0), to: row(1, "a", 1, value: 8))
    try provider.delete(at: RowPath(0, 1))
    #expect(throws: ResultsError.rowIsGone("3")) {
      try provider.delete(at: RowPath(1, 0))
    }
    store.tellCommits()
    #expect(try provider.controller.numbers() == [[0, 1]])
    #expect(try provider.object(at: RowPath(0, 1)).value == .integer(8))
  }

  @Test("a list reads a controller and anything else through one data source")
  func dataSource() throws {
    struct Plain: SectionedDataSource {
      let rows: [[String]]
      var sectionCount: Int { rows.count }
      func itemCount(inSection section: Int) -> Int { rows[section].count }
      func item(at path: RowPath) throws -> String { rows[path.section][path.row] }
    }
    func all<Source: SectionedDataSource>(_ source: Source) throws -> [[Source.Item]] {
      try (0..<source.sectionCount).map { section in
        try (0..<source.itemCount(inSection: section)).map {
          try source.item(at: RowPath(section, $0))
        }
      }
    }
    let controller = try ResultsController(request: VectorOptions().request, store: store)
    #expect(try all(controller).isEmpty, "before a fetch")
    try controller.performFetch()
    #expect(try all(controller) == (try controller.shown()))
    #expect(controller.itemCount(inSection: 5) == 0)
    #expect(try all(Plain(rows: [["x"], ["y", "z"]])) == [["x"], ["y", "z"]])
  }
}
