import Journal
import Screen
import SectionedResults
import Testing

/// How a journal was looked at, kept as a file and brought back.
struct ViewStateTests {
  @Test("a view state is read back as it was written")
  func roundTrip() throws {
    var view = ViewState()
    view.leftAt = 1_795_000_000
    #expect(ViewState(text: view.text) == view)
    view.order = .title
    view.grouping = .tag
    view.preview = false
    view.side = .below
    view.share = 65
    view.filter = "#home  \"東京 x\" "
    view.takesPrefix = true
    view.folded = ["2026-11-21", "", "@anna b"]
    view.selected = "01a1fef4-b360-7dbe-8807-2a83daa5b1a1"
    view.screenLine = 12
    let text = view.text
    #expect(text.contains("order title\nsection tag\npreview off\npane below\nshare 65\n"))
    #expect(ViewState(text: text) == view)
  }

  @Test("a damaged file, or one of somebody else, is none")
  func damaged() {
    var view = ViewState()
    view.filter = "bread"
    let text = view.text
    for end in 1..<text.count { #expect(ViewState(text: String(text.dropLast(end))) != view) }
    for other in ["", "{}", "daybook view 2\n", text + "colour red\n", "daybook view 1\nleft x\n"] {
      #expect(ViewState(text: other) == nil, "\(other)")
    }
  }

  @Test("numbers of any size are read, and hold at no time", arguments: [Int64.max, Int64.min])
  func extremes(number: Int64) throws {
    let view = try #require(ViewState(text: "daybook view 1\nleft \(number)\nline \(number)\n"))
    for now in [Int64.min, 0, 1_795_000_000, Int64.max] where now != number {
      #expect(view.holding(at: now).screenLine == 0)
    }
  }

  @Test("what the configuration says already is not kept, nor what the trash showed")
  func onlyChosen() {
    var settings = Settings()
    settings.section = .week
    var state = TestStore([3]).state
    state.list.scope = ListScope(filter: "x", order: .title, grouping: .week)
    var view = ViewState(state, selected: "u", settings: settings, leftAt: 5)
    #expect(view.order == .title)
    #expect(view.grouping == nil)
    #expect(view.filter == "x")
    state.list.scope.isTrash = true
    view = ViewState(state, selected: "u", settings: settings, leftAt: 5)
    #expect(view.filter.isEmpty && view.selected == nil)
  }

  @Test("filter, folds and place hold for an hour, the way of looking for good")
  func fresh() {
    var view = ViewState()
    view.order = .oldest
    view.filter = "bread"
    view.folded = ["k"]
    view.selected = "u"
    view.leftAt = 10_000
    #expect(view.holding(at: 13_600) == view)
    for time: Int64 in [13_601, 9_999] {
      let later = view.holding(at: time)
      #expect(later.order == .oldest)
      #expect(later.filter.isEmpty && later.folded.isEmpty && later.selected == nil)
    }
  }

  @Test("the list is folded, selected and scrolled as it was left")
  func place() {
    var store = TestStore([30, 30, 30], lines: 12)
    store.send(
      .list(.placeRestored(folded: ["k0"], selection: RowPath(1, 20), screenLine: 4))
    ) {
      $0.list.widget.fold(keys: ["k0"])
      $0.list.widget.select(RowPath(1, 20))
      $0.list.widget.scroll(by: ($0.list.widget.selectionScreenLine ?? 0) - 4)
    }
    #expect(store.state.list.widget.selectionScreenLine == 4)
    #expect(store.state.list.widget.selection == .row(RowPath(1, 20)))
    store.send(.list(.placeRestored(folded: [], selection: RowPath(9, 9), screenLine: 4)))
  }
}
