// SPDX-License-Identifier: MIT

/// The number of a results controller's state: it grows by one with each batch and each fetch.
public typealias Generation = Int

/// What one commit did to a list, ready to apply: table form (rule 47, section 3 of the semantics).
///
/// Old indexes refer to the state `from`, new ones to the state `to`. Rows of deleted and of inserted
/// sections are not listed again. All lists are sorted and free of repetitions.
public struct ResultsBatch: Equatable, Sendable {
  /// A row that changed its position, and with it possibly its contents (rule 32).
  public struct Move: Hashable, Sendable {
    /// Where it was.
    public var from: RowPath
    /// Where it is.
    public var to: RowPath

    /// Makes a move.
    public init(from: RowPath, to: RowPath) {
      self.from = from
      self.to = to
    }
  }

  /// A row whose contents changed and whose position did not; both paths for convenience (rule 36).
  public typealias Update = Move

  /// The state a list must show to take this batch.
  public var from: Generation
  /// The state it shows afterwards.
  public var to: Generation
  /// Old indexes of sections that are gone.
  public var deletedSections: [Int] = []
  /// New indexes of sections that have come, each with all its rows.
  public var insertedSections: [Int] = []
  /// Old paths of rows that are gone.
  public var deletedRows: [RowPath] = []
  /// New paths of rows that have come.
  public var insertedRows: [RowPath] = []
  /// Rows that changed position, sorted by `from`.
  public var moves: [Move] = []
  /// Rows that changed in place, sorted by `from`.
  public var updates: [Update] = []
  /// Rows that moved out of a deleted section or into an inserted one, sorted by `from`.
  ///
  /// The table form shows such a move as an insert, as a delete or not at all (rule 47). The list to
  /// be drawn does not need it; the selection does, which stays with its row.
  public var carriedRows: [Move] = []
  /// Rows per section in the state `to`; a list verifies it before it draws.
  public var sectionCountsAfter: [Int]

  /// Makes a batch without changes; fill in the lists afterwards.
  public init(from: Generation, to: Generation, sectionCountsAfter: [Int] = []) {
    self.from = from
    self.to = to
    self.sectionCountsAfter = sectionCountsAfter
  }

  /// Whether nothing changed, in which case the batch is never delivered (rule 26).
  public var isEmpty: Bool {
    deletedSections.isEmpty && insertedSections.isEmpty && deletedRows.isEmpty
      && insertedRows.isEmpty && moves.isEmpty && updates.isEmpty
  }
}

/// A section that came or went; sections never move and are never updated (rule 29).
public enum SectionChange: Equatable, Sendable {
  /// The section at this old index is gone.
  case delete(at: Int)
  /// A section has come to this new index.
  case insert(at: Int)
}

/// What happened to a row, with the paths that belong to it (rule 36): an insert without a new path
/// cannot be written.
public enum RowChangeKind: Equatable, Sendable {
  /// The row left the results; its old path.
  case delete(at: RowPath)
  /// The row came to the results; its new path.
  case insert(at: RowPath)
  /// The row's position changed, and possibly its contents (rule 32).
  case move(from: RowPath, to: RowPath)
  /// The row's contents changed and its position did not.
  case update(from: RowPath, to: RowPath)
}

/// One row of a commit, as a delegate is told it.
public struct RowChange<Row: ResultsRow>: Equatable, Sendable {
  /// What happened.
  public var kind: RowChangeKind
  /// The row after the commit; for a delete the row as it last was.
  public var row: Row

  /// Makes a row change.
  public init(_ kind: RowChangeKind, row: Row) {
    self.kind = kind
    self.row = row
  }
}

/// What one commit did to the results, in both forms.
///
/// `sections` and `rows` are the delegate form, in which rows of new and dying sections are told too
/// (rules 45, 46); `batch` is the table form for lists (rule 47).
public struct ResultsChange<Row: ResultsRow>: Equatable, Sendable {
  /// The sections that went, highest index first, then those that came, lowest index first.
  public var sections: [SectionChange]
  /// The rows, each at most once (rule 37): deletes, inserts, moves, updates, each kind by path.
  public var rows: [RowChange<Row>]
  /// The same for a list.
  public var batch: ResultsBatch

  /// Makes a change from its two forms.
  public init(sections: [SectionChange], rows: [RowChange<Row>], batch: ResultsBatch) {
    self.sections = sections
    self.rows = rows
    self.batch = batch
  }
}

extension ResultsChange {
  /// The identities of rows whose contents changed, whether they moved or not.
  var reloadedRows: [Row.ID] {
    rows.compactMap { change in
      switch change.kind {
      case .move, .update: change.row.id
      case .insert, .delete: nil
      }
    }
  }
}

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
