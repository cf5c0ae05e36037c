// SPDX-License-Identifier: MIT

// A row that the user drags. The list of the delegate shows the move before the store knows of it, so
// the delegate must not be told of it again.

extension ResultsController {
  /// Writes a move that the user has made in the delegate's list, without telling the delegate of it.
  ///
  /// The list already shows the row at `target`. `write` gives the row the sort values of that place, and
  /// the delegate hears only of what the list does not show yet:
  ///
  /// ```swift
  /// func userMoved(from: RowPath, to target: RowPath) throws {
  ///   try list.reorderRow(at: from, to: target)
  ///   try controller.performUserReordering(moving: from, to: target) { note in
  ///     try store.setRank(of: note.id, after: neighbour)
  ///   }
  /// }
  /// ```
  ///
  /// The moved list is the delegate's guess at the next generation (rule 71). The first change since the
  /// move is compared with it, and the difference is a batch from the next generation to itself:
  ///
  /// - If the row is where the user dropped it, nothing is delivered for the row, also not that its contents
  ///   changed: draw it again after the call. Other rows of the same commit are delivered.
  /// - If the commit puts the row elsewhere, the row moves on from where it was dropped.
  /// - If the commit is one of another program, the row goes back, and the user's commit is delivered like
  ///   any other.
  /// - If nothing changed because `write` threw or wrote nothing, the row goes back; the batch leads
  ///   back to the generation before.
  ///
  /// Closures, sequences and other controllers receive everything, as of any commit. A fetch inside
  /// `write` drops the move: reload the list.
  ///
  /// - Parameters:
  ///   - source: the path of the row in the state shown.
  ///   - target: its path after the move, as `UITableView` counts: with the row taken out first. A move to
  ///     the same path is not one, and `write` is a write like any other.
  ///   - write: commits the new sort values before it returns. A commit that is noticed later is delivered
  ///     like any other.
  /// - Returns: the value of `write`.
  /// - Throws: the error of `write`. Before it is called: `ResultsError.notFetched`, `noSuchRow`,
  ///   `reorderingInsideCallback`, or the error of the store; then the delegate is asked to reload.
  @discardableResult
  public func performUserReordering<Value>(
    moving source: RowPath, to target: RowPath, write: (Row) throws -> Value
  ) throws -> Value {
    let move: UserMove<Row>
    do {
      move = try checkedMove(from: source, to: target)
    } catch {
      delegateCalls?.needsReload()
      throw error
    }
    userMove = source == target ? nil : move
    defer { endUserMove() }
    return try write(move.row)
  }

  private func checkedMove(from: RowPath, to target: RowPath) throws -> UserMove<Row> {
    guard !group.isDelivering, userMove == nil else { throw ResultsError.reorderingInsideCallback }
    let row = try object(at: from)
    var count = numberOfRows(inSection: target.section)
    if target.section == from.section { count -= 1 }
    guard (0..<numberOfSections).contains(target.section), (0...count).contains(target.row) else {
      throw ResultsError.noSuchRow(target)
    }
    return UserMove(row: row, from: from, to: target, generation: generation)
  }

  /// The change as the delegate gets it, whose list may show a move of the user; `nil` for nothing.
  func changeForDelegate(_ change: ResultsChange<Row>) -> ResultsChange<Row>? {
    guard let move = userMove else { return change }
    userMove = nil
    return move.rest(of: change)
  }

  /// Takes the row back in the delegate's list if no commit has come.
  private func endUserMove() {
    guard userMove != nil else { return }
    processPendingChanges()
    guard let move = userMove else { return }
    userMove = nil
    let unchanged = ResultsChange<Row>(
      sections: [], rows: [],
      batch: ResultsBatch(from: generation, to: generation, sectionCountsAfter: sectionCounts))
    guard let change = move.rest(of: unchanged) else { return }
    group.isDelivering = true
    do {
      let (calls, fetch) = (delegateCalls, fetches)
      try calls?.willChange()
      try calls?.change(change) { fetch == fetches }
    } catch {
      report(error, needsReload: true)
    }
    group.isDelivering = false
    group.settle()
  }
}

/// A row that the user has moved in the delegate's list, and the store has not.
struct UserMove<Row: ResultsRow> {
  let row: Row
  let from: RowPath
  let to: RowPath
  /// The generation of the results before the move.
  let generation: Int
}

extension UserMove {
  /// The rest of a change for a list in which the row was already moved; `nil` for nothing.
  ///
  /// The rows that nobody wrote are in the same order in that list and before the commit, so the moves
  /// are again the fewest (rule 39), and no read is needed; O(k log k) for a change of k rows.
  func rest(of change: ResultsChange<Row>) -> ResultsChange<Row>? {
    let written = writtenRows(of: change)
    let staying = stayingRows(among: written, of: change.batch)
    let rows = written.enumerated().compactMap { index, row -> ResultsRowChange<Row>? in
      var row = row
      if case .move(let old, let new) = row.kind, staying.contains(index) {
        guard row.row.id.exact != self.row.id.exact else { return nil }
        row.kind = .update(from: old, to: new)
      }
      return row
    }.sorted { $0.kind.sortPath < $1.kind.sortPath }
    let (inserted, keys) = (change.batch.insertedSections, change.batch.insertedSectionKeys)
    var batch = ResultsBatch(
      sections: change.sections, rows: rows.map { $0.kind }, from: generation + 1,
      sectionCountsAfter: change.batch.sectionCountsAfter
    ) { section in keys[partitionPoint(inserted.count) { inserted[$0] < section }] }
    batch.to = change.batch.to
    guard !batch.isEmpty else { return nil }
    return ResultsChange(sections: change.sections, rows: rows, batch: batch)
  }

  /// The changed rows and the moved one, with their old paths in the list; survivors are all moves.
  private func writtenRows(of change: ResultsChange<Row>) -> [ResultsRowChange<Row>] {
    var rows = change.rows
    if !rows.contains(where: { $0.row.id.exact == row.id.exact }),
      let place = change.batch.map(from).path
    {
      rows.append(ResultsRowChange(.update(from: from, to: place), row: row, old: row))
    }
    return rows.map { row in
      var row = row
      switch row.kind {
      case .insert: break
      case .delete(let path): row.kind = .delete(at: shown(path))
      case .move(let old, let new), .update(let old, let new):
        row.kind = .move(from: shown(old), to: new)
      }
      return row
    }
  }

  /// The path in the list of a row that was at a path before the move.
  private func shown(_ path: RowPath) -> RowPath {
    guard path != from else { return to }
    var path = path
    if path.section == from.section, path.row > from.row { path.row -= 1 }
    if path.section == to.section, path.row >= to.row { path.row += 1 }
    return path
  }

  /// The survivors that keep their position, as indexes into `rows`.
  private func stayingRows(
    among rows: [ResultsRowChange<Row>], of batch: ResultsBatch
  ) -> Set<Int> {
    let sections = SlotMap(removed: batch.deletedSections, filled: batch.insertedSections)
    let old = rows.compactMap { $0.kind.oldPath }.sorted()
    let new = rows.compactMap { $0.kind.newPath }.sorted()
    var candidates: [Int: [(index: Int, candidate: StationaryRows.Candidate)]] = [:]
    for (index, row) in rows.enumerated() {
      guard case .move(let from, let to) = row.kind, sections.map(from.section) == to.section else {
        continue
      }
      let candidate = StationaryRows.Candidate(
        old: from.row, new: to.row, oldAnchors: from.row - old.countInSection(before: from),
        newAnchors: to.row - new.countInSection(before: to))
      candidates[to.section, default: []].append((index, candidate))
    }
    var staying: Set<Int> = []
    for section in candidates.values {
      for index in StationaryRows.among(section.map({ $0.candidate })) {
        staying.insert(section[index].index)
      }
    }
    return staying
  }
}

extension ResultsBatch.RowChange {
  /// The path before the change; `nil` for an insert.
  fileprivate var oldPath: RowPath? {
    switch self {
    case .insert: nil
    case .delete(let path), .move(let path, _), .update(let path, _): path
    }
  }

  /// The path after the change; `nil` for a delete.
  fileprivate var newPath: RowPath? {
    switch self {
    case .delete: nil
    case .insert(let path), .move(_, let path), .update(_, let path): path
    }
  }
}

extension [RowPath] {
  /// The number of paths in the section of a path and before it, in a sorted array.
  fileprivate func countInSection(before path: RowPath) -> Int {
    firstIndexSorted { $0 >= path } - firstIndexSorted { $0.section >= path.section }
  }
}
