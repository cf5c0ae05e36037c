import Foundation
import Journal
import JournalStore
import SectionedResults
import TestSupport

/// Row 25: links and fields, in a journal where each entry has three links and two fields.
struct MarkRow {
  let bench: Bench

  func measure() throws -> [Figure] {
    let file = try bench.data.kept("marks-\(bench.large).sqlite") { path in
      Console.tell("making a journal of \(bench.large) entries with links and fields, once")
      try write(bench.large, to: path, hasMarks: true)
    }
    let store = try SQLiteEntryStore.open(file, mode: .readWrite)
    var random = SeededGenerator(seed: 24)
    let rounds = bench.rounds * 4
    var figures: [Figure] = []
    func add(_ name: String, _ samples: Samples, _ share: Double, _ most: Double? = nil) {
      figures.append(
        Figure(
          row: 25, name: "\(name), \(Bench.words(bench.large)) entries",
          value: samples.quantile(share), goal: most.map { Goal(most: $0) } ?? Goal()))
    }
    let backlinks = try samples(rounds) { _ in
      _ = try store.sources(leadingTo: Int64(1 + random.below(bench.large)))
    }
    add("the entries that link to one, 95 of 100", backlinks, 0.95, 5)
    try store.prepareSearch(for: .day)
    add(
      "first screen: the first query of a process for a field, in every second entry",
      try samples(1) { _ in try show("run:>5", store) }, 0.5)
    add(
      "reading the values of a field, once, with its entries",
      try samples(1) { _ in try show("field:run", store) }, 0.5)
    for (name, text) in [
      ("a number above a bound, in every 100th entry", "run:>9.9"),
      ("a number above a bound, in every second entry", "run:>5"),
      ("all links of a day", "links:2020-02-02"),
    ] {
      let time = try samples(rounds) { try show("\(text) -nowhere\($0)", store) }
      add("first screen: \(name), 95 of 100", time, 0.95, 16)
    }
    add(
      "links that lead nowhere, first time", try samples(1) { _ in try show("is:broken", store) },
      0.5)
    for grouping in [Grouping.day, .year] {
      add(
        "sums of a field in headers by \(grouping.rawValue), first time",
        try samples(bench.rounds) { _ in _ = try controller(store, grouping, isSummed: true) }, 0.5)
    }
    let commits = try commits(store)
    figures.append(
      Figure(
        row: 25,
        name: "a commit under headers with sums, \(Bench.words(bench.large)) entries, 95 of 100",
        value: commits.summed.quantile(0.95),
        peer: (name: "without", value: commits.plain.quantile(0.95))))
    let sums = try samples(bench.rounds) { _ in
      _ = try store.statistics(ofField: "run", by: .month)
    }
    add("sums of a field by month, median", sums, 0.5)
    return try figures + importing()
  }

  private func controller(
    _ store: SQLiteEntryStore, _ grouping: Grouping, isSummed: Bool
  ) throws -> ResultsController<EntryRow> {
    let measure = isSummed ? FieldMeasure(name: "run", unit: FieldUnit("km")) : nil
    let controller = try ResultsController(
      request: EntryRequest.entries(grouping: grouping, measure: measure), store: store)
    try controller.performFetch()
    return controller
  }

  /// The time of a change under a list of all entries by day, with and without sums in its headers.
  private func commits(_ store: SQLiteEntryStore) throws -> (summed: Samples, plain: Samples) {
    let last = Int64(bench.large)
    let text = try store.entry(last).text
    let times = try [true, false].map { isSummed in
      let list = try controller(store, .day, isSummed: isSummed)
      let times = try samples(bench.rounds * 8) { round in
        try store.edit(last, text: "\(text)\nrun:: \(round % 20) km")
      }
      return withExtendedLifetime(list) { times }
    }
    try store.edit(last, text: text)
    return (times[0], times[1])
  }

  /// The cost of writing links and fields: an import of entries with them beside one without.
  private func importing() throws -> [Figure] {
    let count = bench.large / 10
    let times = try Samples.inTurn(2, rounds: bench.rounds) { place in
      let path = "\(bench.data.work)/import-\(place).sqlite"
      try? FileManager.default.removeItem(atPath: path)
      return try Monotonic.milliseconds { try write(count, to: path, hasMarks: place == 1) }
    }
    return [
      Figure(
        row: 25,
        name: "import of \(Bench.words(count)) entries with three links and two fields, median",
        value: times[1].quantile(0.5),
        peer: (name: "without", value: times[0].quantile(0.5)))
    ]
  }

  private func samples(_ rounds: Int, _ body: (Int) throws -> Void) throws -> Samples {
    var samples = Samples()
    for round in 0..<rounds { samples.add(try Monotonic.milliseconds { try body(round) }) }
    return samples
  }

  private func write(_ count: Int, to path: String, hasMarks: Bool) throws {
    let store = try SQLiteEntryStore.open(path, mode: .create)
    var texts = SampleText(seed: 1)
    var random = SeededGenerator(seed: 2)
    let days = SampleJournal.days
    for start in stride(from: 0, to: count, by: 5_000) {
      let entries = (start..<min(start + 5_000, count)).map { index -> NewEntry in
        let day = days[index * days.count / count]
        let created = Moment(seconds: Int64(day.daysSinceEpoch * 86_400 + 43_200), offset: 0)
        var text = "note \(index)\n\(texts.next())"
        // So that both have as many bytes.
        let links = (0..<3).map { _ in
          index.isMultiple(of: 97)
            ? "\(days[random.below(days.count)])" : "note \(random.below(count))"
        }
        let run = Double(random.below(1_001)) / 100
        text += links.map { hasMarks ? " [[\($0)]]" : " ((\($0)))" }.joined()
        let sign = hasMarks ? "::" : ":."
        text += "\nmood\(sign) \(1 + random.below(5))\nrun\(sign) \(run) km"
        return NewEntry(text: text, created: created, day: day)
      }
      _ = try store.addReporting(entries, as: .importing)
    }
  }

  private func show(_ text: String, _ store: SQLiteEntryStore) throws {
    let query = try Query.parse(text, now: WallClock.system.moment(), clock: .system)
    let controller = try ResultsController(
      request: EntryRequest.entries(query: query), store: store)
    try controller.performFetch()
    var left = 40
    for section in controller.sectionCounts.indices where left > 0 {
      for row in 0..<min(left, controller.sectionCounts[section]) {
        _ = try controller.object(at: RowPath(section, row))
        left -= 1
      }
    }
  }
}
