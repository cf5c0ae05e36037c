import ResultsTestSupport
import SectionedResults
import Testing

/// Rule 43: writes to other tables.
@Suite("Related tables")
struct RelatedTableTests {
  private let library = LibraryStore()

  init() {
    library.addAuthor(1, "Adams")
    library.addAuthor(2, "Banks")
    library.addBook(1, "Hitchhiker", by: 1)
    library.addBook(2, "Matter", by: 2)
    library.addBook(3, "Excession", by: 2)
  }

  @Test("rule 43: a write to another table is reported if the request sorts or groups by it")
  func relatedSortKey() throws {
    let listener = LibraryListener()
    let controller = try library.controller(sortedBy: .author, listener)
    #expect(controller.sectionKeys == ["Adams", "Banks"])
    library.rename(author: 1, to: "Douglas Adams")
    #expect(controller.sectionKeys == ["Banks", "Douglas Adams"])
    let change = try #require(listener.changes.first)
    #expect(change.sections == [.delete(at: 0), .insert(at: 1)])
    #expect(change.rows.map(\.kind) == [.move(from: RowPath(0, 0), to: RowPath(1, 0))])
    #expect(change.rows.map(\.row.author) == ["Douglas Adams"])
  }

  @Test("rule 43: a write to another table is reported if the request filters by it")
  func relatedFilter() throws {
    let listener = LibraryListener()
    let controller = try library.controller(
      sortedBy: .title, filter: .author("Iain M. Banks"), listener)
    #expect(try controller.fetchedObjects() == [])
    library.rename(author: 2, to: "Iain M. Banks")
    #expect(try controller.fetchedObjects()?.map(\.title) == ["Excession", "Matter"])
    library.rename(author: 2, to: "Banks")
    #expect(listener.changes.map(\.rows.count) == [2, 2])
    #expect(try controller.fetchedObjects() == [])
  }

  @Test("rule 43: a write to another table is not reported if the request does not read it")
  func unrelated() throws {
    let listener = LibraryListener()
    let controller = try library.controller(sortedBy: .title, listener)
    library.rename(author: 1, to: "Zelazny")
    library.addAuthor(3, "Chiang")
    #expect(listener.changes.isEmpty)
    library.addBook(4, "Exhalation", by: 3)
    #expect(listener.changes.count == 1)
    #expect(
      try controller.fetchedObjects()?.map(\.title)
        == ["Excession", "Exhalation", "Hitchhiker", "Matter"])
  }
}
