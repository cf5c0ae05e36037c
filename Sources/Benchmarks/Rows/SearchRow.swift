import Journal
import JournalStore
import SectionedResults
import TestSupport

/// Row 9: from a query to its first page, through the store and a controller, including the
/// outline.
struct SearchRow {
  let bench: Bench

  private static let queries = [
    ("rare word", "quokka"), ("two common words", "bread garden"), ("common word", "bread"),
    ("common tag as a word", "home"), ("one letter", "w*"), ("two letters", "wa*"),
    ("three letters", "gar*"), ("one Chinese character", "雨"),
    ("three Chinese characters", "散步下"), ("phrase", "\"bread letters\""),
    ("common without common", "bread -garden"), ("without", "-bread"),
    ("common and tag", "bread #home"), ("common since 2020", "bread since:2020"),
  ]

  func measure() throws -> [Figure] {
    try SearchRow.measure([bench])[0]
  }

  /// The figures of large journals, measured in turn: those of the first, those of the second.
  static func measure(_ benches: [Bench]) throws -> [[Figure]] {
    let rows = benches.map(SearchRow.init)
    let (journals, rounds) = (try rows.map { try $0.journal() }, benches[0].rounds)
    let goal = Goal(most: 30)
    var figures = Array(repeating: [Figure](), count: rows.count)
    func add(
      _ name: String, _ samples: [Samples], _ share: Double, _ goal: Goal = Goal(),
      note: String = ""
    ) {
      for (place, row) in rows.enumerated() {
        figures[place].append(
          row.figure(name, samples[place].quantile(share), goal, note: note))
      }
    }
    add("first common search of a process, median", try first(journals, rounds), 0.5, goal)
    let prepared = try prepared(journals, rounds)
    add("what the prompt prepares before the first letter, median", prepared.preparation, 0.5)
    add("first common search of a process, prepared, median", prepared.search, 0.5, goal)
    let stores = try journals.map { try SQLiteEntryStore.open($0, mode: .readWrite) }
    for (name, query) in queries {
      add("\(name), 95 of 100", try repeated(query, stores, rounds * 4), 0.95, goal, note: query)
    }
    for order in ListOrder.allCases {
      let samples = try repeated("bread", stores, rounds * 4, order: order, grouping: .none)
      add("common word, by \(order.rawValue), no sections, 95 of 100", samples, 0.95, goal)
    }
    for grouping in Grouping.allCases where grouping != .none {
      let samples = try repeated("bread", stores, rounds * 4, grouping: grouping)
      add("common word, sections by \(grouping.rawValue), 95 of 100", samples, 0.95, goal)
    }
    add("next match of a common word, median", try stepping(stores, rounds * 4), 0.5)
    return figures
  }

  /// The first search of a store that has no words and no outlines in memory, as in a new process.
  private static func first(_ journals: [String], _ rounds: Int) throws -> [Samples] {
    try Samples.inTurn(journals.count, rounds: rounds) { place in
      try Monotonic.milliseconds {
        try show("garden", SQLiteEntryStore.open(journals[place], mode: .readWrite))
      }
    }
  }

  /// The same in two steps: what the screen does when the prompt opens, and the search.
  private static func prepared(
    _ journals: [String], _ rounds: Int
  ) throws -> (preparation: [Samples], search: [Samples]) {
    var search = Array(repeating: Samples(), count: journals.count)
    let preparation = try Samples.inTurn(journals.count, rounds: rounds) { place in
      let store = try SQLiteEntryStore.open(journals[place], mode: .readWrite)
      let time = try Monotonic.milliseconds { try store.prepareSearch(for: .day) }
      search[place].add(try Monotonic.milliseconds { try show("garden", store) })
      return time
    }
    return (preparation, search)
  }

  /// The times of a query that differs a little each time, so that no answer is cached.
  private static func repeated(
    _ query: String, _ stores: [SQLiteEntryStore], _ rounds: Int, order: ListOrder = .newest,
    grouping: Grouping = .day
  ) throws -> [Samples] {
    var round = 0
    return try Samples.inTurn(stores.count, rounds: rounds) { place in
      round += 1
      return try Monotonic.milliseconds {
        try show("\(query) -nowhere\(round)", stores[place], order: order, grouping: grouping)
      }
    }
  }

  /// The times of a common query in a journal, for its growth.
  func common(_ journal: String) throws -> Samples {
    let store = try SQLiteEntryStore.open(journal, mode: .readWrite)
    return try SearchRow.repeated("bread garden", [store], bench.rounds * 4)[0]
  }

  private func figure(
    _ name: String, _ value: Double, _ goal: Goal = Goal(), note: String = ""
  ) -> Figure {
    Figure(
      row: 9, name: "search: \(name), \(Bench.words(bench.large)) entries", value: value,
      goal: goal, note: note)
  }

  /// A copy of a large journal with a word that is in one of five thousand entries.
  private func journal() throws -> String {
    let journal = try bench.data.copy(bench.large, as: "search")
    try addRareEntries(to: try SQLiteEntryStore.open(journal, mode: .readWrite))
    return journal
  }

  /// Adds a word to one in five thousand entries, spread over the years.
  private func addRareEntries(to store: SQLiteEntryStore) throws {
    var random = SeededGenerator(seed: 21)
    _ = try store.add(
      (0..<max(20, bench.large / 5_000)).map { _ in
        let day = SampleJournal.days[random.below(SampleJournal.days.count)]
        let moment = Moment(seconds: Int64(day.daysSinceEpoch * 86_400 + 60_000), offset: 0)
        return NewEntry(text: "we saw a quokka", created: moment, day: day)
      })
  }

  private static func query(_ text: String) throws -> Query {
    try Query.parse(text, now: WallClock.system.moment(), clock: .system)
  }

  /// Fetches as a list does, and reads the rows of one screen.
  private static func show(
    _ text: String, _ store: SQLiteEntryStore, order: ListOrder = .newest,
    grouping: Grouping = .day
  ) throws {
    let request = EntryRequest.entries(
      query: try query(text), order: order, grouping: grouping)
    let controller = try ResultsController(request: request, store: store)
    try controller.performFetch()
    var left = 40
    for section in controller.sectionCounts.indices where left > 0 {
      for row in 0..<min(left, controller.sectionCounts[section]) {
        _ = try controller.object(at: RowPath(section, row))
        left -= 1
      }
    }
  }

  /// From match to match, forwards, through the whole journal.
  private static func stepping(_ stores: [SQLiteEntryStore], _ rounds: Int) throws -> [Samples] {
    let request = EntryRequest.entries(query: try query("bread"))
    var keys = Array(repeating: ResultsKey<EntryRowID>?.none, count: stores.count)
    return try Samples.inTurn(stores.count, rounds: rounds) { place in
      var found: EntryRowID?
      let time = try Monotonic.milliseconds {
        found = try stores[place].firstRow(of: request, after: keys[place])
      }
      // After the last match it begins again.
      keys[place] = try found.map {
        request.key(of: try stores[place].entry($0.number).row())
      }
      return time
    }
  }
}
