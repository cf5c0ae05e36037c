// The example of the article on the query interface. A test checks that the article contains the lines between
// the markers unchanged.

import GRDB
import SectionedResults
import SectionedResultsGRDB

// query:begin
struct Author: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
}

struct Book: Codable, FetchableRecord, PersistableRecord {
  static let author = belongsTo(Author.self)

  var id: Int64
  var title: String
  var year: Int
  var authorId: Int64
}

/// A book as a list shows it, with the name of its author.
struct BookRow: ResultsRow, Codable, FetchableRecord, EncodableRecord, TableRecord {
  typealias Filter = SQLCondition
  static let databaseTableName = "book"

  var id: Int64
  var title: String
  var year: Int
  var authorName: String
}

final class Library {
  let store: GRDBResultsStore<BookRow>
  let controller: ResultsController<BookRow>

  init(_ database: any DatabaseWriter, since year: Int) throws {
    // The store: what a row is.
    let name = Column("name").forKey("authorName")
    store = try GRDBResultsStore(
      database,
      rows: Book.annotated(withRequired: Book.author.select(name)).asRequest(of: BookRow.self))
    // The list: which rows, and in which order.
    let shown = BookRow.filter(Column("year") >= year)
      .order(Column("authorName"), Column("year").desc)
    let request = try database.read { db in
      try ResultsRequest(shown, in: db, sections: ResultsField(\.authorName))
    }
    controller = try ResultsController(request: request, store: store)
    try controller.observe { _ in }
  }
}
// query:end
