// SPDX-License-Identifier: MIT

/// The changes of one commit in table form, ready to apply to a list (rule 47).
///
/// Old indexes refer to the state `from`, new ones to the state `to`. Rows of deleted and inserted
/// sections are not listed separately. All lists are sorted and have no duplicates.
public struct ResultsBatch: Equatable, Codable, Sendable {
  /// A row that changed its position, and possibly its contents (rule 32).
  public struct Move: Hashable, Codable, Sendable {
    /// The row's path in the old state.
    public var from: RowPath
    /// The row's path in the new state.
    public var to: RowPath

    /// Makes a move from its old and its new path.
    public init(from: RowPath, to: RowPath) {
      self.from = from
      self.to = to
    }
  }

  /// A row whose contents changed in place, with its old and its new path (rule 36).
  public typealias Update = Move

  /// The generation that a list must show before it applies this batch; 0 for a whole state.
  public var from: Int
  /// The generation that the list shows afterwards.
  public var to: Int
  /// Old indexes of deleted sections, ascending.
  public var deletedSections: [Int] = []
  /// New indexes of inserted sections, ascending; each comes with all its rows.
  public var insertedSections: [Int] = []
  /// The identities of the inserted sections, in the same order.
  public var insertedSectionKeys: [String] = []
  /// Old paths of deleted rows, ascending.
  public var deletedRows: [RowPath] = []
  /// New paths of inserted rows, ascending.
  public var insertedRows: [RowPath] = []
  /// Rows that changed position, sorted by `from`.
  public var moves: [Move] = []
  /// Rows that changed in place, sorted by `from`.
  public var updates: [Update] = []
  /// Rows that moved out of a deleted section or into an inserted one, sorted by `from`.
  ///
  /// The table form shows such a move as an insert, as a delete or not at all (rule 47). Drawing
  /// the list does not need these moves. The selection does, because it follows its row.
  public var carriedRows: [Move] = []
  /// The number of rows per section in the state `to`; a list verifies it before it draws.
  public var sectionCountsAfter: [Int]

  /// Makes a batch without changes; set the lists afterwards.
  public init(from: Int, to: Int, sectionCountsAfter: [Int] = []) {
    self.from = from
    self.to = to
    self.sectionCountsAfter = sectionCountsAfter
  }

  /// Whether it holds a whole state: it starts from a list without sections, of generation 0.
  ///
  /// A list of any generation applies it as a reload.
  public var isWhole: Bool { from == 0 }

  /// Whether nothing changed; an empty batch is never delivered (rule 26).
  public var isEmpty: Bool {
    deletedSections.isEmpty && insertedSections.isEmpty && deletedRows.isEmpty
      && insertedRows.isEmpty && moves.isEmpty && updates.isEmpty
  }
}

extension ResultsBatch {
  /// A deleted or inserted section; sections never move and are never updated (rule 29).
  public enum SectionChange: Hashable, Sendable {
    /// The section at this old index was deleted.
    case delete(at: Int)
    /// A section was inserted at this new index.
    case insert(at: Int)
  }

  /// A row's change, with its paths (rule 36): an insert without a new path cannot be expressed.
  public enum RowChange: Hashable, Sendable {
    /// The row at this old path left the results.
    case delete(at: RowPath)
    /// A row entered the results at this new path.
    case insert(at: RowPath)
    /// The row's position changed, and possibly its contents (rule 32).
    case move(from: RowPath, to: RowPath)
    /// The row's contents changed, but not its position.
    case update(from: RowPath, to: RowPath)
  }
}

/// One changed row of a commit, as a delegate receives it.
public struct ResultsRowChange<Row: ResultsRow>: Equatable, Sendable {
  /// The kind of change, with the row's paths.
  public var kind: ResultsBatch.RowChange
  /// The row after the commit; for a delete, its last values.
  public var row: Row
  /// The row before the commit; `nil` for an insert.
  ///
  /// A row that a limit or offset pushes over an edge was not written, so it has no other values.
  public var old: Row?

  /// Makes a row change from its kind, its row, and its values before.
  public init(_ kind: ResultsBatch.RowChange, row: Row, old: Row? = nil) {
    self.kind = kind
    self.row = row
    self.old = old
  }
}

/// The changes of one commit, in both forms.
///
/// `sections` and `rows` are the delegate form, which also lists the rows of inserted and deleted
/// sections (rules 45, 46). `batch` is the table form for lists (rule 47).
public struct ResultsChange<Row: ResultsRow>: Equatable, Sendable {
  /// Deleted sections, highest index first, then inserted ones, lowest index first.
  public var sections: [ResultsBatch.SectionChange]
  /// Changed rows, each at most once (rule 37): deletes, inserts, moves, updates, each kind by
  /// path.
  public var rows: [ResultsRowChange<Row>]
  /// The same changes in table form.
  public var batch: ResultsBatch

  /// Makes a change from its two forms.
  public init(
    sections: [ResultsBatch.SectionChange], rows: [ResultsRowChange<Row>], batch: ResultsBatch
  ) {
    self.sections = sections
    self.rows = rows
    self.batch = batch
  }
}

// The four sets of a commit, with their rows.

extension ResultsChange {
  /// The inserted rows, by path; also those of inserted sections.
  public var inserts: [ResultsRowChange<Row>] {
    rows.filter { if case .insert = $0.kind { true } else { false } }
  }
  /// The deleted rows with their last values, by path; also those of deleted sections.
  public var deletes: [ResultsRowChange<Row>] {
    rows.filter { if case .delete = $0.kind { true } else { false } }
  }
  /// The moved rows, by their old paths.
  public var moves: [ResultsRowChange<Row>] {
    rows.filter { if case .move = $0.kind { true } else { false } }
  }
  /// The rows that changed and kept their place, by their old paths.
  public var updates: [ResultsRowChange<Row>] {
    rows.filter { if case .update = $0.kind { true } else { false } }
  }

  /// The identities of the rows whose contents changed, moved or not.
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
  /// Converts the delegate form into the table form (rule 47).
  ///
  /// A list inserts and deletes whole sections. Rows of such sections are dropped. A move out of a
  /// deleted section becomes an insert, a move into an inserted section a delete. A move from a
  /// deleted section into an inserted one disappears.
  ///
  /// - Parameters:
  ///   - sections: the deleted and inserted sections.
  ///   - rows: the changes of rows in delegate form, each row at most once.
  ///   - generation: the generation that the changes start from; the batch leads to the next one.
  ///   - sectionCountsAfter: the number of rows of each section afterwards.
  ///   - sectionKey: the identity of a section by its new index; called for inserted sections only.
  public init(
    sections: [SectionChange], rows: [RowChange], from generation: Int,
    sectionCountsAfter: [Int], sectionKey: (Int) -> String
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
    insertedSectionKeys = insertedSections.map(sectionKey)
    for row in rows { add(row, dying: dying, born: born) }
    deletedRows.sort()
    insertedRows.sort()
    moves.sort { $0.from < $1.from }
    carriedRows.sort { $0.from < $1.from }
    updates.sort { $0.from < $1.from }
  }

  private mutating func add(_ row: ResultsBatch.RowChange, dying: Set<Int>, born: Set<Int>) {
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

extension ResultsBatch.RowChange {
  /// The sort key of a change: its kind (deletes, inserts, moves, updates), then its first path.
  var sortPath: SortPath {
    switch self {
    case .delete(let path): SortPath(kind: 0, path: path)
    case .insert(let path): SortPath(kind: 1, path: path)
    case .move(let from, _): SortPath(kind: 2, path: from)
    case .update(let from, _): SortPath(kind: 3, path: from)
    }
  }

  /// The rank of a kind, and a path.
  struct SortPath: Comparable {
    let kind: Int
    let path: RowPath

    static func < (lhs: SortPath, rhs: SortPath) -> Bool {
      (lhs.kind, lhs.path) < (rhs.kind, rhs.path)
    }
  }
}
