extension MemoryResultsStore: EditableResultsStore {
  /// Inserts a row, or replaces the one with its identity.
  ///
  /// - Throws: nothing; a store in memory always has room.
  public func insert(_ row: Row) throws {
    write { $0.put(row) }
  }

  /// Replaces a row.
  ///
  /// - Throws: `ResultsError.rowIsGone` when it is no longer there.
  public func update(_ id: Row.ID, to row: Row) throws {
    try write { transaction in
      guard transaction[id] != nil else { throw ResultsError.rowIsGone("\(id)") }
      if row.id != id { transaction.delete(id) }
      transaction.put(row)
    }
  }

  /// Deletes a row.
  ///
  /// - Throws: `ResultsError.rowIsGone` when it is no longer there.
  public func delete(_ id: Row.ID) throws {
    try write { transaction in
      guard transaction[id] != nil else { throw ResultsError.rowIsGone("\(id)") }
      transaction.delete(id)
    }
  }
}
