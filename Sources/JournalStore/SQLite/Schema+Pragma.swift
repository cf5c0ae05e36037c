import GRDB

extension Schema {
  /// The value of a setting, as text.
  static func pragma(_ name: String, _ db: Database) throws -> String {
    try String.fetchOne(db, sql: "PRAGMA \(name)") ?? ""
  }
}
