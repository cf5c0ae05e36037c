import GRDB

extension Schema {
  /// The version in the header of a file; nobody has judged yet whether it is one.
  static func version(of db: Database) throws -> Int32 {
    try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
  }

  /// The value of a setting, as text.
  static func pragma(_ name: String, _ db: Database) throws -> String {
    try String.fetchOne(db, sql: "PRAGMA \(name)") ?? ""
  }
}
