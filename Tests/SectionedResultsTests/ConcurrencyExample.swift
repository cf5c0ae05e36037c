import SectionedResults
import Testing

// The examples of the article on concurrency; a test compares them with the article.

// main-actor:begin
@MainActor final class Screen: @MainActor ResultsBatchDelegate {
  typealias Row = Note
  private let controller: ResultsController<Note>
  private(set) var list = SectionedList()

  init(store: any ResultsStore<Note>) throws {
    controller = try ResultsController(
      request: ResultsRequest(sortKeys: [SortKey(.day)], sectionField: .day), store: store)
    controller.delegate = self
    try controller.performFetch()
    list.reload(from: controller)
  }

  func controller(
    _ controller: any ResultsList<Note>, didChangeContentWith batch: ResultsBatch
  ) throws {
    try list.apply(batch)
  }
}
// main-actor:end

// actor:begin
actor Notebook {
  private let store: MemoryResultsStore<Note>
  private let controller: ResultsController<Note>

  init() throws {
    store = MemoryResultsStore { _, _ in true }
    controller = try ResultsController(
      request: ResultsRequest(sortKeys: [SortKey(.day)], sectionField: .day), store: store)
  }

  func add(_ note: Note) { store.write { $0.put(note) } }

  func batches() throws -> ResultsStream<ResultsBatch> { try controller.batches() }
}

@MainActor func follow(_ notebook: Notebook, until count: Int) async throws -> SectionedList {
  var list = SectionedList()
  for try await batch in try await notebook.batches() {
    try list.apply(batch)
    if list.rowCount == count { break }
  }
  return list
}
// actor:end

@Suite("Concurrency")
struct ConcurrencyTests {
  private func note(_ number: Int) -> Note {
    Note(id: number, day: "2026-11-2\(number % 3)", minute: 0, text: "\(number)")
  }

  @Test("a delegate of the main actor is found, and hears of commits")
  @MainActor
  func mainActor() throws {
    let store = MemoryResultsStore<Note>(rows: [note(1)]) { _, _ in true }
    let screen = try Screen(store: store)
    store.write { $0.put(note(2)) }
    #expect(screen.list.sections.map(\.key) == ["2026-11-21", "2026-11-22"])
  }

  @Test("a list of the main actor follows the controller of an actor")
  func actors() async throws {
    let notebook = try Notebook()
    let list = Task { try await follow(notebook, until: 90) }
    for number in 0..<90 { await notebook.add(note(number)) }
    #expect(try await list.value.sections.map(\.count) == [30, 30, 30])
  }
}
