// SPDX-License-Identifier: MIT

/// Compares two whole lists when no commit describes the difference: O(n log n).
///
/// Sections and rows that keep their relative order stay. A section that changed its order is
/// deleted and inserted again, since sections never move (rule 29).
struct ListComparison<Row: ResultsRow> {
  typealias Shown = [(key: String, rows: [Row])]

  private let old: Shown
  private let new: Shown
  private let oldPlaces: [Row.ID.Exact: RowPath]
  private let newPlaces: [Row.ID.Exact: RowPath]
  private var rows: [ResultsRowChange<Row>] = []

  init(old: Shown, new: Shown) {
    self.old = old
    self.new = new
    oldPlaces = Self.places(old)
    newPlaces = Self.places(new)
  }

  private static func places(_ shown: Shown) -> [Row.ID.Exact: RowPath] {
    var places: [Row.ID.Exact: RowPath] = [:]
    for (section, content) in shown.enumerated() {
      for (row, value) in content.rows.enumerated() {
        places[value.id.exact] = RowPath(section, row)
      }
    }
    return places
  }

  /// The difference as one change.
  mutating func change(from generation: Int) -> ResultsChange<Row> {
    let kept = keptSections()
    rows = []
    for section in old.indices { tellGone(section) }
    for section in new.indices { tellCome(section, staysFrom: kept[section]) }
    let keptOld = Set(kept.values)
    let sections =
      old.indices.reversed().filter { !keptOld.contains($0) }.map {
        ResultsBatch.SectionChange.delete(at: $0)
      }
      + new.indices.filter { kept[$0] == nil }.map { ResultsBatch.SectionChange.insert(at: $0) }
    rows.sort { $0.kind.sortPath < $1.kind.sortPath }
    return ResultsChange(
      sections: sections, rows: rows,
      batch: ResultsBatch(
        sections: sections, rows: rows.map { $0.kind }, from: generation,
        sectionCountsAfter: new.map { $0.rows.count }, sectionKey: { new[$0].key }))
  }

  /// The new indexes of the sections that stay, with their old indexes.
  private func keptSections() -> [Int: Int] {
    let oldIndexes = Dictionary(
      uniqueKeysWithValues: old.indices.map { (SortValue.text(old[$0].key), $0) })
    let common = new.indices.filter { oldIndexes[.text(new[$0].key)] != nil }
    let order = common.compactMap { oldIndexes[.text(new[$0].key)] }
    let staying = StationaryRows.longestIncreasingRun(order)
    return Dictionary(uniqueKeysWithValues: staying.map { (common[$0], order[$0]) })
  }

  private mutating func tellGone(_ section: Int) {
    for (row, value) in old[section].rows.enumerated() where newPlaces[value.id.exact] == nil {
      rows.append(ResultsRowChange(.delete(at: RowPath(section, row)), row: value, old: value))
    }
  }

  private mutating func tellCome(_ section: Int, staysFrom oldSection: Int?) {
    let content = new[section].rows
    let survivors = content.indices.filter {
      oldPlaces[content[$0].id.exact]?.section == oldSection
    }
    let order = survivors.compactMap { oldPlaces[content[$0].id.exact]?.row }
    let staying =
      oldSection == nil
      ? [] : Set(StationaryRows.longestIncreasingRun(order).map { survivors[$0] })
    for (row, value) in content.enumerated() {
      let path = RowPath(section, row)
      guard let from = oldPlaces[value.id.exact] else {
        rows.append(ResultsRowChange(.insert(at: path), row: value))
        continue
      }
      if !staying.contains(row) {
        rows.append(
          ResultsRowChange(
            .move(from: from, to: path), row: value, old: old[from.section].rows[from.row]))
      } else if old[from.section].rows[from.row] != value {
        rows.append(
          ResultsRowChange(
            .update(from: from, to: path), row: value, old: old[from.section].rows[from.row]))
      }
    }
  }
}

/// Decides which written rows keep their position, and which move.
///
/// Unwritten rows never move (rule 38). A written row can stay only if it has as many unwritten
/// rows before it as it had. Among the rows of one such gap a longest increasing subsequence stays,
/// so the number of moves is minimal. If there are several, the one that patience sorting finds
/// stays, with the smallest tails (rule 39).
package enum StationaryRows {
  /// A written row that is in the same section before and after.
  struct Candidate {
    /// Its position before the commit.
    var old: Int
    /// Its position after the commit.
    var new: Int
    /// The number of unwritten rows before its old position.
    var oldAnchors: Int
    /// The number of unwritten rows before its new position.
    var newAnchors: Int
  }

  /// The candidates that stay, as indexes into `candidates`; O(k log k).
  static func among(_ candidates: [Candidate]) -> Set<Int> {
    let steady = candidates.indices
      .filter { candidates[$0].oldAnchors == candidates[$0].newAnchors }
      .sorted { candidates[$0].new < candidates[$1].new }
    var staying: Set<Int> = []
    var start = 0
    while start < steady.count {
      let gap = candidates[steady[start]].newAnchors
      let end = steady[start...].firstIndex { candidates[$0].newAnchors != gap } ?? steady.count
      let run = Array(steady[start..<end])
      for index in longestIncreasingRun(run.map { candidates[$0].old }) {
        staying.insert(run[index])
      }
      start = end
    }
    return staying
  }

  /// The indexes of a longest strictly increasing subsequence, by patience sorting; O(n log n).
  package static func longestIncreasingRun(_ values: [Int]) -> [Int] {
    var tails: [Int] = []
    var previous = [Int?](repeating: nil, count: values.count)
    for index in values.indices {
      let pile = partitionPoint(tails.count) { values[tails[$0]] < values[index] }
      previous[index] = pile > 0 ? tails[pile - 1] : nil
      if pile == tails.count { tails.append(index) } else { tails[pile] = index }
    }
    var run: [Int] = []
    var next = tails.last
    while let index = next {
      run.append(index)
      next = previous[index]
    }
    return run.reversed()
  }
}
