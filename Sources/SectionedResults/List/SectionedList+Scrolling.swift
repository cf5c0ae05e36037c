/// Scrolling. The selection is always on the screen, and never under a sticky header.
extension SectionedList {
  /// Sets the height of the viewport, in lines; what is selected stays visible.
  public mutating func resize(height: Int) {
    self.height = max(0, height)
    scrollToSelection(margin: 0)
  }

  /// Scrolls by lines, down if positive; a selection that would leave the screen is taken along.
  public mutating func scroll(by lines: Int) {
    guard height > 1 else { return moveSelection(by: lines) }
    guard let selected = selection.map(line(of:)) else { return }
    offset = clampedOffset(offset.addingClamped(lines))
    let range = lineRangeShown
    if selected < range.lowerBound {
      selectLine(nearest: range.lowerBound, downwards: true)
    } else if selected >= range.upperBound {
      selectLine(nearest: range.upperBound - 1, downwards: false)
    }
    scrollToSelection(margin: 0)
  }

  /// Selects the first line of a section and shows the section from the top of the viewport on, as far
  /// as the list is long enough.
  ///
  /// - Returns: whether there is such a section with something to select; otherwise nothing changes.
  @discardableResult
  public mutating func showAtTop(section: Int) -> Bool {
    guard select(section: section) else { return false }
    offset = clampedOffset(lineStarts[section])
    scrollToSelection(margin: 0)
    return true
  }

  /// The lines really to be seen: without the one that a sticky header covers.
  private var lineRangeShown: Range<Int> {
    let top = isHeader(line: offset) ? offset : offset + 1
    return top..<max(top, min(offset + height, lineCount))
  }

  /// How many lines are kept between the selection and the edges while moving.
  var scrollMargin: Int {
    height >= 12 ? 2 : height >= 6 ? 1 : 0
  }

  /// Scrolls as little as is needed to show the selection with some lines around it.
  mutating func scrollToSelection(margin: Int) {
    guard let selection, height > 0 else {
      offset = clampedOffset(offset)
      return
    }
    let line = line(of: selection)
    let hidden = height > 1 && selection.path != nil ? 1 : 0
    offset = min(offset, line - hidden - margin)
    offset = clampedOffset(max(offset, line + margin - height + 1))
    // A last line taken by the margin below may not push the line itself under the sticky header.
    offset = max(0, min(offset, line - hidden))
  }

  /// Scrolls so that the selection is `screenLine` lines below the top, as far as that is possible.
  mutating func anchorSelection(at screenLine: Int) {
    guard let selection else { return scrollToSelection(margin: 0) }
    offset = clampedOffset(line(of: selection) - screenLine)
    scrollToSelection(margin: 0)
  }

  /// The nearest offset with no empty line below the end of the list, if it is long enough.
  func clampedOffset(_ offset: Int) -> Int {
    max(0, min(offset, lineCount - height))
  }

  private func isHeader(line: Int) -> Bool {
    line < lineCount && lineStarts[section(atLine: line)] == line
  }
}

extension Int {
  /// The sum, or the largest or smallest number where it does not fit.
  func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The product, or the largest or smallest number where it does not fit.
  func multipliedClamped(_ other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
