import Foundation
import Journal
import SectionedResults
import TestSupport
import Testing

@testable import JournalStore

/// The values of fields in memory, beside what the texts say.
struct FieldMapTests {
  private static let lines = [
    "run:: 5 km", "run:: 700 m", "run:: 12", "run:: 3.5 miles", "run:: 5,2 km", "run:: a little",
    "run:: 40 min", "run:: 2026-01-02", "weather:: sunny", "weather:: sun and rain", "mood:: 4",
    "weather:: Súnny", "mood:: -2", "mood:: bad", "run:: A LITTLE more", "text alone",
  ]
  private static let queries = [
    "run:>5", "run:>=5km", "run:<1km", "run:12", "run:..6", "run:>30min", "run:>2026-01-01",
    "field:run", "run:\"a little\"", "run:a*", "weather:sunny", "weather:sun*", "weather:z*",
    "mood:<=4", "mood:-5..5", "run:>5 -mood:4", "field:none", "run:>5 is:deleted",
    "-weather:sunny run:*",
  ]

  @Test("a list of a query answers as the texts do, after every change")
  func changes() throws {
    let seed = SeededGenerator.runSeed
    var random = SeededGenerator(seed: seed)
    let directory = TemporaryDirectory(isInMemory: true)
    let store = try SQLiteEntryStore.open(directory.file("j.sqlite"), mode: .create)
    let queries = Self.queries.compactMap { text -> (text: String, query: Query)? in
      (try? Query.parse(text, now: WallClock.system.moment(), clock: .system)).map { (text, $0) }
    }
    #expect(queries.count > 15)
    func text() -> String {
      (0..<1 + random.below(4)).map { _ in Self.lines[random.below(Self.lines.count)] }
        .joined(separator: "\n")
    }
    for step in 0..<400 {
      let numbers = try store.numbers(matching: nil) + store.numbers(matching: .flag(.deleted))
      let number = numbers.isEmpty ? 0 : numbers[random.below(numbers.count)]
      switch random.below(numbers.count < 20 ? 1 : 6) {
      case 0:
        let now = WallClock.system.moment()
        _ = try store.add(
          (0..<1 + random.below(3)).map { _ in
            NewEntry(text: text(), created: now, day: now.localDay)
          })
      case 1, 2: _ = try store.edit(number, text: text())
      case 3: _ = try store.delete([number])
      case 4: _ = try store.restore([number])
      default: _ = try? store.undo()
      }
      let (name, query) = queries[random.below(queries.count)]
      let controller = try ResultsController(
        request: EntryRequest.entries(query: query), store: store)
      try controller.performFetch()
      var found: [Int64] = []
      for (section, count) in controller.sectionCounts.enumerated() {
        for row in 0..<count {
          found.append(try controller.object(at: RowPath(section: section, row: row)).id.number)
        }
      }
      let all = try store.entries(
        store.numbers(matching: nil) + store.numbers(matching: .flag(.deleted)))
      let expected = all.filter { query.matches($0) }.map(\.number)
      #expect(found.sorted() == expected.sorted(), "seed \(seed), step \(step), \(name)")
    }
  }
}
