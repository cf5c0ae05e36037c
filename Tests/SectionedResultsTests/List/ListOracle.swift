@testable import SectionedResults

/// Sections as arrays of row numbers: what a list would be if cost did not matter.
typealias Rows = [[Int]]

/// Stands for any row that an edit inserts.
let freshRow = -1

/// The slow and obvious meaning of edits, all at the same time; `nil` for edits that are not valid.
func applySimultaneously(_ edits: ListEdits, to old: Rows, counts: [Int]) -> Rows? {
  guard edits.isValid(old: old, counts: counts) else { return nil }
  let survivors = fill(
    count: counts.count, old: Array(old.indices), removed: edits.sections.deleted,
    moved: edits.sections.moved.map { ($0.from, $0.to) }, inserted: edits.sections.inserted,
    fresh: freshRow)
  guard let survivors else { return nil }
  var new: Rows = []
  for (index, source) in survivors.enumerated() {
    if source == freshRow {
      var rows = Array(repeating: freshRow, count: counts[index])
      for move in edits.rows.moved where move.to.section == index {
        rows[move.to.row] = old[move.from.section][move.from.row]
      }
      new.append(rows)
    } else {
      guard let rows = edits.rows(of: index, from: source, old: old, counts: counts) else {
        return nil
      }
      new.append(rows)
    }
  }
  let updatesAreInPlace = edits.reloadTargets.allSatisfy { update in
    new[update.to.section][update.to.row] == old[update.from.section][update.from.row]
  }
  return updatesAreInPlace ? new : nil
}

/// Puts what is inserted and moved into its slots and what stays, in order, into the others; `nil`
/// if that does not come out even.
private func fill(
  count: Int, old: [Int], removed: [Int], moved: [(Int, Int)], inserted: [Int], fresh: Int
) -> [Int]? {
  var slots: [Int?] = Array(repeating: nil, count: count)
  for index in inserted { slots[index] = fresh }
  for (from, to) in moved { slots[to] = from }
  var staying = old.filter { !removed.contains($0) && !moved.map(\.0).contains($0) }
  for index in slots.indices where slots[index] == nil {
    if staying.isEmpty { return nil }
    slots[index] = staying.removeFirst()
  }
  return staying.isEmpty ? slots.compactMap(\.self) : nil
}

extension ListEdits {
  fileprivate func rows(of new: Int, from source: Int, old: Rows, counts: [Int]) -> [Int]? {
    var slots: [Int?] = Array(repeating: nil, count: counts[new])
    for path in rows.inserted where path.section == new { slots[path.row] = freshRow }
    for move in rows.moved where move.to.section == new {
      slots[move.to.row] = old[move.from.section][move.from.row]
    }
    let gone = rows.deleted + rows.moved.map(\.from)
    var staying = old[source].indices.filter { !gone.contains(RowPath(source, $0)) }
    for index in slots.indices where slots[index] == nil {
      if staying.isEmpty { return nil }
      slots[index] = old[source][staying.removeFirst()]
    }
    return staying.isEmpty ? slots.compactMap(\.self) : nil
  }

  /// Rule 57, spelt out.
  fileprivate func isValid(old: Rows, counts: [Int]) -> Bool {
    let oldPaths = Set(old.indices.flatMap { s in old[s].indices.map { RowPath(s, $0) } })
    let newPaths = Set(
      counts.indices.flatMap { s in (0..<max(0, counts[s])).map { RowPath(s, $0) } })
    return counts.allSatisfy { $0 >= 0 }
      && sections.isValid(old: Set(old.indices), new: Set(counts.indices))
      && rows.isValid(old: oldPaths, new: newPaths)
      && !rows.reloaded.contains { sections.deleted.contains($0.section) }
      && reloadTargets.allSatisfy { newPaths.contains($0.to) }
  }
}

extension ItemEdits {
  fileprivate func isValid(old: Set<Place>, new: Set<Place>) -> Bool {
    let sources = moved.map(\.from)
    let targets = moved.map(\.to)
    let oldSide = deleted + reloaded + sources
    let newSide = inserted + targets
    return Set(oldSide).count == oldSide.count && Set(newSide).count == newSide.count
      && old.isSuperset(of: oldSide) && new.isSuperset(of: newSide)
  }
}

/// The order of single edits that is always right for plain arrays (section 3 of the semantics).
///
/// It has no section moves.
func applySequentially(_ edits: ListEdits, to old: Rows, counts: [Int]) -> Rows {
  var rows = old
  let moved = edits.rows.moved.map { (id: old[$0.from.section][$0.from.row], to: $0.to) }
  for path in (edits.rows.deleted + edits.rows.moved.map(\.from)).sorted(by: >)
  where !edits.sections.deleted.contains(path.section) {
    rows[path.section].remove(at: path.row)
  }
  for section in edits.sections.deleted.sorted(by: >) { rows.remove(at: section) }
  for section in edits.sections.inserted.sorted() {
    let fresh = counts[section] - moved.count { $0.to.section == section }
    rows.insert(Array(repeating: freshRow, count: fresh), at: section)
  }
  let inserts = edits.rows.inserted.filter { !edits.sections.inserted.contains($0.section) }
  for insert in (inserts.map { (id: freshRow, to: $0) } + moved).sorted(by: { $0.to < $1.to }) {
    rows[insert.to.section].insert(insert.id, at: insert.to.row)
  }
  return rows
}
