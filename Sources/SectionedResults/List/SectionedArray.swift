// SPDX-License-Identifier: MIT

/// The rows of a list as plain arrays, kept up to date by a controller's changes.
///
/// It is for lists that are small enough to be held as a whole: an export, a test, a view of another
/// framework. A change costs O(n); ``SectionedList`` knows no rows and costs O(sections).
public struct SectionedArray<Row: ResultsRow>: Equatable, Sendable {
  /// A section and its rows.
  public struct Section: Equatable, Sendable {
    /// The identity of the section.
    public let key: String
    /// The rows in order.
    public internal(set) var rows: [Row]
  }

  /// The sections in order.
  public private(set) var sections: [Section]
  /// The generation of the results that the arrays hold.
  public private(set) var generation: Int

  /// Makes arrays that show nothing, which ``ResultsController/currentChange()`` fills.
  public init() { (sections, generation) = ([], 0) }

  /// Reads all rows of a controller; O(n).
  ///
  /// - Throws: the error of the store.
  public init(_ controller: ResultsController<Row>) throws {
    try self.init(controller, keys: controller.sectionKeys, generation: controller.generation)
  }

  /// Reads all rows of a composite list; O(n).
  ///
  /// - Throws: the error of the store.
  public init(_ list: CompositeResults<Row>) throws {
    try self.init(list, keys: list.sectionKeys, generation: list.generation)
  }

  /// Reads all rows of a data provider; O(n).
  ///
  /// - Throws: the error of the store.
  public init<Contents>(_ provider: ResultsDataProvider<Row, Contents>) throws {
    try self.init(provider, keys: provider.sectionKeys, generation: provider.generation)
  }

  private init(
    _ source: some SectionedDataSource<Row>, keys: [String], generation: Int
  ) throws {
    sections = try keys.enumerated().map { index, key in
      let rows = 0..<source.numberOfRows(inSection: index)
      return Section(key: key, rows: try rows.map { try source.object(at: RowPath(index, $0)) })
    }
    self.generation = generation
  }

  /// Applies a change that starts from this generation.
  ///
  /// - Throws: an error if the change does not fit, or is a whole state, which has no rows; the arrays
  ///   are then unchanged: read the controller again.
  public mutating func apply(_ change: ResultsChange<Row>) throws(ListUpdateError) {
    guard change.batch.from == generation else {
      throw .wrongGeneration(shown: generation, from: change.batch.from)
    }
    var next = sections
    try Self.removeRows(of: change, from: &next)
    try Self.insertRows(of: change, into: &next)
    let counts = change.batch.sectionCountsAfter
    guard next.count == counts.count else {
      throw .wrongSectionCount(expected: next.count, told: counts.count)
    }
    for (section, count) in counts.enumerated() where next[section].rows.count != count {
      throw .wrongRowCount(section: section, expected: next[section].rows.count, told: count)
    }
    sections = next
    generation = change.batch.to
  }

  /// Moves a row as the user has dragged it, before the store knows: the arrays' guess at the next
  /// generation, as ``SectionedList/reorderRow(at:to:)``.
  ///
  /// The row keeps its old contents: if it is where it was dropped, no change has the new ones.
  ///
  /// - Throws: ``ListUpdateError/moveMissing(_:)`` or ``ListUpdateError/moveBeyondCount(_:)``.
  public mutating func reorderRow(
    at old: RowPath, to new: RowPath
  ) throws(ListUpdateError) {
    guard Self.hasRow(at: old, in: sections) else { throw .moveMissing(.row(old)) }
    guard old != new else { return }
    var next = sections
    let row = next[old.section].rows.remove(at: old.row)
    guard next.indices.contains(new.section), (0...next[new.section].rows.count).contains(new.row)
    else { throw .moveBeyondCount(.row(new)) }
    next[new.section].rows.insert(row, at: new.row)
    sections = next
    generation += 1
  }

  /// Everything that old paths name: updates, then rows and sections from the last to the first.
  private static func removeRows(
    of change: ResultsChange<Row>, from sections: inout [Section]
  ) throws(ListUpdateError) {
    var gone: [RowPath] = []
    for row in change.rows {
      switch row.kind {
      case .update(let from, _):
        guard hasRow(at: from, in: sections) else { throw .reloadMissing(.row(from)) }
        sections[from.section].rows[from.row] = row.row
      case .delete(let from), .move(let from, _):
        guard hasRow(at: from, in: sections) else { throw .deleteMissing(.row(from)) }
        gone.append(from)
      case .insert: break
      }
    }
    for path in gone.sorted(by: >) { sections[path.section].rows.remove(at: path.row) }
    for section in change.batch.deletedSections.sorted(by: >) {
      guard sections.indices.contains(section) else { throw .deleteMissing(.section(section)) }
      sections.remove(at: section)
    }
  }

  /// Everything that new paths name: sections, then rows, from the first to the last.
  private static func insertRows(
    of change: ResultsChange<Row>, into sections: inout [Section]
  ) throws(ListUpdateError) {
    for (section, key) in zip(change.batch.insertedSections, change.batch.insertedSectionKeys) {
      guard section <= sections.count else { throw .insertBeyondCount(.section(section)) }
      sections.insert(Section(key: key, rows: []), at: section)
    }
    var come: [(path: RowPath, row: Row)] = []
    for row in change.rows {
      switch row.kind {
      case .insert(let to), .move(_, let to): come.append((to, row.row))
      case .delete, .update: break
      }
    }
    for (path, row) in come.sorted(by: { $0.path < $1.path }) {
      guard sections.indices.contains(path.section), path.row >= 0,
        path.row <= sections[path.section].rows.count
      else { throw .insertBeyondCount(.row(path)) }
      sections[path.section].rows.insert(row, at: path.row)
    }
  }

  private static func hasRow(at path: RowPath, in sections: [Section]) -> Bool {
    sections.indices.contains(path.section)
      && sections[path.section].rows.indices.contains(path.row)
  }
}
