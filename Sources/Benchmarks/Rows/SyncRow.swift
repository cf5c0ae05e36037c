import Foundation

/// Row 20: synchronising with a repository in a directory: the first device, a second one, one changed
/// entry, and nothing to do; compared with an import of the same entries, and with the start of git.
struct SyncRow {
  let bench: Bench

  private var count: Int { bench.isQuick ? 1_000 : 100_000 }

  func measure() throws -> [Figure] {
    try answerPassphrases()
    let first = try bench.data.copy(count, as: "sync")
    let second = "\(bench.data.work)/sync-second.sqlite"
    let imported = "\(bench.data.work)/sync-import.sqlite"
    let remote = "\(bench.data.work)/sync-remote.git"
    let lines = "\(bench.data.work)/sync.jsonl"
    for path in [second, imported, remote, "\(bench.data.work)/.local/state/daybook/sync"] {
      try? FileManager.default.removeItem(atPath: path)
    }
    _ = try time(["export", "--format", "jsonl", "--force", "--output", lines], on: first)
    let floor = try time(["import", lines], on: imported)
    let words = Bench.words(count)
    let sent = try time(["sync", "--remote", remote], on: first)
    let received = try time(["sync", "--remote", remote], on: second)
    var (changed, git) = (Samples(), Samples())
    for round in 0...bench.rounds {
      _ = try time(["add", "Measured entry #bench"], on: first)
      let took = try time(["sync"], on: first)
      let start = try ChildProcess.time(
        ["/usr/bin/git", "--version"], environment: bench.environment)
      if round == 0 { continue }
      changed.add(took)
      git.add(start)
    }
    return [
      Figure(
        row: 20, name: "sync: first device, \(words) entries", value: sent,
        peer: ("import of the same entries", floor), goal: Goal(mostRatio: 3)),
      Figure(
        row: 20, name: "sync: second device, \(words) entries", value: received,
        peer: ("import of the same entries", floor), goal: Goal(mostRatio: 3)),
      Figure(
        row: 20, name: "sync: one changed entry of \(words), whole process", value: changed.median,
        peer: ("git --version", git.median)),
    ]
  }

  /// Lets the second device of a sealed repository find its passphrase.
  private func answerPassphrases() throws {
    let directory = "\(bench.data.work)/.config/daybook"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data("[seal]\npassphrase_command = \"echo \(DataDirectory.passphrase)\"\n".utf8)
      .write(to: URL(filePath: "\(directory)/config.toml"))
  }

  /// Runs a command, in milliseconds.
  private func time(_ words: [String], on journal: String) throws -> Double {
    try ChildProcess.time(
      [bench.daybook, "--journal", journal] + words, environment: bench.environment)
  }
}
