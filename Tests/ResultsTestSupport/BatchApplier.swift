import SectionedResults

/// Applies batches to plain lists in the two ways a list may: everything at once, by final places, and
/// one edit after another, in the order that is always valid.
package enum BatchApplier<Row: ResultsRow> {
  package typealias Shown = ReferenceDiff<Row>.Shown

  /// At once: what is left of each surviving section fills the places nothing was put in.
  package static func simultaneously(_ batch: ResultsBatch, old: Shown, new: Shown) -> Shown {
    let gone = Set(batch.deletedRows + batch.moves.map(\.from))
    let reloaded = Set(batch.updates.map(\.from))
    let sources = Dictionary(uniqueKeysWithValues: batch.moves.map { ($0.to, $0.from) })
    let inserted = Set(batch.insertedRows)
    let contents = contents(new)
    var survivors = old.indices.filter { !batch.deletedSections.contains($0) }.makeIterator()
    return new.indices.map { section in
      if batch.insertedSections.contains(section) { return new[section] }
      guard let source = survivors.next() else { return ("missing", []) }
      var rest = old[source].rows.indices.filter { !gone.contains(RowPath(source, $0)) }
        .map { row in
          let value = old[source].rows[row]
          return reloaded.contains(RowPath(source, row)) ? contents[value.id] ?? value : value
        }.makeIterator()
      let rows = (0..<batch.sectionCountsAfter[section]).compactMap { row -> Row? in
        let path = RowPath(section, row)
        if let from = sources[path] { return contents[old[from.section].rows[from.row].id] }
        return inserted.contains(path) ? new[section].rows[row] : rest.next()
      }
      return (old[source].key, rows)
    }
  }

  /// One after another: updates; removals, backwards; sections out, backwards; sections in; rows in.
  package static func sequentially(_ batch: ResultsBatch, old: Shown, new: Shown) -> Shown {
    var shown = old
    let contents = contents(new)
    for update in batch.updates {
      let value = shown[update.from.section].rows[update.from.row]
      shown[update.from.section].rows[update.from.row] = contents[value.id] ?? value
    }
    var carried: [RowPath: Row] = [:]
    for path in (batch.deletedRows + batch.moves.map(\.from)).sorted(by: >) {
      carried[path] = shown[path.section].rows.remove(at: path.row)
    }
    for section in batch.deletedSections.sorted(by: >) { shown.remove(at: section) }
    for section in batch.insertedSections.sorted() { shown.insert(new[section], at: section) }
    let sources = Dictionary(uniqueKeysWithValues: batch.moves.map { ($0.to, $0.from) })
    for path in (batch.insertedRows + batch.moves.map(\.to)).sorted() {
      let moved = sources[path].flatMap { carried[$0] }.flatMap { contents[$0.id] }
      shown[path.section].rows.insert(moved ?? new[path.section].rows[path.row], at: path.row)
    }
    return shown
  }

  private static func contents(_ shown: Shown) -> [Row.ID: Row] {
    Dictionary(uniqueKeysWithValues: shown.flatMap(\.rows).map { ($0.id, $0) })
  }
}

extension SectionedList {
  /// Applies a batch that was made by hand, without the keys of its inserted sections.
  @discardableResult
  package mutating func apply(
    _ batch: ResultsBatch, sectionKeys: (Int) -> String
  ) throws(ListUpdateError) -> PathMapping? {
    var batch = batch
    batch.insertedSectionKeys = batch.insertedSections.map(sectionKeys)
    return try apply(batch)
  }
}
