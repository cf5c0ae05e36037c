import Foundation
import GRDB
import SectionedResults
import SectionedResultsGRDB
import Testing

/// The articles on searches, requests and identities, held against code that runs.
@Suite("Examples")
struct ExampleTests {
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()

  @Test(
    "the examples of the articles are the code that runs",
    arguments: [
      ["Searches", "SearchExample", "search"], ["Searches", "SearchExample", "ranked"],
      ["QueryInterface", "QueryExample", "query"], ["Identities", "IdentityExample", "composite"],
      ["Identities", "IdentityExample", "view"],
    ])
  func areTheCode(_ names: [String]) throws {
    let article = try String(
      contentsOf: Self.tests.appending(
        path: "../../Sources/SectionedResultsGRDB/SectionedResultsGRDB.docc/\(names[0]).md"),
      encoding: .utf8)
    let code = try String(
      contentsOf: Self.tests.appending(path: "\(names[1]).swift"), encoding: .utf8)
    let parts = code.components(separatedBy: "// \(names[2]):begin\n")
    let example = try #require(
      parts.last?.components(separatedBy: "// \(names[2]):end").first)
    #expect(parts.count == 2 && article.contains("```swift\n\(example)```"))
  }

  @Test("the search of the article follows its words, and a ranked list keeps its order")
  func search() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try Message.migrate(db)
      for (subject, body) in [
        ("Fish", "and chips"), ("Soup", "with fish"), ("Fish fish", ""), ("Cake", ""),
      ] {
        try db.execute(
          sql: "INSERT INTO message (day, subject, body) VALUES ('2026-11-29', ?, ?)",
          arguments: [subject, body])
      }
    }
    let search = try MessageSearch(queue)
    #expect(search.controller.numberOfRows == 4)
    try search.search("fi")
    let token = try search.controller.observe { _ in }
    #expect(try search.controller.fetchedObjects()?.map(\.id) == [1, 2, 3])
    let best = try BestMatches(#require(FTS5Pattern(matchingAllTokensIn: "fishes")), search.store)
    #expect(best.identities == [3, 1, 2])
    try search.store.write { db in
      try db.execute(sql: "UPDATE message SET body = 'fish fish fish' WHERE id = 4")
      try db.execute(sql: "UPDATE message SET subject = 'Chips' WHERE id = 3")
      try db.execute(sql: "UPDATE message SET day = '2026-11-30' WHERE id = 2")
    }
    #expect(best.identities == [1, 2, 4])
    #expect(best.list.sections.map(\.count) == [3])
    #expect(search.controller.sectionKeys == ["2026-11-30", "2026-11-29"])
    #expect(try search.controller.fetchedObjects()?.map(\.id) == [2, 1, 4])
    token.cancel()
  }

  @Test("the books of the article follow the names of their authors")
  func query() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.create(table: "author") { table in
        table.primaryKey("id", .integer)
        table.column("name", .text).notNull()
      }
      try db.create(table: "book") { table in
        table.primaryKey("id", .integer)
        table.column("title", .text).notNull()
        table.column("year", .integer).notNull()
        table.belongsTo("author")
      }
      for (id, name) in [(1, "Le Guin"), (2, "Lem")] {
        try Author(id: Int64(id), name: name).insert(db)
      }
      for (id, year, author) in [(1, 1969, 1), (2, 1974, 1), (3, 1961, 2), (4, 1950, 2)] {
        try Book(id: Int64(id), title: "Book \(id)", year: year, authorId: Int64(author)).insert(db)
      }
    }
    let library = try Library(queue, since: 1960)
    #expect(library.controller.sectionKeys == ["Le Guin", "Lem"])
    #expect(try library.controller.fetchedObjects()?.map(\.id) == [2, 1, 3])
    try library.store.write { db in
      try db.execute(sql: "UPDATE author SET name = 'Stanisław Lem' WHERE id = 2")
      try Book(id: 5, title: "Book 5", year: 2017, authorId: 1).insert(db)
    }
    #expect(library.controller.sectionKeys == ["Le Guin", "Stanisław Lem"])
    #expect(try library.controller.fetchedObjects()?.map(\.id) == [5, 2, 1, 3])
  }

  @Test("the seats of the article are edited by path, and the free ones follow")
  func identities() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE train (name TEXT PRIMARY KEY NOT NULL, destination TEXT NOT NULL);
          CREATE TABLE seat (train TEXT NOT NULL, number INTEGER NOT NULL, passenger TEXT,
            PRIMARY KEY (train, number));
          INSERT INTO train VALUES ('ICE 1', 'Berlin'), ('RE 5', 'Elsterwerda');
          INSERT INTO seat VALUES ('ICE 1', 1, NULL), ('ICE 1', 2, 'Ada'), ('RE 5', 1, NULL);
          \(FreeSeat.view);
          """)
    }
    let plan = try SeatPlan(queue)
    let store = try FreeSeat.store(queue)
    let free = try ResultsController(
      request: ResultsRequest<FreeSeat>(
        sortKeys: [SortKey(\.destination), SortKey(\.number)], sections: \.destination),
      store: store)
    let token = try free.observe { _ in }
    #expect(free.sectionKeys == ["Berlin", "Elsterwerda"])
    try plan.book(RowPath(0, 0), for: "Bob")
    try store.checkForChanges()
    #expect(free.sectionKeys == ["Elsterwerda"])
    #expect(try free.object(at: RowPath(0, 0)).id == CompositeID("RE 5", 1))
    #expect(try plan.seats.object(at: RowPath(0, 0)).passenger == "Bob")
    token.cancel()
  }
}
