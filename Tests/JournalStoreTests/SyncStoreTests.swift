import Foundation
import Journal
import SectionedResults
import TestSupport
import Testing

@testable import JournalStore

/// What a journal records about synchronisation, and the transaction that applies it.
@Suite("Synchronisation in a journal", .serialized)
struct SyncStoreTests {
  private let directory = TemporaryDirectory(isInMemory: true)

  private func entry(_ text: String, uuid: String? = nil) -> NewEntry {
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    return NewEntry(text: text, created: moment, day: moment.localDay, uuid: uuid)
  }

  private let state = SyncState(
    remote: "ssh://host/j \"1\".git", base: "c0ffee", cursor: 0,
    journal: "01890a5d-ac96-774b-bcce-b302099a8057", device: "laptop ü",
    at: Moment(seconds: 1_795_000_000, offset: -3600), outcome: .done("sent 3\u{2028}"))

  private func changes(_ store: any EntryStore, since cursor: Int64) throws -> [SyncChange] {
    var changes: [SyncChange] = []
    try store.changedEntries(since: cursor) { changes.append($0) }
    return changes
  }

  // MARK: - Record

  @Test("The record is kept in the journal, without a change set", arguments: StoreKind.allCases)
  func record(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    #expect(try store.syncState() == nil)
    try store.add([entry("one")])
    let stamp = try store.read { try $0.stamp() }
    var commits = 0
    let token = store.observeCommits { commits += 1 }
    try store.setSyncState(state)
    #expect(try store.syncState() == state)
    let bare = SyncState(remote: "/mnt/stick", cursor: 1, journal: "x", device: "")
    try store.setSyncState(bare)
    #expect(try store.syncState() == bare)
    try store.setSyncState(state)
    #expect(commits == 0)
    #expect(try store.read { try $0.stamp() } == stamp)
    #expect(try store.pendingSteps().undo?.kind == .add)
    #expect(try store.check() == [])
    if kind == .sqlite || kind == .json {
      #expect(try kind.make(in: directory).syncState() == state)
    }
    try store.forgetSync()
    #expect(try store.syncState() == nil)
    token.cancel()
    if kind == .json {
      let text = try String(contentsOfFile: directory.file("journal.json"), encoding: .utf8)
      #expect(!text.contains("\"sync\""))
    }
  }

  // MARK: - Changes since

  @Test("Each entry that changed since, with its state then and now", arguments: StoreKind.allCases)
  func changesSince(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try store.add((1...6).map { entry("entry \($0)") })
    let cursor = try store.lastSequence()
    let then = try Oracle(store).entries
    #expect(try changes(store, since: 0).map(\.now) == (1...6).map { then[$0] })
    #expect(try store.changedCount(since: 0) == 6)
    #expect(try changes(store, since: cursor) == [])
    #expect(try store.changedCount(since: cursor) == 0)
    try store.edit(1, text: "two")
    try store.setStarred(true, [1, 2])
    try store.delete([3])
    try store.setStarred(true, [4])
    try store.undo()
    try store.add([entry("seven"), entry("eight")])
    try store.delete([8])
    try store.purge()
    let found = try changes(store, since: cursor)
    let now = try Oracle(store).entries
    #expect(found.map(\.number) == [1, 2, 7])
    #expect(found.map(\.atCursor) == [then[1], then[2], nil])
    #expect(found.map(\.now) == [now[1], now[2], now[7]])
    #expect(found.allSatisfy { !$0.isBaseLost })
    #expect(throws: StoreError.self) { try changes(store, since: cursor + 1_000) }
  }

  @Test(
    "A purge is known by its uuid in a synchronised journal, until the cursor passes it",
    arguments: StoreKind.allCases)
  func purged(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try store.add((1...4).map { entry("entry \($0)") })
    try store.setSyncState(state)
    let cursor = try store.lastSequence()
    let uuids = try store.entries([1, 2, 3]).map(\.uuid)
    try store.delete([1, 2, 3])
    try store.purge()
    // The third comes again by an import, under another number.
    try store.add([entry("again", uuid: uuids[2])])
    let reopened = kind == .sqlite || kind == .json ? try kind.make(in: directory) : store
    let found = try changes(reopened, since: cursor)
    #expect(found.map(\.uuid) == uuids)
    #expect(found.map(\.number) == [1, 2, 5])
    #expect(found.allSatisfy { $0.isBaseLost && $0.atCursor == nil })
    #expect(found.map(\.now?.text) == [nil, nil, "again"])
    var next = state
    next.cursor = try store.lastSequence()
    try store.setSyncState(next)
    #expect(try changes(store, since: next.cursor) == [])
    if kind == .sqlite {
      let count = try ForeignTool.run(
        "SELECT count(*) FROM sync_purged", on: directory.file("journal.sqlite"))
      #expect(count == "0\n")
    }
  }

  @Test("What plain sqlite3 replaces and moves is paired by uuid")
  func replaced() throws {
    let store = try StoreKind.sqlite.make(in: directory)
    try store.add([entry("one"), entry("two"), entry("three")])
    try store.setSyncState(state)
    let cursor = try store.lastSequence()
    let then = try Oracle(store).entries
    let (one, two) = (try store.entry(1), try store.entry(2))
    try ForeignTool.run(
      """
      INSERT OR REPLACE INTO entry (number, uuid, text) VALUES (1, 'aaaaaaaa-0000-4000-a000-000000000000', 'other');
      INSERT OR REPLACE INTO entry (number, uuid, text) VALUES (9, '\(two.uuid)', 'moved');
      DELETE FROM entry WHERE number = 3;
      """, on: directory.file("journal.sqlite"))
    let found = try changes(store, since: cursor)
    #expect(found.map(\.number) == [1, 1, 3, 9])
    #expect(
      found.map(\.uuid) == [
        one.uuid, "aaaaaaaa-0000-4000-a000-000000000000", then[3]?.uuid, two.uuid,
      ])
    #expect(found.map(\.atCursor?.text) == ["one", nil, "three", "two"])
    #expect(found.map(\.now?.text) == [nil, "other", nil, "moved"])
    #expect(found.allSatisfy { !$0.isBaseLost })
  }

  @Test(
    "On random walks the changes since any point are those of two whole states",
    arguments: StoreKind.allCases, [UInt64(1), 2, 3])
  func random(kind: StoreKind, seed: UInt64) throws {
    let store = try kind.make(in: directory, name: "walk\(seed)")
    try store.setSyncState(state)
    var walk = RandomWalk(store, seed: seed)
    var points: [(cursor: Int64, entries: [String: Entry])] = []
    func entries() throws -> [String: Entry] {
      Dictionary(uniqueKeysWithValues: try Oracle(store).entries.values.map { ($0.uuid, $0) })
    }
    for step in 0..<60 {
      if step % 10 == 9 { points.append((try store.lastSequence(), try entries())) }
      if step % 17 == 16 { try store.purge() } else { try walk.step() }
    }
    let now = try entries()
    for (cursor, then) in points {
      let found = try changes(store, since: cursor)
      let different = Set(then.keys).union(now.keys).filter { then[$0] != now[$0] }
      #expect(Set(found.map(\.uuid)) == different)
      #expect(found.count == different.count)
      for change in found {
        #expect(change.now == now[change.uuid])
        if change.isBaseLost {
          #expect(then[change.uuid] != nil && now[change.uuid] == nil)
        } else {
          #expect(change.atCursor == then[change.uuid])
        }
      }
    }
  }

  // MARK: - Applying

  @Test(
    "Applying is one step of sync, ends at the cursor, and undo skips it",
    arguments: StoreKind.allCases)
  func applies(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try store.add([entry("mine"), entry("theirs"), entry("purged")])
    try store.delete([3])
    try store.setStarred(true, [1])
    let theirs = try store.entry(2)
    let purged = try store.entry(3).uuid
    let new = entry("new").entry
    let stamp = try store.read { try $0.stamp() }
    try store.applySync(expecting: store.lastSequence(), newState: state) { sync in
      var changed = theirs
      changed.text = "theirs, edited"
      changed.number = 77
      try sync.insert(new)
      #expect(try !sync.insert(new))
      #expect(try sync.update(changed))
      #expect(try !sync.update(changed))
      #expect(try sync.purge(uuid: purged))
      #expect(try !sync.purge(uuid: purged))
      #expect(sync.inserted == 1 && sync.updated == 1 && sync.purged == [3])
    }
    #expect(try store.entries([1, 2, 3, 4]).map(\.text) == ["mine", "theirs, edited", "new"])
    #expect(try store.entry(4).uuid == new.uuid)
    #expect(try store.syncState()?.cursor == store.lastSequence())
    #expect(try store.syncState()?.base == state.base)
    #expect(try changes(store, since: store.lastSequence()) == [])
    #expect(try store.versions(2).map(\.text) == ["theirs", "theirs, edited"])
    if kind != .oracle {
      let request = EntryRequest.entries(order: .oldest, grouping: .none)
      let commits = try store.read { try $0.commits(after: stamp, for: request) }
      #expect(commits.count == 1)
    }
    for scope in [UndoScope.session, .journal] {
      #expect(try store.pendingSteps(scope).undo?.kind == .star)
    }
    #expect(try store.undo().kind == .star)
    #expect(try store.entry(2).text == "theirs, edited")
    // What is received afterwards does not cancel redo.
    try store.applySync(expecting: store.lastSequence(), newState: state) {
      try $0.insert(entry("another").entry)
    }
    #expect(try store.redo(.session).kind == .star)
    #expect(try store.check() == [])
    if kind == .sqlite || kind == .json {
      let reopened = try kind.make(in: directory)
      #expect(try Oracle(reopened).entries == Oracle(store).entries)
      #expect(try reopened.syncState() == store.syncState())
    }
  }

  @Test(
    "Applying is refused after anybody's write, and leaves nothing of a failure",
    arguments: StoreKind.allCases)
  func refused(kind: StoreKind) throws {
    struct Stop: Error {}
    let store = try kind.make(in: directory)
    try store.add([entry("one")])
    let seen = try store.lastSequence()
    try store.setStarred(true, [1])
    let before = try Oracle(store).entries
    let error = #expect(throws: StoreError.self) {
      try store.applySync(expecting: seen, newState: state) { try $0.insert(entry("x").entry) }
    }
    #expect(error?.kind == .changedMeanwhile)
    #expect(throws: Stop.self) {
      try store.applySync(expecting: store.lastSequence(), newState: state) {
        try $0.insert(entry("x").entry)
        try $0.purge(uuid: before[1]?.uuid ?? "")
        throw Stop()
      }
    }
    #expect(throws: StoreError.self) {
      try store.applySync(expecting: store.lastSequence(), newState: state) {
        try $0.insert(entry("a\0b").entry)
      }
    }
    #expect(try store.syncState() == nil)
    #expect(try Oracle(store).entries == before)
    // Without changes only the state is written.
    let last = try store.lastSequence()
    try store.applySync(expecting: last, newState: state) { _ in }
    #expect(try store.lastSequence() == last)
    #expect(try store.syncState()?.cursor == last)
    #expect(try store.undo().kind == .star)
    #expect(try store.check() == [])
  }

  @Test("A write of another tool, not yet adopted, also refuses it")
  func refusedAfterForeignTool() throws {
    let store = try StoreKind.sqlite.make(in: directory)
    try store.add([entry("one")])
    let seen = try store.lastSequence()
    try ForeignTool.run("UPDATE entry SET text = 'uno'", on: directory.file("journal.sqlite"))
    let error = #expect(throws: StoreError.self) {
      try store.applySync(expecting: seen, newState: state) { _ in }
    }
    #expect(error?.kind == .changedMeanwhile)
  }

  // MARK: - Conflicts

  /// Texts that are hard to keep byte for byte.
  private let losing = ["---\r\nlost \u{2028}e\u{301}", "lost too\n\n", "\u{FEFF} x"]

  private func conflicted(_ kind: StoreKind) throws -> any EntryStore {
    let store = try kind.make(in: directory)
    try store.add([entry("one"), entry("two")])
    let one = try store.entry(1)
    try store.applySync(expecting: store.lastSequence(), newState: state) {
      try $0.setConflicts(of: one.uuid, losing + ["one"])
    }
    return store
  }

  private func bytes(_ texts: [String]) -> Set<[UInt8]> { Set(texts.map { Array($0.utf8) }) }

  @Test("A losing text is a conflict and a version, byte for byte", arguments: StoreKind.allCases)
  func conflicts(kind: StoreKind) throws {
    let made = try conflicted(kind)
    let isInConflict = try Lists.query("is:conflict")
    let stores = kind == .sqlite || kind == .json ? [made, try kind.make(in: directory)] : [made]
    for store in stores {
      #expect(bytes(try store.conflicts(of: 1)) == bytes(losing))
      #expect(try store.conflicts(of: 2) == [])
      #expect(try store.entry(1).text == "one")
      let versions = try store.versions(1)
      #expect(bytes(versions.map(\.text)) == bytes(losing + ["one"]))
      #expect(versions.last?.text == "one")
      #expect(try store.numbers(matching: isInConflict) == [1])
      let request = EntryRequest.entries(query: isInConflict, grouping: .none)
      let rows = try store.read { try $0.rows(of: request, ids: [EntryRowID(number: 1)]) }
      #expect(rows.map(\.isInConflict) == [true])
      #expect(try store.check() == [])
      #expect(
        try !String(decoding: EntryJSON.document([store.entry(1)]), as: UTF8.self)
          .contains("conflicts"))
    }
    // The text of sync does not settle; a smaller set of conflicts does for the others.
    var one = try made.entry(1)
    one.text = "one and more"
    try made.applySync(expecting: made.lastSequence(), newState: state) {
      try $0.update(one)
      try $0.setConflicts(of: one.uuid, [losing[0]])
    }
    #expect(bytes(try made.conflicts(of: 1)) == bytes([losing[0]]))
    #expect(try made.versions(1).map(\.text).last == "one and more")
  }

  @Test(
    "An edit of the text settles a conflict, and so does its version again",
    arguments: StoreKind.allCases)
  func settling(kind: StoreKind) throws {
    let ways: [(String, (any EntryStore) throws -> Void)] = [
      ("edit", { try $0.edit(1, text: "edited") }),
      ("same text", { try $0.edit(1, text: $0.entry(1).text) }),
      ("version", { try $0.putBack(version: 1, of: 1) }),
      (
        "current version",
        { store in try store.putBack(version: store.versions(1).count, of: 1) }
      ),
    ]
    let store = try conflicted(kind)
    for (name, settle) in ways {
      let cursor = try store.lastSequence()
      let before = try store.entry(1)
      try settle(store)
      #expect(try store.conflicts(of: 1) == [], "\(name)")
      #expect(try store.numbers(matching: Lists.query("is:conflict")) == [], "\(name)")
      // Other devices hear of it.
      let found = try changes(store, since: cursor)
      #expect(found.map(\.atCursor) == [before] && found.map(\.now?.conflicts) == [""], "\(name)")
      let texts = try store.inspect { try $0.conflicts(of: before) }
      #expect(bytes(texts) == bytes(losing), "\(name)")
      // Undo opens it again.
      try store.undo(.session)
      #expect(try store.entry(1) == before, "\(name)")
      #expect(bytes(try store.conflicts(of: 1)) == bytes(losing), "\(name)")
    }
    // Marks and dates do not settle.
    try store.setStarred(true, [1])
    try store.delete([1])
    #expect(try store.conflicts(of: 1).count == 3)
    #expect(try store.check() == [])
  }

  @Test(
    "A conflict stays open when tags change, and when an edit from before it is merged",
    arguments: StoreKind.allCases)
  func staying(kind: StoreKind) throws {
    let ways: [(String, String, (any EntryStore) throws -> Void)] = [
      ("tag", "one #tag", { try $0.retag([1], as: .tag) { $0 + " #tag" } }),
      (
        "merged edit", "here one\n\nthere",
        {
          let base = try $0.entry(1).checksum
          var there = try $0.entry(1)
          there.text = "one\n\nthere"
          try $0.applySync(expecting: $0.lastSequence(), newState: state) { try $0.update(there) }
          try $0.edit(1, text: "here one", expecting: base)
        }
      ),
    ]
    for (name, text, change) in ways {
      let store = try conflicted(kind)
      try change(store)
      let before = try store.versions(1).dropLast().last?.text
      #expect(bytes(try store.conflicts(of: 1)) == bytes(losing), "\(name)")
      #expect(try store.numbers(matching: Lists.query("is:conflict")) == [1], "\(name)")
      #expect(try store.entry(1).text == text, "\(name)")
      #expect(try store.check() == [], "\(name)")
      // Nor does undo settle what nobody has seen; redo neither.
      try store.undo(.session)
      #expect(try store.entry(1).text == before, "\(name)")
      #expect(bytes(try store.conflicts(of: 1)) == bytes(losing), "\(name)")
      try store.redo(.session)
      #expect(try store.entry(1).text == text, "\(name)")
      #expect(bytes(try store.conflicts(of: 1)) == bytes(losing), "\(name)")
      #expect(try store.check() == [], "\(name)")
      for name in try FileManager.default.contentsOfDirectory(atPath: directory.file("")) {
        try FileManager.default.removeItem(atPath: directory.file(name))
      }
    }
    // A text that becomes that of the conflict is none with itself.
    let store = try conflicted(kind)
    try store.retag([1], as: .tag) { _ in losing[1] }
    #expect(bytes(try store.conflicts(of: 1)) == bytes([losing[0], losing[2]]))
  }

  @Test(
    "Taking back what another device wrote leaves a conflict from before open",
    arguments: StoreKind.allCases)
  func takenBack(kind: StoreKind) throws {
    let store = try conflicted(kind)
    var there = try store.entry(1)
    there.text = "one from there"
    try store.applySync(expecting: store.lastSequence(), newState: state) { sync in
      try sync.setAuthor("phone")
      try sync.update(there)
    }
    let set = try #require(try store.changeSets(latest: 1).first)
    #expect((set.actor, set.source) == ("phone", .sync))
    #expect(try store.versions(1).last?.program == "phone")
    try store.takeBack(set.id)
    #expect(try store.entry(1).text == "one")
    #expect(bytes(try store.conflicts(of: 1)) == bytes(losing))
    #expect(try store.check() == [])
  }

  @Test("An edit by plain sqlite3 settles a conflict, and one by hand in a JSON file")
  func settlingOutside() throws {
    let sqlite = try conflicted(.sqlite)
    try ForeignTool.run(
      "UPDATE entry SET starred = 1; UPDATE entry SET text = 'uno' WHERE number = 1",
      on: directory.file("journal.sqlite"))
    #expect(try sqlite.conflicts(of: 1) == [])
    #expect(try sqlite.entry(1).conflicts == "")
    try sqlite.undo()
    #expect(bytes(try sqlite.conflicts(of: 1)) == bytes(losing))
    #expect(try sqlite.check() == [])

    let json = try conflicted(.json)
    let path = directory.file("journal.json")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacingOccurrences(
      of: "\"text\":\"one\",\"tags\"", with: "\"text\":\"uno\",\"tags\""
    )
    .write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try json.entry(1).text == "uno")
    #expect(try json.conflicts(of: 1) == [])
    let reopened = try StoreKind.json.make(in: directory)
    #expect(try reopened.entry(1) == json.entry(1))
    #expect(try reopened.check() == [])
  }

  @Test("Another process of a JSON journal sees conflicts while the text changes by sync")
  func jsonMeanwhile() throws {
    let (first, second) = (try conflicted(.json), try StoreKind.json.make(in: directory))
    #expect(try second.conflicts(of: 1).count == 3)
    var one = try first.entry(1)
    one.text = "longer"
    try first.applySync(expecting: first.lastSequence(), newState: state) { try $0.update(one) }
    #expect(try second.entry(1) == first.entry(1))
    #expect(try second.conflicts(of: 1).count == 3)
    try second.setStarred(true, [2])
    #expect(try first.entry(1).conflicts == second.entry(1).conflicts)
    #expect(try first.check() == [])
  }

  @Test("A list shows the mark of a conflict come and go", arguments: [StoreKind.sqlite, .json])
  func liveList(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try store.add([entry("one"), entry("two")])
    let request = EntryRequest.entries(
      query: try Lists.query("is:conflict"), grouping: .none)
    let controller = try store.controller(for: request)
    try controller.performFetch()
    let stamp = try store.read { try $0.stamp() }
    let uuid = try store.entry(1).uuid
    try store.applySync(expecting: store.lastSequence(), newState: state) {
      try $0.setConflicts(of: uuid, ["lost"])
    }
    #expect(
      try store.read { try $0.keys(of: request, in: ResultsKeyRange(lower: nil, upper: nil)) }.count
        == 1)
    let commits = try store.read { try $0.commits(after: stamp, for: request) }
    #expect(commits.flatMap(\.changes).count == 1)
    try store.edit(1, text: "settled")
    #expect(
      try store.read { try $0.keys(of: request, in: ResultsKeyRange(lower: nil, upper: nil)) }
        .isEmpty)
  }

  @Test("A purge takes the conflicts with it", arguments: StoreKind.allCases)
  func purgedConflicts(kind: StoreKind) throws {
    let store = try conflicted(kind)
    try store.delete([1])
    try store.purge()
    #expect(try store.check() == [])
    if kind == .sqlite {
      let dump = try ForeignTool.run(".dump", on: directory.file("journal.sqlite"))
      #expect(!dump.contains("lost"))
    }
    if kind == .json {
      let text = try String(contentsOfFile: directory.file("journal.json"), encoding: .utf8)
      #expect(!text.contains("lost too"))
    }
  }
}
