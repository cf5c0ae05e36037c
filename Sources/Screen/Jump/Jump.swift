/// The index titles of the list, months for a list by day, one of which is chosen.
package struct JumpBar: Equatable, Sendable {
  /// The titles, in the order of the list.
  package var titles: [IndexTitle]
  /// Which one is chosen.
  package var selected: Int
  /// How many titles stand beside one another; up and down move by so many.
  package var columns: Int

  /// Makes a bar.
  package init(titles: [IndexTitle], selected: Int, columns: Int) {
    self.titles = titles
    self.selected = selected
    self.columns = max(1, columns)
  }

  /// The first line of titles shown on so many lines: the chosen one stands in the middle.
  package func firstLine(height: Int) -> Int {
    let lineCount = (titles.count + columns - 1) / columns
    return max(0, min(selected / columns - height / 2, lineCount - height))
  }

  /// The title at a cell of the bar; `nil` beside the titles.
  package func index(atColumn column: Int, line: Int, height: Int) -> Int? {
    guard column >= 0, line >= 0, column / cellWidth < columns else { return nil }
    let index = (firstLine(height: height) + line) * columns + column / cellWidth
    return index < titles.count ? index : nil
  }

  /// The columns of the screen that a title takes, with the gap behind it.
  package var cellWidth: Int { (titles.map(\.title.count).max() ?? 0) + 3 }
}

/// One title of the jump bar.
package struct IndexTitle: Hashable, Sendable {
  /// What is shown.
  package var title: String
  /// The first section with this title.
  package var section: Int

  /// Makes a title.
  package init(title: String, section: Int) {
    self.title = title
    self.section = section
  }
}
