// SPDX-License-Identifier: MIT

/// Moving the selection between selectable lines: rows, and headers of folded sections.
extension SectionedList {
  /// Moves the selection by a number of selectable lines, down if positive; stops at the ends.
  public mutating func moveSelection(by lines: Int) {
    guard let selection else { return }
    select(ordinal: ordinal(of: selection).addingClamped(lines))
  }

  /// Moves by whole viewports, down if positive; two lines of the earlier viewport stay visible.
  public mutating func page(by pages: Int) {
    turn(by: pages.multipliedClamped(max(1, height - 2)))
  }

  /// Moves by half viewports, down if positive.
  public mutating func halfPage(by halves: Int) {
    turn(by: halves.multipliedClamped(max(1, height / 2)))
  }

  /// Selects the first selectable line and scrolls to the top of the list.
  public mutating func selectFirst() {
    offset = 0
    select(ordinal: 0)
  }

  /// Selects the last selectable line.
  public mutating func selectLast() {
    select(ordinal: .max)
  }

  /// Selects the first line of a section before or after the current one; empty sections are
  /// skipped.
  ///
  /// Before the first section it selects the first line of the list, after the last section the
  /// last one.
  public mutating func selectSection(offset sectionOffset: Int) {
    guard let selection, sectionOffset != 0 else { return }
    let step = sectionOffset < 0 ? -1 : 1
    var left = sectionOffset.magnitude
    var section = selection.section
    while left > 0 {
      section += step
      guard sections.indices.contains(section) else { break }
      if sections[section].selectableLines > 0 { left -= 1 }
    }
    if section < 0 { return selectFirst() }
    select(ordinal: section < sections.count ? selectableStarts[section] : .max)
  }

  /// Selects a row, or its section's header if the section is folded.
  ///
  /// - Returns: whether the row exists; if not, nothing changes.
  @discardableResult
  public mutating func select(_ path: RowPath) -> Bool {
    guard hasRow(at: path) else { return false }
    selection = sections[path.section].folded ? .header(path.section) : .row(path)
    scrollToSelection(margin: usedMargin)
    return true
  }

  /// Selects the header of a folded section, or the first row of an unfolded one.
  ///
  /// - Returns: whether the section exists and has a selectable line; if not, nothing changes.
  @discardableResult
  public mutating func select(section: Int) -> Bool {
    guard sections.indices.contains(section), sections[section].selectableLines > 0 else {
      return false
    }
    select(ordinal: selectableStarts[section])
    return true
  }

  /// Moves the selection and the viewport by a number of screen lines.
  private mutating func turn(by lines: Int) {
    guard let selection else { return }
    let target = line(of: selection).addingClamped(lines)
    offset = clampedOffset(offset.addingClamped(lines))
    selectLine(nearest: min(max(0, target), lineCount - 1), downwards: lines > 0)
    scrollToSelection(margin: usedMargin)
  }

  /// Selects a line of the list, or the next selectable one in a direction, or the nearest one in
  /// the other direction.
  mutating func selectLine(nearest line: Int, downwards: Bool) {
    let section = section(atLine: line)
    let inside = sections[section].folded ? 0 : line - lineStarts[section] - 1
    let ordinal = selectableStarts[section] + inside
    selection = position(ofOrdinal: inside < 0 && downwards ? ordinal + 1 : ordinal)
  }

  private mutating func select(ordinal: Int) {
    selection = position(ofOrdinal: ordinal)
    scrollToSelection(margin: usedMargin)
  }

  /// The number of selectable lines before a position.
  func ordinal(of position: SectionedList.Position) -> Int {
    selectableStarts[position.section] + (position.path?.row ?? 0)
  }

  /// The position of the selectable line with a number from 0, or the nearest one.
  ///
  /// O(log sections).
  func position(ofOrdinal ordinal: Int) -> SectionedList.Position? {
    let count = selectableStarts[sections.count]
    guard count > 0 else { return nil }
    let wanted = min(max(0, ordinal), count - 1)
    let section = selectableStarts.firstIndexSorted { $0 > wanted } - 1
    if sections[section].folded { return .header(section) }
    return .row(RowPath(section, wanted - selectableStarts[section]))
  }
}

/// Scrolling. The selection is always visible, and never covered by a sticky header.
extension SectionedList {
  /// Sets the height of the viewport, in lines; the selection stays visible.
  public mutating func resize(height: Int) {
    self.height = max(0, height)
    scrollToSelection(margin: 0)
  }

  /// Scrolls by lines, down if positive; the selection moves if it would leave the viewport.
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

  /// Selects the first line of a section and scrolls the section to the top of the viewport, as far
  /// as the list is long enough.
  ///
  /// - Returns: whether the section exists and has a selectable line; if not, nothing changes.
  @discardableResult
  public mutating func showAtTop(section: Int) -> Bool {
    guard select(section: section) else { return false }
    offset = clampedOffset(lineStarts[section])
    scrollToSelection(margin: 0)
    return true
  }

  /// The visible lines, without the one that a sticky header covers.
  private var lineRangeShown: Range<Int> {
    let section = section(atLine: offset)
    let row = offset - lineStarts[section] - 1
    let top = row < 0 || !isCovered(RowPath(section, row)) ? offset : offset + 1
    return top..<max(top, min(offset + height, lineCount))
  }

  /// Scrolls the line of the selection to a place in the viewport, as far as the list reaches; the
  /// scroll margin is kept.
  public mutating func scrollSelection(to place: ViewportPlace) {
    let top = usedMargin + (selection?.path == nil ? 0 : 1)
    switch place {
    case .top: anchorSelection(at: min(top, height - 1))
    case .middle: anchorSelection(at: height / 2)
    case .bottom: anchorSelection(at: max(0, height - 1 - usedMargin))
    }
  }

  /// The scroll margin that the height allows: a viewport below 12 lines needs most of them for
  /// rows.
  var usedMargin: Int {
    max(0, min(scrollMargin, height < 12 ? height / 6 : (height - 1) / 2))
  }

  /// Scrolls the minimum that shows the selection with a margin around it, in lines.
  mutating func scrollToSelection(margin: Int) {
    guard let selection, height > 0 else {
      offset = clampedOffset(offset)
      return
    }
    let line = line(of: selection)
    let hidden = selection.path.map(isCovered) == true ? 1 : 0
    offset = min(offset, line - hidden - margin)
    offset = clampedOffset(max(offset, line + margin - height + 1))
    // The margin below must not push the line itself under the sticky header.
    offset = max(0, min(offset, line - hidden))
  }

  /// Scrolls so that the selection is `screenLine` lines below the top, as far as possible.
  mutating func anchorSelection(at screenLine: Int) {
    guard let selection else { return scrollToSelection(margin: 0) }
    offset = clampedOffset(line(of: selection) - screenLine)
    scrollToSelection(margin: 0)
  }

  /// The nearest offset that leaves no empty line below the end of the list, if it is long enough.
  func clampedOffset(_ offset: Int) -> Int {
    max(0, min(offset, lineCount - height))
  }
}

/// A place in the viewport of a list.
public enum ViewportPlace: Hashable, Sendable {
  /// The first lines.
  case top
  /// The middle.
  case middle
  /// The last lines.
  case bottom
}

extension Int {
  /// The sum, or the largest or smallest integer on overflow.
  func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The product, or the largest or smallest integer on overflow.
  func multipliedClamped(_ other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
