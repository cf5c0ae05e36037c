import TestSupport

@testable import SectionedResults

/// A random list and a random valid update of it.
struct ListScenario {
  var old: Rows
  var edits = ListEdits()
  var counts: [Int] = []

  /// - Parameter movesSections: sections are moved too, which no batch of a controller does.
  init(using random: inout SeededGenerator, movesSections: Bool) {
    var nextRow = 0
    old = (0..<random.below(6)).map { _ in
      (0..<random.below(6)).map { _ in
        nextRow += 1
        return nextRow
      }
    }
    let slots = editSections(movesSections: movesSections, using: &random)
    let lists = distributeRows(over: slots, using: &random)
    counts = lists.map(\.count)
    findUpdateTargets(slots, lists)
  }

  var list: SectionedList {
    SectionedList(
      sections: old.enumerated().map { SectionedList.Section(key: "old \($0)", count: $1.count) },
      height: 10)
  }

  /// The edits as a controller would give them; only without moved sections.
  var batch: ResultsBatch {
    var batch = ResultsBatch(from: 0, to: 1, sectionCountsAfter: counts)
    batch.deletedSections = edits.sections.deleted.sorted()
    batch.insertedSections = edits.sections.inserted.sorted()
    batch.deletedRows = edits.rows.deleted.sorted()
    batch.insertedRows = edits.rows.inserted.sorted()
    for move in edits.rows.moved {
      let isDying = edits.sections.deleted.contains(move.from.section)
      let isBorn = edits.sections.inserted.contains(move.to.section)
      if isDying || isBorn {
        batch.carriedRows.append(.init(from: move.from, to: move.to))
      } else {
        batch.moves.append(.init(from: move.from, to: move.to))
      }
      if isDying, !isBorn { batch.insertedRows.append(move.to) }
      if isBorn, !isDying { batch.deletedRows.append(move.from) }
    }
    batch.moves.sort { $0.from < $1.from }
    batch.insertedRows.sort()
    batch.deletedRows.sort()
    batch.updates = edits.reloadTargets.map { .init(from: $0.from, to: $0.to) }
      .sorted { $0.from < $1.from }
    return batch
  }

  /// Deletes, moves and inserts sections.
  ///
  /// - Returns: for each new section the old one, or `freshRow`.
  private mutating func editSections(
    movesSections: Bool, using random: inout SeededGenerator
  ) -> [Int] {
    var slots: [Int] = []
    var moved: [Int] = []
    for section in old.indices {
      if random.chance(percent: 15) {
        edits.sections.deleted.append(section)
      } else if movesSections, random.chance(percent: 20) {
        moved.append(section)
      } else {
        slots.append(section)
      }
    }
    for section in moved { slots.insert(section, at: random.below(slots.count + 1)) }
    for _ in 0..<random.below(3) { slots.insert(freshRow, at: random.below(slots.count + 1)) }
    for (index, source) in slots.enumerated() {
      if source == freshRow { edits.sections.inserted.append(index) }
      if moved.contains(source) { edits.sections.moved.append(.init(from: source, to: index)) }
    }
    return slots
  }

  /// Deletes, moves, updates and inserts rows.
  ///
  /// - Returns: for each new section the old paths of its rows, `nil` for new ones.
  private mutating func distributeRows(
    over slots: [Int], using random: inout SeededGenerator
  ) -> [[RowPath?]] {
    var lists: [[RowPath?]] = Array(repeating: [], count: slots.count)
    var moved: [RowPath] = []
    for (index, source) in slots.enumerated() where source != freshRow {
      for row in old[source].indices {
        let path = RowPath(source, row)
        switch random.below(10) {
        case 0, 1: edits.rows.deleted.append(path)
        case 2, 3: moved.append(path)
        case 4:
          edits.rows.reloaded.append(path)
          lists[index].append(path)
        default: lists[index].append(path)
        }
      }
    }
    for section in edits.sections.deleted {
      moved += old[section].indices.map { RowPath(section, $0) }.filter { _ in
        random.chance(percent: 30)
      }
    }
    for path in moved {
      guard let section = slots.indices.randomElement(using: &random) else { break }
      lists[section].insert(path, at: random.below(lists[section].count + 1))
    }
    for section in lists.indices {
      for _ in 0..<random.below(3) {
        lists[section].insert(nil, at: random.below(lists[section].count + 1))
      }
    }
    recordTargets(lists, moved: moved, slots: slots)
    return lists
  }

  private mutating func recordTargets(_ lists: [[RowPath?]], moved: [RowPath], slots: [Int]) {
    for (section, list) in lists.enumerated() {
      for (row, path) in list.enumerated() {
        let target = RowPath(section, row)
        if let path, moved.contains(path) {
          edits.rows.moved.append(.init(from: path, to: target))
        } else if path == nil, slots[section] != freshRow {
          edits.rows.inserted.append(target)
        }
      }
    }
  }

  private mutating func findUpdateTargets(_ slots: [Int], _ lists: [[RowPath?]]) {
    for (section, list) in lists.enumerated() {
      for (row, path) in list.enumerated() {
        guard let path, edits.rows.reloaded.contains(path) else { continue }
        edits.reloadTargets.append(.init(from: path, to: RowPath(section, row)))
      }
    }
  }
}
