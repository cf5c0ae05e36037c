import TextLayout

/// A view that fills the main part of the screen in place of the list: the help, the calendar, a menu.
///
/// A page is a value: it moves, answers the mouse and draws itself. Its methods read the state of the
/// screen; the state replaces the page by the changed one. ``Mode`` lists the pages, and a new one is
/// a case there, a case of ``KeyContext`` and a row of the action whose key opens it.
protocol Page: Equatable, Sendable {
  /// The mode of the screen while it shows this page.
  var mode: Mode { get }

  /// The context for key look-ups.
  var context: KeyContext { get }

  /// The text of the status line; `nil` for the journal and the list's scope.
  func title(in state: State) -> String?

  /// The position at the end of the status line; `nil` if there is none.
  func position(in state: State) -> String?

  /// The sentence in place of a page without contents, with the next key; `nil` if it has some.
  func emptyText(_ keys: KeyTable, in state: State) -> String?

  /// Draws the page over the main part of the screen.
  func draw(_ state: State, in rect: CanvasRect, on canvas: inout Canvas)

  /// The visible pictures of the page, which are drawn above it as soon as their pixels are there.
  func pictures(_ state: State, in rect: CanvasRect) -> [PlacedPicture]

  /// Adapts the page to the size of the screen and the settings.
  mutating func layOut(in state: State)

  /// Moves by a key.
  mutating func move(_ movement: Movement, count: Int?, in state: State) -> [Effect]

  /// Scrolls by lines, down if positive, as the wheel of a mouse does.
  mutating func scroll(by lines: Int, in state: State) -> [Effect]

  /// Handles a click at a cell of the page.
  mutating func click(column: Int, line: Int, in state: State) -> Click

  /// Shows today, or the present; `nil` if the page has no dates.
  mutating func goToToday(in state: State) -> [Effect]?

  /// Performs the selected line or cell; `nil` if the page has nothing to choose from.
  func choose(in state: inout State) -> [Effect]?

  /// Leaves the page by a key.
  func close(in state: inout State) -> [Effect]

  /// The requests for data that a commit may have changed.
  var refresh: [Effect] { get }

  /// The requests for data that the page lacks after a change of the size.
  var missing: [Effect] { get }

  /// Whether the page is empty until a request is answered; it closes if the request fails.
  var isWaiting: Bool { get }

  /// The name of the page, in words.
  func spokenTitle(in state: State) -> String

  /// The selected line or cell, in words; `nil` for a page of lines.
  func spokenPlace(in state: State) -> String?

  /// The identity of the page for people who hear it.
  func spokenIdentity(in state: State) -> String

  /// All of the page, in words.
  func spokenLines(in state: State) -> [String]

  var subject: PageSubject { get }

  /// Whether another page of the kind shows the same thing, and gives way to this one.
  func isSame(as page: Self) -> Bool
}

/// The subject of a page: the default entry of commands.
enum PageSubject: Equatable {
  /// An entry, by its number.
  case entry(Int64)
  /// The subject of the view underneath.
  case covered
  /// Other entries than the selected one, which is hidden.
  case others
}

/// The result of a click on a page.
enum Click: Equatable {
  /// There is nothing at the cell.
  case nothing
  /// The cell was selected, with the resulting requests.
  case selected([Effect])
  /// The cell was selected before: the click chooses it.
  case chosen
}

extension Page {
  func position(in state: State) -> String? { nil }
  func emptyText(_ keys: KeyTable, in state: State) -> String? { nil }
  func pictures(_ state: State, in rect: CanvasRect) -> [PlacedPicture] { [] }
  mutating func layOut(in state: State) {}
  mutating func click(column: Int, line: Int, in state: State) -> Click { .nothing }
  mutating func goToToday(in state: State) -> [Effect]? { nil }
  func choose(in state: inout State) -> [Effect]? { nil }
  var refresh: [Effect] { [] }
  var missing: [Effect] { [] }
  var isWaiting: Bool { false }
  var subject: PageSubject { .others }
  func isSame(as page: Self) -> Bool { true }

  func close(in state: inout State) -> [Effect] { state.closePage() }
}

/// A page of lines that are scrolled.
protocol ScrolledPage: Page {
  /// The first visible line.
  var offset: Int { get set }
  /// The number of lines at the current width.
  var lineCount: Int { get }
  /// A line, in words.
  func spokenLine(_ index: Int, in state: State) -> String
}

extension ScrolledPage {
  func position(in state: State) -> String? { state.percent(offset, of: lineCount) }

  mutating func layOut(in state: State) { offset = state.clamped(offset, of: lineCount) }

  mutating func move(_ movement: Movement, count: Int?, in state: State) -> [Effect] {
    offset = state.scrolled(offset, of: lineCount, movement, count)
    return []
  }

  mutating func scroll(by lines: Int, in state: State) -> [Effect] {
    offset = state.clamped(offset + lines, of: lineCount)
    return []
  }
}

/// A page whose lines `/`, `n` and `N` search.
protocol SearchablePage: ScrolledPage {
  /// The text of the lines.
  var searchLines: [String] { get }
}

/// The focused view and those that it covers.
package struct PageStack: Equatable, Sendable {
  /// The focused view.
  package var mode: Mode = .list
  /// The views under the open page, without the list, which is below all of them; closing the page
  /// returns to the last one.
  package var covered: [Mode] = []
  /// The last search in the open page.
  package var search: PageSearch?

  /// Opens a page over the focused view, or in place of it if that is the same page.
  mutating func push<Kind: Page>(_ page: Kind) {
    let isShown = (mode.page as? Kind).map { page.isSame(as: $0) } ?? false
    if !isShown, mode != .list, mode != .order { covered.append(mode) }
    search = nil
    mode = page.mode
  }

  /// Closes the focused view for the one under it.
  ///
  /// - Returns: whether there is one; else the list is focused.
  mutating func pop() -> Bool {
    search = nil
    let view = covered.popLast()
    mode = view ?? .list
    return view != nil
  }

  /// Focuses a view over the list, and closes all others.
  mutating func focus(_ view: Mode) {
    (mode, covered) = (view, [])
  }
}

/// Pages cover other views, in a stack.
extension State {
  /// Opens a page over the focused view, or in place of it if that is the same page.
  mutating func open<Kind: Page>(_ page: Kind) {
    pages.push(page)
    layOutPage()
  }

  /// Closes the open page for the view that it covers, whose data may have changed meanwhile.
  mutating func closePage() -> [Effect] {
    // Nobody waits for the contents of a page that is closed before they came.
    if pages.mode.page?.isWaiting == true {
      work.queries.finish(.statistics, .pictures)
      work.word = nil
    }
    guard pages.pop() else {
      leaveMode()
      return []
    }
    fit()
    layOutPage()
    return refreshedReading() + refreshedPage()
  }

  /// Changes the open page.
  ///
  /// - Parameter change: gets the page and the state before the change.
  /// - Returns: the result of the change; `nil` without a page.
  @discardableResult
  mutating func changePage<Result>(_ change: (inout any Page, State) -> Result) -> Result? {
    guard var page = pages.mode.page else { return nil }
    let result = change(&page, self)
    pages.mode = page.mode
    return result
  }

  /// Adapts the open page to the size of the screen and the settings.
  mutating func layOutPage() {
    changePage { $0.layOut(in: $1) }
  }

  /// Requests the data of the open page again.
  func refreshedPage() -> [Effect] { pages.mode.page?.refresh ?? [] }

  /// Whether a commit may change the open page, the sidebar, where links lead, or the note of what is
  /// unsent.
  package var showsCommits: Bool {
    sidebar != nil || sync != nil || pages.mode.page?.refresh.isEmpty == false
      || pane.reading?.references.isEmpty == false
  }

  /// Closes a page whose request failed or was cancelled.
  mutating func closeWaitingPage() {
    // The view below is not asked for again: it would fail for the same reason.
    if pages.mode.page?.isWaiting == true { _ = closePage() }
  }

  /// Handles a click on a page: it selects, and a click on the selection chooses.
  mutating func clickPage(column: Int, line: Int) -> [Effect] {
    switch changePage({ $0.click(column: column, line: line, in: $1) }) {
    case .selected(let effects)?: return effects
    case .chosen?: return pages.mode.page?.choose(in: &self) ?? []
    case .nothing?, nil: return []
    }
  }
}
