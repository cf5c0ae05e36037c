import GRDB

extension Opening {
  /// Compares the file's schema with ours: a trigger or view that somebody slipped in would run with
  /// every write.
  ///
  /// - Throws: ``StoreError`` naming the first object that is not ours, or that is missing.
  func checkSchema(_ db: Database) throws {
    var missing = Schema.objects
    try db.forEach("SELECT name, sql, type FROM sqlite_schema WHERE sql IS NOT NULL") { row in
      let name = row.text(0)
      if missing.remove(row.text(1)) == nil, !Schema.isInternal(kind: row.text(2), name: name) {
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

  /// Refuses a journal whose header says an older version than its tables are of, or one that never
  /// was: what brings old journals up to date would fail in it, after copying the file.
  ///
  /// - Throws: ``StoreError/Kind/damaged``.
  func checkOlder(_ db: Database, _ version: Int) throws {
    if try version < 1 || Schema.isAhead(of: version, db, migrations) {
      throw StoreError.wrongVersion(Int32(clamping: version), at: place)
    }
  }

  /// The name of what a statement creates.
  private static func name(of statement: String) -> String {
    statement.split(separator: " ").first { $0 != $0.uppercased() }.map(String.init) ?? statement
  }
}
