import Journal
import Terminal
import Testing
import TextLayout

@testable import Screen
@testable import daybook

/// Statistics as lines: what they look like at each width, and that they fit it.
struct StatisticsPageTests {
  private let today = Day(daysSinceEpoch: 20_778)

  private var statistics: Statistics {
    var counter = StatisticsCounter()
    for (number, back) in [0, 1, 2, 2, 10, 40, 41, 330, 400].enumerated() {
      counter.add(
        number: Int64(number + 1), day: today.adding(days: -back), localSeconds: 21 * 3600,
        words: 10 * (number + 1), isStarred: number == 1)
    }
    var result = counter.finished()
    result.trash = 2
    result.tagCount = 2
    let month = Day("2026-11-01") ?? today
    result.tags = [
      TagStatistics(
        tag: "home", entries: 3,
        months: [
          .init(first: month.adding(months: -1), entries: 1), .init(first: month, entries: 2),
        ]),
      TagStatistics(
        tag: "東京", entries: 1, months: [.init(first: month.adding(months: -12), entries: 1)]),
    ]
    return result
  }

  private func page(
    _ columns: Int, year: Int? = nil, subject: String = "", _ statistics: Statistics? = nil,
    names: DateNames = .english
  ) -> StatisticsPage {
    StatisticsPage(
      statistics: statistics ?? self.statistics, subject: subject, today: today, year: year,
      firstWeekday: 1, dates: DateStyle(names: names), columns: columns)
  }

  private func text(_ page: StatisticsPage) -> String {
    page.lines.map { $0.parts.map(\.text).joined() }.joined(separator: "\n")
  }

  @Test("80 columns: the map, numbers in two columns, and charts")
  func usual() {
    #expect(
      text(page(80, subject: "#home")) == """
        Statistics of #home
        Last 12 months  8 entries, 360 words, 7 days
                Dec     Jan     Feb     Mar       Apr     May
        Mon · · · · · · · · · · · · · · · · · · · · · · · · · · ·
        Tue · · · · · · · · · · · · · · · · · · · · · · · · · · ·
        Wed · · · · · · · · · · · · · · · · · · · · · · · · · · ·
        Thu · · · · · · · · · · · · · · · · · · · · · · · · · · ·
        Fri · · · · · █ · · · · · · · · · · · · · · · · · · · · ·
        Sat · · · · · · · · · · · · · · · · · · · · · · · · · · ·
        Sun · · · · · · · · · · · · · · · · · · · · · · · · · · ·
              Jun     Jul     Aug       Sep     Oct     Nov
        Mon · · · · · · · · · · · · · · · · · · · · ■ · · · · ·
        Tue · · · · · · · · · · · · · · · · · · · · · · · · · ·
        Wed · · · · · · · · · · · · · · · · · · · · · · · · ▪ ·
        Thu · · · · · · · · · · · · · · · · · · · · · · · · · █
        Fri · · · · · · · · · · · · · · · · · · · · · · · · · ▪
        Sat · · · · · · · · · · · · · · · · · · · · · · · · · ▫
        Sun · · · · · · · · · · · · · · · · · · · █ · · · · ·
            ▫ 10–19  ▪ 20–59  ■ 60–69  █ 70+  words per day

        Entries         9                      First day       17 Oct 2025
        Words           450                    Last day        21 Nov 2026
        Days written    8 of 401               Current streak  3 days since 19 Nov 2026
        Average entry   50 words               Longest streak  3 days up to 21 Nov 2026
        Longest entry   90 words, no. 9        Per day         0.02 entries, 1.1 words
        Starred         1                      Per day written 1.1 entries, 56 words
        Tags            2                      Busiest weekday Friday, 3 entries
        In the trash    2                      Busiest hour    21:00, 9 entries

        Weekdays
        Monday          1 ━━━━━━━━
        Tuesday         0
        Wednesday       1 ━━━━━━━━
        Thursday        2 ━━━━━━━━━━━━━━━━
        Friday          3 ━━━━━━━━━━━━━━━━━━━━━━━━
        Saturday        1 ━━━━━━━━
        Sunday          1 ━━━━━━━━

        Hours of the day
                                                  █
        0           6           12          18

        Months    entries    words
        Nov 2025        0        0
        Dec 2025        1       80 ━━━━━━━━━━━━╸
        Jan 2026        0        0
        Feb 2026        0        0
        Mar 2026        0        0
        Apr 2026        0        0
        May 2026        0        0
        Jun 2026        0        0
        Jul 2026        0        0
        Aug 2026        0        0
        Sep 2026        0        0
        Oct 2026        2      130 ━━━━━━━━━━━━━━━━━━━━╸
        Nov 2026        5      150 ━━━━━━━━━━━━━━━━━━━━━━━━

        Years  entries    words
        2025         2      170 ━━━━━━━━━━━━━━╸
        2026         7      280 ━━━━━━━━━━━━━━━━━━━━━━━━

        Tags, and the months they were used in
        #home        3            ▄█
        #東京        1 █
        """)
  }

  @Test(
    "no line is wider than the screen, whatever its width",
    arguments: [20, 29, 40, 57, 76, 80, 110, 200])
  func widths(columns: Int) {
    for year in [nil, 2026, 2024] {
      let lines = page(columns, year: year).lines.map(\.columns)
      // Titles and numbers may be cut on narrow screens; the map and the charts never are.
      let long = lines.filter { $0 > columns }
      #expect(columns < 40 || long.isEmpty, "\(columns): \(long)")
    }
  }

  @Test("a year in pieces on a narrow screen has every day once")
  func pieces() {
    let map = page(40, year: 2026).map
    let days = map.map { line in
      line.parts.map(\.text).joined().dropFirst(4).count { "·▫▪■█".contains($0) }
    }
    // The legend has four signs of its own.
    #expect(days.reduce(0, +) == 365 + 4)
    #expect(map.allSatisfy { $0.columns <= 40 })
  }

  @Test("the last weeks in pieces read from the oldest to today")
  func latestLast() {
    let map = page(40).map.map { $0.parts.map(\.text).joined() }
    let last = map.dropLast(2).suffix(8).joined()
    #expect(last.contains("Nov") && last.contains("█"))
    #expect(!map.dropLast(10).joined().contains("Nov"))
  }

  @Test("names that take two columns a character keep the rows in line")
  func wideNames() {
    let names = DateNames(
      months: (1...12).map { "\($0)月" }, weekdays: ["月", "火", "水", "木", "金", "土", "日"],
      shortWeekdays: ["月", "火", "水", "木", "金", "土", "日"])
    let map = page(80, names: names).map
    #expect(Set(map.dropFirst(2).prefix(7).map(\.columns)) == [3 + 2 * 27])
  }

  @Test("an empty journal and one entry have pages too")
  func small() {
    #expect(text(page(80, Statistics())) == "Statistics\nNo entries yet.")
    #expect(text(page(80, year: 2025, Statistics())) == "Statistics\nNo entries in 2025.")
    #expect(
      text(page(80, subject: "#x", Statistics())) == "Statistics of #x\nNo entries match.")
    var trash = Statistics()
    trash.trash = 1_234
    #expect(text(page(80, trash)) == "Statistics\nNo entries; 1,234 in the trash.")
    var counter = StatisticsCounter()
    counter.add(number: 1, day: today, localSeconds: 0, words: 0, isStarred: false)
    let one = text(page(80, counter.finished()))
    #expect(one.contains("Current streak  1 day since 21 Nov 2026"))
    #expect(one.contains("1 entry, 0 words, 1 day"))
  }

  @Test("each level has a sign of its own in a role of its own, and a gap beside it")
  func signs() {
    let roles: [Style.Role: String] = [
      .level1: "▫", .level2: "▪", .level3: "■", .level4: "█",
    ]
    let parts = page(80).map.flatMap(\.parts)
    for (role, sign) in roles {
      let texts = parts.filter { $0.role == role }.map(\.text)
      #expect(!texts.isEmpty, "\(role)")
      #expect(texts.allSatisfy { $0 == sign || $0 == sign + " " }, "\(role): \(texts)")
    }
  }

  @Test("the legend has the words per day of each level, on as many lines as it needs")
  func legend() {
    let legend = text(page(80)).split(separator: "\n").first { $0.contains("words per day") }
    #expect(
      legend?.trimmingPrefix { $0 == " " } == "▫ 10–19  ▪ 20–59  ■ 60–69  █ 70+  words per day")
    let narrow = page(40).map.suffix(2).map { $0.parts.map(\.text).joined() }
    #expect(narrow == ["    ▫ 10–19  ▪ 20–59  ■ 60–69  █ 70+", "    words per day"])
    // Days that are all alike have one level.
    var counter = StatisticsCounter()
    for back in 0..<8 {
      counter.add(
        number: Int64(back + 1), day: today.adding(days: -back), localSeconds: 0, words: 1_500,
        isStarred: false)
    }
    #expect(text(page(80, counter.finished())).contains("\n    █ 1,500  words per day\n"))
  }

  @Test("from 160 columns on months and years stand beside the map")
  func beside() {
    let lines = text(page(160)).split(separator: "\n").map(String.init)
    #expect(lines[1].hasSuffix("Months    entries    words"))
    #expect(lines[3].hasPrefix("Mon") && lines[3].contains("Dec 2025        1       80 ━"))
    #expect(!text(page(159)).split(separator: "\n")[1].contains("Months"))
  }

  @Test("bars are as long as their share, and never nothing for something")
  func bars() {
    #expect(BlockSigns.bar(0, of: 9, columns: 9) == "")
    #expect(BlockSigns.bar(9, of: 9, columns: 3) == "━━━")
    #expect(BlockSigns.bar(1, of: 2, columns: 3) == "━╸")
    #expect(BlockSigns.bar(1, of: 1_000_000, columns: 3) == "╸")
    #expect(BlockSigns.bar(.max, of: .max, columns: 3) == "━━━")
    #expect((0...8).map { BlockSigns.column($0, of: 8) }.joined() == " ▁▂▃▄▅▆▇█")
  }

  @Test("numbers stand in groups of three")
  func numbers() {
    let texts = [0, 7, 999, 1_000, 12_345, 1_234_567, -1_000].map(Numbers.grouped)
    #expect(texts == ["0", "7", "999", "1,000", "12,345", "1,234,567", "-1,000"])
  }

  @Test(
    "empty statistics on the screen are one sentence with the next key",
    arguments: [
      (ListScope(), nil, 0, "No entries yet. Press q, then a to write the first one."),
      (ListScope(), nil, 2, "No entries; 2 in the trash. Press q, then T to see them."),
      (ListScope(isTrash: true), nil, 0, "The trash is empty. Press q to go back."),
      (ListScope(filter: "#x"), nil, 0, "No entries match. Press q to go back."),
      (ListScope(), 2026, 0, "No entries in 2026. Press { for earlier years."),
    ] as [(ListScope, Int?, Int, String)])
  func emptyScreen(scope: ListScope, year: Int?, trash: Int, sentence: String) {
    for size in [Size(columns: 80, lines: 24), Size(columns: 40, lines: 10)] {
      var state = State(journal: "journal.sqlite", today: today, size: size)
      state.pages.mode = .statistics(StatisticsView(scope: scope, today: today, year: year))
      var statistics = Statistics()
      statistics.trash = trash
      _ = update(&state, .statistics(.counted(scope, statistics, today: today, year: year)))
      let lines = ScreenRenderer(row: { _ in nil }).frame(of: state).canvas.plainText()
        .split(separator: "\n", omittingEmptySubsequences: false).prefix(size.lines - 2)
        .dropFirst(size.lines >= Layout.headerLines ? 1 : 0)
      #expect(lines.filter { !$0.isEmpty }.joined(separator: " ") == sentence)
    }
  }

  @Test("the screen shows them, says what they are about and where one is in them")
  func screen() {
    var state = State(
      journal: "journal.sqlite", today: today, size: Size(columns: 80, lines: 12))
    let view = StatisticsView(scope: ListScope(filter: "#home"), today: today)
    state.pages.mode = .statistics(view)
    let renderer = ScreenRenderer(row: { _ in nil })
    func screen() -> [String] {
      let canvas = renderer.frame(of: state).canvas
      return (0..<canvas.height).map { row in canvas[row: row].map(\.text).joined() }
    }
    #expect(screen()[0].hasPrefix("counting…"))
    state.environment.dateNames = .english
    let counted = Event.statistics(.counted(view.scope, statistics, today: today))
    _ = update(&state, counted)
    _ = update(&state, .key("j"))
    let shown = screen()
    #expect(shown[0].hasPrefix("Last 12 months  8 entries"))
    #expect(shown[10].hasPrefix(" journal  statistics  #home") && shown[10].contains("%"))
    #expect(shown[11].hasPrefix("{ previous year  } next year"))
  }
}
