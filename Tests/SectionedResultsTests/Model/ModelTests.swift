import Observation
import ResultsTestSupport
import SectionedResults
import Synchronization
import Testing

/// The observable model.
@Suite("Observable models")
struct ModelTests {
  private let store = SpyStore(
    MemoryResultsStore(
      rows: [row(1, "a", 1), row(2, "a", 2), row(3, "b", 1), row(4, "b", 2, hidden: true)]
    ) { row, _ in !row.isHidden })

  private func model() throws -> ResultsModel<VectorRow> {
    let model = try ResultsModel(request: VectorOptions().request, store: store)
    model.fetch()
    return model
  }

  /// Whether `body` changes something that `read` has read.
  private func isTold(
    reading read: () -> some Any, by body: () throws -> Void
  ) rethrows -> Bool {
    let told = Told()
    _ = withObservationTracking(read) { told.isTold.withLock { $0 = true } }
    try body()
    return told.isTold.withLock { $0 }
  }

  private final class Told: Sendable {
    let isTold = Mutex(false)
  }

  private func put(_ rows: VectorRow...) {
    store.memory.write { for row in rows { $0.put(row) } }
  }

  @Test("a model is empty before it fetches, and shows sections, rows and counts afterwards")
  func reading() throws {
    let model = try ResultsModel(request: VectorOptions().request, store: store)
    #expect(model.sections.isEmpty && model.count == 0 && model.generation == 0)
    #expect(model.row(at: RowPath(0, 0)) == nil && model.error == nil)
    #expect(isTold(reading: { model.sections }, by: { model.fetch() }))
    #expect(model.sections.map(\.key) == ["a", "b"] && model.count == 3)
    #expect(model.sections.map(\.numberOfObjects) == [2, 1])
    #expect(model.sections.map(\.id) == ["a", "b"])
    #expect(model.rows(inSection: 0).map(\.number) == [1, 2])
    #expect(model.rows(inSection: "b").map(\.number) == [3])
    #expect(model.rows(inSection: "z").isEmpty && model.rows(inSection: 7).isEmpty)
    #expect(model.row(at: RowPath(1, 0))?.number == 3 && model.row(at: RowPath(1, 1)) == nil)
    #expect(model.path(of: 3) == RowPath(1, 0) && model.path(of: 4) == nil)
    #expect(model.error == nil)
  }

  @Test("rule 74: who reads rows is told of every commit that shows, and of no other")
  func rows() throws {
    let model = try model()
    let reads: [(ResultsModel<VectorRow>) -> Any] = [
      { $0.generation }, { $0.rows(inSection: 1) }, { $0.row(at: RowPath(0, 0)) as Any },
      { $0.path(of: 3) as Any },
    ]
    var value = 1
    for read in reads {
      value += 1
      #expect(isTold(reading: { read(model) }, by: { put(row(1, "a", 1, value: value)) }))
      #expect(!isTold(reading: { read(model) }, by: { put(row(4, "b", value, hidden: true)) }))
      #expect(!isTold(reading: { read(model) }, by: { put(row(1, "a", 1, value: value)) }))
    }
    #expect(model.row(at: RowPath(0, 0))?.value == .integer(5))
  }

  @Test("rule 74: who reads the count or the sections is told when they change, and only then")
  func countsAndSections() throws {
    let model = try model()
    #expect(!isTold(reading: { model.count }, by: { put(row(1, "b", 9)) }))
    #expect(isTold(reading: { model.sections }, by: { put(row(2, "b", 8)) }))
    #expect(model.sections.map(\.key) == ["b"])
    #expect(
      !isTold(reading: { model.sections }, by: { put(row(2, "b", 0), row(1, "b", 7, value: 3)) }))
    #expect(isTold(reading: { model.count }, by: { put(row(5, "b", 1)) }))
    #expect(isTold(reading: { model.sections }, by: { put(row(6, "b", 1)) }))
    #expect(model.count == 5 && model.sections.map(\.numberOfObjects) == [5])
  }

  @Test("rule 74: an error is shown beside the last good rows, and goes with the next success")
  func errors() throws {
    let model = try model()
    store.isBroken = true
    #expect(isTold(reading: { model.error == nil }, by: { put(row(5, "a", 3)) }))
    #expect(model.error is SpyStore.Fault && model.count == 3)
    model.fetch()
    #expect(model.error is SpyStore.Fault && model.generation == 1)
    store.isBroken = false
    #expect(isTold(reading: { model.error == nil }, by: { store.tellCommits() }))
    #expect(model.error == nil && model.count == 4)
    store.isBroken = true
    #expect(model.row(at: RowPath(1, 0)) == nil && model.error is SpyStore.Fault)
    #expect(
      !isTold(reading: { model.error == nil }, by: { _ = model.rows(inSection: 1) }),
      "the same error is told once")
    store.isBroken = false
    model.fetch()
    #expect(model.error == nil && model.row(at: RowPath(1, 0))?.number == 3)
  }

  @Test("a lost history is read again")
  func lostHistory() throws {
    let model = try model()
    store.historyStart = StoreStamp(sequence: 9)
    put(row(5, "c", 3))
    #expect(model.sections.map(\.key) == ["a", "b", "c"] && model.error == nil)
  }

  @Test("another request is shown; one that cannot be leaves the one before")
  func requests() throws {
    let model = try model()
    var request = VectorOptions.flat.request
    request.filter = nil
    model.show(request)
    #expect(model.sections.map(\.key) == [""] && model.count == 4 && model.request == request)
    model.show(ResultsRequest(sortKeys: []))
    #expect(model.error as? ResultsError == .noSortKey && model.request == request)
    store.isBroken = true
    model.show(VectorOptions().request)
    store.isBroken = false
    #expect(model.request == request && model.count == 4)
    put(row(9, "c"))
    #expect(model.count == 5 && model.error == nil)
  }

  @Test("a model that is released no longer follows the store")
  func released() throws {
    var model: ResultsModel? = try model()
    weak let released = model
    model = nil
    #expect(released == nil)
    store.reset()
    put(row(9))
    #expect(store.calls == 0)
  }

  @Test("the example of the article draws what was written", .timeLimit(.minutes(1)))
  @MainActor func example() async throws {
    let store = MemoryResultsStore<Note> { _, _ in true }
    let page = try NotesPage(store: store)
    #expect(page.lines.isEmpty)
    store.write { $0.put(Note(id: 1, day: "mon", minute: 1, text: "Rain")) }
    store.write { $0.put(Note(id: 2, day: "mon", minute: 2, text: "Sun")) }
    while page.lines.count < 3 { await Task.yield() }
    #expect(page.lines == ["mon", "  Rain", "  Sun"])
    store.write { $0.delete(1) }
    while page.lines.count > 2 { await Task.yield() }
    #expect(page.lines == ["mon", "  Sun"])
  }

  @Test("a model in one line is fetched; its observers are called at once and after every change")
  func oneLine() throws {
    let model = ResultsModel(VectorOptions().request, in: store)
    #expect(model.count == 3 && model.error == nil)
    var shown: [[Int]] = []
    var token: ResultsObservation? = model.observe {
      shown.append(model.sections.indices.flatMap { model.rows(inSection: $0) }.map(\.number))
    }
    put(row(5, "c", 1))
    put(row(4, "b", 2, hidden: true))
    #expect(shown == [[1, 2, 3], [1, 2, 3, 5]])
    store.historyStart = StoreStamp(sequence: 9)
    put(row(6, "c", 2))
    #expect(shown.last == [1, 2, 3, 5, 6] && model.error == nil)
    let count = shown.count
    withExtendedLifetime(token) {}
    token = nil
    put(row(7, "c", 2))
    #expect(shown.count == count)
  }

  @Test("a request that cannot be fetched is an error of the model, not a trap")
  func wrongRequest() {
    let model = ResultsModel(ResultsRequest<VectorRow>(filter: nil, sortKeys: []), in: store)
    #expect(model.count == 0 && model.error as? ResultsError == .noSortKey)
    model.fetch()
    #expect(model.error as? ResultsError == .noSortKey)
    model.show(VectorOptions().request)
    #expect(model.count == 3 && model.error == nil)
  }
}
