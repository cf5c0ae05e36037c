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

  /// Adds each figure as soon as it is measured: all of them take half an hour.
  func measure(_ report: inout Report) throws {
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
    report.add([
      Figure(
        row: 22, name: "seal a journal of \(Bench.words(bench.large)) entries, with its check",
        value: sealing)
    ])
    for command in commands {
      report.add([try figure(command.name, command.runs, command.input, sealed, open)])
    }
    report.add(try importing(key))
    report.add(try profile(key))
    try otherRows(key, &report)
  }

  // MARK: The limit

  /// The parts of the differences: the pages that a sealed journal opens, and the cost of opening one.
  ///
  /// The comparison is what libsodium alone needs for as many bytes: no sealed journal can be faster.
  private func profile(_ key: JournalKey) throws -> [Figure] {
    let sealed = bench.with(bench.data.sealed(with: key))
    let floor = try primitive(key)
    let query = try Query.parse("garden", now: WallClock.system.moment(), clock: .system)
    let search = try ComparedWork(sealed, bench, rounds: bench.rounds * 2) {
      try $0.controller(for: .entries(query: query)).performFetch()
    }
    let count = min(25_000, bench.large / 4)
    let stars = try ComparedWork(sealed, bench, rounds: bench.rounds) {
      _ = try $0.setStarred(true, Array(1...Int64(count)))
      _ = try $0.undo()
    }
    func figures(_ name: String, _ work: ComparedWork) -> [Figure] {
      [
        Figure(
          row: 22, name: "sealed: pages opened and sealed by \(name)", value: work.pages,
          unit: .times),
        Figure(
          row: 22, name: "sealed: difference to a readable journal for 1,000 of these pages",
          value: work.difference / max(1, work.pages) * 1_000, peer: ("libsodium alone", floor)),
      ]
    }
    return figures("the first common search", search)
      + figures("a star of \(Bench.words(count)) and its undo", stars) + (try changes(sealed))
  }

  /// The pages that a sealed journal opens for one change, between its commit and the list.
  private func changes(_ sealed: Bench) throws -> [Figure] {
    try SingleChanges.Place.allCases.map { place in
      var list = try ChangedList(sealed, place)
      let pages = try Samples.inTurn(1, rounds: bench.rounds * 4) { _ in
        _ = try list.delay(of: .edit)
        return Double(list.rig.work.opened)
      }
      return Figure(
        row: 22, name: "sealed: pages opened between an edit on \(place.rawValue) day and the list",
        value: pages[0].median, unit: .times)
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
  private func otherRows(_ key: JournalKey, _ report: inout Report) throws {
    let sealed = bench.with(bench.data.sealed(with: key))
    for rows in ComparedRows.allCases {
      report.add(try rows.measure(sealed, bench).map(figure))
    }
    let synced = try SyncRow(bench: sealed).measure()
    report.add(zip(synced, try SyncRow(bench: bench).measure()).map(figure))
  }

  private func figure(_ sealed: Figure, _ open: Figure) -> Figure {
    Figure(
      row: 22, name: "sealed: row \(sealed.row), \(sealed.name)", value: sealed.value,
      unit: sealed.unit, peer: ("readable journal", open.value), goal: Self.goal)
  }

  /// An import into an empty journal.
  private func importing(_ key: JournalKey) throws -> [Figure] {
    let count = bench.isQuick ? 1_000 : 100_000
    let lines = "\(bench.data.work)/seal-import.jsonl"
    let paths = ["sealed", "open"].map { "\(bench.data.work)/seal-import-\($0).sqlite" }
    _ = try time(
      ["export", "--format", "jsonl", "--force", "--output", lines], "",
      on: bench.data.sample(count))
    let samples = try Samples.inTurn(paths.count, rounds: bench.rounds) { place in
      let path = paths[place]
      try? FileManager.default.removeItem(atPath: path)
      _ = try SQLiteEntryStore.open(path, mode: .create)
      if place == 0 { try DataDirectory.seal(path, with: key) }
      return try time(["import", lines], "", on: path)
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
    let journals = [sealed, open]
    let samples = try Samples.inTurn(journals.count, rounds: bench.rounds) { place in
      try runs.reduce(0) { try $0 + time($1, input, on: journals[place]) }
    }
    return Figure(
      row: 22, name: "sealed: \(name), whole process, \(Bench.words(bench.large)) entries",
      value: samples[0].median, peer: ("readable journal", samples[1].median), goal: Self.goal)
  }

  /// Runs a command, in milliseconds.
  private func time(_ words: [String], _ input: String, on journal: String) throws -> Double {
    let line = "printf '%s' '\(input)' | exec \"$@\""
    return try ChildProcess.time(
      ["/bin/sh", "-c", line, "sh", bench.daybook, "--journal", journal] + words,
      environment: bench.environment)
  }
}

extension SealRow {
  /// Work that was done with a sealed and a readable journal in turn.
  private struct ComparedWork {
    /// The pages that the sealed journal opened and sealed.
    private(set) var pages = 0.0
    /// How much longer the sealed journal takes, in milliseconds.
    private(set) var difference = 0.0

    /// - Parameter body: the work, on a store that was just opened.
    init(
      _ sealed: Bench, _ readable: Bench, rounds: Int, _ body: (SQLiteEntryStore) throws -> Void
    ) throws {
      let paths = try [sealed, readable].map { try $0.data.copy($0.large, as: "seal-profile") }
      var pages = Samples()
      let times = try Samples.inTurn(paths.count, rounds: rounds) { place in
        let store = try SQLiteEntryStore.open(paths[place], mode: .readWrite)
        let start = SealWork.now
        let time = try Monotonic.milliseconds { try body(store) }
        let work = SealWork.now.since(start)
        if place == 0 { pages.add(Double(work.opened + work.sealed)) }
        return time
      }
      self.pages = pages.median
      difference = times[0].median - times[1].median
    }
  }
}
