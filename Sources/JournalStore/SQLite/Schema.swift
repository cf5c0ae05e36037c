import GRDB
import Journal

/// The tables, indexes and triggers of an SQLite journal, as its migrations make them.
///
/// The file stays usable with plain `sqlite3`: `INSERT INTO entry(text) VALUES ('…')` is enough,
/// the rest has defaults, and every other tool's write is logged, counted and undoable like our
/// own. No trigger needs a function or a module that only this program has.
enum Schema {
  /// `PRAGMA application_id` of a journal: "dayb" in ASCII.
  static let applicationID: Int32 = 0x6461_7962

  /// The steps to the current schema.
  static let migrations = Migration.all

  /// The newest `user_version` that this program knows.
  static var version: Int32 { Int32(migrations.count) }

  /// All objects, in the order of their creation.
  static let parts = parts(after: migrations)

  /// The objects of a version.
  static func parts(of version: Int32) -> [Part] { parts(after: migrations.prefix(Int(version))) }

  /// The SQL text of every object of the current version, as in `sqlite_schema`.
  static let objects = Set(parts.map(\.sql))

  /// FTS5's tables for the full-text index; FTS5 declares them itself.
  static let shadowTables: Set<String> = ["entry_word_data", "entry_word_idx", "entry_word_config"]

  /// Whether a journal has a search index: from version 2 on.
  static func hasSearch(_ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT count(*) > 0 FROM sqlite_schema WHERE name = 'entry_word'") ?? false
  }

  /// Objects that SQLite makes itself; only their kind and name are known.
  static func isInternal(kind: String, name: String) -> Bool {
    name == "sqlite_sequence" || name.hasPrefix("sqlite_stat")
      || (kind == "table" && shadowTables.contains(name))
  }

  /// An object of the schema.
  struct Part: Hashable {
    /// The kinds of objects.
    enum Kind: String, CaseIterable {
      case table, index, trigger
    }

    let kind: Kind
    let name: String
    /// The text in `sqlite_schema`.
    var sql: String
  }

  /// The objects after some steps, tables first, then indexes and triggers.
  static func parts(after steps: some Sequence<Migration>) -> [Part] {
    var parts: [Part] = []
    for statement in steps.lazy.flatMap(\.statements) {
      // `CREATE TABLE entry (`, `DROP INDEX entry_day`, `ALTER TABLE entry ADD COLUMN mood TEXT`
      let words = statement.utf8.split(maxSplits: 5) {
        $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n")
      }.map { String(Substring($0)) }
      let isVirtual = words[1] == "VIRTUAL"
      guard let kind = Part.Kind(rawValue: words[isVirtual ? 2 : 1].lowercased()) else { continue }
      let name = words[isVirtual ? 3 : 2]
      let place = parts.firstIndex { $0.name == name }
      switch (words[0], place) {
      case ("CREATE", _): parts.append(Part(kind: kind, name: name, sql: statement))
      case ("DROP", let place?): parts.remove(at: place)
      case ("ALTER", let place?): parts[place].add(column: words[5])
      default: continue
      }
    }
    return Part.Kind.allCases.flatMap { kind in parts.filter { $0.kind == kind } }
  }

  /// Whether a file has an object of a migration after a version: then its header is wrong, and the
  /// migration would fail.
  static func isAhead(
    of version: Int, _ db: Database, _ migrations: [Migration] = Schema.migrations
  ) throws -> Bool {
    let count = max(0, version)
    var later: Set<String> = []
    for last in migrations.indices where last >= count {
      later.formUnion(parts(after: migrations[...last]).map(\.sql))
    }
    later.subtract(parts(after: migrations.prefix(count)).map(\.sql))
    var isAhead = false
    try db.forEach("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL") {
      if later.contains($0.text(0)) { isAhead = true }
    }
    return isAhead
  }

  /// The version in the header of a file, unchecked.
  static func version(of db: Database) throws -> Int32 {
    try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
  }

  /// The value of a setting, as text.
  static func pragma(_ name: String, _ db: Database) throws -> String {
    try String.fetchOne(db, sql: "PRAGMA \(name)") ?? ""
  }
}

extension Schema.Part {
  /// Edits the text as `ALTER TABLE … ADD COLUMN` does: the column is before the constraints of the
  /// table, or before its closing parenthesis.
  fileprivate mutating func add(column: String) {
    // Every start does this, so bytes rather than characters.
    let bytes = Array(sql.utf8)
    let constraints = ["CHECK", "PRIMARY", "UNIQUE", "FOREIGN"].map { Array($0.utf8) }
    var depth = 0
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: ",") where depth == 1: break
      default: continue
      }
      let rest = bytes[(index + 1)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
      let isEnd = depth == 0
      guard isEnd || byte == UInt8(ascii: ",") && constraints.contains(where: rest.starts) else {
        continue
      }
      let text = bytes[..<index] + ", \(column)".utf8 + bytes[index...]
      sql = String(decoding: text, as: UTF8.self)
      return
    }
  }
}
