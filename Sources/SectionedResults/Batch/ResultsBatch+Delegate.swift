extension ResultsBatch {
  /// Makes the table form from the delegate form (rule 47).
  ///
  /// A list inserts and deletes sections whole: rows of such sections are dropped, a move out of a
  /// dying section becomes an insert, a move into a new one a delete, and a move from a dying to a new
  /// one nothing.
  public init(
    sections: [SectionChange], rows: [RowChangeKind], from generation: Generation,
    sectionCountsAfter: [Int]
  ) {
    self.init(from: generation, to: generation + 1, sectionCountsAfter: sectionCountsAfter)
    var dying: Set<Int> = []
    var born: Set<Int> = []
    for section in sections {
      switch section {
      case .delete(let index): dying.insert(index)
      case .insert(let index): born.insert(index)
      }
    }
    deletedSections = dying.sorted()
    insertedSections = born.sorted()
    for row in rows { add(row, dying: dying, born: born) }
    deletedRows.sort()
    insertedRows.sort()
    moves.sort { $0.from < $1.from }
    carriedRows.sort { $0.from < $1.from }
    updates.sort { $0.from < $1.from }
  }

  private mutating func add(_ row: RowChangeKind, dying: Set<Int>, born: Set<Int>) {
    switch row {
    case .delete(let path):
      if !dying.contains(path.section) { deletedRows.append(path) }
    case .insert(let path):
      if !born.contains(path.section) { insertedRows.append(path) }
    case .update(let from, let to):
      updates.append(Update(from: from, to: to))
    case .move(let from, let to):
      let move = Move(from: from, to: to)
      let (isDying, isBorn) = (dying.contains(from.section), born.contains(to.section))
      guard isDying || isBorn else { return moves.append(move) }
      carriedRows.append(move)
      if !isBorn { insertedRows.append(to) }
      if !isDying { deletedRows.append(from) }
    }
  }
}

extension RowChangeKind {
  /// Orders changes by kind (deletes, inserts, moves, updates), then by the path they start from.
  var sortPath: SortPath {
    switch self {
    case .delete(let path): SortPath(kind: 0, path: path)
    case .insert(let path): SortPath(kind: 1, path: path)
    case .move(let from, _): SortPath(kind: 2, path: from)
    case .update(let from, _): SortPath(kind: 3, path: from)
    }
  }

  /// A kind's rank and a path.
  struct SortPath: Comparable {
    let kind: Int
    let path: RowPath

    static func < (lhs: SortPath, rhs: SortPath) -> Bool {
      (lhs.kind, lhs.path) < (rhs.kind, rhs.path)
    }
  }
}
