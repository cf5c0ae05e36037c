import Journal

extension EntryStore {
  /// Replaces the text of an entry, and settles its open conflicts.
  ///
  /// Saving the text of an entry in conflict as it is settles them, too: a person chose it.
  ///
  /// - Parameters:
  ///   - number: the entry's number.
  ///   - text: the new text.
  ///   - base: the checksum (`EntryRow.checksum`) of the text that the new one was made from. If
  ///     the entry has another text by now, both changes are merged by words, and nothing changes if
  ///     they cannot be, or if the entry is in the trash.
  /// - Returns: the changed entry, whose text is another one if it was merged; `nil` if nothing changed.
  /// - Parameter known: the open conflicts that the entry had when the edit began, as ``Entry/conflicts`` has
  ///   them: others, which a sync has brought since, stay open. `nil` if all of them are known.
  /// - Parameter files: files that the text names by their paths, with a ``PathLink`` each, by the paths.
  /// - Throws: ``StoreError``: ``StoreError/Kind/conflict(number:)`` for a stale base,
  ///   ``StoreError/Kind/noSuchEntry(_:)``, ``StoreError/Kind/invalidText``.
  @discardableResult
  package func edit(
    _ number: Int64, text: String, expecting base: Int64? = nil, knowing known: String? = nil,
    naming files: [String: FileContent] = [:], step: (Int) throws -> Void = { _ in }
  ) throws -> Entry? {
    try check(text)
    try checkKeeping(Array(files.values))
    return try change(.edit) { writer in
      let old = try writer.existing(number)
      let typed = try writer.text(text, naming: files, step)
      var text = typed
      if let base, old.checksum != base || old.deleted != nil {
        guard old.deleted == nil,
          let start = try writer.versions(of: number).last(where: {
            Entry.checksum(of: $0.text) == base
          }), let merged = TextMerge.merge(base: start.text, text, old.text)
        else {
          throw StoreError(
            .conflict(number: number), at: path,
            "entry \(number) has changed; read it and edit it again")
        }
        text = merged
      }
      if old.text.isSame(as: text), try !writer.isIntact(number: number) {
        // Saving a damaged text again means that a person has read it, as the doctor requires.
        try writer.confirm(old)
        var new = old
        new.modified = clock.moment()
        try writer.update(new, from: old)
        return new
      }
      return try writer.rewrite(old, clock) { entry in
        entry.text = text
        // Nobody has seen the conflicts of a text that was merged, or those that came meanwhile.
        guard base.map({ $0 == old.checksum }) ?? true else { return }
        entry.conflicts = EntryConflicts.unsettled(
          entry.conflicts, knowing: known ?? entry.conflicts, having: [text])
      }
    }
  }

  /// Moves entries to the trash.
  ///
  /// - Returns: the numbers of those that were not in the trash.
  /// - Throws: ``StoreError``; all numbers must exist.
  @discardableResult
  package func delete(
    _ numbers: [Int64], _ options: BulkOptions = BulkOptions()
  ) throws -> [Int64] {
    let now = clock.moment()
    return try changeEach(.delete, numbers, options) { entry in
      if entry.deleted == nil { entry.deleted = now }
    }
  }

  /// Restores entries from the trash.
  @discardableResult
  package func restore(
    _ numbers: [Int64], _ options: BulkOptions = BulkOptions()
  ) throws -> [Int64] {
    try changeEach(.restore, numbers, options) { $0.deleted = nil }
  }

  /// Stars or unstars entries.
  @discardableResult
  package func setStarred(
    _ starred: Bool, _ numbers: [Int64], _ options: BulkOptions = BulkOptions()
  ) throws -> [Int64] {
    try changeEach(starred ? .star : .unstar, numbers, options, touching: true) {
      $0.starred = starred
    }
  }

  /// Moves entries to another date.
  @discardableResult
  package func redate(
    _ numbers: [Int64], created: Moment, day: Day, _ options: BulkOptions = BulkOptions()
  ) throws -> [Int64] {
    try changeEach(.redate, numbers, options, touching: true) { entry in
      entry.created = created
      entry.day = day
    }
  }

  /// Rewrites the texts of entries as one step: tags are part of the text.
  ///
  /// - Parameters:
  ///   - kind: the kind of the step, for example ``ChangeKind/tag``.
  ///   - numbers: the entries.
  ///   - transform: returns the new text for the old one; an equal text changes nothing.
  @discardableResult
  package func retag(
    _ numbers: [Int64], as kind: ChangeKind, _ options: BulkOptions = BulkOptions(),
    _ transform: (String) -> String
  ) throws -> [Int64] {
    try changeEach(kind, numbers, options, touching: true) { entry in
      entry.text = transform(entry.text)
      try check(entry.text)
    }
  }

  /// Changes each of the entries in one step; unchanged ones are not written.
  ///
  /// - Returns: the numbers of the changed entries, in the order given.
  private func changeEach(
    _ kind: ChangeKind, _ numbers: [Int64], _ options: BulkOptions, touching: Bool = false,
    _ body: (inout Entry) throws -> Void
  ) throws -> [Int64] {
    try change(kind) { writer in
      var done = 0
      let changed = try numbers.filter { number in
        try options.progress?(done, numbers.count)
        done += 1
        let found =
          options.skipsMissing ? try writer.entry(number: number) : try writer.existing(number)
        guard let old = found else { return false }
        return try writer.rewrite(old, touching ? clock : nil, body) != nil
      }
      try options.progress?(done, numbers.count)
      return changed
    }
  }
}

extension EntryWriting {
  /// Writes the result of `body` for an entry, unless it is equal.
  ///
  /// Its conflicts stay open, whatever changes, unless `body` settles them.
  ///
  /// - Parameter clock: the clock that sets `modified`, if the change counts as one of text or
  ///   marks.
  func rewrite(
    _ old: Entry, _ clock: WallClock?, _ body: (inout Entry) throws -> Void
  ) throws -> Entry? {
    var new = old
    try body(&new)
    guard !new.isSame(as: old) else { return nil }
    if let clock { new.modified = clock.moment() }
    return try updateKeepingConflicts(new, from: old)
  }
}

/// The options of a change of many entries.
///
/// It is one transaction and one undo step, however long it takes: an error thrown from
/// ``progress`` leaves the journal unchanged.
package struct BulkOptions {
  /// Whether to skip numbers without an entry instead of failing: marks on a screen may refer to
  /// removed entries.
  package var skipsMissing: Bool
  /// Called inside the transaction before each entry and after the last one, with the number done
  /// and the total.
  ///
  /// It must be fast and must not use the journal. An error that it throws cancels the change, and
  /// nothing of it is kept.
  package var progress: ((_ done: Int, _ total: Int) throws -> Void)?

  /// Makes options; by default every number must exist, and there is no progress callback.
  package init(
    skipsMissing: Bool = false, progress: ((_ done: Int, _ total: Int) throws -> Void)? = nil
  ) {
    self.skipsMissing = skipsMissing
    self.progress = progress
  }
}

extension Entry {
  /// Whether both entries are stored identically, texts byte by byte.
  func isSame(as other: Entry) -> Bool {
    EntrySchema.fields.allSatisfy { $0.isSame(self, other) }
  }
}

extension EntryStore {
  /// Rejects a text that some store or tool would cut or could not store.
  func check(_ text: String) throws {
    do {
      try Entry.validate(text: text)
    } catch .empty {
      throw StoreError(.emptyText, at: path, EntryTextError.empty.description)
    } catch {
      throw StoreError(.invalidText, at: path, error.description)
    }
  }
}
