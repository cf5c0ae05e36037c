import Foundation

/// Rows 12 and 13: a whole journal out as JSON Lines, beside `sqlite3 -json`, and in again, beside the
/// raw SQL of the same rows.
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

  /// What an export says of an entry, in its order.
  private static let selection = """
    SELECT uuid, number, created, created_offset, modified, modified_offset, day, title, text, tags,
      starred, deleted
    FROM entry WHERE deleted IS NULL ORDER BY day, created, number
    """
}
