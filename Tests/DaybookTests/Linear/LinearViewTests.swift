import Journal
import SectionedResults
import TestSupport
import Testing
import TextLayout

@testable import Screen
@testable import daybook

/// Every view in words.
@Suite("Views of --linear", .readline)
struct LinearViewTests {
  private static let today = Day(daysSinceEpoch: 20_778)

  private static func base(columns: Int = 80, lines: Int = 24) -> State {
    var state = State(
      journal: "journal.sqlite", today: today, size: Size(columns: columns, lines: lines))
    state.environment.isLinear = true
    state.list.widget.reload(
      sections: [
        ListWidget.Section(key: today.description, count: 2),
        ListWidget.Section(key: "2025-11-20", count: 1),
      ], generation: 0)
    return state
  }

  private static func entry(_ number: Int64, _ text: String) -> Entry {
    let moment = Moment(seconds: 20_778 * 86_400 + 33_300, offset: 0)
    return Entry(
      uuid: "u\(number)", number: number, created: moment, modified: moment, day: today, text: text,
      starred: true)
  }

  private static func speaker() -> Speaker {
    Speaker(echoesPrompts: true) { path in
      entry(Int64(path.section * 2 + path.row + 1), "Soup \(path.section)\(path.row) #food").row()
    }
  }

  /// One of each view, with the words that it must say.
  private static func views(_ state: State) -> [(mode: Mode, words: String)] {
    let calendar = MonthCalendar(day: today)
    let bar = JumpBar(titles: [IndexTitle(title: "A", section: 0)], selected: 0, columns: 1)
    let grid = YearGrid([ListWidget.Section(key: "2026-11-21", count: 1_234)], .day)
      .map { JumpBar(grid: $0, month: 2026 * 12 + 10) }
    let help = HelpPage(
      of: .list, layout: HelpLayout(.standard, in: .list, columns: 80, isLinear: true))
    let page = OutputPage(title: "tags", lines: ["- old", "#food  3"], roles: [0: .removed])
    let version = VersionPage(
      number: 7, index: 2, count: 2, written: Moment(seconds: 0, offset: 0), base: 99,
      difference: MarkedDifference(from: "old\nkept", to: "new\nkept"))
    var conflict = version
    conflict.conflict = VersionPage.Conflict(
      index: 1, written: version.written,
      difference: AlignedDifference(TextDifference(from: "theirs", to: "mine")))
    let menu = Menu(
      title: "tags", items: [Menu.Item("#food", detail: "3", effect: .list(.findDay("today")))])
    var statistics = StatisticsView(scope: ListScope(), today: today)
    statistics.counted = .entries(StatisticsCounter().finished())
    let files = FilesPage(
      number: 7,
      files: [
        .init(
          name: "sea.png", details: "PNG, 98 bytes", target: "0", hash: "0", fileName: "sea.png")
      ])
    let day = DayPage(days: today...today, entries: [entry(7, text)], count: 1)
    var gallery = state
    gallery.pages.mode = .gallery(Gallery(scope: ListScope()))
    let picture = Gallery.Picture(
      entry: FoundTitle(number: 7, title: "At sea", day: Day(daysSinceEpoch: 20_778)), place: 1,
      hash: "0", shown: nil, details: "PNG, 98 bytes", fileName: "sea.png")
    _ = update(&gallery, .gallery(.found(ListScope(), [picture], count: 1)))
    return [
      (.list, "row 1 of 3"), (.help(help), "j or Down: down"), (.reading, "entry 7"),
      (.output(page), "removed: old"), (.versions(version), "added: new"),
      (.versions(conflict), "theirs"), (.menu(menu), "1 of 1: #food, 3"),
      (.calendar(calendar), "today, Saturday 21 November 2026, 0 entries"),
      (.jump(bar), "1 of 1: A"), (.jump(grid ?? bar), "November 2026, 1,234 entries"),
      (.statistics(statistics), "No entries yet"), (.order, "n: newest"),
      (.titles(TitleFinder()), "titles"), (.sidebar, "sidebar"),
      (.files(files), "files of entry 7: 1 of 1: sea.png, PNG, 98 bytes"),
      (.day(day), "Saturday 21 November 2026, 1 entry"),
      (gallery.pages.mode, "1 of 1: Saturday 21 November 2026, At sea, PNG, 98 bytes"),
    ]
  }

  @Test("none is silent when it opens, when asked where one is, and when asked for all of it")
  func everyView() {
    for (columns, lines) in [(80, 24), (40, 10), (200, 60), (1, 1)] {
      let base = Self.base(columns: columns, lines: lines)
      for (mode, words) in Self.views(base) {
        // One of each kind: a mode that is new does not compile here until it is said, too.
        switch mode {
        case .list, .help, .reading, .output, .versions, .menu, .calendar, .jump, .statistics,
          .order, .titles, .sidebar, .files, .gallery, .day:
          break
        }
        var state = base
        state.pages.mode = mode
        if mode == .sidebar { state.sidebar = Sidebar() }
        if mode == .reading {
          state.pane.reading = Reading(entry: Self.entry(7, Self.text), columns: 4_096)
        }
        state.layOutPage()
        let speaker = Self.speaker()
        let opened = speaker.lines(from: mode == .list ? nil : base, to: state)
        if columns > 1 {
          #expect(opened.joined(separator: "\n").contains(words), "\(mode.context): \(opened)")
        }
        for request in [SpeechState.Request.place, .all] {
          var asked = state
          asked.speech.ask(request)
          let said = speaker.lines(from: state, to: asked)
          #expect(!said.isEmpty, "\(mode.context) \(request)")
          for line in opened + said {
            #expect(line.unicodeScalars.allSatisfy { !LinearSigns.isDrawn($0) }, "\(line)")
          }
        }
        var pressed = state
        pressed.speech.notePress()
        #expect(!speaker.lines(from: state, to: pressed).isEmpty, "\(mode.context)")
      }
    }
  }

  private static let text = """
    Sunday walk

    # A heading
    - bread
      - nested
    - [ ] call @anna
    > A quote
    > > inside

    | Day | Mood |
    |-----|------|
    | Mon | good |

    ---
    The **end** of 東京 🍜.
    """

  @Test("an entry is read without its markup, with words for what it means")
  func entry() {
    let reading = Reading(entry: Self.entry(7, Self.text), columns: Environment.spokenColumns)
    let said = (EntryBar.headLines..<reading.lines).map(reading.spokenLine).filter { !$0.isEmpty }
    #expect(
      said == [
        "heading: Sunday walk", "heading: A heading", "item: bread", "item: nested",
        "open task: call @anna", "quote: A quote", "quote: inside", "Day, Mood", "Mon, good",
        "break",
        "The end of 東京 🍜.",
      ])
  }

  @Test("keys are said by their names")
  func keys() {
    for (keys, words) in [
      ("^D", "Control D"), ("j Down", "j or Down"), ("?", "question mark"),
      ("gg Home", "gg or Home"),
      ("^X^E", "Control X Control E"), ("^X f", "Control X f"), ("gS", "gS"), (",", "comma"),
    ] {
      #expect(Spoken.keys(keys) == words)
    }
  }

  @Test("random keys say the selected entry, and never what is drawn")
  func randomKeys() throws {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    let keys = [
      "j", "k", "}", "{", "G", "gg", "<Enter>", "q<Esc>", "s", "d", "u", "<Space>", "V", "zM", "zR",
      "<Tab>", "M", "S<Esc>", "?<Esc>", "om", "od", "ot", "gs", "<Esc>", "T", "fsoup<Enter>",
      "/2<Enter>",
      "n", "aNew one<Enter>", "e more<Enter>", "t+x<Enter>", "H<Esc>", ",", "=", "x", "c<Esc>",
      "gi", "l",
      "h", "p", ":tags<Enter>", "<C-d>", "<C-p>so<Enter>", "3", ":nosuch<Enter>", "<PageDown>",
    ]
    let entries = (1...9).map { index in
      (
        seconds: ScriptedScreen.now - Int64(10 - index) * 30_000,
        text: "soup \(index) #t\(index % 3)\n\n- [ ] task 漢字 👩‍👩‍👧"
      )
    }
    for (columns, lines) in [(80, 24), (40, 10), (200, 60)] {
      let screen = try ScriptedScreen(
        keysAreTyped: true, columns: columns, lines: lines, entries: entries, isLinear: true)
      var pressed: [String] = []
      for _ in 0..<80 where screen.runner.exitCode == nil {
        let key = keys[Int.random(in: 0..<keys.count, using: &random)]
        if key.first == "q" || key == "<Esc>", screen.runner.state.pages.mode == .list,
          screen.runner.state.prompt.open == nil, key.first == "q"
        {
          continue
        }
        pressed.append(key)
        let before = screen.said.count
        let arrival: ScriptedScreen.Arrival = Bool.random(using: &random) ? .atOnce : .oneByOne
        try screen.press(key, arrival)
        // Only what opens and closes at once, such as H and Esc, leaves nothing to say.
        let mayBeSilent = arrival == .atOnce && key.hasSuffix("<Esc>") && key != "<Esc>"
        #expect(
          screen.said.count > before || screen.runner.state.prompt.open != nil || mayBeSilent
            || !screen.runner.state.pressed.pending.isEmpty, "silent: \(pressed)")
        guard screen.runner.exitCode == nil, screen.runner.state.pages.mode == .list,
          screen.runner.state.prompt.open == nil, screen.runner.state.pressed.pending.isEmpty,
          screen.runner.state.questions.question == nil,
          screen.runner.state.places.letterUse == nil,
          let path = screen.runner.state.list.widget.selection?.path,
          let row = screen.runner.journal?.listing.row(at: path)
        else { continue }
        let place = screen.said.count
        try screen.press("=")
        let said = screen.said.dropFirst(place).joined(separator: "\n")
        #expect(said.hasPrefix("row "), "\(pressed): \(said)")
        #expect(said.contains(Entry.plainTitle(of: row.title)), "\(pressed): \(said)")
      }
      for line in screen.said {
        #expect(line.unicodeScalars.allSatisfy { !LinearSigns.isDrawn($0) }, "\(line)")
      }
    }
  }
}

/// The signs that are there for the eye.
enum LinearSigns {
  /// Box lines, blocks, shapes, Braille, bullets, marks of a list.
  static func isDrawn(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2500...0x25FF, 0x2800...0x28FF, 0x2022, 0x203A, 0x2605, 0x2610, 0x2611, 0x2713, 0x1B:
      true
    default: false
    }
  }
}
