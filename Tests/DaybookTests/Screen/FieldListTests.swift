import Journal
import JournalStore
import Screen
import Testing

@testable import daybook

/// Sums in the headers of sections, and lists by a field: `:field run`, `:section mood`, `:sort run`.
@Suite(.readline)
struct FieldListTests {
  private static let day: Int64 = 86_400

  private func screen(columns: Int = 80, lines: Int = 24) throws -> ScriptedScreen {
    let now = ScriptedScreen.now
    return try ScriptedScreen(
      keysAreTyped: true, columns: columns, lines: lines,
      entries: [
        (now - 2 * Self.day, "Park #out\nrun:: 5.2 km\nmood:: 4/5"),
        (now - 2 * Self.day + 60, "Track\nrun:: 3 km\nrun:: 1.5 KM"),
        (now - Self.day, "東京 #out\nmood:: 2/5 slept:: 7h20"), (now - 60, "nothing at all"),
      ])
  }

  /// The lines of the screen that end with a sum.
  private func headers(_ screen: ScriptedScreen) -> [String] {
    screen.text.split(separator: "\n").map(String.init).filter {
      $0.contains("run ") && $0.contains("km")
    }
  }

  private func write(_ screen: ScriptedScreen, _ text: String) throws -> Entry {
    let moment = screen.store.clock.moment()
    let entries = try screen.store.add(
      [NewEntry(text: text, created: moment, day: DayRule().day(of: moment))])
    return try #require(entries.first)
  }

  @Test(
    "a header has the sum of the field, and follows each commit",
    arguments: [(80, 24), (40, 10), (200, 60)])
  func sums(columns: Int, lines: Int) throws {
    for arrival in ScriptedScreen.Arrival.allCases {
      let screen = try screen(columns: columns, lines: lines)
      try screen.press(":field run<Enter>q", arrival)
      #expect(headers(screen).contains { $0.contains("run 9.7 km") }, "\(screen.text)")
      let entry = try write(screen, "run:: 10 km")
      try screen.press("<C-l>gg", arrival)
      #expect(headers(screen).contains { $0.contains("run 10 km") }, "\(screen.text)")
      try screen.store.edit(entry.number, text: "run:: 0.25 km")
      try screen.press("<C-l>", arrival)
      #expect(headers(screen).contains { $0.contains("run 0.25 km") }, "\(screen.text)")
      try screen.store.delete([entry.number])
      try screen.press("<C-l>", arrival)
      #expect(!headers(screen).contains { $0.contains("0.25") }, "\(screen.text)")
      try screen.press("u", arrival)
      #expect(headers(screen).contains { $0.contains("run 0.25 km") }, "\(screen.text)")
      try screen.press(":field<Enter>", arrival)
      #expect(headers(screen).isEmpty)
      #expect(screen.runner.state.status?.text == "section totals are off")
    }
  }

  @Test("parts of a whole have a mean, unless their sum is asked for")
  func means() throws {
    let screen = try screen()
    try screen.press(":section none<Enter>:field mood<Enter>q")
    #expect(screen.text.contains("mood mean 3/5"))
    try screen.press(":field mood --sum<Enter>q")
    #expect(screen.text.contains("mood 6/5"))
    try screen.press(":field --mean run<Enter>q")
    #expect(screen.text.contains("run mean 3.23 km"))
    try screen.press(":field slept<Enter>q")
    #expect(screen.text.contains("slept 7h20"))
  }

  @Test(
    "values that convert are in the sum, others are counted beside it, also where there is no sum")
  func units() throws {
    for (columns, lines) in [(80, 24), (40, 10)] {
      let screen = try screen(columns: columns, lines: lines)
      try screen.press(":section none<Enter>:field run<Enter>q")
      #expect(headers(screen).contains { $0.contains("run 9.7 km") }, "\(screen.text)")
      _ = try write(screen, "run:: 500 m")
      try screen.press("<C-l>")
      #expect(headers(screen).contains { $0.contains("run 10.2 km") }, "\(screen.text)")
      let laps = try write(screen, "run:: 9 laps, [run:: 2]")
      try screen.press("<C-l>")
      #expect(headers(screen).contains { $0.contains("run 10.2 km, 2 others") }, "\(screen.text)")
      try screen.store.edit(laps.number, text: "run:: 9 laps")
      try screen.press("flaps<Enter>")
      #expect(screen.text.contains("run 1 other"), "\(screen.text)")
    }
  }

  @Test("the unit follows that of most values when the page of the field is opened again")
  func unitFollows() throws {
    let screen = try screen()
    try screen.press(":section none<Enter>:field run<Enter>")
    for _ in 0..<4 { _ = try write(screen, "run:: 100 m") }
    try screen.press("<C-l>q")
    #expect(screen.text.contains("run 10100 m"), "\(screen.text)")
  }

  @Test("sums are of the rows shown: by tag, under a filter, in a folded section, and back again")
  func arrangements() throws {
    let screen = try screen()
    try screen.press(":field run<Enter>q:section tag<Enter>")
    #expect(headers(screen).map { $0.contains("5.2") || $0.contains("4.5") } == [true, true])
    try screen.press("zM")
    #expect(headers(screen).count == 2)
    try screen.press("zR:section year<Enter>fpark<Enter>")
    #expect(headers(screen).count == 1)
    #expect(headers(screen).allSatisfy { $0.contains("run 5.2 km") })
    try screen.press("<Esc>")
    #expect(headers(screen).allSatisfy { $0.contains("run 9.7 km") })
    // A jump back does not take the sums away.
    try screen.press(":section none<Enter><C-o>")
    #expect(headers(screen).count == 1)
  }

  @Test("sections and order by a field: the greatest first, those without a value last")
  func fieldSections() throws {
    for arrival in ScriptedScreen.Arrival.allCases {
      let screen = try screen()
      try screen.press(":section mood<Enter>", arrival)
      let titles = screen.text.split(separator: "\n").map(String.init)
        .filter { $0.contains("mood ") || $0.hasPrefix("Without") }
      #expect(titles.first?.contains("by mood") == true)
      #expect(titles.dropFirst().map { $0.prefix(8) } == ["mood 4/5", "mood 2/5", "Without "])
      let entry = try write(screen, "better\nmood:: 5/5")
      try screen.press("<C-l>gg", arrival)
      #expect(screen.text.contains("mood 5/5"))
      try screen.store.edit(entry.number, text: "worse\nmood:: 1/5")
      try screen.press("<C-l>", arrival)
      #expect(!screen.text.contains("mood 5/5"))
      #expect(screen.text.contains("mood 1/5"))
      try screen.press(":section none<Enter>:sort run<Enter>gg", arrival)
      let rows = screen.text.split(separator: "\n").map(String.init)
      let park = try #require(rows.firstIndex { $0.contains("Park") })
      let track = try #require(rows.firstIndex { $0.contains("Track") })
      let nothing = try #require(rows.firstIndex { $0.contains("nothing at all") })
      #expect(park < track && track < nothing)
    }
  }

  @Test("a field that no text has is a slip, which changes nothing")
  func unknown() throws {
    let screen = try screen()
    let scope = screen.runner.state.list.scope
    for command in ["section moood", "sort nope", "section a b"] {
      try screen.press(":\(command)<Enter>")
      #expect(screen.runner.state.status?.kind == .failed, "\(command)")
      #expect(screen.runner.state.list.scope == scope, "\(command)")
      #expect(screen.runner.state.prompt.open?.kind == .command, "\(command)")
      #expect(screen.runner.state.prompt.open?.text == command, "\(command)")
      try screen.press("<Esc>")
    }
    try screen.press(":field nope<Enter>")
    #expect(screen.runner.state.list.scope == scope)
    let said = screen.runner.state.status?.text ?? screen.text
    #expect(said.contains("nope"), "\(said)")
    try screen.press("q:field rnu<Enter>")
    #expect(screen.text.contains("did you mean run?"), "\(screen.text)")
    try screen.press("q:field weather<Enter>")
    #expect(screen.text.contains(":fields lists the names in use"), "\(screen.text)")
  }

  @Test("a slip under a filter offers its own line again, not the filter")
  func unknownUnderFilter() throws {
    let screen = try screen()
    try screen.press("fpark<Enter>:sort nope<Enter>")
    #expect(screen.runner.state.prompt.open?.text == "sort nope")
    try screen.press("<BS><BS><BS><BS>run<Enter>")
    #expect(screen.runner.state.list.scope.order == .field("run"))
    #expect(screen.runner.state.list.scope.filter == "park")
  }

  @Test("sums, order and sections of fields are there again at the next start")
  func viewState() throws {
    let measures = [
      FieldMeasure(name: "run", unit: FieldUnit("km")),
      FieldMeasure(name: "x", unit: FieldUnit(""), statistic: .mean),
      FieldMeasure(name: "slept", unit: .duration), FieldMeasure(name: "a", unit: FieldUnit("m h")),
    ]
    for measure in measures {
      var view = ViewState()
      (view.measure, view.order, view.grouping) = (measure, .field("run"), .field("mood"))
      #expect(ViewState(text: view.text) == view)
      #expect(view.holding(at: 1 << 40).measure == measure)
    }
  }
}
