import Foundation
import GRDB
import Journal
import JournalStore

/// Rows 12 and 13: exporting a whole journal as JSON Lines, compared with `sqlite3 -json`, and
/// importing it, compared with raw SQL of the same rows.
struct TransferRows {
  let bench: Bench

  func exporting(_ report: inout Report) throws {
    let journal = try bench.data.sample(bench.large)
    let sqlite = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    var (ours, peers) = (Samples(), Samples())
    for round in 0...bench.rounds {
      let time = try ChildProcess.time(
        [bench.daybook, "--journal", journal, "--read-only", "export", "--format", "jsonl"],
        environment: bench.environment)
      let peer = try sqlite.map { program in
        try ChildProcess.time(
          [program, "-json", journal, Self.selection], environment: bench.environment)
      }
      if round == 0 { continue }
      ours.add(time)
      if let peer { peers.add(peer) }
    }
    if sqlite == nil { report.notes.append("sqlite3 is not installed: row 13 has no peer") }
    report.figures.append(
      Figure(
        row: 13, name: "export as JSON Lines, \(Bench.words(bench.large)) entries",
        value: ours.median, peer: sqlite.map { _ in ("sqlite3 -json", peers.median) },
        goal: Goal(mostRatio: 1.5)))
  }

  func importing() throws -> [Figure] {
    let lines = try export()
    let raw = try RawImport(of: try bench.data.sample(bench.large), in: bench.data.work)
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
        row: 12, name: "import of JSON Lines, \(Bench.words(bench.large)) entries",
        value: ours.median, peer: ("raw SQL of the same rows", floor.median),
        goal: Goal(mostRatio: 2))
    ]
  }

  /// The sample journal as JSON Lines.
  private func export() throws -> String {
    let lines = "\(bench.data.work)/lines.jsonl"
    try ChildProcess(
      [
        bench.daybook, "--journal", try bench.data.sample(bench.large), "--read-only", "export",
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

/// The rows of a journal, inserted into an empty one by SQL alone: nothing is parsed or derived,
/// but tables, indexes, change log and full-text index become equal.
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
        try db.execute(sql: RawImport.statements)
        return .commit
      }
    }
  }

  private static let statements = """
    INSERT INTO main.change_set (at, at_offset, actor, kind) VALUES (0, 0, 'raw', 'import');
    UPDATE main.clock SET change_set = last_insert_rowid();
    INSERT INTO main.entry (number, uuid, created, created_offset, modified, modified_offset, day,
        starred, deleted, deleted_offset, title, title_key, tags, words, checksum, text)
      SELECT number, uuid, created, created_offset, modified, modified_offset, day, starred, deleted,
        deleted_offset, title, title_key, tags, words, checksum, text
      FROM source.entry ORDER BY number;
    INSERT INTO main.entry_tag (live, tag, day, created, number, typed)
      SELECT live, tag, day, created, number, typed FROM source.entry_tag;
    INSERT INTO main.entry_word (rowid, words) SELECT number, words FROM words.word ORDER BY number;
    UPDATE main.change_set SET first_seq = 1, last_seq = (SELECT max(seq) FROM main.change)
      WHERE id = (SELECT change_set FROM main.clock);
    UPDATE main.clock SET change_set = NULL;
    """
}
