import Foundation
import JournalStore
import Seal

/// Row 22: what is done with a sealed journal, compared with the same readable one.
struct SealRow {
  let bench: Bench

  /// The most that a sealed journal may cost.
  private static let goal = Goal(mostRatio: 1.15)

  func measure() throws -> [Figure] {
    let open = try bench.data.copy(bench.large, as: "seal-open")
    let sealed = try bench.data.copy(bench.large, as: "seal-sealed")
    let sealing = try seal(sealed)
    let lines = "\(bench.data.work)/seal.jsonl"
    defer { try? FileManager.default.removeItem(atPath: lines) }
    let commands: [(name: String, words: [String], input: String)] = [
      ("start and quit", [], "q"),
      ("start, 300 keys in the list, quit", [], String(repeating: "jjk", count: 100) + "Gggq"),
      ("list 20 entries", ["list", "--limit", "20"], ""),
      ("search", ["list", "--limit", "20", "bread garden"], ""),
      ("add", ["add", "Measured entry #bench"], ""),
      ("star 1,000 entries", ["star", "--where", "id:1000..1999"], ""),
      ("undo", ["undo"], ""),
      ("statistics", ["stats", "--format", "json"], ""),
      ("export", ["export", "--format", "jsonl", "--force", "--output", lines], ""),
    ]
    return try commands.map { command in
      try figure(command.name, command.words, command.input, sealed, open)
    } + [
      Figure(
        row: 22, name: "seal a journal of \(Bench.words(bench.large)) entries, with its check",
        value: sealing)
    ]
  }

  /// Seals a journal, and lets the commands open it.
  ///
  /// - Returns: the time, in milliseconds.
  private func seal(_ path: String) throws -> Double {
    let key = try JournalKey.random()
    let slots = try KeySlots(key: key, passphrase: Passphrase(Array("bench".utf8)), recovery: nil)
    let start = ContinuousClock.now
    try Sealing(JournalLocation(path: path, isExplicit: true)).seal(with: key, slots: slots)
    let took = start.duration(to: .now)
    try key.storeInKeyring(seconds: 7_200)
    return took / .milliseconds(1)
  }

  private func figure(
    _ name: String, _ words: [String], _ input: String, _ sealed: String, _ open: String
  ) throws -> Figure {
    var (ours, peers) = (Samples(), Samples())
    // Alternately, so that other load on the machine affects both.
    for round in 0...bench.rounds {
      let (one, other) = (try time(words, input, on: sealed), try time(words, input, on: open))
      if round == 0 { continue }
      ours.add(one)
      peers.add(other)
    }
    return Figure(
      row: 22, name: "sealed: \(name), whole process, \(Bench.words(bench.large)) entries",
      value: ours.median, peer: ("readable journal", peers.median), goal: Self.goal)
  }

  /// Runs a command, in milliseconds.
  private func time(_ words: [String], _ input: String, on journal: String) throws -> Double {
    let line = "printf '%s' '\(input)' | exec \"$@\""
    return try ChildProcess.time(
      ["/bin/sh", "-c", line, "sh", bench.daybook, "--journal", journal] + words,
      environment: bench.environment)
  }
}
