// SPDX-License-Identifier: MIT

/// A list of sections with rows, as a value: what Apple's `UITableView` is, without a screen.
///
/// It knows how many rows each section has and nothing about what they say. It keeps the selection,
/// the folds and the place it is scrolled to, brings them through updates together with their rows,
/// and tells which lines a viewport shows. A million rows in thousands of sections cost nothing: no
/// operation looks at a row that is not edited or shown.
///
/// Lines are counted from 0 over the whole list: for each section its header, then its rows unless
/// they are folded away.
public struct SectionedList: Equatable, Sendable {
  /// The sections, in order.
  public internal(set) var sections: [ListSection] { didSet { sumUp() } }
  /// Which state of its results the list shows.
  ///
  /// A batch must start from it.
  public internal(set) var generation: Generation
  /// What is selected: `nil` only if there is nothing that can be.
  public internal(set) var selection: ListPosition?
  /// The line at the top of the viewport, from 0.
  public internal(set) var offset = 0
  /// The height of the viewport, in lines.
  public internal(set) var height = 0
  /// Rows that the last update inserted, moved or changed, to be highlighted for a while.
  ///
  /// Rows of sections that came whole are not listed; see ``changedSections``.
  public internal(set) var changedRows: Set<RowPath> = []
  /// Sections that the last update inserted, with all their rows, or reloaded.
  public internal(set) var changedSections: Set<Int> = []

  /// The line of each section's header, and behind the last one the number of all lines.
  private(set) var lineStarts: [Int] = [0]
  /// How many lines before each section can be selected, and behind the last one how many in all.
  private(set) var selectableStarts: [Int] = [0]
  /// The update block that is open, if one is.
  var block: UpdateBlock?

  /// Makes a list that shows the top of its sections, with the first line that can be selected.
  ///
  /// - Parameter height: the height of the viewport, in lines.
  public init(sections: [ListSection] = [], generation: Generation = 0, height: Int = 0) {
    self.sections = sections
    self.generation = generation
    self.height = max(0, height)
    sumUp()
    selectFirst()
  }

  /// How many lines the whole list has.
  public var lineCount: Int { lineStarts[sections.count] }

  /// How many rows the whole list has, folded away or not.
  ///
  /// O(sections).
  public var rowCount: Int { sections.reduce(0) { $0 + $1.count } }

  /// Whether there is a row at a path, folded away or not.
  public func hasRow(at path: RowPath) -> Bool {
    sections.indices.contains(path.section) && path.row >= 0
      && path.row < sections[path.section].count
  }

  /// Whether the last update inserted, moved or changed a row.
  public func isChanged(_ path: RowPath) -> Bool {
    changedRows.contains(path) || changedSections.contains(path.section)
  }

  /// Forgets which rows changed, when they have been highlighted long enough.
  public mutating func clearChanges() {
    changedRows = []
    changedSections = []
  }

  private mutating func sumUp() {
    lineStarts = [0]
    selectableStarts = [0]
    lineStarts.reserveCapacity(sections.count + 1)
    selectableStarts.reserveCapacity(sections.count + 1)
    var line = 0
    var selectable = 0
    for section in sections {
      line += section.lines
      selectable += section.selectableLines
      lineStarts.append(line)
      selectableStarts.append(selectable)
    }
  }
}

/// One section as a list sees it: an identity, a number of rows and whether they are folded away.
public struct ListSection: Hashable, Sendable {
  /// How many rows a section can have: far more than any, far fewer than make sums overflow.
  static let possibleCounts = 0...(1 << 40)

  /// The identity of the section, for example `2026-11-21`.
  ///
  /// Folds are kept by it.
  public let key: String
  /// How many rows the section has, folded away or not; never negative.
  public let count: Int
  /// Whether only the header is shown.
  public var folded: Bool

  /// Makes a section.
  ///
  /// A count that no list can have is brought into range, so that sums of lines cannot overflow.
  public init(key: String, count: Int, folded: Bool = false) {
    self.key = key
    let possible = Self.possibleCounts
    self.count = min(max(possible.lowerBound, count), possible.upperBound)
    self.folded = folded
  }

  /// How many lines the section takes: its header, and its rows unless they are folded away.
  var lines: Int { folded ? 1 : 1 + count }

  /// How many of its lines can be selected: its rows, or the header when it stands for them.
  var selectableLines: Int { folded ? 1 : count }
}

/// What can be selected in a list.
public enum ListPosition: Hashable, Sendable {
  /// The header of a folded section, which then stands for its rows.
  case header(Int)
  /// A row of a section that is not folded.
  case row(RowPath)

  /// The index of the section that the position is in.
  public var section: Int {
    switch self {
    case .header(let section): section
    case .row(let path): path.section
    }
  }

  /// The row's path; `nil` for a header.
  public var path: RowPath? {
    if case .row(let path) = self { path } else { nil }
  }
}

/// One line of a list's viewport.
public enum ListLine: Hashable, Sendable {
  /// The header of a section. A sticky one stands in for a row that it covers, because the section's
  /// own header line has scrolled away.
  case header(Int, sticky: Bool)
  /// A row.
  case row(RowPath)
}

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
