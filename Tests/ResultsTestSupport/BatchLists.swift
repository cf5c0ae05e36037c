import SectionedResults

/// The six lists of a batch, without generations and counts.
package struct BatchLists: Equatable, Sendable {
  package var deletedSections: [Int] = []
  package var insertedSections: [Int] = []
  package var deletedRows: [RowPath] = []
  package var insertedRows: [RowPath] = []
  package var moves: [ResultsBatch.Move] = []
  package var updates: [RowPath] = []

  /// Makes the lists of a commit that changed nothing.
  package init() {}

  /// Takes the lists of a batch.
  package init(_ batch: ResultsBatch) {
    deletedSections = batch.deletedSections
    insertedSections = batch.insertedSections
    deletedRows = batch.deletedRows
    insertedRows = batch.insertedRows
    moves = batch.moves
    updates = batch.updates.map(\.from)
  }

  /// The delegate form of a change.
  package init<Row>(delegate change: ResultsChange<Row>) {
    for section in change.sections {
      switch section {
      case .delete(let index): deletedSections.append(index)
      case .insert(let index): insertedSections.append(index)
      }
    }
    for row in change.rows {
      switch row.kind {
      case .delete(let path): deletedRows.append(path)
      case .insert(let path): insertedRows.append(path)
      case .move(let from, let to): moves.append(ResultsBatch.Move(from: from, to: to))
      case .update(let from, _): updates.append(from)
      }
    }
    sort()
  }

  /// Reads the lists of a vector.
  init(_ json: [String: Any]) {
    func path(_ value: Any) -> RowPath {
      let pair = value as? [Int] ?? []
      return RowPath(pair[0], pair[1])
    }
    func list(_ name: String) -> [Any] { json[name] as? [Any] ?? [] }
    deletedSections = list("deletedSections").compactMap { $0 as? Int }
    insertedSections = list("insertedSections").compactMap { $0 as? Int }
    deletedRows = list("deletedRows").map(path)
    insertedRows = list("insertedRows").map(path)
    updates = list("updates").map(path)
    moves = list("moves").map { value in
      let pair = value as? [Any] ?? []
      return ResultsBatch.Move(from: path(pair[0]), to: path(pair[1]))
    }
    sort()
  }

  mutating func sort() {
    deletedSections.sort()
    insertedSections.sort()
    deletedRows.sort()
    insertedRows.sort()
    moves.sort { $0.from < $1.from }
    updates.sort()
  }
}
