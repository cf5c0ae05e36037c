import Journal
import JournalStore
import ResultsTestSupport
import SectionedResults
import TestSupport
import Testing

/// All stores count the same, for any query: what matching entry by entry gives.
@Suite("Statistics of stores")
struct StatisticsStoreTests {
  private let directory = TemporaryDirectory(isInMemory: true)

  @Test(
    "a random journal comes to what matching entry by entry gives", arguments: StoreKind.allCases)
  func random(kind: StoreKind) throws {
    var random = SeededGenerator(seed: 11)
    let store = try kind.make(in: directory)
    for _ in 0..<12 {
      try change(store, &random)
      let oracle = try Oracle(store)
      for text in Lists.queries + ["words:>2 -#work", "is:deleted bread", "bread OR #home"] {
        let query = text.isEmpty ? nil : try Lists.query(text)
        #expect(try store.statistics(of: query) == Self.slow(oracle, query), "\(text)")
      }
    }
  }

  @Test("the days of a range are those of the statistics", arguments: StoreKind.allCases)
  func days(kind: StoreKind) throws {
    var random = SeededGenerator(seed: 12)
    let store = try kind.make(in: directory)
    for _ in 0..<6 {
      try change(store, &random)
      let statistics = try store.statistics()
      guard let first = statistics.first, let last = statistics.last else { continue }
      for days in [
        first...last, first...first, first.adding(days: 1)...last.adding(days: 9),
        Day.earliest...Day.latest, last.adding(days: 1)...last.adding(days: 2),
      ] {
        #expect(try store.dayCounts(in: days) == Array(statistics.days(in: days)), "\(days)")
      }
    }
  }

  @Test(
    "days with several offsets are those that comparing entry by entry finds",
    arguments: StoreKind.allCases)
  func offsets(kind: StoreKind) throws {
    var random = SeededGenerator(seed: 13)
    let store = try kind.make(in: directory)
    let start = Day("2026-03-01") ?? .earliest
    for _ in 0..<40 {
      let day = start.adding(days: Int.random(in: 0..<12, using: &random))
      let offset = [0, 3_600, 32_400].randomElement(using: &random) ?? 0
      let seconds = Int64(day.daysSinceEpoch) * 86_400 + 43_200
      let created = Moment(seconds: seconds, offset: offset)
      let new = try store.add([NewEntry(text: "one", created: created, day: day)])
      if Int.random(in: 0..<3, using: &random) == 0 { try store.delete(new.map(\.number)) }
      let entries = Array(try Oracle(store).entries.values).filter { $0.deleted == nil }
      let days = Set((-1...13).map { start.adding(days: $0) })
      let slow = days.filter { day in
        Set(entries.filter { $0.day == day }.map(\.created.offset)).count > 1
      }
      #expect(try store.daysWithSeveralOffsets(among: days) == slow)
      #expect(try store.daysWithSeveralOffsets(among: []).isEmpty)
    }
    #expect(try !store.daysWithSeveralOffsets(among: [start]).contains(start.adding(days: 1)))
  }

  @Test("an empty journal has no statistics", arguments: StoreKind.allCases)
  func empty(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    #expect(try store.statistics() == Statistics())
    #expect(try store.statistics(of: Lists.query("bread")) == Statistics())
  }

  @Test("entries of the far past and future count", arguments: StoreKind.allCases)
  func ends(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    for day in [Day.earliest, .latest] {
      let created = Moment(seconds: Int64(day.daysSinceEpoch) * 86_400 + 43_200, offset: 0)
      try store.add([NewEntry(text: "one two", created: created, day: day)])
    }
    let statistics = try store.statistics()
    #expect(statistics.days.map(\.day) == [.earliest, .latest])
    #expect(statistics.hours[12] == 2 && statistics.words == 4)
    #expect(statistics.longestStreak?.length == 1)
  }

  @Test("counting is given up as soon as somebody says so, and can be done again")
  func cancelling() throws {
    let store = try StoreKind.sqlite.make(in: directory)
    var random = SeededGenerator(seed: 5)
    try store.add((0..<2_000).map { _ in Samples.entry(&random) })
    let (always, never) = ({ true }, { false })
    for query in [nil, try Lists.query("-#work"), try Lists.query("words:>2")] {
      #expect(try store.cancellable(always) { try store.statistics(of: query) } == nil)
      let whole = try store.cancellable(never) { try store.statistics(of: query) }
      #expect(try whole == store.statistics(of: query))
    }
  }

  @Test("words that another tool wrote count, also where nobody may write")
  func foreign() throws {
    let path = directory.file("j.sqlite")
    _ = try SQLiteEntryStore.open(path, mode: .create)
    try ForeignTool.run("INSERT INTO entry(text) VALUES ('three more words #home')", on: path)
    let reader = try SQLiteEntryStore.open(path, mode: .readOnly)
    #expect(try reader.statistics().words == 4)
    let writer = try SQLiteEntryStore.open(path, mode: .readWrite)
    #expect(try writer.statistics().words == 4)
    #expect(try writer.statistics().tags.map(\.tag) == ["home"])
  }

  @Test(
    "a change of the journal inside a transaction counts at once", arguments: StoreKind.allCases)
  func insideChange(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try store.add([NewEntry(text: "bread", created: store.clock.moment(), day: .earliest)])
    try store.change(.edit) { writer in
      let old = try #require(try writer.entry(number: 1))
      var new = old
      new.text = "bread and milk"
      try writer.update(new, from: old)
      #expect(try writer.statistics(of: Lists.query("milk")).words == 3)
    }
  }

  private func change(_ store: any EntryStore, _ random: inout SeededGenerator) throws {
    try store.add((0..<8).map { _ in Samples.entry(&random) })
    let numbers = try store.numbers(matching: nil)
    if let number = numbers.randomElement(using: &random) { try store.delete([number]) }
    if let number = numbers.randomElement(using: &random) {
      try store.edit(number, text: Samples.text(&random))
    }
  }

  /// The slow, obvious way.
  private static func slow(_ oracle: Oracle, _ query: Query?) -> Statistics {
    let query = query ?? .everything
    let matching = oracle.matches(of: query)
    var result = Statistics()
    for day in Set(matching.map(\.day)).sorted() {
      let those = matching.filter { $0.day == day }
      let words = those.reduce(0) { $0 + $1.wordCount }
      result.days.append(DayCount(day: day, entries: those.count, words: words))
    }
    for entry in matching { result.hours[entry.created.localTime.hour] += 1 }
    result.starred = matching.count { $0.starred }
    for entry in matching.sorted(by: { $0.number < $1.number })
    where result.longest.map({ $0.words < entry.wordCount }) ?? true {
      result.longest = .init(number: entry.number, day: entry.day, words: entry.wordCount)
    }
    let asked = query == .everything ? .flag(.deleted) : Query.and([query, .flag(.deleted)])
    result.trash = oracle.matches(of: asked).count { $0.deleted != nil }
    countTags(matching, Array(oracle.entries.values), in: &result)
    return result
  }

  private static func countTags(
    _ matching: [Entry], _ entries: [Entry], in result: inout Statistics
  ) {
    let keys = Set(matching.flatMap { $0.tags.map { Tag.key(of: $0) } })
    result.tagCount = keys.count
    var all: [(key: String, use: TagStatistics)] = []
    for key in keys.sorted() {
      let those = matching.filter { entry in entry.tags.contains { Tag.key(of: $0) == key } }
      let months = Set(those.map { String($0.day.description.prefix(7)) }).sorted()
      let uses = months.map { month in
        TagStatistics.Month(
          first: Day(month + "-01") ?? .earliest,
          entries: those.count { $0.day.description.hasPrefix(month) })
      }
      let tag = name(key, entries)
      all.append((key, TagStatistics(tag: tag, entries: those.count, months: uses)))
    }
    let ordered = all.sorted { left, right in
      left.use.entries == right.use.entries
        ? left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
        : left.use.entries > right.use.entries
    }
    result.tags = ordered.prefix(10).map(\.use)
  }

  /// How the earliest entry typed it, first outside the trash.
  private static func name(_ key: String, _ entries: [Entry]) -> String {
    let ordered = entries.sorted { left, right in
      if (left.deleted == nil) != (right.deleted == nil) { return left.deleted == nil }
      return (left.day, left.created.seconds, left.number)
        < (right.day, right.created.seconds, right.number)
    }
    let tags = ordered.flatMap { $0.tags }
    return tags.first { Tag.key(of: $0) == key } ?? ""
  }
}
