import SectionedResults

extension State {
  /// Gives the list, the entry and the help the lines that the layout leaves them.
  mutating func fit() {
    let height = layout.main.count
    if list.height != height { list.resize(height: height) }
    if let offset = pane?.offset { scrollPane(to: offset) }
    scroll(by: 0)
  }

  /// Moves in whatever has the keys.
  mutating func move(_ action: Action, count: Int?) -> [Effect] {
    switch mode {
    case .list, .order: return moveInList(action, count: count)
    case .reading where action == .moveLeft: leaveMode()
    case .reading:
      guard let pane else { break }
      scrollPane(to: scrolled(pane.offset, of: pane.lines, action, count))
    case .help(var page):
      page.offset = scrolled(page.offset, of: page.layout.lines.count, action, count)
      mode = .help(page)
    case .page(var page):
      page.offset = scrolled(page.offset, of: page.lines.count, action, count)
      mode = .page(page)
    case .versions(var page):
      page.offset = scrolled(page.offset, of: page.lines, action, count)
      mode = .versions(page)
    case .menu(let menu): move(action, count: count, in: menu)
    case .calendar(let calendar): return move(action, count: count, in: calendar)
    case .jump(let bar): move(action, count: count, in: bar)
    case .statistics(let view): return move(action, count: count, in: view)
    }
    return []
  }

  /// Scrolls whatever fills the main part, without moving in it more than it must.
  mutating func scroll(by lines: Int) {
    switch mode {
    case .list, .order: if lines != 0 { list.scroll(by: lines) }
    case .reading:
      scrollPane(to: (pane?.offset ?? 0) + lines)
    case .help(var page):
      page.offset = clamped(page.offset + lines, of: page.layout.lines.count)
      mode = .help(page)
    case .page(var page):
      page.offset = clamped(page.offset + lines, of: page.lines.count)
      mode = .page(page)
    case .versions(var page):
      page.offset = clamped(page.offset + lines, of: page.lines)
      mode = .versions(page)
    case .menu(let menu): scroll(menu, by: lines)
    case .statistics(var view):
      view.offset = clamped(view.offset + lines, of: view.lines)
      mode = .statistics(view)
    case .calendar, .jump: break
    }
  }

  private mutating func moveInList(_ action: Action, count: Int?) -> [Effect] {
    let times = count ?? 1
    switch action {
    case .moveDown: list.moveSelection(by: times)
    case .moveUp: list.moveSelection(by: -times)
    case .moveRight: return target.map { [.read($0)] } ?? []
    case .halfPageDown: list.halfPage(by: times)
    case .halfPageUp: list.halfPage(by: -times)
    case .pageDown: list.page(by: times)
    case .pageUp: list.page(by: -times)
    case .first, .last: moveToEnd(action, count)
    case .previousSection: list.selectSection(offset: -times)
    case .nextSection: list.selectSection(offset: times)
    case .toggleFold: if let section = list.selection?.section { list.toggleFold(section: section) }
    case .foldAll: list.foldAll()
    case .unfoldAll: list.unfoldAll()
    default: break
    }
    return []
  }

  private mutating func moveToEnd(_ action: Action, _ count: Int?) {
    if let count {
      list.selectFirst()
      list.moveSelection(by: count - 1)
    } else if action == .first {
      list.selectFirst()
    } else {
      list.selectLast()
    }
  }

  mutating func apply(_ batch: ResultsBatch, sectionKeys: [String]) -> [Effect] {
    let keys = Dictionary(
      zip(batch.insertedSections, sectionKeys), uniquingKeysWith: { first, _ in first })
    do {
      try list.apply(batch) { keys[$0] ?? "" }
    } catch {
      status = .failed("\(error)")
      return [.reload]
    }
    rangeStart = rangeStart.flatMap { batch.map($0).path }
    if case .row(let path)? = search?.origin {
      search?.origin = batch.map(path).path.map(ListPosition.row) ?? list.selection
    }
    let isSeen = list.changedRows.isEmpty && list.changedSections.isEmpty
    return refreshedReading() + (isSeen ? [] : [.armHighlightTimer])
  }

  mutating func tell(_ saved: Saved) {
    if !saved.deleted.isEmpty { deletions.add(saved.deleted) }
    status = .done((saved.deleted.isEmpty ? nil : deletions.message) ?? saved.text)
    unseen = saved.unseen
    guard mode == .list else { return }
    if let path = saved.path ?? (saved.showsChange ? firstChange : nil) { list.select(path) }
  }

  /// The first row that the last batch brought or changed.
  private var firstChange: RowPath? {
    let section = list.changedSections.min().map { RowPath($0, 0) }
    return [list.changedRows.min(), section].compactMap(\.self).min()
  }

  mutating func resize(_ size: Size) -> [Effect] {
    self.size = size
    if case .jump(var bar) = mode {
      bar.columns = columns(of: bar)
      mode = .jump(bar)
    }
    fit()
    return [.measure]
  }
}
