import Journal

/// A menu of lines to choose from: tags, saved views, journals.
package struct Menu: Equatable, Codable, Sendable {
  /// A line.
  package struct Item: Equatable, Codable, Sendable {
    /// The text.
    package var label: String
    /// The details after it.
    package var detail: String
    /// The details where there is no room for these.
    package var shortDetail: String?
    /// The effect of choosing it.
    package var effect: Effect
    /// The name of the draft on the line, if any.
    package var draft: String?

    package init(
      _ label: String, detail: String = "", shortDetail: String? = nil, effect: Effect,
      draft: String? = nil
    ) {
      self.label = label
      self.detail = detail
      self.shortDetail = shortDetail
      self.effect = effect
      self.draft = draft
    }
  }

  /// The title in the status line.
  package var title: String
  /// The lines; while it is narrowed, those that match, the best first.
  package private(set) var items: [Item]
  /// All lines.
  private let all: [Item]
  /// The letters that narrow it; empty for all lines.
  package private(set) var typed = ""
  /// The index of the selected line.
  package var selected: Int
  /// The first visible line.
  package var offset: Int
  /// Whether the next key answers the question about discarding the selected draft.
  package var asks = false

  /// Whether its lines are drafts.
  package var isOfDrafts: Bool { items.first?.draft != nil }

  /// The request for the lines after a commit; `nil` if no commit changes them.
  private let request: Effect?
  /// The message of a menu without lines.
  private let absence: String?

  /// Makes a menu at its beginning.
  ///
  /// - Parameters:
  ///   - refresh: the request for the lines after a commit.
  ///   - absence: what is said instead of lines if there are none.
  package init(
    title: String, items: [Item], selected: Int = 0, offset: Int = 0, refresh: Effect? = nil,
    absence: String? = nil
  ) {
    self.title = title
    self.items = items
    all = items
    self.selected = selected
    self.offset = offset
    request = refresh
    self.absence = absence
  }

  /// The same menu with other lines; the selection stays at its line.
  func updated(to menu: Menu) -> Menu {
    var new = menu
    let label = items.indices.contains(selected) ? items[selected].label : nil
    if !typed.isEmpty { new.narrow(to: typed) }
    new.selected = new.items.firstIndex { $0.label == label } ?? selected
    new.offset = offset
    return new
  }

  /// Shows the lines that contain letters in their order, the best match first.
  mutating func narrow(to letters: String) {
    typed = letters.isBlank ? "" : letters
    (selected, offset) = (0, 0)
    guard !typed.isEmpty else {
      items = all
      return
    }
    let pattern = FuzzyPattern(letters)
    let found = all.enumerated().compactMap { index, item in
      pattern.match(in: item.label).map { (match: $0, index: index, item: item) }
    }
    items = found.sorted { $0.match == $1.match ? $0.index < $1.index : $0.match < $1.match }
      .map(\.item)
  }
}

/// Events of menus.
package enum MenuEvent: Equatable, Codable, Sendable {
  /// A menu to choose from.
  case opened(Menu)
  /// The lines of the open menu after a commit.
  case updated(Menu)
  /// The selected draft was discarded; the menu contains the remaining ones, if any.
  case draftRemoved(left: Menu?)
  /// The titles that contain typed letters.
  case titlesFound(String, [FoundTitle])
}

/// Choosing from a menu: each line contains its effect.
extension State {
  mutating func updateMenu(_ event: MenuEvent) -> [Effect] {
    switch event {
    case .opened(let menu): open(menu)
    case .updated(let menu):
      if case .menu(let shown) = pages.mode, shown.title == menu.title {
        open(shown.updated(to: menu))
      }
    case .draftRemoved(let menu):
      let effects = take(drafts: menu)
      status = .done("draft discarded")
      return effects
    case .titlesFound(let text, let titles): return receive(titles, for: text)
    }
    return []
  }

  /// Narrows the open menu.
  mutating func narrowMenu(to letters: String) {
    guard case .menu(var menu) = pages.mode else { return }
    menu.narrow(to: letters)
    pages.mode = .menu(menu)
    layOutPage()
  }

  /// Ends the typing: the only line is chosen, several stay to choose from.
  mutating func settleMenu() -> [Effect] {
    guard case .menu(let menu) = pages.mode, !menu.typed.isEmpty, menu.items.count == 1 else {
      return []
    }
    return menu.choose(in: &self) ?? []
  }

  /// Whether a menu is open, which `/` narrows.
  var isMenuOpen: Bool { if case .menu = pages.mode { true } else { false } }

  /// Asks before a draft is discarded, since this cannot be undone.
  mutating func askToDiscard() {
    guard case .menu(var menu) = pages.mode, menu.items.indices.contains(menu.selected) else {
      return
    }
    menu.asks = true
    pages.mode = .menu(menu)
    status = .asked("discard this draft? y discards it")
  }

  /// Handles the key that answers.
  mutating func answer(_ menu: Menu, _ key: String) -> [Effect] {
    var menu = menu
    menu.asks = false
    pages.mode = .menu(menu)
    guard ["y", "Y"].contains(key), let draft = menu.items[menu.selected].draft else {
      status = .done("kept")
      return []
    }
    status = nil
    return [.prompt(.removeDraft(draft))]
  }

  /// Shows the remaining drafts, if any.
  mutating func take(drafts menu: Menu?) -> [Effect] {
    if let menu {
      open(menu)
      return []
    }
    return isMenuOpen ? closePage() : []
  }
}

extension Menu: Page {
  package var mode: Mode { .menu(self) }
  package var context: KeyContext { isOfDrafts ? .drafts : .menu }
  var subject: PageSubject { .covered }
  func isSame(as page: Menu) -> Bool { title == page.title }

  package func title(in state: State) -> String? { typed.isEmpty ? title : "\(title)  /\(typed)" }

  func emptyText(_ keys: KeyTable, in state: State) -> String? {
    guard items.isEmpty else { return nil }
    return typed.isEmpty ? absence : "No lines contain \(typed)"
  }

  var refresh: [Effect] { request.map { [$0] } ?? [] }

  func position(in state: State) -> String? {
    items.isEmpty ? "none" : "\(selected + 1)/\(items.count)"
  }

  /// Scrolls as little as possible until the selected line is visible.
  mutating func layOut(in state: State) {
    // The question was about the earlier selection.
    asks = false
    let height = max(1, state.layout.main.count)
    selected = min(max(0, selected), max(0, items.count - 1))
    offset = min(max(offset, selected - height + 1), selected)
    offset = state.clamped(offset, of: items.count)
  }

  mutating func move(_ movement: Movement, count: Int?, in state: State) -> [Effect] {
    selected = movement.line(
      from: selected, of: items.count, height: state.layout.main.count, count: count)
    layOut(in: state)
    return []
  }

  /// Scrolls; the selected line stays visible.
  mutating func scroll(by lines: Int, in state: State) -> [Effect] {
    offset = state.clamped(offset + lines, of: items.count)
    let shown = offset..<max(offset + 1, offset + state.layout.main.count)
    selected = min(max(selected, shown.lowerBound), shown.upperBound - 1)
    layOut(in: state)
    return []
  }

  mutating func click(column: Int, line: Int, in state: State) -> Click {
    let clicked = offset + line
    guard items.indices.contains(clicked) else { return .nothing }
    if clicked == selected { return .chosen }
    selected = clicked
    layOut(in: state)
    return .selected([])
  }

  /// Shows all lines again, else closes the menu.
  func close(in state: inout State) -> [Effect] {
    if typed.isEmpty { return state.closePage() }
    state.narrowMenu(to: "")
    return []
  }

  /// Performs the selected line, over an open entry or else in the list.
  func choose(in state: inout State) -> [Effect]? {
    guard items.indices.contains(selected) else { return [] }
    let effect = items[selected].effect
    if state.pages.covered.last == .reading { return state.closePage() + [effect] }
    state.leaveMode()
    return isOfDrafts ? state.changing([effect]) : [effect]
  }
}
