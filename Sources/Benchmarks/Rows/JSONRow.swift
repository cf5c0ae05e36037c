/// Row 23: commands on a JSON journal, compared with an SQLite journal of the same entries.
///
/// Each command reads the whole file; `add` also writes it.
struct JSONRow {
  let bench: Bench

  private var count: Int { bench.isQuick ? 1_000 : bench.isFull ? 100_000 : 20_000 }

  func measure() throws -> [Figure] {
    let sqlite = try bench.data.copy(count, as: "json")
    let json = "\(bench.data.work)/json-\(count).json"
    let lines = "\(bench.data.work)/json-\(count).jsonl"
    _ = try time(["export", "--format", "jsonl", "--output", lines], on: sqlite)
    _ = try time(["import", lines], on: json)
    return try [
      figure("open and list one entry", ["list", "--limit", "1"], json, sqlite),
      figure("add", ["add", "Measured entry #bench"], json, sqlite),
      figure("search", ["list", "--limit", "20", "bread garden"], json, sqlite),
    ]
  }

  private func figure(
    _ name: String, _ words: [String], _ json: String, _ sqlite: String
  ) throws -> Figure {
    var (ours, peers) = (Samples(), Samples())
    // Alternately, so that other load on the machine affects both.
    for round in 0...bench.rounds {
      let (one, other) = (try time(words, on: json), try time(words, on: sqlite))
      if round == 0 { continue }
      ours.add(one)
      peers.add(other)
    }
    return Figure(
      row: 23, name: "JSON journal: \(name), whole process, \(Bench.words(count)) entries",
      value: ours.median, peer: ("SQLite journal", peers.median))
  }

  /// Runs a command, in milliseconds.
  private func time(_ words: [String], on journal: String) throws -> Double {
    try ChildProcess.time(
      [bench.daybook, "--journal", journal] + words, environment: bench.environment)
  }
}
