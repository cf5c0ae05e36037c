import Journal
import TextLayout

/// The titles that contain some typed letters, to go to an entry.
///
/// A prompt is open below it: each key finds again, Up and Down select, Enter goes to the entry.
package struct TitleFinder: Equatable, Sendable {
  /// The letters typed so far.
  package private(set) var typed = ""
  /// The titles found for ``found``.
  private var titles: [FoundTitle] = []
  /// The letters of the last answer; `nil` before the first.
  private var found: String?
  /// The titles as lines to choose from.
  private(set) var menu = Menu(title: "titles", items: [])
  /// The steps of the selection that wait for the answer.
  private var steps = 0
  /// Whether Enter waits for the answer.
  fileprivate var isChosen = false

  package init() {}

  /// The maximum number of titles.
  package static let most = 200

  /// Whether the titles belong to the typed letters.
  private var isAnswered: Bool { found == typed }

  fileprivate mutating func type(_ text: String) {
    guard text != typed else { return }
    (typed, steps) = (text, 0)
  }

  fileprivate mutating func take(_ titles: [FoundTitle], for text: String, in state: State) {
    guard text == typed else { return }
    // After a commit the selection stays at its entry, so that Enter goes where it would have.
    let chosen = found == text ? title(at: menu.selected)?.number : nil
    let selected = titles.firstIndex { $0.number == chosen } ?? (found == text ? menu.selected : 0)
    (self.titles, found) = (titles, text)
    menu = Menu(
      title: "titles",
      items: titles.map {
        Menu.Item(
          $0.title.isBlank ? "(no title)" : Entry.plainTitle(of: $0.title),
          detail: state.dates.text(of: $0.day), shortDetail: state.dates.shortText(of: $0.day),
          effect: .list(.findEntry($0.number)))
      }, selected: selected)
    menu.layOut(in: state)
    if steps != 0 { select(by: steps, in: state) }
    steps = 0
  }

  /// Moves the selection, now or as soon as the titles are known.
  fileprivate mutating func select(by count: Int, in state: State) {
    guard isAnswered else {
      steps += count
      return
    }
    menu.selected = min(max(0, menu.selected + count), max(0, titles.count - 1))
    menu.layOut(in: state)
  }

  fileprivate mutating func submit() { isChosen = true }

  /// The entry to go to, once Enter was pressed and the titles are known; `nil` otherwise.
  fileprivate var result: FoundTitle?? {
    guard isChosen, isAnswered else { return nil }
    return .some(titles.indices.contains(menu.selected) ? titles[menu.selected] : nil)
  }

  fileprivate func title(at index: Int) -> FoundTitle? {
    titles.indices.contains(index) ? titles[index] : nil
  }
}

extension State {
  /// Opens the finder with its prompt.
  mutating func openTitles() -> [Effect] {
    open(TitleFinder())
    return [.prompt(.open(.titles)), .query(.findTitles(""))]
  }

  /// Finds titles for the letters typed so far.
  mutating func typeTitle(_ text: String) -> [Effect] {
    changeFinder { finder, _ in finder.type(text) }
    return [.query(.findTitles(text))]
  }

  /// Moves the selection of the finder.
  mutating func selectTitle(by count: Int) {
    changeFinder { $0.select(by: count, in: $1) }
  }

  /// Goes to the selected title, as soon as it is known.
  mutating func submitTitle(_ text: String) -> [Effect] {
    changeFinder { finder, _ in
      finder.type(text)
      finder.submit()
    }
    return goToTitle()
  }

  /// Whether Enter was pressed before the titles were known: the next key acts behind the finder.
  var isGoingToTitle: Bool {
    if case .titles(let finder) = pages.mode { finder.isChosen } else { false }
  }

  /// Receives the titles for some letters.
  mutating func receive(_ titles: [FoundTitle], for text: String) -> [Effect] {
    work.queries.finish(.titles)
    changeFinder { $0.take(titles, for: text, in: $1) }
    return goToTitle()
  }

  private mutating func goToTitle() -> [Effect] {
    guard case .titles(let finder) = pages.mode, let result = finder.result else { return [] }
    guard let title = result else {
      defer { status = .failed("no title matches \(finder.typed)") }
      return leaveFinder()
    }
    return go(to: title)
  }

  /// Leaves the finder for an entry, in the whole list if this one may not show it.
  fileprivate mutating func go(to title: FoundTitle) -> [Effect] {
    leaveMode()
    let back = list.widget.selection?.path.map { [Effect.list(.findPlace($0, .jump))] } ?? []
    if list.scope.coverage.isWhole { return back + [.list(.findEntry(title.number))] }
    let whole = ListScope(order: list.scope.order, grouping: list.scope.grouping)
    return [.query(.show(whole, .entry(title.number)))]
  }

  /// Leaves the finder for the view that it covers.
  mutating func leaveFinder() -> [Effect] {
    work.queries.finish(.titles)
    return closePage()
  }

  private mutating func changeFinder(_ change: (inout TitleFinder, State) -> Void) {
    guard case .titles(var finder) = pages.mode else { return }
    change(&finder, self)
    pages.mode = .titles(finder)
  }
}

extension TitleFinder: Page {
  package var mode: Mode { .titles(self) }
  package var context: KeyContext { .menu }

  package func title(in state: State) -> String? { "titles" }
  func position(in state: State) -> String? {
    menu.position(in: state).map { titles.count < Self.most ? $0 : "\($0)+" }
  }

  func emptyText(_ keys: KeyTable, in state: State) -> String? {
    guard found != nil, titles.isEmpty else { return nil }
    return typed.isEmpty ? "There are no entries yet." : "No title contains these letters."
  }

  func draw(_ state: State, in rect: CanvasRect, on canvas: inout Canvas) {
    menu.draw(marking: FuzzyPattern(found ?? ""), in: rect, on: &canvas)
  }

  mutating func layOut(in state: State) { menu.layOut(in: state) }

  mutating func move(_ movement: Movement, count: Int?, in state: State) -> [Effect] {
    menu.move(movement, count: count, in: state)
  }

  mutating func scroll(by lines: Int, in state: State) -> [Effect] {
    menu.scroll(by: lines, in: state)
  }

  mutating func click(column: Int, line: Int, in state: State) -> Click {
    menu.click(column: column, line: line, in: state)
  }

  func choose(in state: inout State) -> [Effect]? {
    title(at: menu.selected).map { state.go(to: $0) } ?? []
  }

  func close(in state: inout State) -> [Effect] { state.leaveFinder() }

  var refresh: [Effect] { [.query(.findTitles(typed))] }
}
