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
