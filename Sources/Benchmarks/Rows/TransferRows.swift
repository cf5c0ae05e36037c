import Foundation
import GRDB
import Journal
import JournalStore

/// Rows 12 and 13: exporting a whole journal as JSON Lines, compared with `sqlite3 -json`, and
/// importing it, compared with raw SQL of the same rows.
struct TransferRows {
  let bench: Bench

  func exporting() throws -> [Figure] {
    let journal = try bench.data.sample(bench.large)
    var (ours, peers) = (Samples(), Samples())
    for round in 0...bench.rounds {
      let time = try ChildProcess.time(
        [bench.daybook, "--journal", journal, "--read-only", "export", "--format", "jsonl"],
        environment: bench.environment)
      let peer = try bench.peers.sqlite3.map { program in
        try ChildProcess.time(
          [program, "-json", journal, Self.selection], environment: bench.environment)
      }
      if round == 0 { continue }
      ours.add(time)
      if let peer { peers.add(peer) }
    }
    return [
      Figure(
        row: 13, name: "export as JSON Lines, \(Bench.words(bench.large)) entries",
        value: ours.median, peer: bench.peers.sqlite3.map { _ in ("sqlite3 -json", peers.median) },
        goal: bench.peers.sqlite3 == nil ? Goal() : Goal(mostRatio: 1.2))
    ]
  }

  /// A million only in a run that may take longer than ten minutes: five imports and five floors.
  private var count: Int { bench.isFull ? bench.large : min(bench.large, 100_000) }

  func importing() throws -> [Figure] {
    let lines = try export()
    let raw = try RawImport(of: try bench.data.sample(count), in: bench.data.work)
    let journal = "\(bench.data.work)/import.sqlite"
    var (ours, floor) = (Samples(), Samples())
    for _ in 0..<bench.rounds {
      try? FileManager.default.removeItem(atPath: journal)
      ours.add(
        try ChildProcess.time(
          [bench.daybook, "--journal", journal, "import", lines], environment: bench.environment))
      floor.add(try raw.time())
    }
    return [
      Figure(
        row: 12, name: "import of JSON Lines, \(Bench.words(count)) entries",
        value: ours.median, peer: ("raw SQL without triggers", floor.median),
        goal: Goal(mostRatio: 1.5))
    ]
  }

  /// The sample journal as JSON Lines.
  private func export() throws -> String {
    let lines = "\(bench.data.work)/lines.jsonl"
    try ChildProcess(
      [
        bench.daybook, "--journal", try bench.data.sample(count), "--read-only", "export",
        "-o", lines, "--force",
      ], environment: bench.environment
    ).wait()
    return lines
  }

  /// The columns of an export, in its order.
  private static let selection = """
    SELECT uuid, number, created, created_offset, modified, modified_offset, day, title, text, tags,
      starred, deleted
    FROM entry WHERE deleted IS NULL ORDER BY day, created, number
    """
}

/// The rows of a journal, inserted into an empty one by SQL alone: nothing is parsed or derived and no
/// trigger fires, indexes are made at the end, but tables, change log and full-text index become
/// equal.
struct RawImport {
  private let source: String
  private let target: String
  private let words: String

  /// Prepares the rows of the full-text index, which a journal does not store.
  init(of source: String, in directory: String) throws {
    self.source = source
    target = "\(directory)/raw-import.sqlite"
    words = "\(directory)/words.sqlite"
    try? FileManager.default.removeItem(atPath: words)
    let queue = try DatabaseQueue(path: words)
    try queue.inDatabase { try $0.execute(sql: "ATTACH '\(source)' AS source") }
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE word (number INTEGER PRIMARY KEY, words TEXT)")
      let insert = try db.makeStatement(sql: "INSERT INTO word VALUES (?, ?)")
      let rows = try Row.fetchCursor(db, sql: "SELECT number, text FROM source.entry")
      while let row = try rows.next() {
        let text: String = row[1]
        try insert.execute(
          arguments: [row[0] as Int64, Folding.words(of: text).joined(separator: " ")])
      }
    }
  }

  /// The duration of the transaction, in milliseconds.
  func time() throws -> Double {
    try? FileManager.default.removeItem(atPath: target)
    _ = try SQLiteEntryStore.open(target, mode: .create)
    let queue = try DatabaseQueue(path: target)
    try queue.inDatabase { db in
      try db.execute(
        sql: """
          PRAGMA journal_mode=TRUNCATE; PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY;
          PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;
          PRAGMA cache_size=-8000;
          ATTACH '\(source)' AS source; ATTACH '\(words)' AS words;
          """)
    }
    return try Monotonic.milliseconds {
      try queue.inTransaction(.immediate) { db in
        try RawImport.copy(in: db)
        return .commit
      }
    }
  }

  private static func copy(in db: Database) throws {
    let schema = try Row.fetchAll(
      db, sql: "SELECT type, name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL")
    func parts(_ type: String) -> [Row] {
      schema.filter { ($0["type"] as String) == type }
    }
    let dropped = parts("index") + parts("trigger")
    for part in dropped {
      let (type, name): (String, String) = (part["type"], part["name"])
      try db.execute(sql: "DROP \(type) main.\(name)")
    }
    for table in parts("table") {
      let name: String = table["name"]
      // The parts of the full-text index are written by the index itself.
      if name.hasPrefix("entry_word") || name.hasPrefix("sqlite_") { continue }
      try db.execute(
        sql: "DELETE FROM main.\(name); INSERT INTO main.\(name) SELECT * FROM source.\(name)")
    }
    try db.execute(
      sql: """
        INSERT INTO main.entry_word (rowid, words)
          SELECT number, words FROM words.word ORDER BY number
        """)
    for part in dropped { try db.execute(sql: part["sql"] as String) }
  }
}
