import Journal

extension EntryStore {
  /// Undoes the last change of this journal, made by any process.
  ///
  /// - Returns: the change set that was undone.
  /// - Throws: ``StoreError``: ``StoreError/Kind/nothingToUndo``, or
  ///   ``StoreError/Kind/conflict(number:)`` when an entry has changed since; then nothing changes.
  @discardableResult
  package func undo(_ options: BulkOptions = BulkOptions()) throws -> ChangeSet {
    try change(.undo) { writer in
      guard let set = try writer.undoable() else {
        throw StoreError(.nothingToUndo, at: path, "nothing to undo")
      }
      try writer.revert(set.id, of: set.count, "undone", options)
      try writer.mark(set.id, undone: true)
      return set
    }
  }

  /// Redoes the last undone change, if nothing else was changed since.
  ///
  /// - Returns: the change set that was redone.
  /// - Throws: ``StoreError``: ``StoreError/Kind/nothingToRedo`` or
  ///   ``StoreError/Kind/conflict(number:)``.
  @discardableResult
  package func redo(_ options: BulkOptions = BulkOptions()) throws -> ChangeSet {
    try change(.redo) { writer in
      guard let set = try writer.redoable(), let undo = try writer.undo(of: set.id) else {
        throw StoreError(.nothingToRedo, at: path, "nothing to redo")
      }
      try writer.revert(undo, of: set.count, "redone", options)
      try writer.mark(set.id, undone: false)
      return set
    }
  }

  /// Removes entries in the trash permanently, with their versions and undo data.
  ///
  /// - Parameters:
  ///   - limit: only entries deleted before this instant; `nil` for all.
  ///   - check: gets the numbers of the entries before they are removed; if it throws, none is.
  /// - Returns: the number of removed entries.
  @discardableResult
  package func purge(
    deletedBefore limit: Moment? = nil, check: ([Int64]) throws -> Void = { _ in }
  ) throws -> Int {
    try change(.purge) { writer in
      let trash = try writer.numbers(matching: .flag(.deleted)).filter { number in
        guard let limit else { return true }
        return try (writer.entry(number: number)?.deleted).map { $0.seconds < limit.seconds }
          ?? false
      }
      try check(Array(trash))
      for number in trash { try writer.remove(writer.existing(number)) }
      try writer.forget(trash)
      return trash.count
    }
  }
}

extension EntryWriting {
  /// Restores the entries of a change set to their state before it.
  ///
  /// Every entry must be unchanged since the change set: a later change is never overwritten.
  /// Removals come first, since another tool may have given one entry's uuid to another.
  fileprivate func revert(
    _ set: ChangeSet.ID, of count: Int, _ verb: String, _ options: BulkOptions
  ) throws {
    // Comparing and restoring an entry each cost about half of the work.
    var done = 0
    func step() throws {
      try options.progress?(min(done / 2, count), count)
      done += 1
    }
    var isEmpty = true
    var gone: [Int64] = []
    try forEachImage(of: set) { image in
      guard !image.isPurged else { return }
      try step()
      guard try isSame(entry(number: image.number), image.after) else {
        throw StoreError(
          .conflict(number: image.number), at: path,
          "entry \(image.number) was changed since by another program; nothing was \(verb)")
      }
      isEmpty = false
      if image.after != nil, !image.keepsEntry { gone.append(image.number) }
    }
    guard !isEmpty else {
      throw StoreError(
        .nothingToUndo, at: path, "the data of the last change is gone; nothing was \(verb)")
    }
    for number in gone { try remove(existing(number)) }
    try forEachImage(of: set) { image in
      guard !image.isPurged else { return }
      try step()
      guard let before = image.before else { return }
      if let after = image.after, image.keepsEntry {
        try update(before, from: after)
      } else {
        _ = try insert(before)
      }
    }
    try options.progress?(count, count)
  }

  private func isSame(_ left: Entry?, _ right: Entry?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): left.isSame(as: right)
    default: false
    }
  }
}

extension EntryImages {
  /// Whether both images are the same entry, and not another one under its number.
  fileprivate var keepsEntry: Bool {
    guard let before, let after else { return false }
    return before.uuid.isSame(as: after.uuid)
  }
}
