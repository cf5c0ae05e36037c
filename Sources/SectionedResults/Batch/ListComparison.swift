/// Compares two whole lists when no commit tells what was written: O(n log n).
///
/// Sections and rows that keep their relative order stay. Since sections never move (rule 29), one
/// that changed places goes and comes back.
struct ListComparison<Row: ResultsRow> {
  typealias Shown = [(key: String, rows: [Row])]

  private let old: Shown
  private let new: Shown
  private let oldPlaces: [Row.ID: RowPath]
  private let newPlaces: [Row.ID: RowPath]
  private var rows: [RowChange<Row>] = []

  init(old: Shown, new: Shown) {
    self.old = old
    self.new = new
    oldPlaces = Self.places(old)
    newPlaces = Self.places(new)
  }

  private static func places(_ shown: Shown) -> [Row.ID: RowPath] {
    var places: [Row.ID: RowPath] = [:]
    for (section, content) in shown.enumerated() {
      for (row, value) in content.rows.enumerated() { places[value.id] = RowPath(section, row) }
    }
    return places
  }

  /// The difference as one change.
  mutating func change(from generation: Generation) -> ResultsChange<Row> {
    let kept = keptSections()
    rows = []
    for section in old.indices { tellGone(section) }
    for section in new.indices { tellCome(section, staysFrom: kept[section]) }
    let keptOld = Set(kept.values)
    let sections =
      old.indices.reversed().filter { !keptOld.contains($0) }.map { SectionChange.delete(at: $0) }
      + new.indices.filter { kept[$0] == nil }.map { SectionChange.insert(at: $0) }
    rows.sort { $0.kind.sortPath < $1.kind.sortPath }
    return ResultsChange(
      sections: sections, rows: rows,
      batch: ResultsBatch(
        sections: sections, rows: rows.map(\.kind), from: generation,
        sectionCountsAfter: new.map(\.rows.count)))
  }

  /// New indexes of sections that stay, with their old indexes.
  private func keptSections() -> [Int: Int] {
    let oldIndexes = Dictionary(uniqueKeysWithValues: old.indices.map { (old[$0].key, $0) })
    let common = new.indices.filter { oldIndexes[new[$0].key] != nil }
    let order = common.compactMap { oldIndexes[new[$0].key] }
    let staying = StationaryRows.longestIncreasingRun(order)
    return Dictionary(uniqueKeysWithValues: staying.map { (common[$0], order[$0]) })
  }

  private mutating func tellGone(_ section: Int) {
    for (row, value) in old[section].rows.enumerated() where newPlaces[value.id] == nil {
      rows.append(RowChange(.delete(at: RowPath(section, row)), row: value))
    }
  }

  private mutating func tellCome(_ section: Int, staysFrom oldSection: Int?) {
    let content = new[section].rows
    let survivors = content.indices.filter { oldPlaces[content[$0].id]?.section == oldSection }
    let order = survivors.compactMap { oldPlaces[content[$0].id]?.row }
    let staying =
      oldSection == nil
      ? [] : Set(StationaryRows.longestIncreasingRun(order).map { survivors[$0] })
    for (row, value) in content.enumerated() {
      let path = RowPath(section, row)
      guard let from = oldPlaces[value.id] else {
        rows.append(RowChange(.insert(at: path), row: value))
        continue
      }
      if !staying.contains(row) {
        rows.append(RowChange(.move(from: from, to: path), row: value))
      } else if old[from.section].rows[from.row] != value {
        rows.append(RowChange(.update(from: from, to: path), row: value))
      }
    }
  }
}
