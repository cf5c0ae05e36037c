import GRDB

extension Opening {
  /// Compares the file's schema with ours: a trigger or view that somebody slipped in would run with
  /// every write.
  ///
  /// - Throws: ``StoreError`` naming the first object that is not ours, or that is missing.
  func checkSchema(_ db: Database) throws {
    var missing = Schema.objects
    let rows = try SQLRow.fetchCursor(
      db, sql: "SELECT name, sql, type FROM sqlite_schema WHERE sql IS NOT NULL")
    while let row = try rows.next() {
      let name: String = row[0]
      if missing.remove(row[1]) == nil, !Schema.isInternal(kind: row[2], name: name) {
        throw StoreError(
          .unexpectedSchema(name), at: place,
          "unexpected schema object \(name); remove it with sqlite3 if you know what it is")
      }
    }
    if let statement = missing.min() {
      let name = Opening.name(of: statement)
      throw StoreError(
        .unexpectedSchema(name), at: place,
        "the schema object \(name) is missing or altered; daybook doctor --fix mends it"
      )
    }
  }
  /// The name of what a statement creates.
  private static func name(of statement: String) -> String {
    statement.split(separator: " ").first { $0 != $0.uppercased() }.map(String.init) ?? statement
  }
}
