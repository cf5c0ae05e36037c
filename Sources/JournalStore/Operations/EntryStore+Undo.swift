import Journal

extension EntryStore {
  /// Takes back the last change of this journal, whichever process made it.
  ///
  /// - Returns: what was undone.
  /// - Throws: ``StoreError``: ``StoreError/Kind/nothingToUndo``, or
  ///   ``StoreError/Kind/conflict(number:)`` when an entry no longer stands as that change left it;
  ///   nothing is changed then.
  @discardableResult
  public func undo() throws -> ChangeSet {
    try change(.undo) { writer in
      guard let set = try writer.undoable() else {
        throw StoreError(.nothingToUndo, at: place, "there is no change left to undo")
      }
      try writer.revert(set.id, "undone")
      try writer.mark(set.id, undone: true)
      return set
    }
  }

  /// Does again what the last undo took back, as long as nothing else was changed since.
  ///
  /// - Returns: what was done again.
  /// - Throws: ``StoreError``: ``StoreError/Kind/nothingToRedo`` or
  ///   ``StoreError/Kind/conflict(number:)``.
  @discardableResult
  public func redo() throws -> ChangeSet {
    try change(.redo) { writer in
      guard let set = try writer.redoable(), let undo = try writer.undo(of: set.id) else {
        throw StoreError(.nothingToRedo, at: place, "there is no undone change to redo")
      }
      try writer.revert(undo, "redone")
      try writer.mark(set.id, undone: false)
      return set
    }
  }

  /// Removes entries that are in the trash, with their versions and undo data, for good.
  ///
  /// - Parameter limit: only those that went to the trash before this instant; `nil` for all.
  /// - Returns: how many were removed.
  @discardableResult
  public func purge(deletedBefore limit: Moment? = nil) throws -> Int {
    try change(.purge) { writer in
      let trash = try writer.numbers(matching: .flag(.deleted)).filter { number in
        guard let limit else { return true }
        return try (writer.entry(number: number)?.deleted).map { $0.seconds < limit.seconds }
          ?? false
      }
      for number in trash { try writer.remove(writer.existing(number)) }
      try writer.forget(trash)
      return trash.count
    }
  }
}

extension EntryWriting {
  /// Puts the entries a change set touched back to what they were before it.
  ///
  /// Every entry must stand as the change set left it: a later change is never overwritten.
  fileprivate func revert(_ set: ChangeSet.ID, _ verb: String) throws {
    for image in try images(of: set) where !image.isPurged {
      let current = try entry(number: image.number)
      guard isSame(current, image.after) else {
        throw StoreError(
          .conflict(number: image.number), at: place,
          "entry \(image.number) was changed since by another program; nothing was \(verb)")
      }
      switch (image.before, current) {
      case (let before?, let current?): try update(before, from: current)
      case (let before?, nil): _ = try insert(before)
      case (nil, let current?): try remove(current)
      case (nil, nil): break
      }
    }
  }

  private func isSame(_ left: Entry?, _ right: Entry?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): left.isSame(as: right)
    default: false
    }
  }
}
