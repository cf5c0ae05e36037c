import Journal
import SectionedResults
import TextLayout

/// The index of the list, to go to a section: months in a ``YearGrid``, or titles in columns.
package struct JumpBar: Equatable, Sendable {
  /// The titles, in the order of the list: years or letters; with a grid not shown.
  package var titles: [IndexTitle]
  /// The number of entries with each title.
  package var counts: [Int]
  /// The index of the selected title.
  package var selected: Int
  /// The number of titles per line; up and down move by as many.
  package var columns: Int
  /// The months; `nil` for a list with an index of titles.
  package var grid: YearGrid?
  /// The selected month of the grid, by ``Day/monthNumber``.
  package var month = 0

  /// Makes an index of titles.
  package init(titles: [IndexTitle], counts: [Int] = [], selected: Int, columns: Int) {
    self.titles = titles
    self.counts = counts.isEmpty ? titles.map { _ in 0 } : counts
    self.selected = selected
    self.columns = max(1, columns)
  }

  /// Makes an index of months.
  package init(grid: YearGrid, month: Int) {
    self.init(titles: [], selected: 0, columns: 1)
    self.grid = grid
    self.month = grid.nearest(to: month)
  }

  /// The first visible line of titles: the selected one is in the middle.
  package func firstLine(height: Int) -> Int {
    let lineCount = (titles.count + columns - 1) / columns
    return max(0, min(selected / columns - height / 2, lineCount - height))
  }

  /// The title at a cell of the index; `nil` if there is none.
  package func index(atColumn column: Int, line: Int, height: Int) -> Int? {
    guard column >= 0, line >= 0, column / cellWidth < columns else { return nil }
    let index = (firstLine(height: height) + line) * columns + column / cellWidth
    return index < titles.count ? index : nil
  }

  /// The columns of the widest title.
  var titleWidth: Int {
    titles.map { TextWidth.columns(of: $0.title) }.max() ?? 0
  }
  /// The columns of the widest count.
  var countWidth: Int { counts.map { Numbers.grouped($0).count }.max() ?? 0 }
  /// The columns of a title on the screen, with its count and the gap after it.
  package var cellWidth: Int { titleWidth + countWidth + 5 }
}

/// One title of the index.
package struct IndexTitle: Hashable, Codable, Sendable {
  /// The text.
  package var title: String
  /// The first section with this title.
  package var section: Int

  package init(title: String, section: Int) {
    self.title = title
    self.section = section
  }
}

/// Events of the index.
package enum JumpEvent: Equatable, Codable, Sendable {
  /// The index titles of the sections.
  case titlesFound([IndexTitle])
}

/// Going to a section by the index of the list.
extension State {
  mutating func updateJump(_ event: JumpEvent) -> [Effect] {
    switch event {
    case .titlesFound(let titles): openJumpBar(titles)
    }
  }

  /// Opens the index, or replaces its contents after a commit.
  private mutating func openJumpBar(_ titles: [IndexTitle]) -> [Effect] {
    var shown: JumpBar?
    if case .jump(let bar) = pages.mode { shown = bar }
    guard let section = list.widget.selection?.section, !titles.isEmpty else {
      status = .failed(list.widget.rowCount == 0 ? "no entries to go to" : "this list has no index")
      return shown == nil ? [] : closePage()
    }
    if let grid = YearGrid(list.widget.sections, list.scope.grouping) {
      let key = list.widget.sections[section].key
      let day = list.scope.grouping.indexDay(ofSection: key) ?? journal.today
      open(JumpBar(grid: grid, month: shown?.month ?? day.monthNumber))
    } else {
      let title = shown.flatMap { $0.titles.isEmpty ? nil : $0.titles[$0.selected].title }
      let selected =
        titles.firstIndex { $0.title == title }
        ?? shown.map { min($0.selected, titles.count - 1) }
        ?? titles.lastIndex { $0.section <= section } ?? 0
      open(JumpBar(titles: titles, counts: counts(of: titles), selected: selected, columns: 1))
    }
    return []
  }

  /// The number of entries from the section of each title to that of the next.
  private func counts(of titles: [IndexTitle]) -> [Int] {
    let ends = titles.dropFirst().map(\.section) + [list.widget.sections.count]
    return zip(titles, ends).map { title, end in
      let sections = title.section..<max(title.section, min(end, list.widget.sections.count))
      return sections.reduce(0) { $0 + list.widget.sections[$1].count }
    }
  }
}

extension JumpBar: Page {
  package var mode: Mode { .jump(self) }
  package var context: KeyContext { .jump }

  /// The number of entries of the selected month or title.
  package func title(in state: State) -> String? {
    if let grid {
      let name = "\(state.dates.names.months[month % 12]) \(month / 12)"
      return "\(Numbers.entries(grid.months[month]?.count ?? 0)) in \(name)"
    }
    return "\(Numbers.entries(counts[selected])): \(titles[selected].title)"
  }

  var refresh: [Effect] { [.list(.listIndexTitles)] }

  func position(in state: State) -> String? {
    grid == nil ? "\(selected + 1)/\(titles.count)" : nil
  }

  /// Puts as many titles on a line as fit, at most twelve.
  mutating func layOut(in state: State) {
    guard grid == nil else { return }
    columns = min(12, max(1, (state.environment.size.columns - 2) / max(1, cellWidth)))
  }

  mutating func move(_ movement: Movement, count: Int?, in state: State) -> [Effect] {
    let times = count ?? 1
    let height = state.layout.main.count
    if let grid {
      month =
        switch movement {
        case .left: grid.month(month, movedBy: -times)
        case .right: grid.month(month, movedBy: times)
        case .up: grid.month(month, lines: -times)
        case .down: grid.month(month, lines: times)
        case .pageUp: grid.month(month, lines: -max(1, height - 2))
        case .pageDown: grid.month(month, lines: max(1, height - 2))
        case .first: grid.month(month, lines: -grid.years.count)
        case .last: grid.month(month, lines: grid.years.count)
        case .halfPageDown, .halfPageUp, .previousSection, .nextSection: month
        }
      return []
    }
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

  /// Selects the year or title a line further.
  mutating func scroll(by lines: Int, in state: State) -> [Effect] {
    lines == 0 ? [] : move(lines > 0 ? .down : .up, count: 1, in: state)
  }

  mutating func click(column: Int, line: Int, in state: State) -> Click {
    let height = state.layout.main.count
    if let grid {
      let layout = YearGridLayout(
        grid, month: month, width: state.environment.size.columns, height: height)
      guard let found = layout.month(atColumn: column, line: line) else { return .nothing }
      if found == month { return .chosen }
      month = found
      return .selected([])
    }
    guard let found = index(atColumn: column, line: line, height: height) else { return .nothing }
    if found == selected { return .chosen }
    selected = found
    return .selected([])
  }

  /// Goes to the section of the month or title; from a month without entries to the nearest entry.
  func choose(in state: inout State) -> [Effect]? {
    state.leaveMode()
    if grid != nil, grid?.months[month] == nil {
      return [.list(.findDay("\(month / 12)-\(month % 12 < 9 ? "0" : "")\(month % 12 + 1)"))]
    }
    let section = grid?.months[month]?.section ?? titles[selected].section
    state.list.widget.showAtTop(section: min(section, state.list.widget.sections.count - 1))
    return []
  }
}
