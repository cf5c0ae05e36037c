import GRDB

extension Schema {
  /// Whether a file has an object that only migrations after a version make: then its header is wrong,
  /// since they would fail in it.
  static func isAhead(
    of version: Int, _ db: Database, _ migrations: [Migration] = Schema.migrations
  ) throws -> Bool {
    let later = Set(migrations.dropFirst(max(0, version)).flatMap(\.statements))
    var isAhead = false
    try db.forEach("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL") {
      if later.contains($0.text(0)) { isAhead = true }
    }
    return isAhead
  }

  /// The version in the header of a file; nobody has judged yet whether it is one.
  static func version(of db: Database) throws -> Int32 {
    try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
  }

  /// The value of a setting, as text.
  static func pragma(_ name: String, _ db: Database) throws -> String {
    try String.fetchOne(db, sql: "PRAGMA \(name)") ?? ""
  }
}
