import Journal
import TestSupport
import Testing
import TextLayout

@testable import Screen

/// The page of a field: a year in one hue, a plot and sums, from values that a recount knows.
@Suite("Field page")
struct FieldPageTests {
  private let today = Day(year: 2026, month: 11, day: 21) ?? .latest

  private func page(
    _ values: [(day: Day, value: FieldValue)], year: Int? = nil, columns: Int = 80
  ) -> FieldPage {
    FieldPage(
      name: "run", statistics: FieldStatistics(values, by: FieldPage.grouping(year: year)),
      today: today, year: year, firstWeekday: 1,
      dates: DateStyle(names: .english), columns: columns)
  }

  private func text(_ page: FieldPage) -> [String] {
    page.lines.map { $0.parts.map(\.text).joined() }
  }

  private func kilometres(_ count: Int64) -> FieldValue {
    .number(FixedDecimal(count), unit: "km")
  }

  @Test("a year has its days in one hue, its weeks as a plot, and its months as lines")
  func year() throws {
    let days = try ["2026-01-05", "2026-01-06", "2026-03-09", "2026-03-10"].map {
      try #require(Day($0))
    }
    let values = days.enumerated().map {
      (day: $0.element, value: kilometres(Int64($0.offset + 1)))
    }
    let lines = text(page(values, year: 2026, columns: 120))
    #expect(lines[0] == "run in km")
    #expect(lines[1] == "2026  10 km on 4 days")
    #expect(lines[2].hasPrefix("    Jan"))
    let monday = try #require(lines.first { $0.hasPrefix("Mon") })
    let signs = monday.filter { LevelSigns.shapes.contains(String($0)) }
    #expect(signs.map(String.init) == [LevelSigns.shapes[0], LevelSigns.shapes[2]])
    #expect(lines.contains { $0.hasSuffix("per day") && $0.contains("1") && $0.contains("4") })
    #expect(lines.contains { $0.contains("2026-W02") && $0.contains("2026-W11") })
    #expect(lines.contains { $0.hasPrefix("2026-01") && $0.contains("3") })
    #expect(lines.contains { $0.hasPrefix("2026-03") && $0.contains("7") })
  }

  @Test("at every width no line is wider, and every part is there")
  func widths() {
    let values = (0..<800).map {
      (day: today.adding(days: -$0), value: kilometres(Int64($0 % 17)))
    }
    for columns in 20...200 {
      for year in [nil, 2025, 2026] as [Int?] {
        let lines = page(values, year: year, columns: columns).lines
        for line in lines { #expect(line.columns <= columns) }
        let all = lines.map { $0.parts.map(\.text).joined() }
        #expect(all[0] == "run in km" && all.contains { $0.hasSuffix("per day") })
        #expect(all.contains { $0.hasPrefix(year == nil ? "2024" : "\(year ?? 0)-01") })
      }
    }
  }

  @Test("amounts below zero have the hue of their size, and a sum that is right")
  func negative() {
    let values = [
      (day: today, value: kilometres(-9)), (day: today.adding(days: -1), value: kilometres(2)),
    ]
    let lines = text(page(values))
    #expect(lines[1] == "Last 12 months  -7 km on 2 days")
  }

  @Test("without values in the year, or without numbers, a sentence says so")
  func nothing() {
    #expect(text(page([], year: 2020)) == ["No values of run in 2020."])
    #expect(
      text(page([(day: today, value: .words("far"))]))
        == ["run: no number or duration among 1 value."])
  }

  @Test("braces turn to years with values, keys at once or one by one")
  func turning() throws {
    let values = try ["2023-05-01", "2026-05-01"].map {
      (day: try #require(Day($0)), value: kilometres(3))
    }
    let sums = FieldStatistics(values, by: .year)
    for isAtOnce in [true, false] {
      var store = TestStore([1])
      _ = store.state.openStatistics(of: ListScope(), field: "run")
      let counted = { (year: Int?) -> Event in
        Event.statistics(
          .summed(
            ListScope(), field: "run", sums, today: today, year: year, years: [2023, 2026]))
      }
      _ = update(&store.state, counted(Int?.none))
      #expect(store.state.statistics?.title(in: store.state) == "statistics  run")
      for key in ["{", "{"] {
        _ = update(&store.state, .key(key))
        if !isAtOnce { _ = update(&store.state, counted(store.state.statistics?.year)) }
      }
      #expect(store.state.statistics?.year == 2023)
      // Numbers of all years come too late.
      _ = update(&store.state, counted(Int?.none))
      #expect(store.state.statistics?.countedYear == (isAtOnce ? nil : 2023))
      _ = update(&store.state, counted(2023))
      #expect(store.state.statistics?.countedYear == 2023)
      #expect(
        store.state.statistics?.refresh == [
          .query(.countStatistics(ListScope(), year: 2023, field: "run"))
        ])
    }
  }

  @Test(
    ":stats takes a field and a year in any order; other options run as in a shell",
    arguments: [
      ("stats --field run", Command.statistics("", year: nil, field: "run")),
      ("stats --field=run #a", .statistics("#a", year: nil, field: "run")),
      ("stats --year 2025 --field run x=1", .statistics("x=1", year: 2025, field: "run")),
      ("stats --field run --year 2025", .statistics("", year: 2025, field: "run")),
    ])
  func commands(words: String, command: Command) throws {
    #expect(try Command(words, in: TestStore.catalog) == command)
    guard case .run = try Command("stats --field run --by day", in: TestStore.catalog) else {
      Issue.record("--by is not of the page")
      return
    }
    guard case .run = try Command("stats --field 9", in: TestStore.catalog) else {
      Issue.record("9 is no name")
      return
    }
  }
}
