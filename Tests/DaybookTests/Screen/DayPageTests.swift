import Foundation
import Journal
import JournalStore
import TestSupport
import Testing
import TextLayout

@testable import Screen
@testable import daybook

/// `gD` and `:day`: a whole day, or several days, as one page to read.
@Suite("A day as a page", .readline)
struct DayPageTests {
  private typealias Arrival = ScriptedScreen.Arrival

  /// Yesterday, the day before, and two entries of today, the later one added first.
  private func screen(
    columns: Int = 80, lines: Int = 24, isLinear: Bool = false
  ) throws -> ScriptedScreen {
    let now = ScriptedScreen.now
    return try ScriptedScreen(
      keysAreTyped: true, columns: columns, lines: lines,
      entries: [
        (now, "Evening\n\nA **long** walk #home"), (now - 36_000, "Morning\n\n- tea\n- bread"),
        (now - 86_400, "Yesterday 桜"), (now - 2 * 86_400, "The day before"),
      ], isLinear: isLinear)
  }

  private func page(_ screen: ScriptedScreen) -> DayPage? {
    if case .day(let page) = screen.runner.state.pages.mode { page } else { nil }
  }

  @Test("gD reads the selected day from morning to evening", arguments: Arrival.allCases)
  func selected(arrival: ScriptedScreen.Arrival) throws {
    for keys in ["gD", ":day<Enter>", "<Enter>gD", ":day today<Enter>", "gcgD", "MgD"] {
      let screen = try screen()
      try screen.press(keys, arrival)
      guard let page = page(screen) else { continue }
      #expect(page.entries.map(\.number) == [2, 1], "\(keys)")
      let lines = screen.text.split(separator: "\n").map { String($0).trimmed }
      let shown = ["08:00", "Morning", "• tea", "• bread", "18:00", "Evening"]
      #expect(lines.filter(shown.contains) == shown, "\(keys): \(screen.text)")
      #expect(screen.text.contains("A long walk #home"), "Markdown is drawn: \(screen.text)")
      #expect(screen.text.contains("2 entries"))
      try screen.press("q", arrival)
      #expect(self.page(screen) == nil)
    }
  }

  @Test("the day of the selection, several days, and a day without entries")
  func days() throws {
    let screen = try screen()
    try screen.press("G<Up>gD")
    #expect(page(screen)?.entries.map(\.number) == [3])
    try screen.press("q:day 2026-11<Enter>")
    #expect(page(screen)?.entries.map(\.number) == [4, 3, 2, 1])
    #expect(screen.text.contains("Thursday 19 November 2026, 18:00"), "\(screen.text)")
    try screen.press("q:day 2020-01-01<Enter>")
    #expect(screen.text.contains("No entries: Wednesday 1 January 2020."), "\(screen.text)")
    try screen.press("q:day nonsense<Enter>")
    #expect(screen.runner.state.prompt.open?.text == "day nonsense", "\(screen.text)")
    #expect(page(screen) == nil)
  }

  @Test("/ and n search it")
  func searched() throws {
    let screen = try screen()
    try screen.press(":day 2026-11<Enter>/walk<Enter>")
    #expect(screen.runner.state.pages.search?.places(in: "A long walk").isEmpty == false)
    #expect(screen.text.contains("A long walk #home"), "\(screen.text)")
    try screen.press("q")
    #expect(page(screen) == nil)
  }

  @Test("it scrolls, follows commits, and has every word at every size")
  func followed() throws {
    for (columns, lines) in [(80, 24), (40, 10), (200, 60), (12, 5)] {
      let screen = try screen(columns: columns, lines: lines)
      try screen.press("gD")
      var words: Set<String> = []
      for _ in 0..<40 {
        words.formUnion(screen.text.split { $0.isWhitespace }.map(String.init))
        try screen.press("j")
      }
      for word in ["Morning", "tea", "bread", "Evening", "walk", "#home"] {
        #expect(words.contains(word), "\(columns)×\(lines): \(word)")
      }
      try screen.press("gg")
      try screen.store.edit(2, text: "Early morning")
      screen.runner.refresh()
      try screen.press("")
      #expect(page(screen)?.entries.first?.text == "Early morning")
      #expect(page(screen)?.offset == 0)
    }
  }
}
