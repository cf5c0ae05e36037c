import Journal

extension EntryStore {
  /// Undoes the latest change set of a scope.
  ///
  /// Entries that were changed since are merged: the fields and words that the change set changed
  /// return to their former state, later changes of others stay. What cannot be taken back stays,
  /// and the result names it.
  ///
  /// If nothing can be taken back, the error says so, and what undoes the change set before: in a
  /// session the next undo, else ``takeBack(_:_:)``. A session says the same of a change set that other
  /// programs undid or of which no effect is left: the change before may be about something else. Without
  /// a session such change sets are passed over.
  ///
  /// - Returns: the change set, and what was kept.
  /// - Throws: ``StoreError``: ``StoreError/Kind/nothingToUndo``, or
  ///   ``StoreError/Kind/conflict(number:)`` when nothing can be taken back; then nothing changes.
  @discardableResult
  package func undo(
    _ scope: UndoScope = .journal, _ options: BulkOptions = BulkOptions()
  ) throws -> Undone {
    let scope = HistoryScope(scope, of: self)
    let passed = scope.session?.passed
    // The changes named by the error; the session's next undo skips them.
    var named: [ChangeSet.ID] = []
    do {
      return try change(.undo) { writer in
        var gone = GoneChanges()
        var next = try writer.undoable(in: scope, before: nil, passing: passed)
        while let set = next {
          next = try writer.undoable(in: scope, before: set.id, passing: passed)
          let reversal = Reversal(of: set.id, count: set.count, writer, clock, options)
          let outcome = Result { try reversal.run("undone") }
          if case .success = outcome, !reversal.hasEffect {
            gone.lost.append(set)
            continue
          }
          if let session = scope.session {
            try gone.addUndone(in: session, after: set.id, writer)
            if let error = gone.error(at: path, isLast: false) {
              named = gone.passed
              throw error
            }
          }
          do {
            let (restored, kept) = try outcome.get()
            try writer.mark(set.id, undone: true)
            return Undone(set: set, restored: restored, kept: kept)
          } catch let error as StoreError {
            guard case .conflict = error.kind, let next else { throw error }
            named = [set.id]
            throw StoreError(
              error.kind, at: path,
              error.explanation,
              remedy: passed == nil
                ? "\(command: "undo \(next.id)") undoes the change before"
                : GoneChanges.remedy)
          }
        }
        if let session = scope.session {
          try gone.addUndone(in: session, after: nil, writer)
          if let error = gone.error(at: path, isLast: true) { throw error }
        }
        throw StoreError(.nothingToUndo, at: path, "nothing to undo")
      }
    } catch let error as StoreError {
      passed?.insert(named)
      if case .nothingToUndo = error.kind, named.isEmpty { passed?.removeAll() }
      throw error
    }
  }

  /// Redoes the change set that the latest undo of a scope took back, unless the scope has a later
  /// change; changes of others do not matter.
  ///
  /// - Returns: the change set, and what was kept since it was changed after the undo.
  /// - Throws: ``StoreError``: ``StoreError/Kind/nothingToRedo`` or
  ///   ``StoreError/Kind/conflict(number:)``.
  @discardableResult
  package func redo(
    _ scope: UndoScope = .journal, _ options: BulkOptions = BulkOptions()
  ) throws -> Undone {
    let scope = HistoryScope(scope, of: self)
    return try change(.redo) { writer in
      guard let set = try writer.redoable(in: scope), let undo = try writer.undo(of: set.id) else {
        throw StoreError(.nothingToRedo, at: path, "nothing to redo")
      }
      let reversal = Reversal(of: undo, count: set.count, writer, clock, options)
      let (restored, kept) = try reversal.run("redone")
      guard reversal.hasEffect else {
        throw StoreError(.nothingToRedo, at: path, "nothing to redo")
      }
      try writer.mark(set.id, undone: false)
      return Undone(set: set, isRedone: true, restored: restored, kept: kept)
    }
  }

  /// Takes back any change set that can be, also one of synchronisation or of another process.
  ///
  /// It merges as ``undo(_:_:)`` does. An undo is taken back by redoing what it undid.
  ///
  /// - Parameter id: the change set's number, as in ``changeSets(latest:before:)``.
  /// - Throws: ``StoreError``: ``StoreError/Kind/nothingToUndo`` if it does not exist, cannot be taken
  ///   back, or has no effect any more; ``StoreError/Kind/conflict(number:)``.
  @discardableResult
  package func takeBack(
    _ id: ChangeSet.ID, _ options: BulkOptions = BulkOptions()
  ) throws -> Undone {
    let isUndo = try inspect { try $0.changeSet(id) }?.kind == .undo
    return try change(isUndo ? .redo : .undo) { writer in
      func refusal(_ message: String) -> StoreError {
        StoreError(.nothingToUndo, at: path, message)
      }
      guard let named = try writer.changeSet(id) else {
        throw refusal("no change has the number \(id)")
      }
      guard named.canTakeBack else {
        throw refusal("change \(id) \(named.isUndone ? "is already undone" : "cannot be undone")")
      }
      let set = try named.reverses.flatMap { try writer.changeSet($0) } ?? named
      let reversal = Reversal(of: isUndo ? id : set.id, count: named.count, writer, clock, options)
      let (restored, kept) = try reversal.run(isUndo ? "redone" : "undone")
      guard reversal.hasEffect else { throw refusal("change \(id) has nothing left to undo") }
      try writer.mark(set.id, undone: !isUndo)
      return Undone(set: set, isRedone: isUndo, restored: restored, kept: kept)
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
    deletedBefore limit: Moment? = nil, _ options: BulkOptions = BulkOptions(),
    check: ([Int64]) throws -> Void = { _ in }
  ) throws -> Int {
    try change(.purge) { writer in
      let trash = try writer.numbers(matching: .flag(.deleted)).filter { number in
        guard let limit else { return true }
        return try (writer.entry(number: number)?.deleted).map { $0.seconds < limit.seconds }
          ?? false
      }
      try check(Array(trash))
      // Removing an entry and forgetting its images each cost about half of the work.
      var done = 0
      func step() throws {
        try options.progress?(done / 2, trash.count)
        done += 1
      }
      try writer.remove(trash, step)
      try writer.forget(trash, step)
      _ = try writer.removeUnusedFiles()
      try options.progress?(trash.count, trash.count)
      return trash.count
    }
  }
}

/// The change sets that undo would pass over on its way to one with an effect.
private struct GoneChanges {
  static let remedy: Sentence = "the next undo takes back the change before it"

  /// The change sets without a remaining effect, newest first.
  var lost: [ChangeSet] = []
  /// The change sets that other programs undid while the session was open, newest first, with their undos.
  private var undone: [(set: ChangeSet, undo: ChangeSet.ID)] = []

  /// The numbers by which a session remembers that it has named them.
  var passed: [ChangeSet.ID] { lost.map(\.id) + undone.map(\.undo) }

  /// Adds those that others undid and the session has not named yet.
  mutating func addUndone(
    in session: HistorySession, after limit: ChangeSet.ID?, _ writer: any EntryWriting
  ) throws {
    undone = try writer.undoneElsewhere(in: session, after: limit).filter {
      !session.passed.contains($0.undo)
    }
  }

  /// The error that names the newest one; `nil` if there is none.
  func error(at path: String, isLast: Bool) -> StoreError? {
    let sets = (lost + undone.map(\.set)).sorted { $0.id > $1.id }
    guard let newest = sets.first else { return nil }
    let others = sets.count - 1
    let rest =
      others == 0 ? "" : " and of \(Numbers.counted(others, "change", "changes")) before it"
    let fault =
      newest.id == undone.first?.set.id
      ? "another program has undone \(newest.noun)\(rest)"
      : "nothing is left of \(newest.noun)\(rest)"
    return StoreError(
      .nothingToUndo, at: path, "\(fault); nothing was undone", remedy: isLast ? nil : Self.remedy)
  }
}

/// The result of undoing or redoing a change set.
@dynamicMemberLookup
package struct Undone: Hashable, Sendable {
  /// The change set.
  package var set: ChangeSet
  /// Whether it was redone.
  package var isRedone = false
  /// The number of entries that were taken back completely.
  package var restored: Int
  /// The entries that were not, or not completely.
  package var kept: [Kept]

  /// An entry that was not taken back completely.
  package struct Kept: Hashable, Sendable {
    package var number: Int64
    package var reason: Reason
  }

  /// The reason why an entry was not taken back completely.
  package enum Reason: Hashable, Sendable {
    /// The same words or fields were changed since.
    case changed
    /// The entry was removed since, by another program.
    case removed
    /// The entry was purged, with its undo data.
    case purged
  }

  /// A property of the change set.
  package subscript<Value>(dynamicMember property: KeyPath<ChangeSet, Value>) -> Value {
    self.set[keyPath: property]
  }

  /// The result in a few words: `undid the edit of "x"`.
  package var news: String { "\(isRedone ? "redid" : "undid") \(phrase)" }

  /// The change in a few words, with the number of kept entries:
  /// `the edit of 3 entries; 2 entries kept, changed since`.
  package var phrase: String {
    let reasons: [(Reason, String)] = [
      (.changed, "changed"), (.removed, "removed"), (.purged, "purged"),
    ]
    let parts = reasons.compactMap { reason, word in
      let count = kept.count { $0.reason == reason }
      return count == 0 ? nil : "; \(Numbers.entries(count)) kept, \(word) since"
    }
    return self.set.noun + parts.joined()
  }
}

extension EntryWriting {
  /// The latest change set of a scope that can be undone, without those that undo passes over.
  fileprivate func undoable(
    in scope: HistoryScope, before limit: ChangeSet.ID?, passing passed: PassedChanges?
  ) throws -> ChangeSet? {
    var limit = limit ?? .max
    while let set = try undoable(in: scope, before: limit) {
      // A damaged index would name the same change sets without end.
      guard set.id < limit else {
        throw StoreError.damaged("the index change_set_done is out of order", at: path)
      }
      if passed?.contains(set.id) != true { return set }
      limit = set.id
    }
    return nil
  }
}
