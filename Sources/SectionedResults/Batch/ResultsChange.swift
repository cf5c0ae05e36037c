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
