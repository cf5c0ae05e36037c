import Journal

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
