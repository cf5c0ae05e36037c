import ResultsTestSupport
import SectionedResults

/// A book as a request shows it: with its author's name if the request reads that.
struct Book: ResultsRow {
  enum Field: Equatable, Sendable {
    case title
    case author
  }

  enum Filter: Equatable, Sendable {
    case author(String)
  }

  static let entityName = "Book"
  static let entityVersion = 1

  var id: Int
  var title: String
  var author: String?

  func sortValue(for field: Field) -> SortValue {
    switch field {
    case .title: .text(title)
    case .author: author.map(SortValue.text) ?? .null
    }
  }

  func sectionKey(for field: Field) -> String {
    field == .title ? title : author ?? ""
  }
}

/// A store of two tables, whose requests for books may read the table of authors too (rule 43).
final class LibraryStore: ResultsStore {
  typealias Row = Book

  private struct Tables {
    var books: [Int: (title: String, author: Int)] = [:]
    var authors: [Int: String] = [:]
  }

  private var tables = Tables()
  private var history: [(before: Tables, after: Tables)] = []
  let commitObservers = CommitObservers<Book>()
  /// Whether commits name all rows, also those that were not changed.
  var isVerbose = false

  func read<Value>(_ body: (any ResultsSnapshot<Book>) throws -> Value) throws -> Value {
    try body(Snapshot(tables: tables, history: history, isVerbose: isVerbose))
  }

  private func write(_ body: (inout Tables) -> Void) {
    let before = tables
    body(&tables)
    history.append((before, tables))
    commitObservers.notify()
  }

  private struct Snapshot: ResultsSnapshot {
    typealias Row = Book

    let tables: Tables
    let history: [(before: Tables, after: Tables)]
    let isVerbose: Bool

    func stamp() -> StoreStamp { StoreStamp(sequence: Int64(history.count)) }

    func outline(of request: ResultsRequest<Book>) -> [OutlineGroup<Int>] {
      sorted(request).map { book in
        let key = request.key(of: book)
        return OutlineGroup(section: key.section, bound: key.values, count: 1, keys: [key])
      }
    }

    func keys(of request: ResultsRequest<Book>, in range: ResultsKeyRange) -> [ResultsKey<Int>] {
      sorted(request).map(request.key(of:)).filter { key in
        (range.lower.map { request.compare($0, key.values) <= 0 } ?? true)
          && (range.upper.map { request.compare($0, key.values) > 0 } ?? true)
      }
    }

    func rows(of request: ResultsRequest<Book>, ids: [Int]) -> [Book] {
      let books = books(tables, request)
      return ids.compactMap { books[$0] }
    }

    func commits(
      after stamp: StoreStamp, for request: ResultsRequest<Book>
    ) -> [StoreCommit<Book>] {
      history.indices.dropFirst(Int(stamp.sequence)).map { index in
        let before = books(history[index].before, request)
        let after = books(history[index].after, request)
        let ids = Set(before.keys).union(after.keys).sorted()
        return StoreCommit(
          stamp: StoreStamp(sequence: Int64(index + 1)),
          changes: ids.filter { isVerbose || before[$0] != after[$0] }.map {
            RowImages(id: $0, before: before[$0], after: after[$0])
          })
      }
    }

    private func sorted(_ request: ResultsRequest<Book>) -> [Book] {
      books(tables, request).values.sorted {
        request.precedes(request.key(of: $0), request.key(of: $1))
      }
    }

    /// The request's books: the join, if it is one.
    private func books(_ tables: Tables, _ request: ResultsRequest<Book>) -> [Int: Book] {
      let readsAuthors =
        request.filter != nil || request.sectionField == .author
        || request.sortKeys.contains { $0.field == .author }
      var books: [Int: Book] = [:]
      for (id, book) in tables.books {
        let author = tables.authors[book.author]
        if case .author(let name) = request.filter, name != author { continue }
        books[id] = Book(id: id, title: book.title, author: readsAuthors ? author : nil)
      }
      return books
    }
  }
}

extension LibraryStore {
  func addAuthor(_ id: Int, _ name: String) { write { $0.authors[id] = name } }

  func rename(author id: Int, to name: String) { write { $0.authors[id] = name } }

  func addBook(_ id: Int, _ title: String, by author: Int) {
    write { $0.books[id] = (title, author) }
  }

  /// A controller over all books that has fetched.
  func controller(
    sortedBy field: Book.Field, filter: Book.Filter? = nil, _ listener: LibraryListener
  ) throws -> ResultsController<Book> {
    let controller = try ResultsController(
      request: ResultsRequest(
        filter: filter, sortKeys: [SortKey(field)],
        sectionField: field == .author ? .author : nil),
      store: self)
    listener.token = try controller.observe { listener.changes.append($0) }
    return controller
  }
}

/// Collects the calls of a controller of books.
final class LibraryListener {
  var changes: [ResultsChange<Book>] = []
  var token: ResultsObservation?
}
