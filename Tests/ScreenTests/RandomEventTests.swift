import Journal
import SectionedResults
import TestSupport
import Testing
import TextLayout

@testable import Screen

/// Whatever happens in whatever order, what the screen relies on holds.
struct RandomEventTests {
  @Test(
    "the invariants of the screen hold after every one of many random events", arguments: 0..<40)
  func invariants(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed) &+ 1)
    var store = TestStore([3, 1, 20])
    for _ in 0..<400 {
      let event = Self.event(store.state, &random)
      _ = update(&store.state, event)
      let problems = Self.problems(of: store.state)
      #expect(problems == [], "seed \(seed), after \(event)")
      if !problems.isEmpty { return }
    }
  }

  private static func problems(of state: State) -> [String] {
    var problems: [String] = []
    let height = state.list.widget.height
    if state.pages.mode.showsList, height != state.layout.listLines.count {
      problems.append("the list has another height than its place")
    }
    if state.list.widget.rowCount > 0, state.list.widget.selection == nil {
      problems.append("nothing selected")
    }
    if let line = state.list.widget.selectionScreenLine, height > 0, !(0..<height).contains(line) {
      problems.append("the selection is off the screen")
    }
    if let path = state.list.widget.selection?.path, !state.list.widget.hasRow(at: path) {
      problems.append("the selected row does not exist")
    }
    if state.pages.mode.showsList, let reading = state.pane.reading,
      reading.offset < 0
        || reading.offset > max(0, reading.lines - state.layout.paneLines.count)
    {
      problems.append("the entry is scrolled away")
    }
    if let page = state.pages.mode.page as? any ScrolledPage,
      page.offset < 0 || page.offset > max(0, page.lineCount - state.layout.main.count)
    {
      problems.append("the page is scrolled away")
    }
    if case .help(let page) = state.pages.mode, page.layout.lines.isEmpty {
      problems.append("the help is empty")
    }
    if let page = state.pages.mode.page, page.mode != state.pages.mode {
      problems.append("another page")
    }
    if state.pages.search != nil, state.pageLines == nil { problems.append("a search in no page") }
    // A menu covers the pane below the list, too.
    let lines = max(1, state.layout.main.count)
    if case .menu(let menu) = state.pages.mode, !menu.items.isEmpty,
      !(menu.offset..<(menu.offset + lines)).contains(menu.selected)
    {
      problems.append("the chosen line is off the screen")
    }
    if let prompt = state.prompt.open, prompt.point > prompt.text.utf8.count {
      problems.append("the cursor is outside the text")
    }
    return problems
  }

  private static func event(_ state: State, _ random: inout SeededGenerator) -> Event {
    switch Int.random(in: 0..<28, using: &random) {
    case 0: return .terminal(.resized(size(&random)))
    case 1: return .list(.batchArrived(batch(state.list.widget, &random)))
    case 2: return .list(.reloaded(sections(&random), generation: state.list.widget.generation + 1))
    case 3:
      return .reader(.opened(TestStore.entry(5, lines: Int.random(in: 3..<60, using: &random))))
    case 27:
      let sources = (0..<Int64.random(in: 0...20, using: &random)).map {
        FoundTitle(number: $0 + 10, title: "title \($0)", day: Day(daysSinceEpoch: 20_000))
      }
      return .reader(.linked(EntryLinks(number: 5, sources: sources, count: sources.count + 3)))
    case 4: return .list(.searchParsed("x", .everything))
    case 5: return .reader(.gone(5))
    case 12: return .reader(.previewed(TestStore.entry(6, lines: 9)))
    case 13: return .list(.rowsMarked([Int64.random(in: 1...9, using: &random)], .toggle))
    case 14:
      let kinds: [MouseAction.Kind] = [.click, .drag, .release, .wheel(3), .wheel(-3)]
      let kind = kinds.randomElement(using: &random) ?? .click
      let column = Int.random(in: 0..<120, using: &random)
      return .mouse(MouseAction(kind, column: column, line: Int.random(in: 0..<30, using: &random)))
    case 15:
      let scope = ListScope(grouping: Grouping.allCases.randomElement(using: &random) ?? .day)
      let generation = state.list.widget.generation + 1
      return .list(.shown(scope, sections(&random), generation: generation, selection: nil))
    case 16: return .jump(.titlesFound([IndexTitle(title: "A", section: 0)]))
    case 17: return .output(.opened(OutputPage(title: "tags", lines: ["a", "b"])))
    case 18:
      let lines = Int.random(in: 3..<60, using: &random)
      return .versions(.opened(VersionTests.page(2, of: 3, lines: lines)))
    case 19:
      let items = (0..<Int.random(in: 0..<30, using: &random)).map {
        Menu.Item("\($0)", effect: .list(.findDay("\($0)")))
      }
      return .menu(.opened(Menu(title: "tags", items: items)))
    case 20:
      let line = Int.random(in: -3..<60, using: &random)
      return .list(
        .placeRestored(
          folded: ["k0"], selection: RowPath(1, Int.random(in: 0..<9, using: &random)),
          screenLine: line))
    case 21:
      return .journal(.saved(Saved("added", unseen: Int64.random(in: 1...9, using: &random))))
    case 24:
      var statistics = Statistics()
      statistics.days = [DayCount(day: .earliest, entries: 1), DayCount(day: .latest, entries: 1)]
      return .statistics(
        .counted(state.statistics?.scope ?? ListScope(), statistics, today: .latest))
    case 22: return .list(.matchesCounted("x", nil))
    case 23: return .journal(.changed)
    case 6 where state.prompt.open == nil: return .prompt(.opened(.newEntry, text: ""))
    case 6: return .prompt(.submitted("text"))
    case 7:
      let text = String(repeating: "é", count: Int.random(in: 0..<9, using: &random))
      return .prompt(.changed(label: ":", text: text, point: text.utf8.count))
    default:
      let keys = KeyTable.standard.bindings.flatMap(\.sequence.keys) + ["1", "9", "0"]
      return .key(keys.randomElement(using: &random) ?? "j")
    }
  }

  private static func size(_ random: inout SeededGenerator) -> Size {
    Size(
      columns: Int.random(in: 0..<120, using: &random),
      lines: Int.random(in: 0..<30, using: &random))
  }

  private static func sections(_ random: inout SeededGenerator) -> [ListWidget.Section] {
    TestStore.sections(
      (0..<Int.random(in: 0..<6, using: &random)).map { _ in
        Int.random(in: 1..<15, using: &random)
      })
  }

  /// A batch that inserts or deletes one row, or a section in front.
  private static func batch(_ list: ListWidget, _ random: inout SeededGenerator) -> ResultsBatch {
    var counts = list.sections.map(\.count)
    var batch = ResultsBatch(from: list.generation, to: list.generation + 1)
    if let section = counts.indices.randomElement(using: &random), counts[section] > 1 {
      if Bool.random(using: &random) {
        batch.deletedRows = [RowPath(section, Int.random(in: 0..<counts[section], using: &random))]
        counts[section] -= 1
      } else {
        batch.insertedRows = [RowPath(section, counts[section])]
        counts[section] += 1
      }
    } else {
      batch.insertedSections = [0]
      batch.insertedSectionKeys = ["x"]
      counts.insert(3, at: 0)
    }
    batch.sectionCountsAfter = counts
    return batch
  }
}
