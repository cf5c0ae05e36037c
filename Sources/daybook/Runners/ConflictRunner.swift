import Journal
import JournalStore
import Screen

// What becomes of a text whose entry was changed elsewhere.

extension ChangeRunner {
  /// Asks about a text whose entry was changed elsewhere; a draft keeps the text.
  ///
  /// - Parameter base: the checksum of the text that the edit began with.
  func ask(about number: Int64, _ text: String, _ base: Int64?, _ draft: Draft) {
    let found = try? conflict(number, text, base, draft: draft.name)
    let unknown = EditConflict(
      number: number, fate: .changed, text: text, draft: draft.name, base: base)
    send(.question(.conflictFound(found ?? unknown)))
  }

  /// What is known of an entry that was changed elsewhere, beside a text of it.
  private func conflict(
    _ number: Int64, _ text: String, _ base: Int64?, draft: String
  ) throws -> EditConflict {
    EditConflict(
      number: number, fate: try actions.fate(of: number), text: text, draft: draft, base: base,
      theirs: actions.theirs(of: number, beside: text, base: base))
  }

  /// The same of the entry as it is now.
  private func present(_ conflict: EditConflict) throws -> EditConflict {
    try self.conflict(conflict.number, conflict.text, conflict.base, draft: conflict.draft)
  }

  /// Asks again if other keys answer now.
  ///
  /// Another text alone waits for an answer, which looks at it: it might be chosen unread, by a key that was
  /// meant for the one before.
  func review(_ conflict: EditConflict) {
    // What cannot be read may be there all the same.
    guard let now = try? present(conflict) else { return }
    if now.fate != conflict.fate { send(.question(.conflictReviewed(now))) }
  }

  /// Asks about the texts as they are now, and says why.
  private func askAgain(_ conflict: EditConflict) {
    send(.question(.conflictFound(conflict)))
    guard conflict.fate == .changed else { return }
    let news = "entry \(conflict.number) has changed again: these are its texts now"
    send(.journal(.failed(news)))
  }

  /// Saves or keeps a text whose entry was changed elsewhere.
  ///
  /// Its draft goes with a commit. A kept draft of an entry outside the list becomes one of a new
  /// entry, since it could not be recalled otherwise.
  func resolve(_ conflict: EditConflict, _ answer: EditConflict.Answer) throws {
    let drafts = journal.drafts
    let draft = drafts?.abandoned().first { $0.name == conflict.draft }
    do {
      let now = try present(conflict)
      switch answer {
      case .overwrite, .theirs, .both, .editBoth:
        // Nothing is written over a text that was not shown, or beside it.
        if let theirs = now.theirs, theirs.text.isSame(as: conflict.text) {
          if let draft { drafts?.remove(draft) }
          var saved = Saved("entry \(conflict.number) has this text already")
          saved.edited = answer == .editBoth ? conflict.number : nil
          return send(.journal(.saved(saved)))
        }
        guard now.isSame(as: conflict) else { return askAgain(now) }
      case .addAsNew:
        // An entry that is back can take the text itself.
        guard now.fate == conflict.fate else { return askAgain(now) }
      case .keepDraft: break
      }
      var saved: Saved
      switch answer {
      case .overwrite:
        // In the same transaction: another program may have written since the look above.
        saved =
          try conflict.theirs.map { try save($0.mine, over: $0, of: conflict.number) }
          ?? actions.overwrite(conflict.number, conflict.text)
      case .both, .editBoth:
        guard let theirs = conflict.theirs else { return }
        let both = TextMerge.both(theirs.favoured, theirs.mine)
        saved = try save(both, over: theirs, of: conflict.number)
        saved.edited = answer == .editBoth ? conflict.number : nil
      case .theirs:
        let kept = State.keptDraft(ofEdit: conflict.number)
        guard let theirs = conflict.theirs, !theirs.favoured.isSame(as: theirs.text) else {
          return send(.journal(.saved(Saved(kept))))
        }
        var merged = try save(theirs.favoured, over: theirs, of: conflict.number)
        merged.text += "; \(kept)"
        return send(.journal(.saved(merged)))
      case .addAsNew: saved = try actions.add(conflict.text)
      case .keepDraft where now.fate == .changed:
        return send(.journal(.saved(Saved(State.keptDraft(ofEdit: conflict.number)))))
      case .keepDraft:
        if let draft { try drafts?.change(draft, to: .newEntry) }
        return send(.journal(.saved(Saved("draft kept: press a, then Up"))))
      }
      if let draft { drafts?.remove(draft) }
      send(.journal(.saved(saved)))
    } catch {
      if let draft { journal.noteUnsaved(draft, because: error) }
      throw Failure(.notDone, "\(Failure.reason(error)); draft kept: see :drafts")
    }
  }

  /// Saves a text in the place of another one that was shown.
  private func save(
    _ text: String, over theirs: EditConflict.Theirs, of number: Int64
  ) throws -> Saved {
    // In the same transaction: another program may have written since the look at it.
    let base = Entry.checksum(of: theirs.text)
    return try naming(text, in: number, chosen: journal.keeper?.entry.files ?? []) {
      try actions.edit(number, text, expecting: base, naming: $0, step: $1)
    }
  }
}
