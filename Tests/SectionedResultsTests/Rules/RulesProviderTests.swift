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

  private func provider() throws -> ResultsDataProvider<VectorRow, VectorRow> {
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
    #expect(provider.sectionKeys == ["a", "b"])
    #expect(provider.sectionCounts == [2, 1])
    #expect(provider.sectionIndexTitles == ["A", "B"])
    #expect(try provider.object(at: RowPath(1, 0)).number == 3)
    #expect(try provider.identity(at: RowPath(0, 1)) == .integer(2))
  }

  @Test("rule 22: reload and filter are resets: they tell so, and send no batch")
  func resets() throws {
    let provider = try provider()
    var batches = 0
    provider.didChange = { _ in batches += 1 }
    var told: [String] = []
    provider.didReload = { told.append("reload") }
    provider.didFilter = { told.append("filter") }
    try provider.filter(nil)
    #expect(try provider.objects().map(\.number) == [1, 2, 3, 4])
    try provider.reload()
    #expect(told == ["filter", "reload"])
    #expect(batches == 0)
  }

  @Test("rule 52: a filter that fails leaves the one before, and tells nothing")
  func failingFilter() throws {
    let provider = try provider()
    provider.didFilter = { Issue.record("nothing was filtered") }
    store.isBroken = true
    #expect(throws: SpyStore.Fault.self) { try provider.filter(nil) }
    store.isBroken = false
    try provider.reload()
    #expect(try provider.objects().map(\.number) == [1, 2, 3])
  }

  @Test("rule 24: edits by path come back as batches")
  func edits() throws {
    let provider = try provider()
    var batches: [ResultsBatch] = []
    provider.didChange = { batches.append($0.batch) }
    try provider.insert(row(5, "c"))
    try provider.update(at: RowPath(0, 0), to: row(1, "a", 1, value: 3))
    try provider.delete(at: RowPath(1, 0))
    #expect(batches.map(\.insertedSections) == [[2], [], []])
    #expect(batches.map(\.updates.count) == [0, 1, 0])
    #expect(batches.map(\.deletedSections) == [[], [], [1]])
    #expect(throws: ResultsError.noSuchRow(RowPath(7, 0))) {
      try provider.delete(at: RowPath(7, 0))
    }
    #expect(throws: ResultsError.noSuchRow(RowPath(7, 0))) {
      try provider.update(at: RowPath(7, 0), to: row(9))
    }
  }

  @Test("a provider shows its own edits at once, with nobody listening, by path and by identity")
  func ownEdits() throws {
    let provider = try provider()
    try provider.update(at: RowPath(0, 0), to: row(1, "a", 1, value: 9))
    #expect(try provider.object(at: RowPath(0, 0)).value == 9)
    try provider.delete(at: RowPath(0, 0))
    try provider.delete(at: RowPath(0, 0))
    #expect(try provider.objects().map(\.number) == [3])
    try provider.update(3, to: row(3, "b", 1, value: 4))
    #expect(try provider.object(at: RowPath(0, 0)).value == 4)
    try provider.delete(try provider.object(at: RowPath(0, 0)))
    #expect(throws: ResultsError.rowIsGone("3")) { try provider.delete(3) }
    #expect(provider.sectionKeys.isEmpty && provider.currentBatch().sectionCountsAfter.isEmpty)
  }

  @Test("rule 23: a path means the row that is shown there, whatever was committed meanwhile")
  func pathsAreIdentities() throws {
    let provider = try provider()
    store.isQuiet = true
    try store.insert(row(0, "a", 0))
    try store.delete(.integer(3))
    try provider.update(at: RowPath(0, 0), to: row(1, "a", 1, value: 8))
    try provider.delete(at: RowPath(0, 1))
    #expect(throws: ResultsError.rowIsGone("3")) {
      try provider.delete(at: RowPath(1, 0))
    }
    store.tellCommits()
    #expect(try provider.objects().map(\.number) == [0, 1])
    #expect(try provider.object(at: RowPath(0, 1)).value == .integer(8))
  }

  @Test("a list reads a controller and anything else through one data source")
  func dataSource() throws {
    struct Plain: SectionedDataSource {
      let rows: [[String]]
      var numberOfSections: Int { rows.count }
      func numberOfRows(inSection section: Int) -> Int { rows[section].count }
      func object(at path: RowPath) throws -> String { rows[path.section][path.row] }
    }
    func all<Source: SectionedDataSource>(_ source: Source) throws -> [[Source.Object]] {
      try (0..<source.numberOfSections).map { section in
        try (0..<source.numberOfRows(inSection: section)).map {
          try source.object(at: RowPath(section, $0))
        }
      }
    }
    let controller = try ResultsController(request: VectorOptions().request, store: store)
    #expect(try all(controller).isEmpty, "before a fetch")
    try controller.performFetch()
    #expect(try all(controller) == (try controller.shown()))
    #expect(controller.numberOfRows(inSection: 5) == 0)
    #expect(try all(Plain(rows: [["x"], ["y", "z"]])) == [["x"], ["y", "z"]])
  }
}
