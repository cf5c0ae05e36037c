import Journal
import JournalStore
import Screen
import Testing

@testable import daybook

/// What is typed as a filter, and changes that it hides.
@Suite("Typing a filter, and changing its entries", .readline)
struct FilteredEditTests {
  private typealias Arrival = ScriptedScreen.Arrival

  private func screen(isLinear: Bool = false) throws -> ScriptedScreen {
    try ScriptedScreen(
      keysAreTyped: true,
      entries: (1...3).map {
        (ScriptedScreen.now - Int64(100 - $0), "Entry \($0) #home ~~old~~")
      },
      isLinear: isLinear)
  }

  private static let news = "hidden by this list; Esc goes there"

  @Test("a tag or a field that is only begun is no error while it is typed, but is with Enter")
  func begun() throws {
    for begin in ["f#", "f@", "fentry -#", "fsince:", "/#"] {
      let screen = try screen()
      try screen.press(begin, .oneByOne)
      #expect(screen.runner.state.status == nil, "\(begin): \(screen.text)")
      #expect(screen.runner.state.list.widget.rowCount == 3)
      try screen.press("<Enter>", .oneByOne)
      #expect(screen.runner.state.status?.kind == .failed, "\(begin): \(screen.text)")
      try screen.press("<Esc>")
    }
  }

  @Test(
    "a change that the filter hides says so, and Esc goes there",
    arguments: [
      ("f#home<Enter>", "e<C-a><C-k>No tag<Enter>", "saved entry 3, "),
      ("f#home<Enter>", "t-home<Enter>", "tagged entry 3, "),
      ("fon:2026-11-21<Enter>", "D2026-11-20<Enter>", ""),
      ("f-is:starred<Enter>", "s", "starred entry 3, "),
      ("f#home<Enter>", ":edit 3 no tag<Enter>", "saved entry 3, "),
    ])
  func hidden(filter: String, change: String, words: String) throws {
    for arrival in Arrival.allCases {
      let screen = try screen()
      try screen.press(filter, arrival)
      #expect(screen.selected == 3)
      try screen.press(change, arrival)
      #expect(screen.text.contains(words + Self.news), "\(change): \(screen.text)")
      #expect(screen.selected == 2)
      try screen.press("<Esc>", arrival)
      #expect(screen.selected == 3, "\(change): \(screen.text)")
    }
  }

  @Test("an edit that follows at once is of the hidden entry; a key between them ends that")
  func editingAgain() throws {
    for arrival in Arrival.allCases {
      let screen = try screen()
      try screen.press("f#home<Enter>t-home<Enter>e", arrival)
      #expect(screen.runner.state.prompt.open?.kind == .edit(3), "\(screen.text)")
      try screen.press(" again<Enter>", arrival)
      #expect(try screen.store.entry(3).text.hasSuffix("again"))
      try screen.press("j", arrival)
      try screen.press("e", arrival)
      #expect(screen.runner.state.prompt.open?.kind == .edit(1), "\(screen.text)")
      try screen.press("<Esc>", arrival)
      // Another entry than the selected one.
      try screen.press(":edit 2 no tag<Enter>e", arrival)
      #expect(screen.runner.state.prompt.open?.kind == .edit(1), "\(screen.text)")
      try screen.press("<Esc>", arrival)
    }
  }

  @Test("of several entries the number of the hidden ones is said; without a filter nothing is")
  func several() throws {
    let screen = try screen()
    try screen.press("Vjt-home<Enter>")
    #expect(!screen.text.contains("hidden"), "\(screen.text)")
    try screen.press("uf#home<Enter>Vjt-home<Enter>")
    #expect(screen.text.contains("tagged 2 entries, 2 of them hidden by this list"))
    try screen.press("ud")
    #expect(!screen.text.contains("hidden"), "\(screen.text)")
  }

  @Test("a tag with the other sign is offered where the typed one has no entry")
  func otherSign() throws {
    let screen = try screen()
    try screen.press("aLunch @anna<Enter>f#anna<Enter>", .oneByOne)
    #expect(screen.text.contains("no entry matches #anna; did you mean @anna?"), "\(screen.text)")
    try screen.press("<Esc>f#work<Enter>", .oneByOne)
    #expect(!screen.text.contains("did you mean"), "\(screen.text)")
  }
}
