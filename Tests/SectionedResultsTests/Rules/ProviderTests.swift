import ResultsTestSupport
import SectionedResults
import Testing

/// Records what a provider tells.
private final class ProviderListener: ResultsDataProviderDelegate {
  typealias Row = VectorRow
  typealias Provider = ResultsDataProvider<VectorRow, VectorRow>

  var told: [String] = []
  var changes: [ResultsChange<VectorRow>] = []
  var error: (any Error)?

  func provider(
    _ provider: Provider, didChangeContentWith change: ResultsChange<VectorRow>
  ) throws {
    changes.append(change)
    told.append("change")
    if let error { throw error }
  }

  /// What the provider shows before a change.
  var before: [[Int]] = []

  func providerWillChangeContent(_ provider: Provider) throws {
    before.append(try provider.objects().map(\.number))
  }

  func provider(_ provider: Provider, indexTitleForSectionKey key: String) -> String? {
    key == "b" ? "Bee" : nil
  }

  func providerDidReload(_ provider: Provider) { told.append("reload") }

  func providerDidFilter(_ provider: Provider) { told.append("filter") }

  func provider(_ provider: Provider, didFailWith error: any Error) {
    told.append("failed \(error)")
  }
}

/// The data provider and the data source.
@Suite("Data providers and data sources")
struct ProviderTests {
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

  @Test("a provider names sections, and its delegate hears of a change before and after it")
  func sections() throws {
    let provider = try provider()
    #expect(provider.sectionKey(at: 1) == "b" && provider.sectionKey(at: 2) == nil)
    #expect(provider.sectionIndexTitle(forSectionKey: "b") == "B")
    let listener = ProviderListener()
    provider.delegate = listener
    #expect(provider.sectionIndexTitles == ["A", "Bee"])
    #expect(provider.sectionIndexTitle(forSectionKey: "b") == "Bee")
    try provider.delete(at: RowPath(0, 0))
    #expect(listener.before == [[1, 2, 3]] && listener.told == ["change"])
    #expect(listener.changes.map { $0.deletes.map(\.row.number) } == [[1]])
  }

  @Test("rule 22: reload and filter are resets: they tell so, and send no batch")
  func resets() throws {
    let provider = try provider()
    let listener = ProviderListener()
    provider.delegate = listener
    try provider.filter(nil)
    #expect(provider.filter == nil && provider.numberOfRows == 4)
    #expect(try provider.objects().map(\.number) == [1, 2, 3, 4])
    try provider.reload()
    #expect(listener.told == ["filter", "reload"] && provider.generation == 3)
  }

  @Test("a delegate without a method for filters is told to reload")
  func defaults() throws {
    final class Plain: ResultsDataProviderDelegate {
      typealias Row = VectorRow
      var reloads = 0
      func provider(
        _ provider: ResultsDataProvider<VectorRow, VectorRow>,
        didChangeContentWith change: ResultsChange<VectorRow>
      ) throws {}
      func providerDidReload(_ provider: ResultsDataProvider<VectorRow, VectorRow>) { reloads += 1 }
    }
    let provider = try provider()
    let plain = Plain()
    provider.delegate = plain
    try provider.filter(nil)
    store.isBroken = true
    store.tellCommits()
    #expect(plain.reloads == 1, "an error alone is no reload")
  }

  @Test("rule 52: the delegate is told of a commit that cannot be read, and of its own errors")
  func errors() throws {
    struct Fault: Error {}
    let provider = try provider()
    let listener = ProviderListener()
    provider.delegate = listener
    store.isBroken = true
    try provider.insert(row(5, "c"))
    #expect(listener.told.map { $0.prefix(6) } == ["failed"])
    #expect(provider.numberOfRows == 3)
    store.isBroken = false
    listener.told = []
    listener.error = Fault()
    store.tellCommits()
    #expect(listener.told == ["change", "failed Fault()", "reload"])
    #expect(try provider.objects().count == 4)
    store.historyStart = StoreStamp(sequence: 9)
    listener.error = nil
    listener.told = []
    try provider.insert(row(6, "c"))
    #expect(listener.told.map { $0.prefix(6) } == ["failed", "reload"])
    #expect(try provider.objects().count == 5)
  }

  @Test("a provider that is released no longer follows the store")
  func released() throws {
    var provider: ResultsDataProvider? = try provider()
    weak let released = provider
    provider = nil
    #expect(released == nil)
    store.reset()
    try store.insert(row(9))
    #expect(store.calls == 0)
  }

  @Test("rule 52: a filter that fails leaves the one before, and tells nothing")
  func failingFilter() throws {
    let provider = try provider()
    let listener = ProviderListener()
    provider.delegate = listener
    store.isBroken = true
    #expect(throws: SpyStore.Fault.self) { try provider.filter(nil) }
    #expect(listener.told.isEmpty && provider.filter == .visible)
    store.isBroken = false
    try provider.reload()
    #expect(try provider.objects().map(\.number) == [1, 2, 3])
  }

  @Test("rule 24: edits by path come back as batches")
  func edits() throws {
    let provider = try provider()
    let listener = ProviderListener()
    provider.delegate = listener
    try provider.insert(row(5, "c"))
    try provider.update(at: RowPath(0, 0), to: row(1, "a", 1, value: 3))
    try provider.delete(at: RowPath(1, 0))
    let batches = listener.changes.map(\.batch)
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

  @Test("rule 73: several edits are one commit and one change, or none if one cannot be made")
  func severalEdits() throws {
    let provider = try provider()
    let listener = ProviderListener()
    provider.delegate = listener
    #expect(throws: ResultsError.rowIsGone("9")) {
      try provider.commit([.insert(row(7, "c")), .delete(9)])
    }
    #expect(throws: ResultsError.rowExists("4")) { try provider.insert(row(4, "c")) }
    #expect(listener.told.isEmpty)
    try provider.commit([.insert(row(7, "c")), .delete(1), .update(7, to: row(8, "a", 9))])
    #expect(listener.told == ["change"])
    #expect(try provider.objects().map(\.number) == [2, 8, 3])
  }

  @Test("the example of the article renames, deletes and searches")
  func example() throws {
    let store = MemoryResultsStore(
      rows: (1...4).map { Note(id: $0, day: "d\($0 / 3)", minute: $0, text: "note \($0)") }
    ) { note, filter in
      switch filter {
      case .containing(let text): note.text.contains(text)
      }
    }
    let editor = try NotesEditor(store: store)
    try editor.rename(RowPath(1, 0), to: "third")
    try editor.delete([RowPath(0, 0), RowPath(1, 1)])
    #expect(editor.list.sections.map(\.count) == [1, 1])
    try editor.search("third")
    #expect(editor.list.sections.map(\.key) == ["d1"])
    try editor.search("")
    #expect(editor.list.rowCount == 2)
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
