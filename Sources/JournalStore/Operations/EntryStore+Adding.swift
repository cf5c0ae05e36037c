import Journal

extension EntryStore {
  /// Adds entries, as one step.
  ///
  /// An entry whose uuid is in the journal already is left as it is, so that repeating the call after
  /// an error whose outcome is unknown adds nothing twice.
  ///
  /// - Returns: the entries as they stand in the journal, with their numbers, in the order given.
  /// - Throws: ``StoreError``; then none of them was added, unless its kind is
  ///   ``StoreError/Kind/io``.
  @discardableResult
  package func add(_ new: [NewEntry]) throws -> [Entry] {
    try addReporting(new, as: .add).entries
  }

  /// Adds entries, as one step, and tells which of them were new.
  @discardableResult
  package func addReporting(_ new: [NewEntry], as kind: ChangeKind) throws -> Additions {
    for entry in new { try check(entry.text) }
    return try change(kind) { writer in
      var result = Additions(entries: [], isNew: [])
      for item in new {
        if let existing = try writer.entry(uuid: item.uuid) {
          result.entries.append(existing)
          result.isNew.append(false)
        } else {
          var entry = item.entry
          entry.number = try writer.insert(entry)
          result.entries.append(entry)
          result.isNew.append(true)
        }
      }
      return result
    }
  }
}
