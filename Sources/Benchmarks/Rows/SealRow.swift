import Foundation
import Journal
import JournalStore
import Seal
import SectionedResults

/// Row 22: what is done with a sealed journal, compared with the same readable one.
struct SealRow {
  let bench: Bench

  /// The most that a sealed journal may cost.
  private static let goal = Goal(mostRatio: 1.15)

  func measure() throws -> [Figure] {
    let key = try JournalKey.random()
    let open = try bench.data.copy(bench.large, as: "seal-open")
    let sealed = try bench.data.copy(bench.large, as: "seal-sealed")
    let sealing = try Monotonic.milliseconds { try DataDirectory.seal(sealed, with: key) }
    // The commands find the key there.
    try key.storeInKeyring(seconds: 7_200)
    let lines = "\(bench.data.work)/seal.jsonl"
    defer { try? FileManager.default.removeItem(atPath: lines) }
    let commands: [(name: String, runs: [[String]], input: String)] = [
      ("start and quit", [[]], "q"),
      ("start, 300 keys in the list, quit", [[]], String(repeating: "jjk", count: 100) + "Gggq"),
      ("list 20 entries", [["list", "--limit", "20"]], ""),
      ("search", [["list", "--limit", "20", "bread garden"]], ""),
      ("add", [["add", "Measured entry #bench"]], ""),
      (
        "star three months, undo",
        [["star", "--where", "since:2020-01-01 until:2020-03-31"], ["undo"]], ""
      ),
      ("statistics", [["stats", "--format", "json"]], ""),
      ("export", [["export", "--format", "jsonl", "--force", "--output", lines]], ""),
    ]
    var figures = [
      Figure(
        row: 22, name: "seal a journal of \(Bench.words(bench.large)) entries, with its check",
        value: sealing)
    ]
    figures += try commands.map { command in
      try figure(command.name, command.runs, command.input, sealed, open)
    }
    figures += try importing(key)
    return try figures + otherRows(key) + profile(key)
  }

  // MARK: The limit

  /// What the differences consist of: the pages that a sealed journal opens, and what opening one costs.
  ///
  /// The comparison is what libsodium alone needs for as many bytes: no sealed journal can be faster.
  private func profile(_ key: JournalKey) throws -> [Figure] {
    let sealed = bench.with(bench.data.sealed(with: key))
    let floor = try primitive(key)
    let works: [(name: String, sealed: any SealedWork, open: any SealedWork)] = [
      ("the first common search", try SearchWork(sealed), try SearchWork(bench)),
      (
        "one change on any day, after its commit", try ChangeWork(sealed), try ChangeWork(bench)
      ),
    ]
    return works.flatMap { name, sealed, open in
      [
        Figure(row: 22, name: "sealed: pages opened by \(name)", value: sealed.pages, unit: .times),
        Figure(
          row: 22, name: "sealed: difference to a readable journal for 1,000 of these pages",
          value: (sealed.milliseconds - open.milliseconds) / max(1, sealed.pages) * 1_000,
          peer: ("libsodium alone", floor)),
      ]
    }
  }

  /// The time in which libsodium verifies and decrypts 1,000 texts of a page's size, in milliseconds.
  private func primitive(_ key: JournalKey) throws -> Double {
    let text = [UInt8](repeating: 7, count: 4_056)
    let message = try key.seal(text, purpose: "bench")
    var samples = Samples()
    for _ in 0..<bench.rounds * 4 {
      samples.add(
        try Monotonic.milliseconds {
          for _ in 0..<1_000 { _ = try key.open(message, purpose: "bench") }
        })
    }
    return samples.median
  }

  /// The rows that measure something else than whole processes, over sealed journals and over
  /// readable ones.
  private func otherRows(_ key: JournalKey) throws -> [Figure] {
    let sealed = bench.with(bench.data.sealed(with: key))
    let rows: [(Bench) throws -> [Figure]] = [
      { try StartRows(bench: $0).measure().filter { $0.row != 2 } },
      { try CommitRows(bench: $0).measure() },
      { try ScreenRows(bench: $0).notice() },
      { try ScreenRows(bench: $0).keys() },
      { try SearchRow(bench: $0).measure() },
      { try SyncRow(bench: $0).measure() },
    ]
    return try rows.flatMap { measure in
      zip(try measure(sealed), try measure(bench)).map { sealed, open in
        Figure(
          row: 22, name: "sealed: row \(sealed.row), \(sealed.name)", value: sealed.value,
          unit: sealed.unit, peer: ("readable journal", open.value), goal: Self.goal)
      }
    }
  }

  /// An import into an empty journal.
  private func importing(_ key: JournalKey) throws -> [Figure] {
    let count = bench.isQuick ? 1_000 : 100_000
    let lines = "\(bench.data.work)/seal-import.jsonl"
    let paths = ["sealed", "open"].map { "\(bench.data.work)/seal-import-\($0).sqlite" }
    _ = try time(
      ["export", "--format", "jsonl", "--force", "--output", lines], "",
      on: bench.data.sample(count))
    var samples = [Samples(), Samples()]
    for round in 0...bench.rounds {
      for (place, path) in paths.enumerated() {
        try? FileManager.default.removeItem(atPath: path)
        _ = try SQLiteEntryStore.open(path, mode: .create)
        if place == 0 { try DataDirectory.seal(path, with: key) }
        let took = try time(["import", lines], "", on: path)
        if round > 0 { samples[place].add(took) }
      }
    }
    return [
      Figure(
        row: 22, name: "sealed: import of JSON Lines, \(Bench.words(count)) entries",
        value: samples[0].median, peer: ("readable journal", samples[1].median), goal: Self.goal)
    ]
  }

  private func figure(
    _ name: String, _ runs: [[String]], _ input: String, _ sealed: String, _ open: String
  ) throws -> Figure {
    var (ours, peers) = (Samples(), Samples())
    // Alternately, so that other load on the machine affects both.
    for round in 0...bench.rounds {
      let one = try runs.reduce(0) { try $0 + time($1, input, on: sealed) }
      let other = try runs.reduce(0) { try $0 + time($1, input, on: open) }
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

/// The pages opened for something, and its time; of a readable journal no pages.
private protocol SealedWork {
  var pages: Double { get }
  var milliseconds: Double { get }
}

extension SealRow {
  /// The first search of a process.
  private struct SearchWork: SealedWork {
    let pages: Double
    let milliseconds: Double

    init(_ bench: Bench) throws {
      let path = try bench.data.copy(bench.large, as: "seal-profile")
      let query = try Query.parse("garden", now: WallClock.system.moment(), clock: .system)
      var (times, pages) = (Samples(), Samples())
      for round in 0...bench.rounds {
        let store = try SQLiteEntryStore.open(path, mode: .readWrite)
        let start = SealWork.now
        let time = try Monotonic.milliseconds {
          try store.controller(for: .entries(query: query)).performFetch()
        }
        // The first round also brings the file into memory.
        if round == 0 { continue }
        times.add(time)
        pages.add(Double(SealWork.now.since(start).opened))
      }
      (self.pages, milliseconds) = (pages.median, times.median)
    }
  }

  /// One change of an entry, from its commit until the list shows it.
  private struct ChangeWork: SealedWork {
    let pages: Double
    let milliseconds: Double

    init(_ bench: Bench) throws {
      let rig = try ListRig(try bench.data.copy(bench.large, as: "seal-profile"))
      var changes = SingleChanges(.anywhere, count: bench.large, seed: 6)
      var (times, pages) = (Samples(), Samples())
      for _ in 0..<bench.rounds * 8 {
        let edit = changes.edit()
        times.add(try rig.delay(of: edit))
        pages.add(Double(rig.work.opened))
      }
      (self.pages, milliseconds) = (pages.median, times.median)
    }
  }
}
