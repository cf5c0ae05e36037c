/// Lines: which is what, and which of them the viewport shows.
extension SectionedList {
  /// The lines of the viewport from top to bottom: as many as it is high, fewer if the list ends.
  ///
  /// The first one is always the header of the section that the top of the viewport is in, unless
  /// the viewport is a single line high.
  public func visibleLines() -> [ListLine] {
    let end = min(offset + height, lineCount)
    guard offset < end else { return [] }
    var lines: [ListLine] = []
    lines.reserveCapacity(end - offset)
    var section = self.section(atLine: offset)
    for line in offset..<end {
      while line >= lineStarts[section + 1] { section += 1 }
      let row = line - lineStarts[section] - 1
      lines.append(row < 0 ? .header(section, sticky: false) : .row(RowPath(section, row)))
    }
    if height > 1, case .row(let path) = lines[0] {
      lines[0] = .header(path.section, sticky: true)
    }
    return lines
  }

  /// The line of the viewport, from 0, that shows the selection; `nil` without one.
  public var selectionScreenLine: Int? {
    selection.map { line(of: $0) - offset }
  }

  /// What is shown at a line of the viewport, from 0; `nil` below the end of the list.
  public func visibleLine(at screenLine: Int) -> ListLine? {
    let lines = visibleLines()
    return lines.indices.contains(screenLine) ? lines[screenLine] : nil
  }

  /// The section that a line belongs to.
  ///
  /// O(log sections).
  func section(atLine line: Int) -> Int {
    lineStarts.firstIndexSorted { $0 > line } - 1
  }

  /// The line of a position.
  ///
  /// A row folded away has its header's.
  func line(of position: ListPosition) -> Int {
    switch position {
    case .header(let section): lineStarts[section]
    case .row(let path):
      sections[path.section].folded
        ? lineStarts[path.section] : lineStarts[path.section] + 1 + path.row
    }
  }
}
