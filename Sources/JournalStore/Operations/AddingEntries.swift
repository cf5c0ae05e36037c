import Journal

/// An entry to add, with its permanent identity.
///
/// The uuid is made here and not by the store, so that adding the same value again after an error
/// whose outcome is unknown cannot store it twice.
@dynamicMemberLookup
package struct NewEntry: Hashable, Sendable {
  /// The entry, without a number.
  package var entry: Entry

  /// Makes an entry to add, with a new uuid unless one is given.
  package init(
    text: String, created: Moment, day: Day, starred: Bool = false, uuid: String? = nil,
    modified: Moment? = nil, deleted: Moment? = nil
  ) {
    entry = Entry(
      uuid: uuid ?? EntryUUID.make(atSecond: created.seconds), created: created,
      modified: modified ?? created, day: day, text: text, starred: starred, deleted: deleted)
  }

  /// A field of the entry.
  package subscript<Value>(dynamicMember field: WritableKeyPath<Entry, Value>) -> Value {
    get { entry[keyPath: field] }
    set { entry[keyPath: field] = newValue }
  }
}

/// The result of adding entries.
package struct Additions: Hashable, Sendable {
  /// The entries in the journal, in the order given.
  package var entries: [Entry]
  /// Whether each of them was added; `false` if its uuid already existed, also in the trash, and
  /// nothing changed.
  package var isNew: [Bool]

  /// The number of added entries.
  package var added: Int { isNew.count(where: \.self) }
}

extension EntryStore {
  /// Adds entries, as one step.
  ///
  /// An entry whose uuid already exists stays unchanged, so that repeating the call after an error
  /// with an unknown outcome adds nothing twice.
  ///
  /// - Returns: the entries in the journal, with their numbers, in the order given.
  /// - Throws: ``StoreError``; then none of them was added, unless its kind is
  ///   ``StoreError/Kind/io``.
  @discardableResult
  package func add(_ new: [NewEntry]) throws -> [Entry] {
    try addReporting(new, as: .add).entries
  }

  /// Adds entries, as one step, and reports which of them were new.
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

/// Adds entries one by one inside the transaction of an import.
///
/// It keeps no entries, so that memory does not grow with the import.
package final class EntryImport {
  /// The number of added entries.
  package private(set) var added = 0
  /// The number of entries that already existed, also in the trash, and stayed unchanged.
  package private(set) var skipped = 0
  /// The number of entries that took the changes of their records.
  package private(set) var updated = 0
  /// The number of entries with a text of their records as a new conflict.
  package private(set) var conflicts = 0

  /// Whether the journal may have had entries before, in the trash or not.
  package let hadEntries: Bool

  private let writer: any EntryWriting
  private let clock: WallClock

  /// Whether the journal keeps files.
  package let keepsFiles: Bool

  /// - Throws: ``StoreError`` when the medium fails.
  init(_ writer: any EntryWriting, _ clock: WallClock, keepsFiles: Bool) throws {
    (self.writer, self.clock, self.keepsFiles) = (writer, clock, keepsFiles)
    hadEntries = try writer.mayHaveEntries()
  }

  /// The result that a record would have whose entry has a uuid; `nil` if there is no such entry.
  package func renewal(of record: ImportedRecord, as uuid: String) throws -> Renewal? {
    try writer.renewal(of: record, as: uuid, at: clock.moment())
  }

  /// Gives the entry with a uuid what its record has.
  ///
  /// - Returns: what became of it; ``Renewal/none`` if there is no such entry.
  package func renew(_ record: ImportedRecord, as uuid: String) throws -> Renewal {
    let renewal = try renewal(of: record, as: uuid) ?? .none
    switch renewal {
    case .none:
      try noteKnown(record, as: uuid)
      skipped += 1
    case .older: skipped += 1
    case .update(let entry, let isMerged):
      if isMerged { try keep(record, of: entry) }
      try replace(with: entry)
      try note(record, record.entry.text, of: entry.number, isNew: true)
      updated += 1
    case .conflict(let entry, let text):
      try keep(record, of: entry)
      try replace(with: entry)
      let open = try writer.existing(entry.number)
      let texts = try writer.conflicts(of: open) + [text]
      try SyncWriting(writer).setConflicts(of: entry.uuid, texts)
      try note(record, record.entry.text, of: entry.number, isNew: true)
      conflicts += 1
    }
    return renewal
  }

  /// Makes the state of a record one of its entry: the next record of the file comes from it.
  private func keep(_ record: ImportedRecord, of entry: Entry) throws {
    var version = record.applied(to: try writer.existing(entry.number))
    if record.written == nil, let modified = record.modified { version.modified = modified }
    try replace(with: version)
  }

  /// Records the text that a file has now.
  private func note(
    _ record: ImportedRecord, _ text: String, of number: Int64, isNew: Bool
  ) throws {
    guard let source = record.source else { return }
    let base = ImportBase(
      source: source, folder: record.folder, checksum: Entry.checksum(of: text),
      written: record.written?.seconds)
    let last = try writer.importBases(of: number).last { $0.source == source }
    if last != base { try writer.add(base, of: number, isNew: isNew) }
  }

  /// Records which state of its entry a file has, unless that is said by the file, or the first one; a text of
  /// which the entry has all becomes a state.
  private func noteKnown(_ record: ImportedRecord, as uuid: String) throws {
    guard record.source != nil, try writer.hasChanged(uuid),
      let present = try writer.present(uuid: uuid),
      record.written?.seconds != present.modified.seconds || !record.isSame(as: present)
    else { return }
    let state =
      record.isSame(as: present)
      ? present : try writer.states(of: present.number).last { record.isSame(as: $0.entry) }?.entry
    if let state { return try note(record, state.text, of: present.number, isNew: false) }
    // The entry has all that the record says, in another text; files that are not known yet have no names.
    guard record.sketch(record.entry.text).isSame(as: record.entry.text) else { return }
    try keep(record, of: present)
    try replace(with: present)
    try note(record, record.entry.text, of: present.number, isNew: true)
  }

  private func replace(with entry: Entry) throws {
    let old = try writer.existing(entry.number)
    _ = try writer.rewrite(old, nil) { $0 = entry }
  }

  /// The file that a target names; `nil` if the journal does not have it.
  package func file(_ target: String) throws -> StoredFile? { try writer.file(target) }

  /// The shortest target that names a file of the journal, and no other one.
  package func target(of file: StoredFile) throws -> String { try writer.target(of: file) }

  /// Adds a file, piece by piece; entries that name it must follow.
  ///
  /// - Parameter next: returns the next bytes, none at the end.
  /// - Throws: ``FileContentError`` above ``StoredFile/largest``, ``StoreError``, the errors of `next`.
  ///   Nothing of the file is kept then, and the import may go on.
  package func addFile(named name: String, _ next: () throws -> [UInt8]) throws -> StoredFile {
    try writer.addFile(named: name, next)
  }

  /// Whether an entry with this uuid exists, in the trash or not.
  package func contains(uuid: String) throws -> Bool { try writer.present(uuid: uuid) != nil }

  /// The entry with this uuid, in the trash or not.
  package func present(uuid: String) throws -> Entry? { try writer.present(uuid: uuid) }

  /// The first entries at a time on a day, those in the trash last.
  package func present(on day: Day, at created: Moment) throws -> [Entry] {
    try writer.present(on: day, at: created)
  }

  /// The texts that records of imports gave to an entry.
  package func recordTexts(of number: Int64) throws -> [String] {
    try writer.recordTexts(of: number)
  }

  /// The texts that files had when they were imported into an entry, the latest last.
  package func importBases(of number: Int64) throws -> [ImportBase] {
    try writer.importBases(of: number)
  }

  /// Counts an entry that exists under another uuid.
  package func skip() { skipped += 1 }

  /// Adds an entry under a new number, unless its uuid already exists.
  ///
  /// - Parameters:
  ///   - entry: the entry, with a valid text; its number is ignored.
  ///   - source: what has its text, if nothing else says that it is its file.
  /// - Returns: whether it was added.
  /// - Throws: ``StoreError`` when the medium fails.
  @discardableResult
  package func add(
    _ entry: Entry, from source: (file: Int64, folder: Int64?)? = nil
  ) throws -> Bool {
    var entry = entry
    // The conflict is between other devices, and its texts stay there.
    entry.conflicts = ""
    let isNew = try writer.insertNew(entry)
    if isNew { added += 1 } else { skipped += 1 }
    if isNew, let source, let number = try writer.present(uuid: entry.uuid)?.number {
      try writer.add(
        ImportBase(source: source.file, folder: source.folder, checksum: entry.checksum),
        of: number, isNew: true)
    }
    return isNew
  }
}

extension EntryStore {
  /// Imports entries as one step, which one undo reverts.
  ///
  /// If `body` throws, nothing is kept; if it adds nothing, there is no step. Readers of the
  /// journal continue meanwhile; writers wait.
  ///
  /// - Parameter body: adds the entries, in the order of their numbers.
  /// - Throws: ``StoreError`` when the medium fails, and the errors of `body`.
  package func importing<Value>(_ body: (EntryImport) throws -> Value) throws -> Value {
    try change(.importing) { try body(EntryImport($0, clock, keepsFiles: keepsFiles)) }
  }
}

extension EntryReading {
  /// Whether an entry with this uuid exists, in the trash or not.
  package func contains(uuid: String) throws -> Bool { try entry(uuid: uuid) != nil }
}

extension EntryWriting {
  /// Adds an entry under a new number, unless its uuid exists.
  package func insertNew(_ entry: Entry) throws -> Bool {
    if try contains(uuid: entry.uuid) { return false }
    var new = entry
    new.number = 0
    _ = try insert(new)
    return true
  }
}
