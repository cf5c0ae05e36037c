// SPDX-License-Identifier: MIT

import GRDB
import SectionedResults

extension GRDBResultsStore {
  /// Opens a store over the rows of a request of GRDB's query interface, and installs or migrates its change logs.
  ///
  /// ```swift
  /// let store = try GRDBResultsStore(
  ///   database, rows: Car.annotated(withOptional: Car.owner.select { $0.name.forKey("ownerName") }))
  /// ```
  ///
  /// The request says what a row is: its table, columns, joins along associations, and a filter that all lists share.
  /// The order and the limit belong to a list, see
  /// `ResultsRequest.init(_:in:sections:pageSize:aggregating:)`.
  /// A joined table becomes a ``RelatedTable`` by the columns of its association.
  ///
  /// - Parameters:
  ///   - writer: a `DatabaseQueue` or `DatabasePool`.
  ///   - request: the rows, each at most once.
  ///   - related: tables that the request reads in subqueries.
  ///   - fullText: the FTS5 tables that the filters search.
  ///   - interval: the time between two looks at the database for commits of other processes; `nil`
  ///     if the owner calls ``checkForChanges()`` often enough.
  ///   - wakeUp: called on any thread when ``checkForChanges()`` has something to do.
  /// - Throws: `GRDBResultsError.notLive` for `GROUP BY`, `HAVING`, `DISTINCT`, an order, a limit, a common table
  ///   expression, and an included association; another `GRDBResultsError`, or GRDB's `DatabaseError`.
  public convenience init(
    _ writer: any DatabaseWriter, rows request: QueryInterfaceRequest<Record>,
    related: [RelatedTable] = [], fullText: [FullTextTable] = [],
    checkEvery interval: Duration? = nil, wakeUp: @escaping @Sendable () -> Void = {}
  ) throws {
    let (query, isInParts) = try writer.read { db in
      let query = try QueryClauses(request, db)
      let prepared = try request.makePreparedRequest(db, forSingleResult: false)
      return (query, prepared.adapter != nil)
    }
    if isInParts {
      throw GRDBResultsError.notLive(
        "including(required:) and including(optional:), which read a row in parts: use annotated(withRequired:) or annotated(withOptional:)"
      )
    }
    for clause in [QueryClauses.Clause.order, .limit, .offset] where query[clause] != nil {
      throw GRDBResultsError.notLive(
        "\(clause.rawValue) in the rows of a store: say it in the request of the list")
    }
    let joins = QueryJoins(query[.from] ?? "")
    try self.init(
      writer, table: joins.table, select: query.selection(), related: joins.related + related,
      fullText: fullText, checkEvery: interval, wakeUp: wakeUp)
  }
}

extension ResultsRequest
where
  Row: FetchableRecord & EncodableRecord & TableRecord, Row.Filter == SQLCondition,
  Row.SortField == ResultsField<Row>, Row.SectionField == ResultsField<Row>
{
  /// Makes a request with the filter, the order and the limit of a request of GRDB's query interface.
  ///
  /// ```swift
  /// let request = try database.read { db in
  ///   try ResultsRequest(Player.filter { $0.score > 10 }.order(\.team, \.score.desc), in: db, sections: ResultsField(\.team))
  /// }
  /// ```
  ///
  /// The list shows the rows of its store in this order. The sort columns are columns that the record encodes.
  ///
  /// - Parameters:
  ///   - request: a request of one table, with an order by columns.
  ///   - db: a connection, which knows the schema.
  ///   - sections: the field that rows are grouped by; `nil` makes one section.
  ///   - pageSize: the number of row contents read together.
  ///   - aggregatedFields: the fields with a `ResultsAggregate` per section and list.
  /// - Throws: `GRDBResultsError.notLive` for `GROUP BY`, `HAVING`, `DISTINCT`, a common table expression, joins and
  ///   selected columns, which belong to the store, and for an order that is none of columns by their bytes; or GRDB's
  ///   `DatabaseError`.
  public init(
    _ request: QueryInterfaceRequest<Row>, in db: Database, sections: ResultsField<Row>? = nil,
    pageSize: Int = 64, aggregating aggregatedFields: [ResultsField<Row>] = []
  ) throws {
    let query = try QueryClauses(request, db)
    let joins = QueryJoins(query[.from] ?? "")
    let plain = try QueryClauses(Row.all(), db)
    guard query[.from] == plain[.from], query[.select] == plain[.select] else {
      throw GRDBResultsError.notLive(
        "joins, aliases and selected columns in the request of a list: they belong to the rows of its store, \(joins.table)"
      )
    }
    let numbers = [QueryClauses.Clause.limit, .offset].map { query[$0].map { Int($0) } }
    guard !numbers.contains(.some(nil)) else {
      throw GRDBResultsError.notLive("a limit that is no number")
    }
    // SQLite takes a negative limit for none.
    let limit = numbers[0].flatMap(\.self).flatMap { $0 < 0 ? nil : $0 }
    self.init(
      filter: query.condition(.filter), sortKeys: try Self.keys(of: query.condition(.order)),
      sectionField: sections, limit: limit, offset: numbers[1].flatMap(\.self) ?? 0,
      pageSize: pageSize, aggregating: aggregatedFields)
  }

  private static func keys(of order: SQLCondition?) throws -> [SortKey<ResultsField<Row>>] {
    guard let order else { return [] }
    guard order.arguments.isEmpty else { throw notColumn(order.sql) }
    var terms = [[String]()]
    for word in SQLWords(order.sql) where word.text != " " {
      if word.depth == 0, word.text == "," {
        terms.append([])
      } else {
        terms[terms.count - 1].append(word.text)
      }
    }
    return try terms.map { words in
      var words = words
      let isDescending = words.last == "DESC"
      if isDescending || words.last == "ASC" { words.removeLast() }
      // A column, or one with the name of its table.
      guard words.count == 1 || words.count == 3 && words[1] == ".", let name = words.last,
        name.hasPrefix("\"")
      else { throw notColumn(order.sql) }
      let column = QueryJoins.unquoted(name)
      let field = ResultsField<Row>(named: column) { row in
        let values = try? row.databaseDictionary
        let value = values?.first { $0.key.lowercased() == column.lowercased() }?.value
        return SortValue(databaseValue: value ?? .null)
      }
      return SortKey(field, isDescending ? .descending : .ascending)
    }
  }

  private static func notColumn(_ order: String) -> GRDBResultsError {
    .notLive("ORDER BY \(order): rows are sorted by columns, and texts by their bytes")
  }
}
