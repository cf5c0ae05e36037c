/// Folding sections down to their headers, with as little moving on the screen as possible.
extension SectionedList {
  /// The identities of all folded sections, to be kept with a saved view.
  public var foldedKeys: Set<String> {
    Set(sections.lazy.filter(\.folded).map(\.key))
  }

  /// Folds a section or unfolds it.
  ///
  /// A folded section's selected row hands over to the header, and a selected header to the first
  /// row. The header keeps its line on the screen.
  public mutating func toggleFold(section: Int) {
    guard sections.indices.contains(section) else { return }
    let isShown = section >= self.section(atLine: offset)
    let headerLine = max(0, lineStarts[section] - offset)
    fold { index, old in index == section ? !old.folded : old.folded }
    guard isShown else { return }
    offset = clampedOffset(lineStarts[section] - headerLine)
    scrollToSelection(margin: 0)
  }

  /// Folds all sections.
  public mutating func foldAll() {
    fold { _, _ in true }
  }

  /// Unfolds all sections.
  public mutating func unfoldAll() {
    fold { _, _ in false }
  }

  /// Folds exactly the sections with these identities; those that do not exist are ignored.
  public mutating func fold(keys: Set<String>) {
    fold { _, section in keys.contains(section.key) }
  }

  private mutating func fold(_ isFolded: (Int, ListSection) -> Bool) {
    let screenLine = selectionScreenLine ?? 0
    let wasAtTop = offset == 0
    var folded = sections
    for index in folded.indices { folded[index].folded = isFolded(index, folded[index]) }
    sections = folded
    selection =
      selection.flatMap { nearestPosition(section: $0.section, row: $0.path?.row ?? 0) }
      ?? position(ofOrdinal: 0)
    anchor(at: screenLine, preferTop: wasAtTop)
  }

  /// The position of a row or of what stands for it: its header if folded, the last row if there
  /// are fewer, the first line of a later section or the last one of an earlier one.
  func nearestPosition(section: Int, row: Int) -> ListPosition? {
    guard !sections.isEmpty else { return nil }
    let section = min(max(0, section), sections.count - 1)
    guard sections[section].selectableLines > 0 else {
      return position(ofOrdinal: selectableStarts[section])
    }
    let inside = min(max(0, row), sections[section].selectableLines - 1)
    return position(ofOrdinal: selectableStarts[section] + inside)
  }
}
