/// Everything that is checked before a block of edits touches a list (rules 56, 57 and 62).
extension ListEdits {
  /// Checks the edits against the old and the new row counts of all sections.
  ///
  /// - Throws: the first violation found; violations of rule 57 come before those of rule 56.
  /// - Complexity: O(sections + e log e) for e edits.
  /// - Returns: the mapping from old to new paths.
  func verified(from old: [Int], to new: [Int]) throws(ListUpdateError) -> PathMapping {
    let sortedSections = sections.sorted()
    let sortedRows = rows.sorted()
    try sortedSections.check(
      isOld: old.indices.contains, isNew: new.indices.contains, item: ListItem.section)
    try sortedRows.check(isOld: old.hasRow(at:), isNew: new.hasRow(at:), item: ListItem.row)
    try checkRowsOfDeletedAndInsertedSections()
    let mapping = PathMapping(self)
    try checkCounts(from: old, to: new, mapping: mapping)
    try checkReloadTargets(mapping)
    return mapping
  }

  private func checkRowsOfDeletedAndInsertedSections() throws(ListUpdateError) {
    let deleted = Set(sections.deleted)
    let inserted = Set(sections.inserted)
    for move in rows.moved {
      if deleted.contains(move.from.section) { throw .movedOutOfDeletedSection(move.from) }
      if inserted.contains(move.to.section) { throw .movedIntoInsertedSection(move.to) }
    }
    for path in rows.reloaded where deleted.contains(path.section) {
      throw .reloadedInDeletedSection(path)
    }
  }

  private func checkCounts(
    from old: [Int], to new: [Int], mapping: PathMapping
  ) throws(ListUpdateError) {
    let sectionCount = old.count - sections.deleted.count + sections.inserted.count
    if sectionCount != new.count {
      throw .wrongSectionCount(expected: sectionCount, told: new.count)
    }
    for (section, told) in new.enumerated() where !ListSection.possibleCounts.contains(told) {
      throw .impossibleRowCount(section: section, told: told)
    }
    let growth = rowGrowth(mapping)
    if sections.keepsPlaces {
      return try checkCounts(from: old, to: new, growth: growth)
    }
    for index in old.indices {
      guard let target = mapping.map(section: index) else { continue }
      let expected = old[index] + growth[target, default: 0]
      if expected != new[target] {
        throw .wrongRowCount(section: target, expected: expected, told: new[target])
      }
    }
  }

  /// The same where all sections stay where they are, as with most updates: without a look-up for each.
  private func checkCounts(
    from old: [Int], to new: [Int], growth: [Int: Int]
  ) throws(ListUpdateError) {
    var expected = old
    for (section, rows) in growth { expected[section] += rows }
    guard expected != new else { return }
    for section in new.indices where expected[section] != new[section] {
      throw .wrongRowCount(section: section, expected: expected[section], told: new[section])
    }
  }

  /// By how many rows each section that stays grows, by new index.
  ///
  /// Edits inside deleted and inserted sections are swallowed by them (rule 58).
  private func rowGrowth(_ mapping: PathMapping) -> [Int: Int] {
    var growth: [Int: Int] = [:]
    for path in rows.deleted + rows.moved.map(\.from) {
      if let section = mapping.map(section: path.section) { growth[section, default: 0] -= 1 }
    }
    for path in rows.inserted + rows.moved.map(\.to) { growth[path.section, default: 0] += 1 }
    return growth
  }

  private func checkReloadTargets(_ mapping: PathMapping) throws(ListUpdateError) {
    for update in reloadTargets {
      guard let expected = mapping.map(update.from).path, expected != update.to else { continue }
      throw .updateChangesPlace(from: update.from, expected: expected, told: update.to)
    }
  }
}

extension [Int] {
  /// Whether there is a row at a path, in an array of row counts by section.
  fileprivate func hasRow(at path: RowPath) -> Bool {
    indices.contains(path.section) && path.row >= 0 && path.row < self[path.section]
  }
}

extension ItemEdits {
  /// The same edits with each family in order, moves by source.
  fileprivate func sorted() -> Self {
    ItemEdits(
      deleted: deleted.sorted(), inserted: inserted.sorted(), reloaded: reloaded.sorted(),
      moved: moved.sorted { $0.from < $1.from })
  }

  /// Checks sorted edits by themselves, as far as rule 57 knows no difference between sections and
  /// rows.
  fileprivate func check(
    isOld: (Place) -> Bool, isNew: (Place) -> Bool, item: (Place) -> ListItem
  ) throws(ListUpdateError) {
    let sources = moved.map(\.from)
    let targets = moved.map(\.to).sorted()
    if let place = deleted.first(where: { !isOld($0) }) { throw .deleteMissing(item(place)) }
    if let place = reloaded.first(where: { !isOld($0) }) { throw .reloadMissing(item(place)) }
    if let place = sources.first(where: { !isOld($0) }) { throw .moveMissing(item(place)) }
    if let place = inserted.first(where: { !isNew($0) }) { throw .insertBeyondCount(item(place)) }
    if let place = targets.first(where: { !isNew($0) }) { throw .moveBeyondCount(item(place)) }
    if let place = deleted.firstRepeated { throw .deletedTwice(item(place)) }
    if let place = reloaded.firstRepeated { throw .reloadedTwice(item(place)) }
    if let place = inserted.firstRepeated { throw .insertedTwice(item(place)) }
    if let place = sources.firstRepeated { throw .movedFromTwice(item(place)) }
    if let place = targets.firstRepeated { throw .movedToTwice(item(place)) }
    if let place = deleted.firstShared(reloaded) { throw .deletedAndReloaded(item(place)) }
    if let place = deleted.firstShared(sources) { throw .deletedAndMoved(item(place)) }
    if let place = sources.firstShared(reloaded) { throw .movedAndReloaded(item(place)) }
    if let place = inserted.firstShared(targets) { throw .insertedAndMovedTo(item(place)) }
  }
}

extension Array where Element: Comparable {
  /// The first element that stands twice in a sorted array.
  fileprivate var firstRepeated: Element? {
    zip(self, dropFirst()).first { $0 == $1 }?.0
  }

  /// The first element that two sorted arrays share.
  fileprivate func firstShared(_ other: [Element]) -> Element? {
    var index = 0
    for element in self {
      while index < other.count, other[index] < element { index += 1 }
      if index < other.count, other[index] == element { return element }
    }
    return nil
  }
}
