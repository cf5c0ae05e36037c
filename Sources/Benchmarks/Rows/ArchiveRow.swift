import Foundation

/// Row 24: importing archives of other programs, compared with as many entries as JSON Lines.
struct ArchiveRow {
  let bench: Bench

  /// The number of entries of an archive.
  private var count: Int { bench.isQuick ? 1_000 : 100_000 }

  func measure(_ report: inout Report) throws {
    let own = try time(of: "daybook")
    for name in ForeignArchive.names where name != "daybook" {
      let figure = Figure(
        row: 24, name: "import of \(name), \(Bench.words(count)) entries",
        value: try time(of: name), peer: ("JSON Lines", own), goal: Goal(mostRatio: 2))
      report.add([figure])
    }
  }

  /// The duration of an import into a new journal, in milliseconds.
  private func time(of name: String) throws -> Double {
    let archive = try ForeignArchive(name: name, count: count).write(in: bench.data.work)
    defer { try? FileManager.default.removeItem(atPath: "\(bench.data.work)/\(name)") }
    let journal = "\(bench.data.work)/archive.sqlite"
    var times = Samples()
    for _ in 0..<bench.rounds {
      try? FileManager.default.removeItem(atPath: journal)
      times.add(
        try ChildProcess.time(
          [bench.daybook, "--journal", journal, "import", archive],
          environment: bench.environment))
    }
    return times.median
  }
}
