import SectionedResults

/// Two states of a list, compared in the slowest and most obvious way: the oracle of the tests.
package struct ReferenceDiff<Row: ResultsRow> {
  /// Sections in order, each with its rows.
  package typealias Shown = [(key: String, rows: [Row])]

  package let old: Shown
  package let new: Shown
  /// The delegate form of the difference.
  package private(set) var delegate = BatchLists()

  /// The rows that a request shows among those that pass its filter, computed from scratch.
  package static func shown(_ rows: some Sequence<Row>, _ request: ResultsRequest<Row>) -> Shown {
    let keyed = rows.map { (key: request.key(of: $0), row: $0) }
      .sorted { request.precedes($0.key, $1.key) }
    let window = keyed.dropFirst(request.offset).prefix(request.limit ?? .max)
    guard request.sectionField != nil else { return [("", window.map(\.row))] }
    var sections: Shown = []
    for (key, row) in window {
      if let last = sections.indices.last, sections[last].key == key.section {
        sections[last].rows.append(row)
      } else {
        sections.append((key.section, [row]))
      }
    }
    return sections
  }

  /// Whether both show the same rows in the same sections.
  package static func same(_ left: Shown, _ right: Shown) -> Bool {
    left.elementsEqual(right) { $0.key == $1.key && $0.rows == $1.rows }
  }

  /// Compares two states.
  package init(old: Shown, new: Shown) {
    self.old = old
    self.new = new
    let oldPlaces = Self.places(old)
    let newPlaces = Self.places(new)
    let oldKeys = Set(old.map(\.key))
    let newKeys = Set(new.map(\.key))
    delegate.deletedSections = old.indices.filter { !newKeys.contains(old[$0].key) }
    delegate.insertedSections = new.indices.filter { !oldKeys.contains(new[$0].key) }
    delegate.deletedRows = oldPlaces.filter { newPlaces[$0.key] == nil }.map(\.value.path)
    delegate.insertedRows = newPlaces.filter { oldPlaces[$0.key] == nil }.map(\.value.path)
    compareSurvivors(oldPlaces, newPlaces)
    delegate.sort()
  }

  private typealias Places = [Row.ID: (path: RowPath, row: Row)]

  private static func places(_ shown: Shown) -> Places {
    var places: Places = [:]
    for (section, content) in shown.enumerated() {
      for (row, value) in content.rows.enumerated() {
        places[value.id] = (RowPath(section, row), value)
      }
    }
    return places
  }

  private mutating func compareSurvivors(_ oldPlaces: Places, _ newPlaces: Places) {
    for (id, place) in oldPlaces {
      guard let target = newPlaces[id], old[place.path.section].key != new[target.path.section].key
      else { continue }
      delegate.moves.append(ResultsBatch.Move(from: place.path, to: target.path))
    }
    for section in old {
      guard let now = new.first(where: { $0.key == section.key }) else { continue }
      compare(section.rows, now.rows, oldPlaces, newPlaces)
    }
  }

  /// Rows of one section that are in it before and after.
  private mutating func compare(
    _ before: [Row], _ after: [Row], _ oldPlaces: Places, _ newPlaces: Places
  ) {
    let beforeIDs = Set(before.map(\.id))
    let afterIDs = Set(after.map(\.id))
    let changed = after.filter { beforeIDs.contains($0.id) && oldPlaces[$0.id]?.row != $0 }
    let changedIDs = Set(changed.map(\.id))
    func anchors(_ rows: [Row], before id: Row.ID) -> Int {
      rows.prefix { $0.id != id }.count {
        beforeIDs.contains($0.id) && afterIDs.contains($0.id) && !changedIDs.contains($0.id)
      }
    }
    let steady = changed.filter { anchors(before, before: $0.id) == anchors(after, before: $0.id) }
    var staying: Set<Row.ID> = []
    for (_, gap) in Dictionary(grouping: steady, by: { anchors(after, before: $0.id) }) {
      let olds = gap.compactMap { oldPlaces[$0.id]?.path.row }
      for index in StationaryRows.longestIncreasingRun(olds) { staying.insert(gap[index].id) }
    }
    for row in changed {
      guard let from = oldPlaces[row.id]?.path, let to = newPlaces[row.id]?.path else { continue }
      if staying.contains(row.id) {
        delegate.updates.append(from)
      } else {
        delegate.moves.append(ResultsBatch.Move(from: from, to: to))
      }
    }
  }

  /// The fewest moves by which `changed` rows can be put right, by trying all subsets.
  package static func fewestMoves(old: [Row.ID], new: [Row.ID], changed: [Row.ID]) -> Int {
    for count in 0...changed.count {
      for moved in subsets(of: changed, count: count) {
        let gone = Set(moved)
        if old.filter({ !gone.contains($0) }) == new.filter({ !gone.contains($0) }) { return count }
      }
    }
    return changed.count
  }

  private static func subsets(of items: [Row.ID], count: Int) -> [[Row.ID]] {
    guard count > 0 else { return [[]] }
    guard let first = items.first else { return [] }
    let rest = Array(items.dropFirst())
    return subsets(of: rest, count: count - 1).map { [first] + $0 }
      + subsets(of: rest, count: count)
  }
}
