import GRDB
import Journal
import Testing

@testable import JournalStore

/// What a journal records of the texts that files had when they were imported.
struct ImportBaseTests {
  private static let uuid = "01890a5d-ac96-774b-bcce-b302099a8057"
  private let directory = TemporaryDirectory(isInMemory: true)

  private static func record(_ text: String, of source: Int64?) -> ImportedRecord {
    let created = Moment(seconds: 1000, offset: 3600)
    let entry = Entry(
      uuid: uuid, created: created, modified: created, day: created.localDay, text: text)
    return ImportedRecord(entry, source: source)
  }

  private static func renew(
    _ text: String, of source: Int64?, in store: any EntryStore
  ) throws -> Renewal {
    try store.importing { try $0.renew(record(text, of: source), as: uuid) }
  }

  private static func isUpdate(_ renewal: Renewal) -> Bool {
    if case .update = renewal { true } else { false }
  }

  @Test(
    "the file's own last text is the base, in every journal, after opening it again, and after a backup",
    arguments: [StoreKind.sqlite, .json, .memory])
  func kinds(kind: StoreKind) throws {
    var store = try kind.make(in: directory)
    _ = try store.importing { try $0.add(Self.record("one two", of: 1).entry) }
    for word in ["1", "eins", "uno"] {
      #expect(try Self.isUpdate(Self.renew("\(word) two", of: 1, in: store)), "\(word)")
      #expect(try store.entry(1).text == "\(word) two")
      if kind != .memory { store = try kind.make(in: directory) }
    }
    #expect(try store.check() == [])
    // A copy of the file that never had the last word does not take it away.
    _ = try Self.renew("one two three", of: 2, in: store)
    #expect(try store.entry(1).text == "uno two three")
    // One undo takes back an import with what it records.
    _ = try Self.renew("un two", of: 1, in: store)
    try store.undo()
    #expect(try store.inspect { try $0.importBases(of: 1).last?.source } == 2)
    #expect(try Self.isUpdate(Self.renew("hat two", of: 1, in: store)))
    #expect(try store.entry(1).text == "hat two three")
    try store.undo()
    try store.undo()
    try store.redo()
    #expect(try store.entry(1).text == "uno two three")
    guard kind != .memory else { return }
    let copy = directory.file("copy.\(kind == .json ? "json" : "sqlite")")
    try store.backup(to: copy)
    let kept = try store.inspect { try $0.importBases(of: 1) }
    let backup: any EntryStore =
      try kind == .json
      ? JSONEntryStore.open(copy, mode: .readWrite) : SQLiteEntryStore.open(copy, mode: .readWrite)
    #expect(try kept.count > 3 && backup.inspect { try $0.importBases(of: 1) } == kept)
  }

  @Test("a text that is there already is recorded without a step, once, and a pipe is no file")
  func known() throws {
    let store = try StoreKind.sqlite.make(in: directory)
    _ = try store.importing { try $0.add(Self.record("one two", of: 1).entry) }
    func bases() throws -> Int { try store.inspect { try $0.importBases(of: 1).count } }
    _ = try Self.renew("one two", of: 1, in: store)
    #expect(try bases() == 0)
    try store.edit(1, text: "uno two")
    let step = try store.pendingSteps().undo?.id
    for _ in 0..<2 { _ = try Self.renew("uno two", of: 1, in: store) }
    #expect(try bases() == 1 && store.pendingSteps().undo?.id == step)
    #expect(try Self.isUpdate(Self.renew("eins two", of: 1, in: store)))
    _ = try Self.renew("ein two", of: nil, in: store)
    #expect(try bases() == 2)
  }

  @Test("a record of which the entry has all is no step for an undo, and known from then on")
  func nothingNew() throws {
    let store = try StoreKind.sqlite.make(in: directory)
    _ = try store.importing { try $0.add(Self.record("one two", of: 1).entry) }
    try store.edit(1, text: "uno two three")
    // The file has one of the changes.
    guard case .none = try Self.renew("uno two", of: 1, in: store) else {
      return #expect(Bool(false))
    }
    #expect(try store.entry(1).text == "uno two three")
    #expect(try Self.isUpdate(Self.renew("eins two", of: 1, in: store)))
    #expect(try store.entry(1).text == "eins two three")
    try store.undo()
    try store.undo()
    #expect(try store.entry(1).text == "one two")
  }

  @Test("a purge removes the records of its entries", arguments: [StoreKind.sqlite, .json])
  func purge(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    _ = try store.importing { try $0.add(Self.record("one two", of: 1).entry) }
    _ = try Self.renew("uno two", of: 1, in: store)
    #expect(try store.inspect { try $0.importBases(of: 1).count } == 1)
    try store.delete([1])
    try store.purge()
    #expect(try store.inspect { try $0.importBases(of: 1) } == [])
    #expect(try kind.make(in: directory).inspect { try $0.importBases(of: 1) } == [])
    #expect(try store.check() == [])
  }
}
