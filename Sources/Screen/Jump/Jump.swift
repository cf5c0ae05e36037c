import SectionedResults

/// The index titles of the list to choose from, months for a list by day.
package struct JumpBar: Equatable, Sendable {
  /// The titles, in the order of the list.
  package var titles: [IndexTitle]
  /// The index of the selected title.
  package var selected: Int
  /// The number of titles per line; up and down move by as many.
  package var columns: Int

  package init(titles: [IndexTitle], selected: Int, columns: Int) {
    self.titles = titles
    self.selected = selected
    self.columns = max(1, columns)
  }

  /// The first visible line of titles: the selected one is in the middle.
  package func firstLine(height: Int) -> Int {
    let lineCount = (titles.count + columns - 1) / columns
    return max(0, min(selected / columns - height / 2, lineCount - height))
  }

  /// The title at a cell of the bar; `nil` if there is none.
  package func index(atColumn column: Int, line: Int, height: Int) -> Int? {
    guard column >= 0, line >= 0, column / cellWidth < columns else { return nil }
    let index = (firstLine(height: height) + line) * columns + column / cellWidth
    return index < titles.count ? index : nil
  }

  /// The columns of a title on the screen, with the gap after it.
  package var cellWidth: Int { (titles.map(\.title.count).max() ?? 0) + 3 }
}

/// One title of the jump bar.
package struct IndexTitle: Hashable, Sendable {
  /// The text.
  package var title: String
  /// The first section with this title.
  package var section: Int

  package init(title: String, section: Int) {
    self.title = title
    self.section = section
  }
}

/// Events of the jump bar.
package enum JumpEvent: Equatable, Sendable {
  /// The index titles of the sections.
  case titlesFound([IndexTitle])
}

/// Going to a section by its index title.
extension State {
  mutating func updateJump(_ event: JumpEvent) -> [Effect] {
    switch event {
    case .titlesFound(let titles): openJumpBar(titles)
    }
    return []
  }

  /// Opens the jump bar, or replaces its titles after a commit.
  mutating func openJumpBar(_ titles: [IndexTitle]) {
    if case .jump(var bar) = mode, !titles.isEmpty {
      let title = bar.titles[bar.selected].title
      bar.selected =
        titles.firstIndex { $0.title == title } ?? min(bar.selected, titles.count - 1)
      bar.titles = titles
      mode = .jump(bar)
      return layOutPage()
    }
    guard let section = list.selection?.section, !titles.isEmpty else {
      status = .failed("no sections to jump to")
      if case .jump = mode { leaveMode() }
      return
    }
    let selected = titles.lastIndex { $0.section <= section } ?? 0
    mode = .jump(JumpBar(titles: titles, selected: selected, columns: 1))
    layOutPage()
  }
}

extension JumpBar: Page {
  package var mode: Mode { .jump(self) }
  package var context: KeyContext { .jump }

  package func title(in state: State) -> String? { nil }
  var refresh: [Effect] { [.list(.listIndexTitles)] }

  func position(in state: State) -> String? { "\(selected + 1)/\(titles.count)" }

  /// Puts as many titles on a line as fit, a year's months if possible.
  mutating func layOut(in state: State) {
    let room = max(1, (state.size.columns - 2) / max(1, cellWidth))
    columns = room >= 12 ? 12 : room >= 6 ? 6 : room
  }

  mutating func move(_ movement: Movement, count: Int?, in state: State) -> [Effect] {
    let times = count ?? 1
    let height = state.layout.main.count
    let step: Int =
      switch movement {
      case .left: -times
      case .right: times
      case .up: -times * columns
      case .down: times * columns
      case .pageUp: -height * columns
      case .pageDown: height * columns
      case .first: -titles.count
      case .last: titles.count
      case .halfPageDown, .halfPageUp, .previousSection, .nextSection: 0
      }
    selected = min(max(0, selected + step), titles.count - 1)
    return []
  }

  /// Selects the title a line further.
  mutating func scroll(by lines: Int, in state: State) -> [Effect] {
    lines == 0 ? [] : move(lines > 0 ? .down : .up, count: 1, in: state)
  }

  mutating func click(column: Int, line: Int, in state: State) -> Click {
    let found = index(atColumn: column, line: line, height: state.layout.main.count)
    guard let found else { return .nothing }
    if found == selected { return .chosen }
    selected = found
    return .selected([])
  }

  /// Goes to the section of the title.
  func choose(in state: inout State) -> [Effect]? {
    state.leaveMode()
    state.list.showAtTop(section: min(titles[selected].section, state.list.sections.count - 1))
    return []
  }
}
