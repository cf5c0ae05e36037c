import Foundation
import Journal
import TestSupport
import Testing

@testable import JournalStore

/// Undo of one's own changes while other processes write to the same journal.
@Suite("Undo of a session", .serialized)
struct SessionUndoTests {
  enum Kind: String, CaseIterable {
    case sqlite
    case json
  }

  private let directory = TemporaryDirectory(isInMemory: true)
  private let ticking = TickingClock()

  private func path(_ kind: Kind) -> String { directory.file("j.\(kind.rawValue)") }

  /// The journal as a process that has just begun finds it.
  private func open(_ kind: Kind, _ source: ChangeSource = .command) throws -> any EntryStore {
    let author = ChangeAuthor(source)
    return switch kind {
    case .sqlite:
      try SQLiteEntryStore.open(
        path(kind), mode: .create, clock: ticking.clock, author: author)
    case .json:
      try JSONEntryStore.open(path(kind), mode: .create, clock: ticking.clock, author: author)
    }
  }

  private func entry(_ text: String) -> NewEntry {
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    return NewEntry(text: text, created: moment, day: moment.localDay)
  }

  @Test("A change set says which kind of program made it", arguments: Kind.allCases)
  func sources(kind: Kind) throws {
    let (screen, command) = (try open(kind, .screen), try open(kind, .command))
    try screen.add([entry("one")])
    #expect(try command.pendingSteps().undo?.source == .screen)
    try command.edit(1, text: "two")
    #expect(try screen.pendingSteps().undo?.source == .command)
    #expect(try open(kind).pendingSteps().undo?.actor == "daybook")
    switch kind {
    case .sqlite:
      try ForeignTool.run("UPDATE entry SET text = 'three'", on: path(kind))
    case .json:
      let file = try String(contentsOfFile: path(kind), encoding: .utf8)
      try file.replacingOccurrences(of: "\"text\":\"two\"", with: "\"text\":\"three\"")
        .write(toFile: path(kind), atomically: true, encoding: .utf8)
    }
    #expect(try screen.entry(1).text == "three")
    let set = try #require(try open(kind).pendingSteps().undo)
    #expect(set.kind == .outside && set.source == .program)
  }

  @Test("A journal without authors opens, and its changes can be undone by any session")
  func withoutAuthors() throws {
    do { try open(.json).add([entry("one")]) }
    let file = try String(contentsOfFile: path(.json), encoding: .utf8)
    let old = file.replacing(/,"session":"[0-9]+","source":"command"/, with: "")
    #expect(old != file)
    try old.write(toFile: path(.json), atomically: true, encoding: .utf8)
    let store = try open(.json)
    #expect(try store.pendingSteps(.session).undo?.source == .unknown)
    #expect(try store.check() == [])
    #expect(try store.undo(.session).kind == .add)
  }

  @Test(
    "Undo takes back my changes, then those from before, never others' meanwhile",
    arguments: Kind.allCases)
  func mine(kind: Kind) throws {
    do {
      let before = try open(kind)
      try before.add([entry("one"), entry("two")])
      try before.setStarred(true, [2])
    }
    let (mine, theirs) = (try open(kind), try open(kind))
    try mine.edit(1, text: "uno")
    try theirs.add([entry("theirs")])
    try mine.edit(1, text: "eins")
    try theirs.setStarred(true, [3])
    #expect(try mine.undo(.session).kind == .edit)
    #expect(try mine.entry(1).text == "uno")
    #expect(try mine.undo(.session).kind == .edit)
    #expect(try mine.undo(.session).kind == .star)
    #expect(try mine.undo(.session).kind == .add)
    let error = #expect(throws: StoreError.self) { try mine.undo(.session) }
    #expect(error?.kind == .nothingToUndo)
    #expect(try Oracle(theirs).live == [3: "theirs"])
    #expect(try theirs.entry(3).starred)
    // The others still undo their own, and redo is mine again.
    #expect(try theirs.undo(.session).kind == .star)
    for kind: ChangeKind in [.add, .star, .edit, .edit] {
      #expect(try mine.redo(.session).kind == kind)
    }
    #expect(try mine.entry(1).text == "eins")
    #expect(throws: StoreError.self) { try mine.redo(.session) }
    #expect(try theirs.redo(.session).kind == .star)
    #expect(try theirs.check() == [])
  }

  @Test(
    "A journal that is opened again, also in an older state, leaves others' changes to them",
    arguments: Kind.allCases)
  func reopened(kind: Kind) throws {
    try open(kind).add([entry("one")])
    let older = directory.file("older")
    try FileManager.default.copyItem(atPath: path(kind), toPath: older)
    try open(kind).add([entry("two"), entry("three")])
    let (first, theirs) = (try open(kind), try open(kind))
    try theirs.add([entry("theirs")])
    try first.edit(1, text: "uno")
    try theirs.setStarred(true, [4])
    // After a lock.
    let again = try open(kind)
    again.resume(first.session)
    #expect(try again.undo(.session).kind == .edit)
    #expect(try again.pendingSteps(.session).undo?.count == 2)
    #expect(try again.redo(.session).kind == .edit)
    try again.setStarred(true, [1])
    #expect(try first.undo(.session).kind == .star)
    // After a backup was restored, which has fewer changes than the journal had when it was opened.
    for file in [path(kind), path(kind) + "-wal", path(kind) + "-shm"] { unlink(file) }
    try FileManager.default.copyItem(atPath: older, toPath: path(kind))
    let restored = try open(kind)
    restored.resume(again.session)
    try open(kind).add([entry("theirs again")])
    #expect(try restored.undo(.session).kind == .add)
    #expect(try Oracle(restored).live.values.sorted() == ["theirs again"])
    #expect(throws: StoreError.self) { try restored.undo(.session) }
  }

  @Test("The shell's undo takes back the last change of any process", arguments: Kind.allCases)
  func journal(kind: Kind) throws {
    let (mine, theirs) = (try open(kind), try open(kind))
    try mine.add([entry("one")])
    try theirs.edit(1, text: "two")
    #expect(try mine.undo(.journal).kind == .edit)
    #expect(try mine.undo(.journal).kind == .add)
    #expect(try theirs.redo(.journal).kind == .add)
    try mine.setStarred(true, [1])
    // A later change of any process ends redoing there.
    #expect(throws: StoreError.self) { try theirs.redo(.journal) }
  }

  @Test("Others' changes do not cancel my redo, my own do", arguments: Kind.allCases)
  func redoStays(kind: Kind) throws {
    let (mine, theirs) = (try open(kind), try open(kind))
    try mine.add([entry("one")])
    try mine.edit(1, text: "two")
    try mine.undo(.session)
    try theirs.setStarred(true, [1])
    #expect(try mine.redo(.session).kept == [])
    #expect(try mine.entry(1).text == "two")
    #expect(try mine.entry(1).starred)
    try mine.undo(.session)
    #expect(try mine.entry(1).text == "one")
    try mine.edit(1, text: "three")
    let error = #expect(throws: StoreError.self) { try mine.redo(.session) }
    #expect(error?.kind == .nothingToRedo)
  }

  @Test(
    "After a restart a session goes on where the last one stopped, also with redo",
    arguments: Kind.allCases)
  func restart(kind: Kind) throws {
    do {
      let store = try open(kind)
      try store.add([entry("one")])
      try store.edit(1, text: "two")
      try store.undo(.session)
    }
    let store = try open(kind)
    #expect(try store.redo(.session).kind == .edit)
    #expect(try open(kind).undo(.session).kind == .edit)
  }

  @Test("What was changed since is merged by fields and words", arguments: Kind.allCases)
  func merges(kind: Kind) throws {
    let (mine, theirs) = (try open(kind), try open(kind))
    try mine.add([entry("one two three four five")])
    let date = Moment(seconds: 1_700_000_000, offset: 0)
    try mine.edit(1, text: "ONE two three four five")
    try theirs.edit(1, text: "ONE two three four FIVE")
    try theirs.setStarred(true, [1])
    try theirs.redate([1], created: date, day: date.localDay)
    let undone = try mine.undo(.session)
    #expect(undone.restored == 1 && undone.kept == [])
    var entry = try mine.entry(1)
    #expect(entry.text == "one two three four FIVE")
    #expect(entry.starred && entry.created == date && entry.day == date.localDay)
    // Both times of change are younger than the merge's inputs.
    #expect(entry.modified.seconds > 1_795_000_000)
    try mine.redo(.session)
    entry = try theirs.entry(1)
    #expect(entry.text == "ONE two three four FIVE")
    #expect(entry.starred && entry.created == date)
    #expect(try mine.check() == [])
  }

  @Test("What cannot be taken back stays, and is named with its reason", arguments: Kind.allCases)
  func kept(kind: Kind) throws {
    let (mine, theirs) = (try open(kind), try open(kind))
    try mine.add((1...5).map { entry("entry \($0)") })
    try mine.retag([1, 2, 3, 4, 5], as: .tag) { $0 + " #tag" }
    try theirs.edit(2, text: "entry 2 #other")
    try theirs.delete([3])
    try theirs.purge()
    try theirs.setStarred(true, [5])
    let undone = try mine.undo(.session)
    #expect(undone.kept.map(\.number) == [2, 3])
    #expect(undone.kept.map(\.reason) == [.changed, .purged])
    #expect(undone.restored == 3)
    #expect(
      undone.phrase
        == "the new tags of 5 entries; 1 entry kept, changed since; 1 entry kept, purged since")
    let texts = [1: "entry 1", 2: "entry 2 #other", 4: "entry 4", 5: "entry 5"] as [Int64: String]
    #expect(try Oracle(mine).live == texts)
    #expect(try mine.entry(5).starred)
    // An added entry that somebody edited since is not removed; the others are.
    let additions = try mine.undo(.session)
    #expect(additions.kind == .add && additions.restored == 2)
    #expect(additions.kept.map(\.number) == [2, 3, 5])
    #expect(try Oracle(mine).live == [2: "entry 2 #other", 5: "entry 5"])
    #expect(try mine.redo(.session).restored == 2)
    #expect(try Oracle(theirs).live == texts)
    #expect(try theirs.check() == [])
  }

  @Test(
    "When nothing can be taken back nothing is changed, the entry is named, and undo goes on",
    arguments: Kind.allCases)
  func conflict(kind: Kind) throws {
    let (mine, theirs) = (try open(kind), try open(kind))
    try mine.add([entry("one"), entry("two")])
    try mine.setStarred(true, [1])
    try mine.edit(2, text: "mine")
    try theirs.edit(2, text: "theirs")
    try mine.edit(1, text: "one by me")
    try theirs.edit(1, text: "one by them")
    let before = try Oracle(mine).entries
    let stamp = try mine.read { try $0.stamp() }
    for number in [Int64(1), 2] {
      let error = #expect(throws: StoreError.self) { try mine.undo(.session) }
      #expect(error?.kind == .conflict(number: number))
      #expect(error?.category == .notDone)
      #expect(error?.description.contains("entry \(number) was changed since") == true)
      #expect(error?.description.hasSuffix("the next undo takes back the change before it") == true)
    }
    #expect(try Oracle(mine).entries == before)
    #expect(try mine.read { try $0.stamp() } == stamp)
    // What was passed over can still be taken back by its number, and is not marked as undone.
    let sets = try mine.changeSets(latest: 10)
    #expect(sets.allSatisfy { $0.canTakeBack && !$0.isUndone })
    #expect(try mine.undo(.session).kind == .star)
    #expect(try mine.redo(.session).kind == .star)
    #expect(try mine.undo(.session).kind == .star)
    // A change made since is undone first; then undo goes on where it was.
    try mine.setStarred(true, [2])
    #expect(try mine.undo(.session).kind == .star)
    // The addition is the first change: nothing is before it, and what is left is named again.
    for _ in 1...2 {
      let error = #expect(throws: StoreError.self) { try mine.undo(.session) }
      #expect(error?.kind == .conflict(number: 1))
      #expect(error?.description.hasSuffix("nothing was undone") == true)
    }
    // If the others take their change back, another process finds everything undoable.
    try theirs.undo(.session)
    #expect(try open(kind).undo(.session).kind == .edit)
  }

  @Test(
    "A command that can take nothing back says which number undoes the change before",
    arguments: Kind.allCases)
  func conflictOfCommand(kind: Kind) throws {
    let store = try open(kind)
    try store.add([entry("one")])
    let first = try #require(try store.pendingSteps().undo?.id)
    try store.setStarred(true, [1])
    let star = try #require(try store.pendingSteps().undo?.id)
    try store.edit(1, text: "two")
    let moment = Moment(seconds: 1_795_000_000, offset: 0)
    var received = try store.entry(1)
    received.text = "three"
    let state = SyncState(remote: "/mnt/stick", journal: "j", device: "d", at: moment)
    try store.applySync(expecting: store.lastSequence(), newState: state) {
      try $0.update(received)
    }
    for _ in 1...2 {
      let error = #expect(throws: StoreError.self) { try store.undo() }
      #expect(error?.kind == .conflict(number: 1))
      #expect(error?.description.hasSuffix("daybook undo \(star) undoes the change before") == true)
    }
    #expect(try store.takeBack(star).kind == .star)
    #expect(try store.entry(1).starred == false && store.entry(1).text == "three")
    #expect(first < star)
  }

  @Test("An entry that another tool removed does not come back by half")
  func removed() throws {
    let (mine, theirs) = (try open(.sqlite), try open(.sqlite))
    try mine.add([entry("one"), entry("two")])
    try mine.setStarred(true, [1, 2])
    try ForeignTool.run("DELETE FROM entry WHERE number = 1", on: path(.sqlite))
    let undone = try mine.undo(.session)
    #expect(undone.kept == [Undone.Kept(number: 1, reason: .removed)])
    #expect(undone.phrase == "the star of 2 entries; 1 entry kept, removed since")
    #expect(try Oracle(theirs).live == [2: "two"])
    #expect(try !theirs.entry(2).starred)
  }

  @Test(
    "A change set of which others left no effect is named before undo goes on to an older one",
    arguments: Kind.allCases)
  func withoutEffect(kind: Kind) throws {
    let (mine, theirs) = (try open(kind), try open(kind))
    try mine.add([entry("one"), entry("two")])
    try mine.setStarred(true, [1])
    try mine.setStarred(true, [2])
    try theirs.setStarred(false, [2])
    let error = #expect(throws: StoreError.self) { try mine.undo(.session) }
    #expect(error?.kind == .nothingToUndo)
    #expect(error?.description.hasPrefix("nothing is left of the star of \"two\"") == true)
    #expect(error?.description.hasSuffix("the next undo takes back the change before it") == true)
    #expect(try mine.entry(1).starred)
    #expect(try mine.undo(.session).title == "one")
    #expect(try !mine.entry(1).starred)
  }

  @Test(
    "A change set that others undid is named before undo goes on to an older one",
    arguments: Kind.allCases)
  func undoneElsewhere(kind: Kind) throws {
    let (mine, theirs) = (try open(kind), try open(kind))
    try mine.add([entry("one"), entry("two")])
    try mine.edit(1, text: "first")
    try mine.edit(2, text: "second")
    try mine.setStarred(true, [2])
    let edit = try #require(try mine.changeSets(latest: 2).last?.id)
    try theirs.undo()
    try theirs.takeBack(edit)
    let error = #expect(throws: StoreError.self) { try mine.undo(.session) }
    #expect(error?.kind == .nothingToUndo && error?.category == .notDone)
    #expect(
      error?.description
        == "another program has undone the star of \"second\" and of 1 change before it;"
        + " nothing was undone; the next undo takes back the change before it")
    #expect(try mine.entry(1).text == "first")
    // What comes back in the meantime is the session's again.
    try theirs.redo()
    #expect(try mine.entry(2).text == "second")
    #expect(try mine.undo(.session).id == edit)
    #expect(try mine.undo(.session).kind == .edit)
    #expect(try mine.entry(1).text == "one")
    // At the end it is named again and again, for nothing is before it.
    try mine.redo(.session)
    try theirs.undo()
    try theirs.undo()
    for _ in 1...2 {
      let last = #expect(throws: StoreError.self) { try mine.undo(.session) }
      #expect(last?.description.hasSuffix("nothing was undone") == true)
    }
    #expect(try Oracle(open(kind)).live.isEmpty)
  }

  @Test("A session does not name what was undone before it was opened", arguments: Kind.allCases)
  func undoneBefore(kind: Kind) throws {
    let theirs = try open(kind)
    try theirs.add([entry("one")])
    try theirs.setStarred(true, [1])
    try theirs.undo()
    #expect(try open(kind).undo(.session).kind == .add)
  }

  @Test(
    "However two sessions mix, each takes back exactly its own changes, and makes them again",
    arguments: Kind.allCases, [UInt64(1), 2, 3, 4])
  func random(kind: Kind, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let base = (0..<24).map { "w\($0)" }
    do {
      try open(kind).add((1...4).map { _ in entry(base.joined(separator: " ")) })
    }
    let stores = [try open(kind), try open(kind)]
    // Each writes words of its own, with words between them that nobody changes.
    var words: [[Int64: [Int: String]]] = [[:], [:]]
    var steps = [0, 0]
    let date = Moment(seconds: 1_600_000_000, offset: 0)
    var isDated = false
    for step in 0..<(kind == .sqlite ? 60 : 24) {
      let who = Int.random(in: 0...1, using: &generator)
      let number = Int64.random(in: 1...4, using: &generator)
      if who == 1, !isDated, step > 10 {
        try stores[1].redate([1, 2], created: date, day: date.localDay)
        isDated = true
        steps[1] += 1
        continue
      }
      let place = Int.random(in: 0..<4, using: &generator) * 6 + who * 3
      words[who][number, default: [:]][place] = "s\(step)"
      var text = try stores[who].entry(number).text.split(separator: " ").map(String.init)
      text[place] = "s\(step)"
      try stores[who].edit(number, text: text.joined(separator: " "))
      steps[who] += 1
    }
    func expect(_ who: [Int]) throws {
      for number: Int64 in 1...4 {
        var text = base
        for one in who { for (place, word) in words[one][number] ?? [:] { text[place] = word } }
        #expect(try stores[0].entry(number).text == text.joined(separator: " "))
        #expect(
          try (stores[1].entry(number).created == date)
            == (isDated && number < 3 && who.contains(1)))
      }
    }
    try expect([0, 1])
    for _ in 0..<steps[0] { #expect(try stores[0].undo(.session).kept == []) }
    try expect([1])
    for _ in 0..<steps[1] { #expect(try stores[1].undo(.session).kept == []) }
    try expect([])
    for _ in 0..<steps[0] { try stores[0].redo(.session) }
    try expect([0])
    for _ in 0..<steps[1] { try stores[1].redo(.session) }
    try expect([0, 1])
    #expect(throws: StoreError.self) { try stores[0].redo(.session) }
    #expect(try stores[1].check() == [])
  }
}
