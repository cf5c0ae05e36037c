import Journal

/// A journal as it was at a moment of the past: in memory, and read only.
///
/// The moment is that of writing, as the journal's own change log has it: an entry that was imported
/// today with an old date is in no journal of yesterday. Entries keep their numbers and their uuids, so
/// past and present entries can be compared; an entry has the versions up to that moment.
package struct PastJournal {
  /// The past journal, read-only.
  package let store: SQLiteEntryStore
  package let moment: Moment
  /// The number of entries of the past journal outside its trash whose texts have been purged since.
  package let purged: Int
  /// The number of entries of the past journal whose texts another program replaced before anybody logged
  /// them.
  package let unknown: Int

  /// The missing entries, in words: `3 entries of that time have been purged since`; `nil` if nothing is.
  package var loss: String? {
    let parts = [
      purged == 0
        ? nil
        : Numbers.counted(purged, "entry of that time has", "entries of that time have")
          + " been purged since",
      unknown == 0
        ? nil
        : Numbers.counted(unknown, "entry of that time is", "entries of that time are")
          + " unknown: another program changed the file",
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}

extension EntryStore {
  /// Gives entries the state that they had in the past, as one step: text, star, date and day.
  ///
  /// An entry leaves the trash, and one that does not exist any more is added again with its uuid.
  ///
  /// - Parameter entries: the entries of then, from ``PastJournal/store``.
  /// - Returns: the numbers that they have now, without those of entries that are the same as then.
  /// - Throws: ``StoreError``; then nothing changed.
  @discardableResult
  package func restore(
    ofPast entries: [Entry], _ options: BulkOptions = BulkOptions()
  ) throws -> [Int64] {
    let now = clock.moment()
    return try change(.restore) { writer in
      var changed: [Int64] = []
      for (done, then) in entries.enumerated() {
        try options.progress?(done, entries.count)
        if let present = try writer.entry(uuid: then.uuid) {
          let new = try writer.rewrite(present, clock) { entry in
            (entry.text, entry.starred) = (then.text, then.starred)
            (entry.created, entry.day, entry.deleted) = (then.created, then.day, nil)
          }
          if new != nil { changed.append(present.number) }
          continue
        }
        var entry = then
        (entry.modified, entry.deleted, entry.conflicts) = (now, nil, "")
        if try writer.entry(number: then.number) != nil { entry.number = 0 }
        changed.append(try writer.insert(entry))
      }
      try options.progress?(entries.count, entries.count)
      return changed
    }
  }
}
