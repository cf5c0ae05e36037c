import Foundation
import Journal
import Testing

@testable import JournalStore

/// Undo and redo over hundreds of changes, restarts and other writers.
@Suite("Undo", .serialized)
struct UndoTests {
  enum Kind: String, CaseIterable {
    case sqlite
    case json
  }

  private let directory = TemporaryDirectory(isInMemory: true)
  private let ticking = TickingClock()

  /// The journal as a process that has just begun finds it.
  private func open(_ kind: Kind) throws -> any EntryStore {
    let path = directory.file("j.\(kind.rawValue)")
    return switch kind {
    case .sqlite: try SQLiteEntryStore.open(path, mode: .create, clock: ticking.clock)
    case .json: try JSONEntryStore.open(path, mode: .create, clock: ticking.clock)
    }
  }

  /// The number of changes: each of them rewrites a JSON file.
  private func steps(_ kind: Kind) -> Int { kind == .sqlite ? 500 : 150 }

  @Test("A date of which one half was changed since stays as it is")
  func halfADate() {
    func entry(_ seconds: Int64, _ day: Int) -> Entry {
      Entry(
        uuid: EntryUUID.make(atSecond: 0), created: Moment(seconds: seconds, offset: 0),
        modified: Moment(seconds: 0, offset: 0), day: Day(daysSinceEpoch: day), text: "one",
        starred: false)
    }
    let (before, after) = (entry(1_000, 1), entry(2_000, 2))
    for (since, isWhole) in [(entry(2_000, 3), false), (entry(3_000, 2), false), (after, true)] {
      var present = since
      #expect(present.takeBack(from: after, to: before) == isWhole)
      #expect(present.created == (isWhole ? before : since).created)
      #expect(present.day == (isWhole ? before : since).day)
    }
  }

  @Test(
    "Hundreds of changes of three processes are taken back one by one to the start, and made again",
    arguments: Kind.allCases)
  func hundreds(kind: Kind) throws {
    var walks = try (0..<3).map { RandomWalk(try open(kind), seed: 500 + $0) }
    var states: [[Int64: Entry]] = [[:]]
    while states.count <= steps(kind) {
      let turn = states.count % 3
      try walks[turn].step(withUndo: false)
      let state = try Oracle(walks[turn].store).entries
      if state != states.last { states.append(state) }
    }
    var store = try open(kind)
    for (step, state) in states.dropLast().reversed().enumerated() {
      if step % 100 == 99 { store = try open(kind) }
      let phrase = try store.pendingSteps().undo?.noun
      #expect(try store.undo().phrase == phrase)
      try #require(try Oracle(store).entries == state)
    }
    #expect(throws: StoreError.self) { try store.undo() }
    for (step, state) in states.dropFirst().enumerated() {
      if step % 100 == 99 { store = try open(kind) }
      try store.redo()
      try #require(try Oracle(store).entries == state)
    }
    #expect(throws: StoreError.self) { try store.redo() }
    #expect(try store.check() == [])
  }

  @Test(
    "While another process writes, each of its entries is there unless an undo named it",
    arguments: Kind.allCases)
  func whileAnotherWrites(kind: Kind) async throws {
    let store = try open(kind)
    var walk = RandomWalk(store, seed: 9)
    for _ in 0..<40 { try walk.step(withUndo: false) }
    let before = Set(try Oracle(store).entries.values.map(\.uuid))
    let path = directory.file("j.\(kind.rawValue)")
    let writer = Task.detached {
      let other: any EntryStore =
        switch kind {
        case .sqlite: try SQLiteEntryStore.open(path, mode: .create)
        case .json: try JSONEntryStore.open(path, mode: .create)
        }
      return try (0..<40).map { index in
        let moment = Moment(seconds: 1_796_000_000 + Int64(index), offset: 3600)
        let new = NewEntry(text: "other \(index)", created: moment, day: moment.localDay)
        return try other.add([new])[0].uuid
      }
    }
    var undone: [String] = []
    while true {
      do { undone.append(try store.undo().phrase) } catch let error as StoreError {
        guard error.kind == .nothingToUndo else { throw error }
        if undone.count > 30 { break }
      }
    }
    let added = try await writer.value
    let present = try Oracle(store).entries.values
    for (index, uuid) in added.enumerated() {
      let isHere = present.contains { $0.uuid == uuid }
      #expect(isHere != undone.contains("the new entry \"other \(index)\""))
    }
    #expect(present.allSatisfy { added.contains($0.uuid) || before.contains($0.uuid) })
    #expect(try store.check() == [])
  }

  @Test(
    "What another process changed in between is undone first and by name, never overwritten",
    arguments: Kind.allCases)
  func inBetween(kind: Kind) throws {
    let (mine, theirs) = (try open(kind), try open(kind))
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    try mine.add([NewEntry(text: "first", created: moment, day: moment.localDay)])
    try mine.edit(1, text: "mine")
    try theirs.edit(1, text: "theirs")
    #expect(try mine.undo().phrase == "the edit of \"theirs\"")
    #expect(try theirs.entry(1).text == "mine")
    #expect(try theirs.redo().kind == .edit)
    #expect(try mine.entry(1).text == "theirs")
    try mine.undo()
    try theirs.setStarred(true, [1])
    // The star came after the undo: nothing may be made again over it.
    #expect(throws: StoreError.self) { try mine.redo() }
    #expect(try mine.entry(1).starred)
  }
}
