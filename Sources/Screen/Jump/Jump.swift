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

  mutating func openJumpBar(_ titles: [IndexTitle]) {
    guard let section = list.selection?.section, !titles.isEmpty else {
      status = .failed("no sections to jump to")
      return
    }
    let selected = titles.lastIndex { $0.section <= section } ?? 0
    var bar = JumpBar(titles: titles, selected: selected, columns: 1)
    bar.columns = columns(of: bar)
    mode = .jump(bar)
  }

  /// The number of titles that fit on a line, a year's months if possible.
  func columns(of bar: JumpBar) -> Int {
    let room = max(1, (size.columns - 2) / max(1, bar.cellWidth))
    return room >= 12 ? 12 : room >= 6 ? 6 : room
  }

  mutating func move(_ movement: Movement, count: Int?, in bar: JumpBar) {
    var bar = bar
    let times = count ?? 1
    let step: Int =
      switch movement {
      case .left: -times
      case .right: times
      case .up: -times * bar.columns
      case .down: times * bar.columns
      case .pageUp: -layout.main.count * bar.columns
      case .pageDown: layout.main.count * bar.columns
      case .first: -bar.titles.count
      case .last: bar.titles.count
      case .halfPageDown, .halfPageUp, .previousSection, .nextSection: 0
      }
    bar.selected = min(max(0, bar.selected + step), bar.titles.count - 1)
    mode = .jump(bar)
  }

  mutating func open(_ bar: JumpBar) -> [Effect] {
    leaveMode()
    list.showAtTop(section: min(bar.titles[bar.selected].section, list.sections.count - 1))
    return []
  }
}
