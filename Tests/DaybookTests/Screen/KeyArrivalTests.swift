import Journal
import Screen
import TestSupport
import Testing

@testable import daybook

/// Keys do the same whether they arrive together, as from a pipe, a macro or over a slow line, or one
/// by one, as from fingers.
@Suite(.readline)
struct KeyArrivalTests {
  typealias Arrival = ScriptedScreen.Arrival

  private static let day: Int64 = 86_400

  /// Rows 1, 2, 3 … of one day, the first the newest.
  private static func rows(_ count: Int64) -> [(seconds: Int64, text: String)] {
    (1...count).reversed().map { (ScriptedScreen.now - $0 * 60, "row \($0)") }
  }

  @Test(
    "d acts on the row that the keys before it led to", arguments: Arrival.allCases,
    [true, false])
  func deletesTheSelectedRow(_ arrival: Arrival, _ keysAreTyped: Bool) throws {
    let cases: [(keys: String, deleted: Set<String>, selected: Int64)] = [
      ("ggjdzzd", ["row 2", "row 3"], 5), ("GdkdQ", ["row 8", "row 6"], 2),
      ("3kdjjs", ["row 1"], 5), ("ggjdjjsd", ["row 2", "row 5"], 3), ("dudu", [], 8),
    ]
    for (keys, deleted, selected) in cases {
      let screen = try ScriptedScreen(keysAreTyped: keysAreTyped, entries: Self.rows(8))
      try screen.press(keys, arrival)
      let found = try screen.journal().filter { $0.contains("deleted") }
        .map { String($0.suffix(5)) }
      #expect(Set(found) == deleted, "\(keys)")
      #expect(screen.selected == selected, "\(keys)")
    }
  }

  @Test("a query waits while an ESC may still be a key, and continues then")
  func escapeBeforeQuery() throws {
    let screen = try ScriptedScreen(keysAreTyped: true, entries: Self.rows(3))
    screen.runner.timers.set(.escape, after: .seconds(3_600))
    try screen.press("frow")
    #expect(!screen.runner.state.work.queries.isEmpty)
    screen.runner.timers.set(.escape, after: nil)
    try screen.press("")
    #expect(screen.runner.state.work.queries.isEmpty)
    #expect(screen.runner.state.list.scope.filter == "row")
  }

  @Test("keys that act on nothing of a count are answered before it, and no key is dropped")
  func keysDuringWork() throws {
    let screen = try ScriptedScreen(keysAreTyped: true, entries: Self.rows(3))
    func isCounting() -> Bool { screen.runner.state.work.queries[.statistics] != nil }
    // The main loop answers nothing meanwhile.
    func press(_ keys: String) throws {
      screen.runner.timers.set(.escape, after: .seconds(3_600))
      try screen.press(keys, .oneByOne)
    }
    try press("S")
    #expect(isCounting())
    try press(":")
    try press("version")
    #expect(isCounting() && screen.runner.state.prompt.open?.text == "version")
    // The line may act on anything.
    try press("<Enter>")
    #expect(!isCounting() && screen.text.contains("Daybook"))
    try press("qS")
    #expect(isCounting())
    // A movement acts on the page, which is there then.
    try press("j")
    #expect(!isCounting())
    try press("qS")
    try press("q")
    #expect(screen.runner.state.pages.mode == .list && !isCounting())
    try press("*")
    #expect(screen.runner.state.marks.numbers.isEmpty)
    try press("d")
    #expect(try screen.journal().filter { $0.contains("deleted") }.count == 3)
  }

  @Test("what a search has found is shown before its matches are counted")
  func shownBeforeCounts() throws {
    var entries = Self.rows(60)
    entries[0].text = "the fifty seals"
    let screen = try ScriptedScreen(
      keysAreTyped: true, entries: entries, recordingIn: MemoryFile())
    try screen.press("/fifty<Enter>")
    let shown = screen.allPictures.map { $0.canvas.plainText() }
    let found = shown.filter { $0.contains("the fifty seals") }
    #expect(found.count > 1 && found.first != found.last, "\(shown.joined(separator: "\n"))")
  }

  @Test(
    "a filter is in force before the next key acts", arguments: Arrival.allCases, [true, false])
  func filterThenAct(_ arrival: Arrival, _ keysAreTyped: Bool) throws {
    let screen = try ScriptedScreen(
      keysAreTyped: keysAreTyped,
      entries: [
        (ScriptedScreen.now - 300, "one #t"), (ScriptedScreen.now - 200, "two"),
        (ScriptedScreen.now - 100, "three #t"), (ScriptedScreen.now - 50, "four"),
      ])
    try screen.press("ggf#t<Enter>djd/three<Enter>", arrival)
    #expect(
      try screen.journal().filter { $0.contains("deleted") }.map { $0.suffix(8) }
        == [" one #t", "three #t"].map { $0.count == 8 ? $0[...] : ("d" + $0)[...] })
  }

  @Test("a row that was edited is painted again, also where the state of the screen is as before")
  func repaints() throws {
    for arrival in Arrival.allCases {
      let screen = try ScriptedScreen(keysAreTyped: true, entries: Self.rows(2))
      try screen.press("e more<Enter>:filter more<Enter><Esc><Esc>", arrival)
      #expect(screen.text.contains("row 1 more"))
    }
  }

  @Test("a wrong argument after : leaves the line to be repaired, with the entries that it names")
  func wrongArgument() throws {
    for arrival in Arrival.allCases {
      let screen = try ScriptedScreen(keysAreTyped: true, entries: Self.rows(4))
      try screen.press(":redate 2 nosuchday<Enter>", arrival)
      #expect(screen.runner.state.prompt.open?.text == "redate 2 nosuchday")
      try screen.press("<C-u>redate 2 2020-05-05<Enter>", arrival)
      #expect(try screen.journal()[1].contains("2020-05-05"))
      try screen.press(":tag 999 zork<Enter>", arrival)
      #expect(screen.runner.state.prompt.open?.text == "tag 999 zork")
    }
  }

  @Test("the first key of a sequence of another view takes the next key with it")
  func foreignPrefix() throws {
    for arrival in Arrival.allCases {
      let screen = try ScriptedScreen(keysAreTyped: true, entries: Self.rows(2))
      try screen.press("gg<Enter>zd", arrival)
      #expect(try screen.journal().filter { $0.contains("deleted") } == [])
      #expect(screen.text.contains("zd is not bound"))
      try screen.press("zM", arrival)
      #expect(screen.text.contains("zM works in the list"))
      try screen.press("z<Esc>d", arrival)
      #expect(try screen.journal().filter { $0.contains("deleted") }.count == 1)
    }
  }

  @Test("Esc with a key behind it in one burst is Esc and the key, where Alt is bound to nothing")
  func escapeAndKey() throws {
    for arrival in Arrival.allCases {
      let screen = try ScriptedScreen(
        keysAreTyped: true,
        entries: [
          (ScriptedScreen.now - 90, "one #t"), (ScriptedScreen.now - 60, "two"),
          (ScriptedScreen.now - 30, "three #t"),
        ])
      try screen.press("ggf#t<Enter><A-j>d", arrival)
      #expect(screen.runner.state.list.scope.filter.isEmpty)
      #expect(
        try screen.journal().filter { $0.contains("deleted") }.map { $0.suffix(3) } == ["two"])
    }
  }

  @Test("keys typed behind a text that could not be saved are forgotten; its message stays")
  func failedSave() throws {
    let screen = try ScriptedScreen(keysAreTyped: true, entries: Self.rows(3))
    try screen.press("gge")
    // Another process changes the entry while it is edited.
    _ = try screen.store.edit(3, text: "changed elsewhere")
    try screen.runner.input?.handle(.input(Array(" more\rojd".utf8)))
    #expect(screen.runner.state.status?.kind == .failed)
    #expect(try screen.journal().filter { $0.contains("deleted") } == [])
    #expect(try screen.store.entry(3).text == "changed elsewhere")
  }

  @Test("the key behind Enter in the finder acts on the list, whether it found a title or none")
  func behindTheFinder() throws {
    for arrival in Arrival.allCases {
      for (typed, deleted) in [("zzz", "row 1"), ("row 2", "row 2"), ("", "row 1")] {
        let screen = try ScriptedScreen(keysAreTyped: true, entries: Self.rows(3))
        try screen.press("gg<C-p>\(typed)<Enter>d", arrival)
        #expect(
          try screen.journal().filter { $0.contains("deleted") }.map { $0.suffix(5) } == [
            deleted[...]
          ],
          "\(typed)")
      }
    }
  }

  @Test("Esc leaves the trash")
  func trash() throws {
    for arrival in Arrival.allCases {
      let screen = try ScriptedScreen(keysAreTyped: true, entries: Self.rows(2))
      try screen.press("dT<Esc>", arrival)
      #expect(!screen.runner.state.list.scope.isTrash)
    }
  }

  @Test("while a range is marked the last line says what ends it")
  func rangeHints() throws {
    let screen = try ScriptedScreen(keysAreTyped: true, entries: Self.rows(3))
    try screen.press("ggVj")
    #expect(screen.text.contains("d delete  s star  t tag  D date  V done  Esc cancel"))
    try screen.press("d")
    #expect(try screen.journal().filter { $0.contains("deleted") }.count == 2)
    #expect(!screen.text.contains("V done"))
  }

  @Test(
    "a filter selects the entry nearest in time, and Esc goes back with folds and scroll offset")
  func landing() throws {
    for arrival in Arrival.allCases {
      let rows: [(seconds: Int64, text: String)] = (1...60).reversed().map {
        (ScriptedScreen.now - $0 * 7_200, $0 % 10 == 0 ? "row \($0) #t" : "row \($0)")
      }
      let screen = try ScriptedScreen(keysAreTyped: true, lines: 12, entries: rows)
      // Entry numbers count from the oldest: row 60 is number 1, row 1 is number 60.
      try screen.press("gg}}zaG21k", arrival)
      let before = (screen.selected, screen.text)
      #expect(before.0 == Int64(22))
      try screen.press("f#t<Enter>", arrival)
      #expect(screen.selected == Int64(21))
      try screen.press("<Esc>", arrival)
      #expect(screen.selected == before.0)
      #expect(screen.text == before.1)
      try screen.press("f#t<Enter>j<Esc>", arrival)
      #expect(screen.selected == Int64(11))
      try screen.press(":list #t<Enter>", arrival)
      #expect(screen.selected == Int64(51))
    }
  }

  /// One test case, so that the screens of other tests have their turn in between.
  @Test("random keys in all views lead to the same journal, selection and screen")
  func random() throws {
    for round in 0..<120 {
      let seed = SeededGenerator.runSeed &* 1_000 &+ UInt64(round)
      var random = SeededGenerator(seed: seed)
      let keysAreTyped = random.chance(percent: 50)
      let size = [(80, 24), (40, 10), (130, 30)][random.below(3)]
      let entries = Self.entries(&random)
      let tokens = Self.tokens(&random)
      var ends: [End] = []
      for arrival in Arrival.allCases {
        let screen = try ScriptedScreen(
          keysAreTyped: keysAreTyped, columns: size.0, lines: size.1, entries: entries)
        for token in tokens where arrival == .oneByOne { try screen.press(token, arrival) }
        if arrival == .atOnce { try screen.press(tokens.joined(), arrival) }
        ends.append(try End(screen))
      }
      let difference = ends[0].difference(to: ends[1])
      #expect(
        difference == nil,
        "seed \(seed), \(size), typed \(keysAreTyped): \(tokens.joined())\n\(difference ?? "")"
      )
      if difference != nil { return }
    }
  }

  /// The final state of a script.
  private struct End {
    let journal: [String]
    let selected: Int64?
    let marks: Set<Int64>
    let scope: ListScope
    let exitCode: Int32?
    let screen: String

    init(_ screen: ScriptedScreen) throws {
      journal = try screen.journal()
      selected = screen.selected
      marks = screen.runner.state.marks.numbers
      scope = screen.runner.state.list.scope
      exitCode = screen.runner.exitCode
      // Matches are counted when nothing else is to be done, and a key may come first.
      self.screen = screen.text
        .replacing(/\ *(\/[^\n]*?)(\ \d+\/[\d,]+)?$/.anchorsMatchLineEndings()) { " \($0.1)" }
    }

    func difference(to other: End) -> String? {
      if journal != other.journal { return "journal\n\(journal)\n\(other.journal)" }
      if selected != other.selected {
        return "selected \(selected ?? 0), \(other.selected ?? 0)\n\(screen)\n\(other.screen)"
      }
      if marks != other.marks { return "marks \(marks.sorted()), \(other.marks.sorted())" }
      if scope != other.scope { return "scope \(scope), \(other.scope)" }
      if exitCode != other.exitCode { return "exit code" }
      return screen == other.screen ? nil : "screen\n\(screen)\n\(other.screen)"
    }
  }

  static func entries(_ random: inout SeededGenerator) -> [(seconds: Int64, text: String)] {
    let words = ["bread", "milk", "東京", "café", "#work", "#home", "walk", "- [ ] buy", "👩‍👩‍👧"]
    let count = 1 + random.below(14)
    return (0..<count).map { index in
      let days = Int64(random.below(6))
      let text = (0...random.below(4)).map { _ in words[random.below(words.count)] }
      return (ScriptedScreen.now - days * day - Int64(index) * 61, text.joined(separator: " "))
    }
  }

  /// Keys of every binding but those that leave for good or for a program of the system, and whole prompts.
  static func tokens(_ random: inout SeededGenerator) -> [String] {
    let prompts = [
      "anew entry #work<Enter>", "a<Esc>", "f#work<Enter>", "fbre<Enter>", "f#home<Esc>",
      "f\"<Enter><Esc>",
      "fzzz<Enter>", "/milk<Enter>", "/\"br<Enter>", "/bread<Esc>", ":sort oldest<Enter>",
      ":section tag<Enter>", ":goto yesterday<Enter>", "t+home<Enter>", "t-work<Enter>",
      "D2026-11-19 10:00<Enter>", ":filter #home<Enter>", ":list milk<Enter>", ":view work<Enter>",
      ":onthisday<Enter>", ":delete 2<Enter>", "e more<Enter>", ":nosuch<Enter><Esc>",
      "gd2026-11-18<Enter>",
      ":tags<Enter>", ":show 3<Enter>", "VjjD3d<Enter>", "Vjd", "Vks", "Vj*",
    ]
    let left: Set<Action> = [
      .quit, .back, .suspend, .newEntryInEditor, .editInEditor, .redraw, .pipe,
    ]
    let keys = KeyTable.standard.bindings.filter { !left.contains($0.action) }
      .map { $0.sequence.keys.joined() }
    return (0..<(4 + random.below(30))).map { _ in
      switch random.below(10) {
      case 0...2: prompts[random.below(prompts.count)]
      case 3: ["2", "3", "9", "<Esc>", "<Esc>"][random.below(5)]
      case 4: ["d", "u", "j", "k", "s", " ", "V"][random.below(7)]
      case 5 where random.chance(percent: 10): "q"
      default: keys[random.below(keys.count)]
      }
    }
  }
}
