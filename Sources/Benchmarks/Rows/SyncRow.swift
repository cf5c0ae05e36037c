import Foundation

/// Row 20: synchronising with a repository in a directory: the first device and a second one, compared
/// with an import of the same entries; one changed entry, of which the remote's git is a part.
struct SyncRow {
  let bench: Bench

  private var count: Int { bench.isQuick ? 1_000 : bench.isFull ? bench.large : 100_000 }

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
    var (changed, check) = (Samples(), Samples())
    var thin = 0.0
    for round in 0...bench.rounds {
      let before = try head(of: remote)
      _ = try time(["add", "Measured entry #bench"], on: first)
      let took = try time(["sync"], on: first)
      let after = try head(of: remote)
      let checked = try time(checkOf: after, since: before, in: remote)
      thin = try bytes(sentFor: after, since: before, in: remote)
      if round == 0 { continue }
      changed.add(took)
      check.add(checked)
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
        peer: ("the remote's git checks it", check.median)),
      Figure(
        row: 20, name: "sync: the same without that check", value: changed.median - check.median,
        goal: Goal(most: 150)),
      Figure(
        row: 20, name: "sync: sent for it", value: thin / 1024, unit: .kibibytes,
        goal: Goal(most: 4)),
    ]
  }

  // MARK: The remote's part

  /// The commit that the remote has.
  private func head(of remote: String) throws -> String {
    let commit = "\(bench.data.work)/sync.head"
    let line = "git -C '\(remote)' rev-parse refs/heads/main >'\(commit)'"
    _ = try ChildProcess.time(["/bin/sh", "-c", line], environment: bench.environment)
    let text = try String(contentsOfFile: commit, encoding: .utf8)
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The time in which a receiving git checks that it has everything of a new commit, in
  /// milliseconds: it walks the whole tree of the commit before.
  private func time(
    checkOf commit: String, since former: String, in remote: String
  ) throws -> Double {
    try ChildProcess.time(
      [
        "/usr/bin/git", "-C", remote, "rev-list", "--objects", "--quiet", commit, "--not", former,
      ], environment: bench.environment)
  }

  /// The number of bytes of the pack that a push of one commit sends.
  private func bytes(
    sentFor commit: String, since former: String, in remote: String
  ) throws -> Double {
    let pack = "\(bench.data.work)/sync.pack"
    let line = """
      printf '%s\\n^%s\\n' \(commit) \(former) | git -C '\(remote)' pack-objects --thin --revs --stdout \
      --delta-base-offset -q >'\(pack)'
      """
    _ = try ChildProcess.time(["/bin/sh", "-c", line], environment: bench.environment)
    return Double(try Data(contentsOf: URL(filePath: pack)).count)
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
