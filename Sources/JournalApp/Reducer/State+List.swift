import SectionedResults

extension State {
  /// Gives the list, the entry and the help the lines that the layout leaves them.
  mutating func fit() {
    let height = layout.main.count
    if list.height != height { list.resize(height: height) }
    move(.moveDown, count: 0)
  }

  /// Moves in whatever fills the screen.
  mutating func move(_ action: Action, count: Int?) {
    switch mode {
    case .list: moveInList(action, count: count)
    case .reading(var reading):
      reading.offset = scrolled(reading.offset, of: reading.lines, action, count)
      mode = .reading(reading)
    case .help(let offset):
      mode = .help(scrolled(offset, of: Self.helpLines, action, count))
    }
  }

  private mutating func moveInList(_ action: Action, count: Int?) {
    let times = count ?? 1
    switch action {
    case .moveDown: list.moveSelection(by: times)
    case .moveUp: list.moveSelection(by: -times)
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
    return refreshedReading()
  }

  mutating func goTo(section: Int?) {
    guard let section, list.select(section: section) else {
      status = .failed("no entry on that day or before it")
      return
    }
    mode = .list
  }

  mutating func tell(_ saved: Saved) {
    status = .done(saved.text)
    if let path = saved.path, mode == .list { list.select(path) }
  }

  mutating func resize(_ size: Size) -> [Effect] {
    self.size = size
    fit()
    return [.measure]
  }
}
