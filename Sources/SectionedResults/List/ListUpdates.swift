// SPDX-License-Identifier: MIT

/// Updates as with `UITableView`: edits are recorded in a block, checked together and applied
/// together.
extension SectionedList {
  /// Opens an update block, or a nested one; only the outermost
  /// ``endUpdates(counts:generation:sectionKeys:)`` applies edits (rule 55).
  public mutating func beginUpdates() {
    if block == nil { block = UpdateBlock() } else { block?.depth += 1 }
  }

  /// Closes an update block; the outermost one checks and applies all recorded edits.
  ///
  /// On an error the block is dropped and the list is unchanged: reload the list (rule 62). Inner
  /// blocks ignore their arguments.
  ///
  /// - Parameters:
  ///   - counts: the number of rows per section after the update.
  ///   - generation: the state shown after the update; by default the next one.
  ///   - sectionKeys: the identity of a section by its new index; called for inserted sections only.
  /// - Throws: the first violation of rules 56 and 57.
  /// - Complexity: O(sections + e log e) for e edits.
  @discardableResult
  public mutating func endUpdates(
    counts: [Int], generation: Int? = nil, sectionKeys: (Int) -> String
  ) throws(ListUpdateError) -> PathMapping? {
    guard let open = block else { throw .endWithoutBegin }
    block?.depth -= 1
    if open.depth > 1 { return nil }
    block = nil
    let mapping = try perform(open.edits, counts: counts, sectionKeys: sectionKeys)
    self.generation = generation ?? self.generation &+ 1
    return mapping
  }

  /// Records inserted sections by their new indexes.
  ///
  /// - Throws: ``ListUpdateError/editOutsideBlock``.
  public mutating func insertSections(_ sections: some Sequence<Int>) throws(ListUpdateError) {
    try record { $0.sections.inserted += sections }
  }

  /// Records deleted sections, with all their rows, by their old indexes.
  ///
  /// - Throws: ``ListUpdateError/editOutsideBlock``.
  public mutating func deleteSections(_ sections: some Sequence<Int>) throws(ListUpdateError) {
    try record { $0.sections.deleted += sections }
  }

  /// Records sections to redraw by their old indexes; they keep their identity (rule 61), and their
  /// number of rows must match the other edits.
  ///
  /// - Throws: ``ListUpdateError/editOutsideBlock``.
  public mutating func reloadSections(_ sections: some Sequence<Int>) throws(ListUpdateError) {
    try record { $0.sections.reloaded += sections }
  }

  /// Records a section, with its rows, as moved from an old index to a new one.
  ///
  /// - Throws: ``ListUpdateError/editOutsideBlock``.
  public mutating func moveSection(at old: Int, to new: Int) throws(ListUpdateError) {
    try record { $0.sections.moved.append(.init(from: old, to: new)) }
  }

  /// Records inserted rows by their new paths.
  ///
  /// - Throws: ``ListUpdateError/editOutsideBlock``.
  public mutating func insertRows(_ paths: some Sequence<RowPath>) throws(ListUpdateError) {
    try record { $0.rows.inserted += paths }
  }

  /// Records deleted rows by their old paths.
  ///
  /// - Throws: ``ListUpdateError/editOutsideBlock``.
  public mutating func deleteRows(_ paths: some Sequence<RowPath>) throws(ListUpdateError) {
    try record { $0.rows.deleted += paths }
  }

  /// Records rows to redraw by their old paths.
  ///
  /// - Throws: ``ListUpdateError/editOutsideBlock``.
  public mutating func reloadRows(_ paths: some Sequence<RowPath>) throws(ListUpdateError) {
    try record { $0.rows.reloaded += paths }
  }

  /// Records a row as moved from an old path to a new one, possibly the same (rule 59), also out of a
  /// deleted section or into an inserted one (rule 58).
  ///
  /// The list redraws it (rule 60).
  ///
  /// - Throws: ``ListUpdateError/editOutsideBlock``.
  public mutating func moveRow(at old: RowPath, to new: RowPath) throws(ListUpdateError) {
    try record { $0.rows.moved.append(.init(from: old, to: new)) }
  }

  /// Moves a row as the user has dragged it, before the store knows: the list's guess at the next
  /// generation (rule 71).
  ///
  /// ``ResultsController/performUserReordering(moving:to:write:)`` then writes the move, and batches
  /// correct the list where the guess was wrong. A move to the same path changes nothing.
  ///
  /// - Parameters:
  ///   - old: the path of the row.
  ///   - new: its path after the move, with the row taken out first.
  /// - Returns: the mapping from old to new paths; `nil` for the same path.
  /// - Throws: ``ListUpdateError/moveMissing(_:)``, ``ListUpdateError/moveBeyondCount(_:)``, or
  ///   ``ListUpdateError/batchInsideBlock``.
  @discardableResult
  public mutating func reorderRow(
    at old: RowPath, to new: RowPath
  ) throws(ListUpdateError) -> PathMapping? {
    guard block == nil else { throw .batchInsideBlock }
    guard hasRow(at: old) else { throw .moveMissing(.row(old)) }
    guard old != new else { return nil }
    guard sections.indices.contains(new.section) else { throw .moveBeyondCount(.row(new)) }
    var counts = sections.map { $0.count }
    counts[old.section] -= 1
    counts[new.section] += 1
    beginUpdates()
    try moveRow(at: old, to: new)
    return try endUpdates(counts: counts) { _ in "" }
  }

  /// Applies a batch of a results controller, with the same checks as a recorded block.
  ///
  /// A batch that ``ResultsBatch/isWhole`` is a reload: folds and the selection follow the sections'
  /// identities as far as they exist.
  ///
  /// - Returns: the mapping from old to new paths; `nil` after a reload.
  /// - Throws: the first violation; the list is then unchanged, reload it.
  /// - Complexity: O(sections + b log b) for a batch of b changes.
  @discardableResult
  public mutating func apply(_ batch: ResultsBatch) throws(ListUpdateError) -> PathMapping? {
    guard block == nil else { throw .batchInsideBlock }
    guard batch.insertedSectionKeys.count == batch.insertedSections.count else {
      throw .wrongSectionCount(
        expected: batch.insertedSections.count, told: batch.insertedSectionKeys.count)
    }
    if batch.isWhole, generation != 0,
      batch.insertedSections == Array(batch.sectionCountsAfter.indices)
    {
      let sections = zip(batch.insertedSectionKeys, batch.sectionCountsAfter)
        .map { Section(key: $0, count: $1) }
      reload(sections: sections, generation: batch.to)
      return nil
    }
    guard batch.from == generation else {
      throw .wrongGeneration(shown: generation, from: batch.from)
    }
    beginUpdates()
    try record { $0 = ListEdits(batch) }
    let (inserted, keys) = (batch.insertedSections, batch.insertedSectionKeys)
    return try endUpdates(counts: batch.sectionCountsAfter, generation: batch.to) { section in
      keys[partitionPoint(inserted.count) { inserted[$0] < section }]
    }
  }

  /// Replaces all sections.
  ///
  /// Folds follow the identities of sections. The selection keeps its position in the section with
  /// the same identity, or else its approximate position in the list.
  ///
  /// An open update block is dropped.
  public mutating func reload(sections new: [SectionedList.Section], generation: Int) {
    block = nil
    clearChanges()
    let screenLine = selectionScreenLine ?? 0
    let wasAtTop = offset == 0
    let old = selection.map { (key: sections[$0.section].key, position: $0) }
    let folded = Set(foldedKeys.map(SortValue.text))
    sections = new.map {
      SectionedList.Section(
        key: $0.key, count: $0.count, folded: $0.folded || folded.contains(.text($0.key)))
    }
    self.generation = generation
    selection =
      old.flatMap { old in
        let section = sections.firstIndex { $0.key.hasBytes(of: old.key) } ?? old.position.section
        return nearestPosition(section: section, row: old.position.path?.row ?? 0)
      } ?? position(ofOrdinal: 0)
    anchor(at: screenLine, preferTop: wasAtTop)
  }

  /// Shows the state of a controller or a composite list: after a fetch, and when it asks for a reload.
  public mutating func reload(from results: some ResultsList) {
    let sections = zip(results.sectionKeys, results.sectionCounts)
      .map { Section(key: $0, count: $1) }
    reload(sections: sections, generation: results.generation)
  }

  private mutating func record(_ edit: (inout ListEdits) -> Void) throws(ListUpdateError) {
    guard var open = block else { throw .editOutsideBlock }
    block = nil
    edit(&open.edits)
    block = open
  }
}

/// Applying verified edits: first the sections, then the selection, folds and offset.
extension SectionedList {
  /// Checks all edits, then applies them; on an error nothing has changed (rule 62).
  ///
  /// - Returns: the mapping from old to new paths.
  @discardableResult
  mutating func perform(
    _ edits: ListEdits, counts: [Int], sectionKeys: (Int) -> String
  ) throws(ListUpdateError) -> PathMapping {
    let mapping = try edits.verified(from: sections.map { $0.count }, to: counts)
    let screenLine = selectionScreenLine ?? 0
    let wasAtTop = offset == 0
    let target = selection.map { destination(of: $0, mapping) }
    sections =
      edits.sections.keepsPlaces
      ? recountedSections(counts)
      : mappedSections(mapping, counts: counts, sectionKeys: sectionKeys)
    selection =
      target.flatMap { nearestPosition(section: $0.section, row: $0.row) }
      ?? position(ofOrdinal: 0)
    anchor(at: screenLine, preferTop: wasAtTop)
    markChanges(edits.carryingRows, mapping)
    return mapping
  }

  /// Keeps the selection on its line of the screen.
  ///
  /// A list at its top stays there if the selection is visible, because new rows usually appear at
  /// the top.
  mutating func anchor(at screenLine: Int, preferTop: Bool) {
    guard preferTop, let selection, line(of: selection) < max(1, height) else {
      return anchorSelection(at: screenLine)
    }
    offset = 0
    scrollToSelection(margin: 0)
  }

  /// The sections with new counts, if none is inserted, deleted or moved, as in most updates.
  private func recountedSections(_ counts: [Int]) -> [SectionedList.Section] {
    var recounted = sections
    for (index, count) in counts.enumerated() where recounted[index].count != count {
      let old = recounted[index]
      recounted[index] = SectionedList.Section(key: old.key, count: count, folded: old.folded)
    }
    return recounted
  }

  /// A section that comes back, for example by undo, is folded as it was.
  private mutating func mappedSections(
    _ mapping: PathMapping, counts: [Int], sectionKeys: (Int) -> String
  ) -> [SectionedList.Section] {
    var survivors: [SectionedList.Section?] = Array(repeating: nil, count: counts.count)
    for (index, section) in sections.enumerated() {
      if let target = mapping.map(section: index) {
        survivors[target] = section
      } else if section.folded {
        removedFolds.append(section.key)
      }
    }
    var mapped: [SectionedList.Section] = []
    mapped.reserveCapacity(counts.count)
    for index in counts.indices {
      let old = survivors[index]
      let key = old?.key ?? sectionKeys(index)
      let isFolded = old?.folded ?? takeRemovedFold(key)
      mapped.append(SectionedList.Section(key: key, count: counts[index], folded: isFolded))
    }
    removedFolds = removedFolds.suffix(Self.mostRemovedFolds)
    return mapped
  }

  private static var mostRemovedFolds: Int { 100 }

  private mutating func takeRemovedFold(_ key: String) -> Bool {
    guard let index = removedFolds.firstIndex(where: { $0.hasBytes(of: key) }) else { return false }
    removedFolds.remove(at: index)
    return true
  }

  /// The new path of a position: that of its row or section, or the nearest remaining one.
  private func destination(of position: SectionedList.Position, _ mapping: PathMapping) -> RowPath {
    switch position {
    case .header(let section):
      mapping.map(section: section).map { RowPath($0, 0) } ?? neighbour(ofSection: section, mapping)
    case .row(let path):
      mapping.map(path).path ?? neighbour(of: path, mapping)
    }
  }

  /// The next remaining row of the section, else the one before, else any row of the section.
  ///
  /// The search visits deleted rows only, so it does not cost more than the update.
  private func neighbour(of path: RowPath, _ mapping: PathMapping) -> RowPath {
    guard let section = mapping.map(section: path.section) else {
      return neighbour(ofSection: path.section, mapping)
    }
    for row in path.row + 1..<max(path.row + 1, sections[path.section].count) {
      if case .stays(let next) = mapping.map(RowPath(path.section, row)) { return next }
    }
    for row in (0..<path.row).reversed() {
      if case .stays(let previous) = mapping.map(RowPath(path.section, row)) { return previous }
    }
    return RowPath(section, path.row)
  }

  /// The first row of the next remaining section, else the last row of the one before.
  private func neighbour(ofSection section: Int, _ mapping: PathMapping) -> RowPath {
    for index in section + 1..<max(section + 1, sections.count) {
      if let next = mapping.map(section: index) { return RowPath(next, 0) }
    }
    for index in (0..<section).reversed() {
      if let previous = mapping.map(section: index) { return RowPath(previous, .max) }
    }
    return RowPath(0, 0)
  }

  private mutating func markChanges(_ edits: ListEdits, _ mapping: PathMapping) {
    changedSections = Set(edits.sections.inserted)
    changedSections.formUnion(edits.sections.reloaded.compactMap { mapping.map(section: $0) })
    changedRows = Set(edits.rows.inserted)
    changedRows.formUnion(edits.rows.moved.map { $0.to })
    changedRows.formUnion(edits.rows.reloaded.compactMap { mapping.map($0).path })
  }
}
