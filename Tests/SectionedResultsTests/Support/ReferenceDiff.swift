@testable import SectionedResults

/// Two states of a list, compared in the slowest and most obvious way: the oracle of the tests.
struct ReferenceDiff {
  typealias Shown = [(key: String, rows: [VectorRow])]

  let old: Shown
  let new: Shown
  private(set) var delegate = BatchLists(ResultsBatch(from: 0, to: 0))

  /// What a request shows of these rows, computed from nothing.
  static func shown(_ rows: [VectorRow], _ options: VectorOptions) -> Shown {
    let request = options.request
    var visible = rows.filter { !$0.isHidden }.map(options.observed).sorted {
      request.precedes(request.key(of: $0), request.key(of: $1))
    }
    visible = Array(visible.dropFirst(options.offset).prefix(options.limit ?? .max))
    guard options.isSectioned else { return [("", visible)] }
    var sections: Shown = []
    for row in visible {
      if let last = sections.indices.last, sections[last].key == row.section {
        sections[last].rows.append(row)
      } else {
        sections.append((row.section, [row]))
      }
    }
    return sections
  }

  /// Compares two states; `wrote` tells which rows the commit wrote with effect.
  init(old: Shown, new: Shown) {
    self.old = old
    self.new = new
    let oldPaths = Self.paths(old)
    let newPaths = Self.paths(new)
    let oldKeys = Set(old.map(\.key))
    let newKeys = Set(new.map(\.key))
    delegate.deletedSections = old.indices.filter { !newKeys.contains(old[$0].key) }
    delegate.insertedSections = new.indices.filter { !oldKeys.contains(new[$0].key) }
    delegate.deletedRows = oldPaths.filter { newPaths[$0.key] == nil }.map(\.value.path).sorted()
    delegate.insertedRows = newPaths.filter { oldPaths[$0.key] == nil }.map(\.value.path).sorted()
    compareSurvivors(oldPaths, newPaths)
    delegate.moves.sort { $0.from < $1.from }
    delegate.updates.sort()
  }

  private typealias Places = [SortValue: (path: RowPath, row: VectorRow)]

  private static func paths(_ shown: Shown) -> Places {
    var places: Places = [:]
    for (section, content) in shown.enumerated() {
      for (row, value) in content.rows.enumerated() {
        places[value.id] = (RowPath(section, row), value)
      }
    }
    return places
  }

  private mutating func compareSurvivors(_ oldPaths: Places, _ newPaths: Places) {
    for (id, place) in oldPaths {
      guard let target = newPaths[id], old[place.path.section].key != new[target.path.section].key
      else { continue }
      delegate.moves.append(ResultsBatch.Move(from: place.path, to: target.path))
    }
    for section in old {
      guard let now = new.first(where: { $0.key == section.key }) else { continue }
      compare(section.rows, now.rows, oldPaths, newPaths)
    }
  }

  /// Rows of one section that are in it before and after.
  private mutating func compare(
    _ before: [VectorRow], _ after: [VectorRow], _ oldPaths: Places, _ newPaths: Places
  ) {
    let beforeIDs = Set(before.map(\.id))
    let common = after.filter { beforeIDs.contains($0.id) }
    let changed = common.filter { oldPaths[$0.id]?.row != $0 }
    let changedIDs = Set(changed.map(\.id))
    let afterIDs = Set(after.map(\.id))
    func anchors(_ rows: [VectorRow], before id: SortValue) -> Int {
      rows.prefix { $0.id != id }.count {
        beforeIDs.contains($0.id) && afterIDs.contains($0.id) && !changedIDs.contains($0.id)
      }
    }
    let steady = changed.filter { anchors(before, before: $0.id) == anchors(after, before: $0.id) }
    var staying: Set<SortValue> = []
    for (_, gap) in Dictionary(grouping: steady, by: { anchors(after, before: $0.id) }) {
      let olds = gap.compactMap { oldPaths[$0.id]?.path.row }
      for index in StationaryRows.longestIncreasingRun(olds) { staying.insert(gap[index].id) }
    }
    for row in changed {
      guard let from = oldPaths[row.id]?.path, let to = newPaths[row.id]?.path else { continue }
      if staying.contains(row.id) {
        delegate.updates.append(from)
      } else {
        delegate.moves.append(ResultsBatch.Move(from: from, to: to))
      }
    }
  }

  /// The fewest moves by which `changed` rows can be put right, by trying all subsets.
  static func fewestMoves(old: [SortValue], new: [SortValue], changed: [SortValue]) -> Int {
    for count in 0...changed.count {
      for moved in subsets(of: changed, count: count) {
        let gone = Set(moved)
        if old.filter({ !gone.contains($0) }) == new.filter({ !gone.contains($0) }) { return count }
      }
    }
    return changed.count
  }

  private static func subsets(of items: [SortValue], count: Int) -> [[SortValue]] {
    guard count > 0 else { return [[]] }
    guard let first = items.first else { return [] }
    let rest = Array(items.dropFirst())
    return subsets(of: rest, count: count - 1).map { [first] + $0 }
      + subsets(of: rest, count: count)
  }
}
