/// Updates in the manner of `UITableView`: edits recorded in a block, checked as a whole, applied at
/// once.
extension SectionedList {
  /// Opens an update block, or nests one in it; only the outermost ``endUpdates`` applies (rule 55).
  public mutating func beginUpdates() {
    if block == nil { block = UpdateBlock() } else { block?.depth += 1 }
  }

  /// Closes an update block; the outermost one checks and applies all edits recorded since it began.
  ///
  /// On an error nothing but the block is gone: reload the list (rule 62). Inner blocks ignore what
  /// they are told.
  ///
  /// - Parameters:
  ///   - counts: the rows per section after the update.
  ///   - generation: the state shown after the update; by default the next one.
  ///   - sectionKeys: the identity of a section by its new index; asked for inserted sections only.
  /// - Throws: the first violation of rules 56 and 57.
  /// - Complexity: O(sections + e log e) for e edits.
  public mutating func endUpdates(
    counts: [Int], generation: Generation? = nil, sectionKeys: (Int) -> String
  ) throws(ListUpdateError) {
    guard let open = block else { throw .endWithoutBegin }
    block?.depth -= 1
    if open.depth > 1 { return }
    block = nil
    try perform(open.edits, counts: counts, sectionKeys: sectionKeys)
    self.generation = generation ?? self.generation &+ 1
  }

  /// Records inserted sections by their new indexes.
  ///
  /// - Throws: ``ListUpdateError/editOutsideBlock``.
  public mutating func insertSections(_ sections: some Sequence<Int>) throws(ListUpdateError) {
    try record { $0.sections.inserted += sections }
  }

  /// Records deleted sections by their old indexes; their rows go with them.
  ///
  /// - Throws: ``ListUpdateError/editOutsideBlock``.
  public mutating func deleteSections(_ sections: some Sequence<Int>) throws(ListUpdateError) {
    try record { $0.sections.deleted += sections }
  }

  /// Records sections to be drawn anew, by their old indexes; they keep their identity (rule 61), and
  /// their number of rows must follow from the other edits.
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

  /// Records rows to be drawn anew, by their old paths.
  ///
  /// - Throws: ``ListUpdateError/editOutsideBlock``.
  public mutating func reloadRows(_ paths: some Sequence<RowPath>) throws(ListUpdateError) {
    try record { $0.rows.reloaded += paths }
  }

  /// Records a row as moved from an old path to a new one, possibly the same (rule 59).
  ///
  /// It is drawn anew (rule 60).
  ///
  /// - Throws: ``ListUpdateError/editOutsideBlock``.
  public mutating func moveRow(at old: RowPath, to new: RowPath) throws(ListUpdateError) {
    try record { $0.rows.moved.append(.init(from: old, to: new)) }
  }

  /// Applies a batch of a results controller, as if its edits had been recorded in a block.
  ///
  /// - Parameter sectionKeys: the identity of a section by its new index; asked for inserted
  ///   sections only.
  /// - Throws: the first violation found; the list is unchanged then, reload it.
  /// - Complexity: O(sections + b log b) for a batch of b changes.
  public mutating func apply(
    _ batch: ResultsBatch, sectionKeys: (Int) -> String
  ) throws(ListUpdateError) {
    guard block == nil else { throw .batchInsideBlock }
    guard batch.from == generation else {
      throw .wrongGeneration(shown: generation, from: batch.from)
    }
    try perform(ListEdits(batch), counts: batch.sectionCountsAfter, sectionKeys: sectionKeys)
    generation = batch.to
  }

  /// Replaces all sections.
  ///
  /// Folds stay with their sections' identities; the selection stays at its place in the section
  /// with the same identity, else near its place in the list.
  ///
  /// An open update block is dropped.
  public mutating func reload(sections new: [ListSection], generation: Generation) {
    block = nil
    clearChanges()
    let screenLine = selectionScreenLine ?? 0
    let wasAtTop = offset == 0
    let old = selection.map { (key: sections[$0.section].key, position: $0) }
    let folded = foldedKeys
    sections = new.map {
      ListSection(key: $0.key, count: $0.count, folded: $0.folded || folded.contains($0.key))
    }
    self.generation = generation
    selection =
      old.flatMap { old in
        let section = sections.firstIndex { $0.key == old.key } ?? old.position.section
        return nearestPosition(section: section, row: old.position.path?.row ?? 0)
      } ?? position(ofOrdinal: 0)
    anchor(at: screenLine, preferTop: wasAtTop)
  }

  private mutating func record(_ edit: (inout ListEdits) -> Void) throws(ListUpdateError) {
    guard var open = block else { throw .editOutsideBlock }
    block = nil
    edit(&open.edits)
    block = open
  }
}
