import Journal
import JournalStore
import Screen
import Testing

@testable import daybook

/// `:fields` and `:field run`.
@Suite(.readline)
struct FieldPageTests {
  private func screen(columns: Int = 80, lines: Int = 24) throws -> ScriptedScreen {
    let day: Int64 = 86_400
    return try ScriptedScreen(
      keysAreTyped: true, columns: columns, lines: lines,
      entries: [
        (ScriptedScreen.now - 70 * day, "run:: 5.2 km"),
        (ScriptedScreen.now - 2 * day, "run:: 3 km"),
        (ScriptedScreen.now - day, "run:: 4 km\nmood:: 4"), (ScriptedScreen.now - 60, "nothing"),
      ])
  }

  @Test(":fields lists the names with counts and sums, and Enter filters the list by one")
  func names() throws {
    for arrival in ScriptedScreen.Arrival.allCases {
      let screen = try screen()
      try screen.press(":fields<Enter>", arrival)
      #expect(screen.text.contains("3 values, sum 12.2 km"))
      #expect(screen.text.contains("1 value, sum 4"))
      let moment = screen.store.clock.moment()
      try screen.store.add(
        [NewEntry(text: "run:: 1 km", created: moment, day: DayRule().day(of: moment))])
      try screen.press("<C-l>", arrival)
      #expect(screen.text.contains("4 values, sum 13.2 km"))
      try screen.press("<Enter>", arrival)
      #expect(screen.runner.state.list.scope.filter == "field:run")
      #expect(screen.runner.state.list.widget.rowCount == 4)
    }
  }

  @Test(
    "the output of :stats --field follows commits, also the one after which no entry has the field")
  func output() throws {
    let screen = try screen()
    try screen.press(":stats --field run --by month<Enter>")
    #expect(screen.text.contains("all          3  12.2"), "\(screen.text)")
    try screen.store.delete([1, 2, 3])
    try screen.press("<C-l>")
    #expect(screen.text.contains(":stats --field run --by month"))
    #expect(screen.text.contains("--field: no entry has a field run"), "\(screen.text)")
    try screen.store.restore([2])
    try screen.press("<C-l>")
    #expect(screen.text.contains("all          1    3"), "\(screen.text)")
  }

  @Test(
    ":field run is a year of days, a plot and the sums of each year or month, and follows commits",
    arguments: [(80, 24), (40, 10), (200, 60)])
  func sums(columns: Int, lines: Int) throws {
    let screen = try screen(columns: columns, lines: lines)
    try screen.press(":field run<Enter>")
    let page = { () -> [String] in
      screen.runner.state.statistics?.rows.map { $0.parts.map(\.text).joined() } ?? []
    }
    #expect(page().contains { $0.hasPrefix("Last 12 months") })
    #expect(page().contains { $0.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) } })
    #expect(page().last?.hasPrefix("2026 ") == true)
    try screen.press("{")
    #expect(page().contains { $0.hasPrefix("2026-11") && $0.contains("7") })
    #expect(page().contains { $0.contains("2026-09") && $0.contains("5.2") })
    #expect(page().contains { $0.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) } })
    let moment = screen.store.clock.moment()
    try screen.store.add(
      [NewEntry(text: "run:: 10 km", created: moment, day: DayRule().day(of: moment))])
    try screen.press("<C-l>")
    #expect(page().contains { $0.hasPrefix("2026-11") && $0.contains("17") })
    try screen.press("q:field<Enter>:field<Enter>")
    #expect(screen.runner.state.status?.text == "field: give a name; :fields lists them")
    try screen.press("<Esc>:field ru<Tab><Enter>")
    #expect(!page().isEmpty)
  }
}
