import Foundation
import SectionedResults
import SectionedResultsFoundation
import TestSupport
import Testing

/// The examples of the recipes, run.
@Suite("Recipes")
struct RecipesTests {
  private let store = MemoryResultsStore<Note>(rows: [
    Note(id: 1, day: "2026-11-20", minute: 1, text: "Bread"),
    Note(id: 2, day: "2026-11-21", minute: 2, text: "Rain"),
  ]) { note, filter in
    switch filter {
    case .containing(let text): note.text.contains(text)
    }
  }
  private let request = ResultsRequest<Note>(
    sortKeys: [SortKey(.day), SortKey(.minute)], sectionField: .day)

  private func put(_ id: Int, _ day: String, _ text: String) {
    store.write { $0.put(Note(id: id, day: day, minute: id, text: text)) }
  }

  @Test("the tracker and its presenter show what a fetch finds, over random transactions")
  func tracker() throws {
    let presenter = NotePresenter()
    let tracker = try NoteTracker(request, store) { change in
      #expect(throws: Never.self) { try presenter.show(change) }
    }
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    for _ in 0..<200 {
      store.write { transaction in
        for _ in 0...random.below(3) {
          let id = random.below(9)
          let day = "2026-11-\(10 + random.below(4))"
          if random.chance(0.3) {
            transaction.delete(id)
          } else {
            transaction.put(Note(id: id, day: day, minute: random.below(3), text: "x"))
          }
        }
      }
      let fresh = try ResultsController(request: request, store: store)
      try fresh.performFetch()
      #expect(presenter.table.sections == (try SectionedArray(fresh).sections))
    }
    withExtendedLifetime(tracker) {}
  }

  @Test("the interactor, the observer and the model are told of each commit")
  func others() throws {
    let interactor = try NotesInteractor(request, store)
    var events: [[String]] = []
    let rows = try interactor.fetch { events.append($0.map { "\($0.kind)" }) }
    let mentions = try Mentions(of: "Rain", in: store)
    let printer = NotesPrinter(store)
    #expect(rows.map(\.id) == [1, 2] && interactor.dataSource.numberOfSections == 2)
    put(3, "2026-11-21", "Rain again")
    put(2, "2026-11-21", "Sun")
    #expect(events.count == 2 && events[0].count == 1)
    #expect(mentions.count == 0, "one came, and one that was there before went")
    #expect(
      printer.pages.last
        == ["2026-11-20", "  Bread", "2026-11-21", "  Sun", "  Rain again"])
    #expect(printer.pages.count == 3)
  }

  @Test("one list shows a JSON file and an array alike")
  func shopping() throws {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "purchases-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let stores: [any EditableResultsStore<Purchase, Purchase>] = [
      try JSONResultsStore(file: file), MemoryResultsStore(),
    ]
    for store in stores {
      let list = try ShoppingList(store)
      for (number, shop) in ["b", "a", "b"].enumerated() {
        try list.add(shop, at: Date(timeIntervalSince1970: Double(number)))
      }
      #expect(list.list.sections.map(\.count) == [1, 2])
      try list.delete(IndexPath(indexes: [0, 0]))
      #expect(list.list.sections.map(\.count) == [2])
    }
    #expect(try JSONResultsStore<Purchase>(file: file).allRows.count == 2)
  }
}
