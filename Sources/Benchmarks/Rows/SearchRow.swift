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
    let journal = try bench.data.copy(bench.large, as: "search")
    let store = try SQLiteEntryStore.open(journal, mode: .readWrite)
    try addRareEntries(to: store)
    var (first, preparation, prepared) = (Samples(), Samples(), Samples())
    for _ in 0..<bench.rounds {
      // A store of its own has no words and no outlines in memory, like a new process.
      first.add(
        try Monotonic.milliseconds {
          try show("garden", SQLiteEntryStore.open(journal, mode: .readWrite))
        })
      let other = try SQLiteEntryStore.open(journal, mode: .readWrite)
      preparation.add(try Monotonic.milliseconds { try other.prepareSearch() })
      prepared.add(try Monotonic.milliseconds { try show("garden", other) })
    }
    let goal = Goal(most: 30)
    var figures = [
      figure("first common search of a process, median", first.median, goal),
      figure("what the prompt prepares before the first letter, median", preparation.median),
      figure("first common search of a process, prepared, median", prepared.median, goal),
    ]
    _ = try show("garden", store)
    for (name, query) in Self.queries {
      let samples = try repeated(query, store)
      figures.append(figure("\(name), 95 of 100", samples.quantile(0.95), goal, note: query))
    }
    for order in ListOrder.allCases {
      let samples = try repeated("bread", store, order: order, sectioning: .none)
      figures.append(
        figure("common word, by \(order), no sections, 95 of 100", samples.quantile(0.95), goal))
    }
    for sectioning in Sectioning.allCases where sectioning != .none {
      let samples = try repeated("bread", store, sectioning: sectioning)
      figures.append(
        figure("common word, sections by \(sectioning), 95 of 100", samples.quantile(0.95), goal))
    }
    return figures + [try stepping(store)]
  }

  /// The times of a query that differs a little each time, so that no answer is cached.
  private func repeated(
    _ query: String, _ store: SQLiteEntryStore, order: ListOrder = .newest,
    sectioning: Sectioning = .day
  ) throws -> Samples {
    var samples = Samples()
    for round in 0..<bench.rounds * 4 {
      samples.add(
        try Monotonic.milliseconds {
          try show("\(query) -nowhere\(round)", store, order: order, sectioning: sectioning)
        })
    }
    return samples
  }

  /// The times of a common query in a journal, for its growth.
  func common(_ journal: String) throws -> Samples {
    try repeated("bread garden", try SQLiteEntryStore.open(journal, mode: .readWrite))
  }

  private func figure(
    _ name: String, _ value: Double, _ goal: Goal = Goal(), note: String = ""
  ) -> Figure {
    Figure(
      row: 9, name: "search: \(name), \(Bench.words(bench.large)) entries", value: value,
      goal: goal, note: note)
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

  private func query(_ text: String) throws -> Query {
    try Query.parse(text, now: WallClock.system.moment(), clock: .system)
  }

  /// Fetches as a list does, and reads the rows of one screen.
  private func show(
    _ text: String, _ store: SQLiteEntryStore, order: ListOrder = .newest,
    sectioning: Sectioning = .day
  ) throws {
    let request = EntryRequest.entries(
      query: try query(text), order: order, sectioning: sectioning)
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
  private func stepping(_ store: SQLiteEntryStore) throws -> Figure {
    let request = EntryRequest.entries(query: try query("bread"))
    var samples = Samples()
    var key: ResultsKey<EntryRowID>?
    for _ in 0..<bench.rounds * 4 {
      var found: EntryRowID?
      samples.add(
        try Monotonic.milliseconds { found = try store.firstRow(of: request, after: key) })
      guard let found else { break }
      key = request.key(of: try store.entry(found.number).row())
    }
    return figure("next match of a common word, median", samples.median)
  }
}
