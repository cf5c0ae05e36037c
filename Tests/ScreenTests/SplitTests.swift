import Journal
import Screen
import SectionedResults
import Testing

/// List and reading pane share the screen, side by side or one above the other.
struct SplitTests {
  @Test("every size, side and share divides into list, line and pane without overlap")
  func everySize() {
    for columns in [1, 20, 40, 59, 60, 80, 110, 140, 240] {
      for lines in 1...50 {
        for side in PaneSide.allCases {
          for share in [nil, 20, 50, 80] as [Int?] {
            check(columns, lines, Split(side: side, share: share))
          }
        }
      }
    }
  }

  private func check(_ columns: Int, _ lines: Int, _ split: Split) {
    var state = TestStore([3], columns: columns, lines: lines).state
    (state.pane.split, state.pane.isWanted) = (split, true)
    let layout = state.layout
    #expect((1...Layout.widestText).contains(layout.textColumns))
    guard layout.isSplit else {
      #expect(layout.list == 0..<columns)
      #expect(layout.listLines == layout.main)
      return
    }
    #expect(layout.list.lowerBound == 0)
    #expect(layout.pane.upperBound == columns)
    if layout.isStacked {
      #expect(split.side != .beside)
      #expect(layout.list == 0..<columns && layout.pane == 0..<columns)
      #expect(layout.listLines.lowerBound == layout.main.lowerBound)
      #expect(layout.paneLines.lowerBound == layout.listLines.upperBound + 1)
      #expect(layout.paneLines.upperBound == layout.main.upperBound)
      #expect(layout.listLines.count >= 4 && layout.paneLines.count >= 5)
    } else {
      #expect(split.side != .below)
      #expect(layout.pane.lowerBound == layout.list.upperBound + 2)
      #expect(layout.list.count >= 28 && layout.pane.count >= 28)
      #expect(layout.listLines == layout.main && layout.paneLines == layout.main)
    }
  }

  @Test("without a choice the pane is beside the list on wide screens, and below it on none")
  func usual() {
    for (columns, lines, isSplit) in [(80, 24, false), (110, 24, true), (80, 60, false)] {
      let layout = TestStore([3], columns: columns, lines: lines).state.layout
      #expect(layout.isSplit == isSplit)
      #expect(!layout.isStacked)
    }
  }

  @Test("p on a narrow high screen opens the pane below the list")
  func below() {
    var store = TestStore([3], columns: 80, lines: 50)
    _ = update(&store.state, .key("p"))
    #expect(store.state.layout.isStacked)
    #expect(store.state.list.widget.height == store.state.layout.listLines.count)
    var short = TestStore([3], columns: 80, lines: 24)
    _ = update(&short.state, .key("p"))
    #expect(short.state.layout.isSplit && !short.state.layout.isStacked)
  }

  @Test("P turns the pane below the list and back, and says where there is no room")
  func turning() {
    var store = wide()
    _ = update(&store.state, .key("P"))
    #expect(store.state.layout.isStacked)
    _ = update(&store.state, .key("P"))
    #expect(store.state.layout.isSplit && !store.state.layout.isStacked)
    var low = TestStore([3], columns: 130, lines: 12)
    low.state.pane.isWanted = true
    low.state.pane.source = PreviewSource(generation: 1, selection: .row(RowPath(0, 0)))
    low.press("P") { $0.status = .failed("too small for a pane below the list") }
    var narrow = TestStore([3], columns: 50, lines: 20)
    _ = update(&narrow.state, .key("P"))
    #expect(narrow.state.layout.isStacked)
    narrow.press("P") { $0.status = .failed("too small for a pane beside the list") }
  }

  @Test("< and > change the list's share within its limits, at once or one by one")
  func resizing() {
    var store = wide()
    store.press("<lt>") { $0.pane.split.share = 35 }
    store.press("3>") { $0.pane.split.share = 50 }
    store.press("99>") { $0.pane.split.share = 80 }
    store.press("99<lt>") { $0.pane.split.share = 20 }
    #expect(store.state.layout.list.count >= 28)
    var alone = TestStore([3])
    alone.press(">") { $0.status = .failed("there is one pane; p shows the other") }
  }

  @Test("the line between both follows the mouse", arguments: [PaneSide.beside, .below])
  func dragging(side: PaneSide) {
    var store = wide()
    store.state.pane.split.side = side
    func divider() -> (column: Int, line: Int) {
      let layout = store.state.layout
      return layout.isStacked ? (5, layout.listLines.upperBound) : (layout.list.upperBound + 1, 5)
    }
    let start = divider()
    send(.click, start.column, start.line, &store)
    #expect(store.state.pane.split.isDragged)
    for step in 1...5 {
      let column = start.column + (side == .beside ? step * 3 : 0)
      let line = start.line + (side == .below ? step : 0)
      send(.drag, column, line, &store)
      let now = divider()
      // A share is a whole number of per cent, which is more than a column on this screen.
      #expect(abs(now.column - column) <= 1 && abs(now.line - line) <= 1)
    }
    let selection = store.state.list.widget.selection
    send(.release, 60, 5, &store)
    #expect(!store.state.pane.split.isDragged)
    #expect(store.state.list.widget.selection == selection)
    let share = store.state.pane.split.share
    send(.drag, 20, 20, &store)
    #expect(store.state.pane.split.share == share)
  }

  @Test("a click and the wheel act on the view under them, stacked too")
  func clicks() {
    var store = wide()
    store.state.pane.split.side = .below
    store.state.list.widget.resize(height: store.state.layout.listLines.count)
    _ = update(&store.state, .reader(.previewed(TestStore.entry(7, lines: 90))))
    let pane = store.state.layout.paneLines.lowerBound + 2
    send(.wheel(3), 5, pane, &store)
    #expect(store.state.pane.reading?.offset == 3)
    let row = store.state.layout.listLines.lowerBound + 2
    send(.click, 5, row, &store)
    #expect(store.state.list.widget.selection == .row(RowPath(0, 1)))
    #expect(
      update(&store.state, .mouse(MouseAction(.click, column: 5, line: pane)))
        == [.read(.entry(.row(RowPath(0, 1))))])
  }

  @Test("the settings choose side and share, and a choice on the screen holds until they change")
  func settings() {
    var state = TestStore([3], columns: 130, lines: 50).state
    var settings = Settings()
    (settings.paneSide, settings.listShare, settings.preview) = (.below, 30, .on)
    _ = update(&state, .settings(.changed(settings)))
    #expect(state.layout.isStacked)
    #expect(state.pane.split.share == 30)
    _ = update(&state, .key(">"))
    settings.scrollMargin = 5
    _ = update(&state, .settings(.changed(settings)))
    #expect(state.pane.split.share == 35)
    #expect(ViewState(state, selected: nil, settings: settings, leftAt: 0).share == 35)
    settings.listShare = 0
    _ = update(&state, .settings(.changed(settings)))
    #expect(state.pane.split.share == nil)
  }

  private func send(
    _ kind: MouseAction.Kind, _ column: Int, _ line: Int, _ store: inout TestStore
  ) {
    _ = update(&store.state, .mouse(MouseAction(kind, column: column, line: line)))
  }

  private func wide() -> TestStore {
    var store = TestStore([3], columns: 130, lines: 30)
    _ = update(&store.state, .list(.reloaded(TestStore.sections([3]), generation: 1)))
    return store
  }
}
