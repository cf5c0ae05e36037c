// SPDX-License-Identifier: MIT

/// A list of sections with rows, as a value: Apple's `UITableView` without a screen.
///
/// It knows the number of rows in each section, but not their contents. It keeps the selection, the
/// folds and the scroll offset, maps them through updates, and computes the visible lines of a
/// viewport. The number of rows does not affect its speed: no operation visits a row that is
/// neither edited nor shown.
///
/// Lines count from 0 over the whole list: the header of each section, then its rows unless the
/// section is folded.
public struct SectionedList: Equatable, Sendable {
  /// The sections, in order.
  public internal(set) var sections: [SectionedList.Section] { didSet { sumUp() } }
  /// The generation of the results that the list shows.
  ///
  /// A batch must start from it.
  public internal(set) var generation: Int
  /// The selected position; `nil` only if the list has no selectable line.
  public internal(set) var selection: SectionedList.Position?
  /// The line at the top of the viewport, from 0.
  public internal(set) var offset = 0
  /// The height of the viewport, in lines.
  public internal(set) var height = 0
  /// The number of lines kept between the selection and the edges of the viewport while the
  /// selection moves, as vim's `scrolloff`; a low viewport keeps fewer.
  public var scrollMargin = 2
  /// Rows that the last update inserted, moved or changed, for temporary highlighting.
  ///
  /// Rows of inserted sections are not listed; see ``changedSections``.
  public internal(set) var changedRows: Set<RowPath> = []
  /// Sections that the last update inserted or reloaded.
  public internal(set) var changedSections: Set<Int> = []

  /// The identities of folded sections that updates removed, the latest last.
  var removedFolds: [String] = []
  /// The line of each section's header, followed by the number of all lines.
  private(set) var lineStarts: [Int] = [0]
  /// The number of selectable lines before each section, followed by the total.
  private(set) var selectableStarts: [Int] = [0]
  /// The number of rows before each section, followed by the total.
  private var rowStarts: [Int] = [0]
  /// The open update block, if any.
  var block: UpdateBlock?

  /// Makes a list that shows the top of its sections, with the first selectable line selected.
  ///
  /// - Parameters:
  ///   - sections: the sections with their numbers of rows.
  ///   - generation: the generation of the results that they are from.
  ///   - height: the height of the viewport, in lines.
  public init(sections: [SectionedList.Section] = [], generation: Int = 0, height: Int = 0) {
    self.sections = sections
    self.generation = generation
    self.height = max(0, height)
    sumUp()
    selectFirst()
  }

  /// The number of lines in the whole list.
  public var lineCount: Int { lineStarts[sections.count] }

  /// The number of rows in the whole list, including folded sections.
  public var rowCount: Int { rowStarts[sections.count] }

  /// The number of rows before a section, including folded sections.
  ///
  /// - Parameter section: an index of a section; 0 rows are before a negative one, and all before one
  ///   after the last.
  public func rowCount(before section: Int) -> Int {
    rowStarts[min(max(section, 0), sections.count)]
  }

  /// Whether a row exists at a path, also in a folded section.
  public func hasRow(at path: RowPath) -> Bool {
    sections.indices.contains(path.section) && path.row >= 0
      && path.row < sections[path.section].count
  }

  /// Whether the last update inserted, moved or changed a row.
  public func isChanged(_ path: RowPath) -> Bool {
    changedRows.contains(path) || changedSections.contains(path.section)
  }

  /// Clears the changed rows and sections after they have been highlighted.
  public mutating func clearChanges() {
    changedRows = []
    changedSections = []
  }

  private mutating func sumUp() {
    lineStarts = [0]
    selectableStarts = [0]
    rowStarts = [0]
    lineStarts.reserveCapacity(sections.count + 1)
    selectableStarts.reserveCapacity(sections.count + 1)
    rowStarts.reserveCapacity(sections.count + 1)
    var line = 0
    var selectable = 0
    var row = 0
    for section in sections {
      line += section.lines
      selectable += section.selectableLines
      row += section.count
      lineStarts.append(line)
      selectableStarts.append(selectable)
      rowStarts.append(row)
    }
  }
}

extension SectionedList {
  /// One section of a list: an identity, a number of rows, and whether it is folded.
  public struct Section: Hashable, Codable, Sendable {
    /// The valid row counts of a section; the upper limit keeps sums from overflowing.
    static let possibleCounts = 0...(1 << 40)

    /// The identity of the section, for example `2026-11-21`.
    ///
    /// Folds refer to it.
    public let key: String
    /// The number of rows in the section, folded or not; never negative.
    public let count: Int
    /// Whether only the header is shown.
    public var folded: Bool

    /// Makes a section.
    ///
    /// A count outside the valid range is clamped, so that sums of lines cannot overflow.
    public init(key: String, count: Int, folded: Bool = false) {
      self.key = key
      let possible = Self.possibleCounts
      self.count = min(max(possible.lowerBound, count), possible.upperBound)
      self.folded = folded
    }

    /// Decodes a section; a count outside the valid range is clamped.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        key: try container.decode(String.self, forKey: .key),
        count: try container.decode(Int.self, forKey: .count),
        folded: try container.decodeIfPresent(Bool.self, forKey: .folded) ?? false)
    }

    /// Encodes the section; `folded` only if it is.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(key, forKey: .key)
      try container.encode(count, forKey: .count)
      if folded { try container.encode(folded, forKey: .folded) }
    }

    private enum CodingKeys: CodingKey { case key, count, folded }

    /// The number of lines of the section: its header, and its rows unless it is folded.
    var lines: Int { folded ? 1 : 1 + count }

    /// The number of its selectable lines: its rows, or the header if it is folded.
    var selectableLines: Int { folded ? 1 : count }
  }
}

extension SectionedList {
  /// A selectable line of a list.
  public enum Position: Hashable, Codable, Sendable {
    /// The header of a folded section.
    case header(Int)
    /// A row of an unfolded section.
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
}

extension SectionedList {
  /// One line of a list's viewport.
  public enum Line: Hashable, Sendable {
    /// The header of a section. A sticky header replaces the row at the top of the viewport, because
    /// the section's own header line is above it.
    case header(Int, sticky: Bool)
    /// A row.
    case row(RowPath)
  }
}

/// Lines of the list and of its viewport.
extension SectionedList {
  /// The lines of the viewport from top to bottom: as many as its height, fewer if the list ends.
  ///
  /// The first one is the header of the section at the top. If the section ends with the top line,
  /// that row is shown instead: the next header has pushed the sticky one away.
  public func visibleLines() -> [SectionedList.Line] {
    let end = min(offset + height, lineCount)
    guard offset < end else { return [] }
    var lines: [SectionedList.Line] = []
    lines.reserveCapacity(end - offset)
    var section = self.section(atLine: offset)
    for line in offset..<end {
      while line >= lineStarts[section + 1] { section += 1 }
      let row = line - lineStarts[section] - 1
      lines.append(row < 0 ? .header(section, sticky: false) : .row(RowPath(section, row)))
    }
    if case .row(let path) = lines[0], isCovered(path) {
      lines[0] = .header(path.section, sticky: true)
    }
    return lines
  }

  /// Whether a sticky header covers a row while its line is at the top of the viewport.
  ///
  /// The last row of a section has no rows below it for which a header would be needed.
  func isCovered(_ path: RowPath) -> Bool {
    height > 1 && path.row + 1 < sections[path.section].count
  }

  /// The viewport line of the selection, from 0; `nil` without a selection.
  public var selectionScreenLine: Int? {
    selection.map { line(of: $0) - offset }
  }

  /// The line at an index of the viewport, from 0; `nil` below the end of the list.
  public func visibleLine(at screenLine: Int) -> SectionedList.Line? {
    let lines = visibleLines()
    return lines.indices.contains(screenLine) ? lines[screenLine] : nil
  }

  /// The section of a line.
  ///
  /// O(log sections).
  func section(atLine line: Int) -> Int {
    lineStarts.firstIndexSorted { $0 > line } - 1
  }

  /// The line of a position.
  ///
  /// A row of a folded section has the line of its header.
  func line(of position: SectionedList.Position) -> Int {
    switch position {
    case .header(let section): lineStarts[section]
    case .row(let path):
      sections[path.section].folded
        ? lineStarts[path.section] : lineStarts[path.section] + 1 + path.row
    }
  }
}

/// Folding sections to their headers, with minimal movement on the screen.
extension SectionedList {
  /// The identities of all folded sections, for example to save them with a view.
  public var foldedKeys: [String] { sections.lazy.filter { $0.folded }.map { $0.key } }

  /// Folds a section or unfolds it.
  ///
  /// Folding moves the selection from a row to the header, unfolding from the header to the first
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
    removedFolds = []
    fold { _, _ in true }
  }

  /// Unfolds all sections.
  public mutating func unfoldAll() {
    removedFolds = []
    fold { _, _ in false }
  }

  /// Folds exactly the sections with these identities; unknown identities are ignored.
  public mutating func fold(keys: some Sequence<String>) {
    removedFolds = []
    let keys = Set(keys.lazy.map(SortValue.text))
    fold { _, section in keys.contains(.text(section.key)) }
  }

  private mutating func fold(_ isFolded: (Int, SectionedList.Section) -> Bool) {
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

  /// The nearest selectable position: the header of a folded section, the last row if there are
  /// fewer, the first line of a later section or the last line of an earlier one.
  func nearestPosition(section: Int, row: Int) -> SectionedList.Position? {
    guard !sections.isEmpty else { return nil }
    let section = min(max(0, section), sections.count - 1)
    guard sections[section].selectableLines > 0 else {
      return position(ofOrdinal: selectableStarts[section])
    }
    let inside = min(max(0, row), sections[section].selectableLines - 1)
    return position(ofOrdinal: selectableStarts[section] + inside)
  }
}
