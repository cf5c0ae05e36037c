import Foundation

/// Row 10: one entry from the shell, beside `sqlite3` inserting the same row.
struct AddRow {
  let bench: Bench

  func measure(_ report: inout Report) throws {
    let journal = try bench.data.copy(bench.large, as: "add")
    let sqlite = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    var (ours, peers) = (Samples(), Samples())
    for round in 0...bench.rounds * 2 {
      let text = "Measured entry \(round) #bench"
      let time = try ChildProcess.time(
        [bench.daybook, "--journal", journal, "add", text], environment: bench.environment)
      let peer = try sqlite.map { program in
        try ChildProcess.time(
          [program, journal, AddRow.insert(text)], environment: bench.environment)
      }
      if round == 0 { continue }
      ours.add(time)
      if let peer { peers.add(peer) }
    }
    if sqlite == nil { report.notes.append("sqlite3 is not installed: row 10 has no peer") }
    report.figures.append(
      Figure(
        row: 10, name: "add, whole process, \(Bench.words(bench.large)) entries",
        value: ours.median, peer: sqlite.map { _ in ("sqlite3", peers.median) },
        goal: Goal(mostRatio: 4)))
  }

  /// The same row, its tag and its change set, with the same settings.
  private static func insert(_ text: String) -> String {
    """
    PRAGMA journal_mode=TRUNCATE; PRAGMA synchronous=FULL; BEGIN IMMEDIATE;
    INSERT INTO change_set (at, at_offset, actor, kind) VALUES (0, 0, 'sqlite3', 'add');
    UPDATE clock SET change_set = last_insert_rowid();
    INSERT INTO entry (text, title, title_key, tags, words, checksum)
      VALUES ('\(text)', '\(text)', lower('\(text)'), 'bench', 4, 1);
    INSERT INTO entry_tag (live, tag, day, created, number, typed)
      SELECT 1, 'bench', day, created, number, 'bench' FROM entry
      WHERE number = last_insert_rowid();
    UPDATE change_set SET first_seq = (SELECT max(seq) FROM change),
      last_seq = (SELECT max(seq) FROM change) WHERE id = (SELECT change_set FROM clock);
    UPDATE clock SET change_set = NULL; COMMIT;
    """
  }
}
