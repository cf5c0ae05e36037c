// SPDX-License-Identifier: MIT

/// The new state's counterpart of an old path.
public enum MappedPath: Hashable, Sendable {
  /// The row was not moved; its new path, which inserts and deletes may have shifted.
  case stays(RowPath)
  /// The row was moved to this path.
  case moved(RowPath)
  /// The row was deleted.
  case deleted

  /// The new path; `nil` if the row was deleted.
  public var path: RowPath? {
    switch self {
    case .stays(let path), .moved(let path): path
    case .deleted: nil
    }
  }
}

/// Maps paths of a list's old state to its new state, for selections, marks and other data that
/// follow a row.
///
/// Making one costs O(b log b) for b edits; mapping a path costs O(log b), independent of the
/// list's length.
public struct PathMapping: Sendable {
  private let sections: SlotMap
  private let movedSections: [Int: Int]
  private let movedRows: [RowPath: RowPath]
  private let removedRows: PathIndex
  private let filledRows: PathIndex

  init(_ edits: ListEdits) {
    sections = SlotMap(
      removed: (edits.sections.deleted + edits.sections.moved.map { $0.from }).sorted(),
      filled: (edits.sections.inserted + edits.sections.moved.map { $0.to }).sorted())
    movedSections = Dictionary(
      edits.sections.moved.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
    movedRows = Dictionary(
      (edits.rows.moved + edits.carriedRows).map { ($0.from, $0.to) },
      uniquingKeysWith: { first, _ in first })
    removedRows = PathIndex(edits.rows.deleted + edits.rows.moved.map { $0.from })
    filledRows = PathIndex(edits.rows.inserted + edits.rows.moved.map { $0.to })
  }

  /// Makes the mapping of a batch from generation `batch.from` to `batch.to`.
  public init(_ batch: ResultsBatch) {
    self.init(ListEdits(batch))
  }

  /// The new index of a section; `nil` if it was deleted.
  public func map(section: Int) -> Int? {
    movedSections[section] ?? sections.map(section)
  }

  /// The new path of the row at an old path.
  public func map(_ path: RowPath) -> MappedPath {
    if let target = movedRows[path] { return .moved(target) }
    guard let section = map(section: path.section) else { return .deleted }
    guard let row = rows(from: path.section, to: section).map(path.row) else { return .deleted }
    return .stays(RowPath(section, row))
  }

  private func rows(from old: Int, to new: Int) -> SlotMap {
    SlotMap(removed: removedRows[old], filled: filledRows[new])
  }
}

/// Row indexes by section, sorted.
private struct PathIndex: Sendable {
  private var rows: [Int: [Int]] = [:]

  init(_ paths: [RowPath]) {
    for path in paths.sorted() { rows[path.section, default: []].append(path.row) }
  }

  subscript(section: Int) -> ArraySlice<Int> { (rows[section] ?? [])[...] }
}

extension ResultsBatch {
  /// Maps a path of the state `from` to the state `to`.
  ///
  /// O(b log b) for a batch of b changes; make a ``PathMapping`` to map several paths.
  public func map(_ path: RowPath) -> MappedPath {
    PathMapping(self).map(path)
  }
}

/// Maps indexes when some slots are removed and others filled: all other items keep their order.
///
/// `removed` are old indexes, `filled` new ones; both are sorted without duplicates. Rows in a
/// section and sections in a list use the same arithmetic (rule 54).
struct SlotMap: Equatable, Sendable {
  let removed: ArraySlice<Int>
  let filled: ArraySlice<Int>

  init(removed: ArraySlice<Int>, filled: ArraySlice<Int>) {
    self.removed = removed
    self.filled = filled
  }

  init(removed: [Int], filled: [Int]) {
    self.init(removed: removed[...], filled: filled[...])
  }

  /// The new index for an old one; `nil` if its slot is removed.
  ///
  /// O(log n).
  func map(_ old: Int) -> Int? {
    let before = removed.firstIndexSorted { $0 >= old }
    if before < removed.endIndex, removed[before] == old { return nil }
    return slot(ofRank: old - (before - removed.startIndex))
  }

  /// The new index of the remaining item with a rank.
  ///
  /// O(log n).
  private func slot(ofRank rank: Int) -> Int {
    rank + partitionPoint(filled.count) { filled[filled.startIndex + $0] - $0 <= rank }
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index whose element satisfies a condition that all later elements satisfy as well.
  ///
  /// O(log n).
  func firstIndexSorted(where condition: (Element) -> Bool) -> Int {
    startIndex + partitionPoint(count) { !condition(self[startIndex + $0]) }
  }
}
