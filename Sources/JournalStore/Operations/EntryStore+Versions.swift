import Journal

extension EntryStore {
  /// Gives an entry the text of one of its versions, as one step, and takes it out of the trash.
  ///
  /// Nothing of the history is lost: the text becomes a new version.
  ///
  /// - Parameters:
  ///   - index: the version, from 1, as in ``EntryVersion/index``.
  ///   - number: the entry's number.
  ///   - base: the checksum of the text the entry is thought to have; when it has another one by now,
  ///     nothing is changed.
  /// - Returns: the entry as it stands now when it was changed; `nil` when it has the text already, or
  ///   there is no such version.
  /// - Throws: ``StoreError``: ``StoreError/Kind/conflict(number:)``,
  ///   ``StoreError/Kind/noSuchEntry(_:)``.
  @discardableResult
  package func putBack(
    version index: Int, of number: Int64, expecting base: Int64? = nil
  ) throws -> Entry? {
    try change(.edit) { writer in
      let old = try writer.existing(number)
      if let base, old.checksum != base {
        throw StoreError(
          .conflict(number: number), at: place,
          "entry \(number) was changed meanwhile; look at its versions again")
      }
      let version = try writer.versions(of: number).first { $0.index == index }
      guard let version else { return nil }
      return try writer.rewrite(old, clock) { entry in
        entry.text = version.text
        entry.deleted = nil
      }
    }
  }
}
