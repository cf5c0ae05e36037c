// The example of the documentation. A test checks that the article contains the lines between the
// markers unchanged.

// example:begin
import SectionedResults

/// A note, as a plain value.
struct Note: ResultsRow {
  enum Filter: Equatable, Sendable {
    case containing(String)
  }

  enum SortField: Equatable, Sendable {
    case day
    case minute
  }

  enum SectionField: Equatable, Sendable {
    case day
  }

  static let entityName = "Note"
  static let entityVersion = 1

  var id: Int
  /// An ISO day such as 2026-11-21: it identifies and sorts; the view formats the header.
  var day: String
  /// Minutes since midnight.
  var minute: Int
  var text: String

  func sortValue(for field: SortField) -> SortValue {
    switch field {
    case .day: .text(day)
    case .minute: .integer(Int64(minute))
    }
  }

  func sectionKey(for field: SectionField) -> String { day }
}

/// A screen that lists notes, the latest day first, and follows every commit.
final class NotesScreen: ResultsBatchDelegate, ResultsErrorDelegate {
  typealias Row = Note

  let controller: ResultsController<Note>
  private(set) var list = SectionedList(height: 20)
  private(set) var message: String?

  init(store: any ResultsStore<Note>) throws {
    controller = try ResultsController(
      request: ResultsRequest(
        sortKeys: [SortKey(.day, .descending), SortKey(.minute)], sectionField: .day),
      store: store)
    controller.delegate = self
    try controller.performFetch()
    list.reload(from: controller)
  }

  func controller(
    _ controller: any ResultsList<Note>, didChangeContentWith batch: ResultsBatch
  ) throws {
    try list.apply(batch)
  }

  func controller(_ controller: any ResultsList<Note>, didFailWith error: any Error) {
    message = "\(error)"
  }

  func controllerNeedsReload(_ controller: any ResultsList<Note>) {
    list.reload(from: controller)
  }

  /// The lines of the screen; it reads visible rows only.
  func lines() throws -> [String] {
    try list.visibleLines().map { line in
      switch line {
      case .header(let section, _): return controller.sectionKey(at: section) ?? ""
      case .row(let path): return try "  \(controller.object(at: path).text)"
      }
    }
  }
}

/// Shows some notes, changes them in one transaction, and returns both screens.
func runNotesExample() throws -> (before: [String], after: [String]) {
  let store = MemoryResultsStore(
    rows: [
      Note(id: 1, day: "2026-11-20", minute: 540, text: "Bread, milk"),
      Note(id: 2, day: "2026-11-20", minute: 600, text: "Call Ada"),
      Note(id: 3, day: "2026-11-21", minute: 480, text: "Rain"),
    ]
  ) { note, filter in
    switch filter {
    case .containing(let text): note.text.contains(text)
    }
  }
  let screen = try NotesScreen(store: store)
  let before = try screen.lines()
  store.write { transaction in
    transaction.put(Note(id: 2, day: "2026-11-21", minute: 600, text: "Call Ada again"))
    transaction.put(Note(id: 4, day: "2026-11-22", minute: 420, text: "Sun"))
    transaction.delete(1)
  }
  return (before, try screen.lines())
}
// example:end
