// The examples of the article of recipes. A test checks that the article contains the lines between the
// markers unchanged, and others run them.

import SectionedResults

// tracker:begin
/// Hands on what changed, as plain values; the presenter knows neither the controller nor the store.
final class NoteTracker: ResultsContentDelegate, ResultsErrorDelegate {
  typealias Row = Note

  private let controller: ResultsController<Note>
  private let output: (ResultsChange<Note>) -> Void

  init(
    _ request: ResultsRequest<Note>, _ store: any ResultsStore<Note>,
    output: @escaping (ResultsChange<Note>) -> Void
  ) throws {
    controller = try ResultsController(request: request, store: store)
    self.output = output
    controller.delegate = self
    try controller.performFetch()
    output(try controller.currentChange())
  }

  func controller(
    _ controller: any ResultsList<Note>, didChangeContentWith change: ResultsChange<Note>
  ) {
    output(change)
  }

  func controller(_ controller: any ResultsList<Note>, didFailWith error: any Error) {}

  func controllerNeedsReload(_ controller: any ResultsList<Note>) {
    if let change = try? self.controller.currentChange() { output(change) }
  }
}

/// The rows as arrays, which a table shows.
final class NotePresenter {
  private(set) var table = SectionedArray<Note>()

  func show(_ change: ResultsChange<Note>) throws {
    if change.batch.isWhole { table = SectionedArray() }
    try table.apply(change)
  }
}
// tracker:end

// events:begin
/// Fetches once, and calls the closure of the fetch after every later commit.
final class NotesInteractor {
  private let controller: ResultsController<Note>
  private var observation: ResultsObservation?

  init(_ request: ResultsRequest<Note>, _ store: any ResultsStore<Note>) throws {
    controller = try ResultsController(request: request, store: store)
  }

  func fetch(onChange: @escaping ([ResultsRowChange<Note>]) -> Void) throws -> [Note] {
    observation?.cancel()
    observation = try controller.observe { onChange($0.rows) }
    return try controller.fetchedObjects() ?? []
  }

  /// What a table view asks its data source.
  var dataSource: any SectionedDataSource<Note> { controller }
}
// events:end

// observer:begin
/// Counts the notes that mention a word as they come and go, without a list.
final class Mentions {
  private(set) var count = 0
  private var observer: ResultsObserver<Note>?

  init(of word: String, in store: any ResultsStore<Note>) throws {
    observer = try ResultsObserver(
      store: store, filter: .containing(word),
      handlers: ResultsObserver.Handlers(
        inserted: { [unowned self] notes in count += notes.count },
        deleted: { [unowned self] notes in count -= notes.count }))
  }
}
// observer:end

// line:begin
/// A program without SwiftUI: the model in one line, drawn at once and after every change.
final class NotesPrinter {
  private let model: ResultsModel<Note>
  private var observation: ResultsObservation?
  private(set) var pages: [[String]] = []

  init(_ store: any ResultsStore<Note>) {
    model = ResultsModel(ResultsRequest(sortKeys: [SortKey(.day)], sectionField: .day), in: store)
    observation = model.observe { [unowned self] in
      pages.append(
        model.sections.indices.flatMap { section in
          [model.sections[section].key] + model.rows(inSection: section).map { "  \($0.text)" }
        })
    }
  }
}
// line:end
