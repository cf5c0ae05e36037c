import Journal

/// An entry that is to be written, with the identity it will keep.
///
/// The uuid is made here and not by the store, so that adding the same value again after an error
/// whose outcome is unknown cannot store it twice.
@dynamicMemberLookup
package struct NewEntry: Hashable, Sendable {
  /// The entry, without a number.
  package var entry: Entry

  /// Makes an entry to be written, under a fresh uuid unless one is given.
  ///
  /// - Parameter modified: when it was last changed: what an import says, now for an entry dated to
  ///   another time, else `created`.
  package init(
    text: String, created: Moment, day: Day, starred: Bool = false, uuid: String? = nil,
    modified: Moment? = nil, deleted: Moment? = nil
  ) {
    entry = Entry(
      uuid: uuid ?? EntryUUID.make(atMilliseconds: created.seconds * 1000), created: created,
      modified: modified ?? created, day: day, text: text, starred: starred, deleted: deleted)
  }

  /// A field of the entry.
  package subscript<Value>(dynamicMember field: WritableKeyPath<Entry, Value>) -> Value {
    get { entry[keyPath: field] }
    set { entry[keyPath: field] = newValue }
  }
}

/// The outcome of adding entries.
package struct Additions: Hashable, Sendable {
  /// The entries as they stand in the journal, in the order given.
  package var entries: [Entry]
  /// For each of them, whether it was added; `false` where its uuid was there already, also in the
  /// trash, and nothing was changed.
  package var isNew: [Bool]

  /// How many were added.
  package var added: Int { isNew.count(where: \.self) }
}

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

/// Takes entries into a journal one after the other, while the transaction of an import is open.
///
/// It holds nothing of what it took, so that an import of any size needs no memory to speak of.
package final class EntryImport {
  /// How many entries were added.
  package private(set) var added = 0
  /// How many were there already, also in the trash, and were left as they are.
  package private(set) var skipped = 0

  private let writer: any EntryWriting

  init(_ writer: any EntryWriting) {
    self.writer = writer
  }

  /// Adds an entry under a new number, unless its uuid is in the journal already.
  ///
  /// - Parameter entry: the entry, with a valid text; its number does not count.
  /// - Returns: whether it was added.
  /// - Throws: ``StoreError`` when the medium fails.
  @discardableResult
  package func add(_ entry: Entry) throws -> Bool {
    let isNew = try writer.insertNew(entry)
    if isNew { added += 1 } else { skipped += 1 }
    return isNew
  }
}

extension EntryStore {
  /// Takes in entries as one step, which one undo takes back.
  ///
  /// Nothing is kept when `body` throws, and nothing happened at all when it adds nothing. Readers of
  /// the journal go on meanwhile; writers wait.
  ///
  /// - Parameter body: adds the entries, in the order they are to be numbered in.
  /// - Throws: ``StoreError`` when the medium fails, and what `body` throws.
  package func importing<Value>(_ body: (EntryImport) throws -> Value) throws -> Value {
    try change(.importing) { try body(EntryImport($0)) }
  }
}

extension EntryReading {
  /// Whether an entry with this uuid is there, in the trash or not.
  package func contains(uuid: String) throws -> Bool { try entry(uuid: uuid) != nil }
}

extension EntryWriting {
  /// Adds an entry under a new number, unless its uuid is there.
  package func insertNew(_ entry: Entry) throws -> Bool {
    if try contains(uuid: entry.uuid) { return false }
    var new = entry
    new.number = 0
    _ = try insert(new)
    return true
  }
}
