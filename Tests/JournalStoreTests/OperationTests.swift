import Journal
import SectionedResults
import TestSupport
import Testing

@testable import JournalStore

@Suite("What can be done to a journal", .serialized)
struct OperationTests {
  private let directory = TemporaryDirectory()

  private func entry(_ text: String) -> NewEntry {
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    return NewEntry(text: text, created: moment, day: moment.localDay)
  }

  private func kind(of error: (any Error)?) -> StoreError.Kind? { (error as? StoreError)?.kind }

  @Test(
    "Undo and redo lead through exactly the states a random walk went through",
    arguments: StoreKind.allCases)
  func undoWalk(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    var walk = RandomWalk(store, seed: 77)
    var states = [try Oracle(store).entries]
    for _ in 0..<60 {
      try walk.step(withUndo: false)
      let state = try Oracle(store).entries
      if state != states.last { states.append(state) }
    }
    for state in states.dropLast().reversed() {
      try store.undo()
      #expect(try Oracle(store).entries == state)
    }
    #expect(throws: StoreError.self) { try store.undo() }
    for state in states.dropFirst() {
      try store.redo()
      #expect(try Oracle(store).entries == state)
    }
    #expect(throws: StoreError.self) { try store.redo() }
    #expect(try store.check() == [])
  }

  @Test("A new change ends redoing, and undo goes on before it", arguments: StoreKind.allCases)
  func redoEnds(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try store.add([entry("one")])
    try store.edit(1, text: "two")
    try store.undo()
    try store.edit(1, text: "three")
    #expect(try store.pendingSteps().redo == nil)
    try store.undo()
    #expect(try store.entry(1).text == "one")
    try store.undo()
    #expect(try store.count() == 0)
  }

  @Test(
    "A number is never given twice, not even after its entry is gone",
    arguments: StoreKind.allCases)
  func numbers(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    #expect(try store.add([entry("a"), entry("b")]).map(\.number) == [1, 2])
    try store.undo()
    #expect(try store.add([entry("c")]).map(\.number) == [3])
    try store.delete([3])
    #expect(try store.purge() == 1)
    #expect(try store.add([entry("d")]).map(\.number) == [4])
  }

  @Test("Adding the same entry again changes nothing", arguments: StoreKind.allCases)
  func retry(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let new = entry("once")
    let first = try store.add([new])
    #expect(try store.add([new]) == first)
    #expect(try store.addReporting([new, entry("two")], as: .importing).isNew == [false, true])
    try store.delete([1])
    #expect(try store.addReporting([new], as: .importing).added == 0)
    #expect(try store.count() == 1)
  }

  @Test("What changes nothing leaves no step and tells nobody", arguments: StoreKind.allCases)
  func nothing(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try store.add([entry("same")])
    var commits = 0
    let token = store.observeCommits { commits += 1 }
    let stamp = try store.read { try $0.stamp() }
    #expect(try store.edit(1, text: "same") == nil)
    #expect(try store.setStarred(false, [1]) == [])
    #expect(try store.restore([1]) == [])
    #expect(try store.retag([1], as: .untag) { $0 } == [])
    #expect(try store.purge() == 0)
    #expect(commits == 0)
    #expect(try store.read { try $0.stamp() } == stamp)
    #expect(try store.pendingSteps().undo?.kind == .add)
    token.cancel()
  }

  @Test("A text in another normal form is another text", arguments: StoreKind.allCases)
  func normalForms(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try store.add([entry("caf\u{E9}")])
    let edited = try store.edit(1, text: "cafe\u{301}")
    #expect(edited != nil)
    #expect(Array(try store.entry(1).text.utf8) == Array("cafe\u{301}".utf8))
  }

  @Test(
    "An edit of a text that was changed meanwhile is merged by words", arguments: StoreKind.allCases
  )
  func merged(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let base = try store.add([entry("tea and bread\nmilk")])[0].checksum
    try store.edit(1, text: "tea and cake\nmilk", expecting: base)
    let edited = try store.edit(1, text: "tea and bread\nmilk\neggs", expecting: base)
    #expect(edited?.text == "tea and cake\nmilk\neggs")
    #expect(try store.entry(1).text == edited?.text)
    try store.undo()
    #expect(try store.entry(1).text == "tea and cake\nmilk")
    #expect(throws: StoreError.self) {
      try store.edit(1, text: "tea and jam\nmilk", expecting: base)
    }
  }

  @Test("An edit of words that were changed meanwhile is refused", arguments: StoreKind.allCases)
  func stale(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let base = try store.add([entry("base")])[0].checksum
    try store.edit(1, text: "theirs", expecting: base)
    let error = #expect(throws: StoreError.self) {
      try store.edit(1, text: "ours", expecting: base)
    }
    #expect(error?.kind == .conflict(number: 1))
    #expect(error?.category == .notDone)
    #expect(try store.entry(1).text == "theirs")
    let newer = try store.entry(1).checksum
    try store.delete([1])
    #expect(throws: StoreError.self) { try store.edit(1, text: "ours", expecting: newer) }
  }

  @Test(
    "A purge takes the texts out of the log, and undo passes over it",
    arguments: StoreKind.allCases)
  func purge(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try store.add([entry("keep"), entry("secret")])
    try store.edit(2, text: "secret two")
    try store.edit(1, text: "kept")
    try store.delete([2])
    let deleted = try #require(try store.entry(2).deleted)
    #expect(try store.delete([2]) == [])
    #expect(try store.entry(2).deleted == deleted)
    #expect(try store.purge(deletedBefore: deleted) == 0)
    let next = Moment(seconds: deleted.seconds + 1, offset: -3600)
    #expect(try store.purge(deletedBefore: next) == 1)
    #expect(throws: StoreError.self) { try store.entry(2) }
    #expect(try store.undo().kind == .edit)
    #expect(try store.entry(1).text == "keep")
    #expect(try store.undo().kind == .add)
    #expect(try store.numbers(matching: Lists.query("is:deleted OR words:>=0")) == [])
    #expect(throws: StoreError.self) { try store.undo() }
  }

  @Test(
    "Lists outside the trash follow a purge; others are told to read anew",
    arguments: StoreKind.allCases)
  func purgeCommits(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try store.add([entry("keep"), entry("secret")])
    try store.delete([2])
    let stamp = try store.read { try $0.stamp() }
    try store.purge()
    let plain = EntryRequest.entries()
    #expect(try store.read { try $0.commits(after: stamp, for: plain) } == [])
    let trash = EntryRequest.entries(query: try Lists.query("is:deleted"))
    #expect(throws: ResultsError.historyLost) {
      try store.read { try $0.commits(after: stamp, for: trash) }
    }
    #expect(throws: ResultsError.historyLost) {
      try store.read { try $0.commits(after: StoreStamp(sequence: 99), for: plain) }
    }
  }

  @Test("Nothing is kept of a transaction that throws", arguments: StoreKind.allCases)
  func rollback(kind: StoreKind) throws {
    struct Stop: Error {}
    let store = try kind.make(in: directory)
    try store.add([entry("one"), entry("two")])
    try store.delete([2])
    let before = try Oracle(store).entries
    let stamp = try store.read { try $0.stamp() }
    #expect(throws: Stop.self) {
      try store.change(.purge) { writer in
        _ = try writer.insert(entry("three").entry)
        try writer.remove(writer.existing(2))
        try writer.forget([2])
        throw Stop()
      }
    }
    #expect(throws: StoreError.self) { try store.setStarred(true, [1, 9]) }
    #expect(try Oracle(store).entries == before)
    #expect(try store.read { try $0.stamp() } == stamp)
    #expect(try store.undo().kind == .delete)
    #expect(try store.check() == [])
  }

  @Test(
    "An entry is found by number, uuid, and six characters of either end",
    arguments: StoreKind.allCases)
  func resolve(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    var (one, two) = (entry("one"), entry("two"))
    one.uuid = "01890a5d-ac96-774b-bcce-b302099a8057"
    two.uuid = "01890a5d-ac96-774b-bcce-b302099affff"
    try store.add([one, two])
    #expect(try store.resolve(reference: "2") == 2)
    #expect(try store.resolve(reference: one.uuid.uppercased()) == 1)
    #expect(try store.resolve(reference: "9A8057") == 1)
    #expect(try store.resolve(reference: "9affff") == 2)
    let ambiguous = #expect(throws: StoreError.self) { try store.resolve(reference: "01890a5d") }
    #expect(ambiguous?.category == .badData)
    #expect(ambiguous?.kind == .ambiguous("01890a5d", candidates: [one.uuid, two.uuid]))
    for unknown in ["3", "a8057", "abcdef", "", "123456", "%%%%%%", "______"] {
      let error = #expect(throws: StoreError.self) { try store.resolve(reference: unknown) }
      #expect(error?.category == .notDone)
    }
  }

  @Test(
    "Texts no store could keep are refused before anything is stored",
    arguments: StoreKind.allCases)
  func texts(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let nul = #expect(throws: StoreError.self) { try store.add([entry("good"), entry("a\0b")]) }
    #expect(nul?.category == .badData)
    let blank = #expect(throws: StoreError.self) { try store.add([entry(" \n")]) }
    #expect(blank?.category == .notDone)
    #expect(try store.count() == 0)
    let odd = "'; drop table entry;-- %s%n \\(x) \u{1b}[31m \r\n\u{2028}"
    try store.add([entry(odd)])
    #expect(Array(try store.entry(1).text.utf8) == Array(odd.utf8))
  }

  @Test("Versions are the texts an entry has had, and when", arguments: StoreKind.allCases)
  func versions(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let first = try store.add([entry("one")])[0]
    try store.setStarred(true, [1])
    let second = try #require(try store.edit(1, text: "two"))
    try store.delete([1])
    let versions = try store.versions(1)
    #expect(versions.map(\.text) == ["one", "two"])
    #expect(versions.map(\.index) == [1, 2])
    #expect(versions.map(\.isCurrent) == [false, true])
    #expect(versions[0].written == first.created)
    #expect(abs(versions[1].written.seconds - second.modified.seconds) < 10)
    #expect(throws: StoreError.self) { try store.versions(7) }
  }

  @Test(
    "The first version was written when the entry was, whatever date it is given later",
    arguments: StoreKind.allCases)
  func versionsOfRedated(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let first = try store.add([entry("one")])[0]
    let early = Moment(seconds: 86_400, offset: 3_600)
    try store.redate([1], created: early, day: early.localDay)
    #expect(try store.versions(1).map(\.written) == [first.created])
    try store.edit(1, text: "two")
    try store.redate([1], created: Moment(seconds: 0, offset: 0), day: early.localDay)
    #expect(try store.versions(1).first?.written == first.created)
  }

  @Test(
    "What is not there is said without the journal's path", arguments: StoreKind.allCases)
  func messagesWithoutPath(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try store.add([entry("one")])
    try store.undo()
    for (message, body) in [
      ("nothing to undo", { _ = try store.undo() }),
      ("no entry has the number 99999", { _ = try store.entry(99_999) }),
      ("no entry has the ID \"abc\"", { _ = try store.resolve(reference: "abc") }),
    ] as [(String, () throws -> Void)] {
      let error = #expect(throws: StoreError.self) { try body() }
      #expect(error?.description == message)
    }
    try store.redo()
    let error = #expect(throws: StoreError.self) { try store.redo() }
    #expect(error?.description == "nothing to redo")
    #expect(error?.path.isEmpty == false)
  }

  @Test(
    "Tags are counted outside the trash and shown as the earliest entry typed them",
    arguments: StoreKind.allCases)
  func tagCounts(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try store.add([entry("#Home #home"), entry("x #home @Anna"), entry("#work/api")])
    try store.delete([3])
    let counts = try store.tagCounts()
    #expect(counts.map(\.key) == ["@anna", "home"])
    #expect(counts.map(\.tag) == ["@Anna", "Home"])
    #expect(counts.map(\.count) == [1, 2])
  }

  @Test(
    "The total of a tag is what its filter finds, and days are counted with their entries",
    arguments: StoreKind.allCases)
  func tagTotals(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let tags = [
      "work", "work/api", "work/api/v2", "work/ops", "work-x", "workshop", "home/a", "@a/b", "@a",
    ]
    let seed = SeededGenerator.runSeed
    var random = SeededGenerator(seed: seed)
    try store.add(
      (0..<60).map { index in
        let words = tags.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
          .map { $0.hasPrefix("@") ? $0 : "#\($0)" }
        let moment = Moment(seconds: 1_794_000_000 + Int64(index % 7) * 86_400, offset: 0)
        let text = "x \(words.joined(separator: " "))"
        return NewEntry(text: text, created: moment, day: moment.localDay)
      })
    try store.delete([2, 3, 5, 8])
    let totals = try store.tagTotals()
    #expect(totals.map(\.count) == (try store.tagCounts().map(\.count)))
    for tag in totals {
      let found = try store.numbers(matching: .tag(tag.key)).count
      #expect(tag.total == found, "\(tag), seed \(seed)")
    }
    let days = try store.dayCounts(in: .earliest ... .latest)
    let counted = try store.entriesByDay()
    #expect(counted.map(\.day) == days.map(\.day))
    #expect(counted.map(\.entries) == days.map(\.entries))
  }

  @Test(
    "Observers are told in order, once a commit, and may read and write",
    arguments: StoreKind.allCases)
  func observers(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    var calls: [String] = []
    let first = store.observeCommits {
      calls.append("first")
      if calls.count == 1 { _ = try? store.setStarred(true, [1]) }
    }
    let second = store.observeCommits { calls.append("second") }
    try store.add([entry("a"), entry("b")])
    #expect(calls == ["first", "first", "second", "second"])
    second.cancel()
    try store.edit(1, text: "c")
    #expect(calls.count == 5)
    first.cancel()
    try store.edit(1, text: "d")
    #expect(calls.count == 5)
  }

  @Test(
    "A write inside a read is refused; a read inside a read sees the same state",
    arguments: StoreKind.allCases)
  func nesting(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try store.add([entry("a")])
    try store.read { (snapshot: any ResultsSnapshot<EntryRow>) throws -> Void in
      let error = #expect(throws: StoreError.self) { try store.edit(1, text: "b") }
      #expect(error?.kind == .insideRead)
      let count = try store.inspect { try $0.count() }
      #expect(count == 1)
      let stamp = try snapshot.stamp()
      #expect(stamp == StoreStamp(sequence: 1))
    }
    #expect(throws: StoreError.self) {
      try store.change(.edit) { _ in try store.delete([1]) }
    }
  }
}
