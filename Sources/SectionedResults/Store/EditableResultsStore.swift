// SPDX-License-Identifier: MIT

/// One write of a row, in the terms of a store.
public enum ResultsEdit<Row: ResultsRow, Contents> {
  /// Inserts a row with these contents.
  case insert(Contents)
  /// Replaces the contents of a row.
  case update(Row.ID, to: Contents)
  /// Deletes a row.
  case delete(Row.ID)
}

extension ResultsEdit: Equatable where Contents: Equatable {}
extension ResultsEdit: Sendable where Contents: Sendable {}

/// A store whose rows a list can insert, update and delete.
///
/// ``MemoryResultsStore`` is one, and so is `GRDBResultsStore` for records that GRDB can write. Their contents
/// are rows; a store may take others, for example a draft that has no identity yet.
public protocol EditableResultsStore<Row, Contents>: ResultsStore {
  /// The contents of a row to insert or update.
  associatedtype Contents

  /// Makes edits in their order, in one transaction: all of them, or none if one fails.
  ///
  /// The observers are called before it returns, unless nothing changed.
  ///
  /// - Throws: `ResultsError.rowExists` for an identity that another row has, `rowIsGone` for one that no
  ///   row has, or the error of the store.
  func commit(_ edits: [ResultsEdit<Row, Contents>]) throws
}

extension EditableResultsStore {
  /// Inserts a row with these contents.
  ///
  /// - Throws: `ResultsError.rowExists`, or the error of the store.
  public func insert(_ contents: Contents) throws { try commit([.insert(contents)]) }

  /// Replaces the contents of a row; they may have another identity.
  ///
  /// - Throws: `ResultsError.rowIsGone`, `rowExists`, or the error of the store.
  public func update(_ id: Row.ID, to contents: Contents) throws {
    try commit([.update(id, to: contents)])
  }

  /// Deletes a row.
  ///
  /// - Throws: `ResultsError.rowIsGone`, or the error of the store.
  public func delete(_ id: Row.ID) throws { try commit([.delete(id)]) }
}
