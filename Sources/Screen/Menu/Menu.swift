/// A menu of lines to choose from: tags, saved views, journals.
package struct Menu: Equatable, Sendable {
  /// A line.
  package struct Item: Equatable, Sendable {
    /// The text.
    package var label: String
    /// The details after it.
    package var detail: String
    /// The effect of choosing it.
    package var effect: Effect
    /// The name of the draft on the line, if any.
    package var draft: String?

    package init(_ label: String, detail: String = "", effect: Effect, draft: String? = nil) {
      self.label = label
      self.detail = detail
      self.effect = effect
      self.draft = draft
    }
  }

  /// The title in the status line.
  package var title: String
  /// The lines.
  package var items: [Item]
  /// The index of the selected line.
  package var selected: Int
  /// The first visible line.
  package var offset: Int
  /// Whether the next key answers the question about discarding the selected draft.
  package var asks = false

  /// Whether its lines are drafts.
  package var isOfDrafts: Bool { items.first?.draft != nil }

  /// Makes a menu at its beginning.
  package init(title: String, items: [Item], selected: Int = 0, offset: Int = 0) {
    self.title = title
    self.items = items
    self.selected = selected
    self.offset = offset
  }
}

/// Events of menus.
package enum MenuEvent: Equatable, Sendable {
  /// A menu to choose from.
  case opened(Menu)
  /// The selected draft was discarded; the menu contains the remaining ones, if any.
  case draftRemoved(left: Menu?)
}

/// Choosing from a menu: each line contains its effect.
extension State {
  mutating func updateMenu(_ event: MenuEvent) -> [Effect] {
    switch event {
    case .opened(let menu): show(menu)
    case .draftRemoved(let menu):
      take(drafts: menu)
      status = .done("draft discarded")
    }
    return []
  }

  mutating func show(_ menu: Menu) {
    var menu = menu
    menu.selected = min(max(0, menu.selected), max(0, menu.items.count - 1))
    place(menu)
  }

  mutating func move(_ movement: Movement, count: Int?, in menu: Menu) {
    var menu = menu
    menu.selected = scrolledSelection(menu, movement, count)
    place(menu)
  }

  /// Scrolls; the selected line stays visible.
  mutating func scroll(_ menu: Menu, by lines: Int) {
    var menu = menu
    menu.offset = clamped(menu.offset + lines, of: menu.items.count)
    let shown = menu.offset..<max(menu.offset + 1, menu.offset + layout.main.count)
    menu.selected = min(max(menu.selected, shown.lowerBound), shown.upperBound - 1)
    place(menu)
  }

  /// Performs the selected line.
  mutating func choose(from menu: Menu) -> [Effect] {
    guard menu.items.indices.contains(menu.selected) else { return [] }
    leaveMode()
    let effect = menu.items[menu.selected].effect
    return menu.isOfDrafts ? changing([effect]) : [effect]
  }

  /// Asks before a draft is discarded, since this cannot be undone.
  mutating func askToDiscard() {
    guard case .menu(var menu) = mode, menu.items.indices.contains(menu.selected) else { return }
    menu.asks = true
    mode = .menu(menu)
    status = .failed("discard this draft? y discards it")
  }

  /// Handles the key that answers.
  mutating func answer(_ menu: Menu, _ key: String) -> [Effect] {
    var menu = menu
    menu.asks = false
    mode = .menu(menu)
    guard ["y", "Y"].contains(key), let draft = menu.items[menu.selected].draft else {
      status = .done("kept")
      return []
    }
    status = nil
    return [.prompt(.removeDraft(draft))]
  }

  /// Shows the remaining drafts, if any.
  mutating func take(drafts menu: Menu?) {
    if let menu {
      show(menu)
    } else if case .menu = mode {
      leaveMode()
    }
  }

  /// Shows the menu, scrolled as little as possible.
  private mutating func place(_ menu: Menu) {
    var menu = menu
    let height = max(1, layout.main.count)
    // The question was about the earlier selection.
    menu.asks = false
    menu.selected = min(max(0, menu.selected), max(0, menu.items.count - 1))
    menu.offset = min(max(menu.offset, menu.selected - height + 1), menu.selected)
    menu.offset = clamped(menu.offset, of: menu.items.count)
    mode = .menu(menu)
  }

  private func scrolledSelection(_ menu: Menu, _ movement: Movement, _ count: Int?) -> Int {
    let times = count ?? 1
    let height = max(1, layout.main.count)
    return switch movement {
    case .down: menu.selected + times
    case .up: menu.selected - times
    case .halfPageDown: menu.selected + times * max(1, height / 2)
    case .halfPageUp: menu.selected - times * max(1, height / 2)
    case .pageDown: menu.selected + times * max(1, height - 2)
    case .pageUp: menu.selected - times * max(1, height - 2)
    case .first: (count ?? 1) - 1
    case .last: count.map { $0 - 1 } ?? menu.items.count - 1
    case .left, .right, .previousSection, .nextSection: menu.selected
    }
  }
}
