import Glibc
import Journal
import ResultsTestSupport
import SectionedResults
import TestSupport
import Testing

@testable import JournalStore

/// The host of a list's results controller: what it hands on of commits, of this process and of others.
@Suite("The results that a store hosts")
struct EntryResultsTests {
  private let directory = TemporaryDirectory()

  // MARK: One block for a commit

  @Test(
    "a commit is handed on as one block, whatever it wrote and however",
    arguments: StoreKind.allCases)
  func oneBlock(kind: StoreKind) throws {
    let followed = try Followed(try kind.make(in: directory), .entries())
    let store = followed.store
    try store.add((0..<5).map { Self.entry("day \($0)", daysAgo: $0) })
    #expect(followed.take().map(\.batch.insertedSections) == [[0, 1, 2, 3, 4]])
    try store.change(.edit) { writer in
      for number in try writer.numbers(matching: nil).prefix(3) {
        let old = try #require(try writer.entry(number: number))
        var new = old
        new.starred = true
        try writer.update(new, from: old)
      }
    }
    let starred = followed.take()
    #expect(starred.map(\.batch.updates.count) == [3])
    #expect(starred.map(\.rows.count) == [3])
    try store.undo()
    #expect(followed.take().count == 1)
    #expect(followed.failures.isEmpty && followed.reloads == 0)
  }

  @Test("a block is handed on when its change is at an end, not before and not twice")
  func bracket() throws {
    let followed = try Followed(try StoreKind.memory.make(in: directory), .entries())
    let host = followed.host
    let controller = host.list
    let batch = ResultsBatch(from: 0, to: 1)
    let change = ResultsChange<EntryRow>(sections: [], rows: [], batch: batch)
    host.controllerWillChangeContent(controller)
    host.controller(controller, didChangeContentWith: change)
    #expect(followed.take().isEmpty)
    host.controllerDidChangeContent(controller)
    #expect(followed.take().map(\.batch) == [batch])
    host.controllerDidChangeContent(controller)
    #expect(followed.take().isEmpty)
    // A fetch inside a callback leaves a change without its end.
    host.controllerWillChangeContent(controller)
    host.controller(controller, didChangeContentWith: change)
    host.controllerWillChangeContent(controller)
    host.controllerDidChangeContent(controller)
    #expect(followed.take().isEmpty)
  }

  /// Compares each block with the host's list at its arrival.
  private final class Checker: EntryResultsReceiver {
    let host: EntryResults
    private(set) var seen: [Bool] = []

    init(_ host: EntryResults) {
      self.host = host
      host.receiver = self
    }

    func take(_ news: EntryResultsNews) {
      guard case .changed(let updates) = news else { return }
      let keys = updates.batch.insertedSections.map { host.sections[$0].key }
      seen.append(
        host.generation == updates.batch.to && keys == updates.batch.insertedSectionKeys
          && host.sections.map(\.count) == updates.batch.sectionCountsAfter)
    }
  }

  @Test("when a block arrives the host shows the list after it", arguments: StoreKind.allCases)
  func stateOfBlock(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let checker = Checker(try EntryResults(store, .entries()))
    try checker.host.fetch()
    try store.add([Self.entry("one"), Self.entry("two", daysAgo: 9)])
    try store.delete([1])
    #expect(checker.seen == [true, true])
  }

  @Test(
    "a commit that does not touch the list hands on nothing", arguments: StoreKind.allCases)
  func untouched(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try store.add([Self.entry("#work a"), Self.entry("home"), Self.entry("#work b")])
    let followed = try Followed(store, .entries(query: try Lists.query("#work")))
    try store.add([Self.entry("more of home")])
    try store.setStarred(true, [2])
    try store.edit(2, text: "home again")
    try store.delete([2, 4])
    try store.change(.edit) { _ in }
    #expect(followed.take().isEmpty)
    try store.edit(3, text: "no tag any more")
    #expect(followed.take().map(\.batch.deletedRows) == [[RowPath(0, 0)]])
    followed.host.end()
    try store.add([Self.entry("#work c")])
    #expect(followed.take().isEmpty)
  }

  @Test("what a failed change would have written is not handed on", arguments: StoreKind.allCases)
  func rolledBack(kind: StoreKind) throws {
    struct GivenUp: Error {}
    let followed = try Followed(try kind.make(in: directory), .entries())
    #expect(throws: GivenUp.self) {
      try followed.store.change(.add) { writer in
        _ = try writer.insert(
          Entry(
            uuid: EntryUUID.make(), created: Self.moment(0), modified: Self.moment(0),
            day: Self.moment(0).localDay, text: "never"))
        throw GivenUp()
      }
    }
    #expect(followed.take().isEmpty)
    try followed.store.add([Self.entry("one")])
    #expect(followed.take().map(\.batch.sectionCountsAfter) == [[1]])
  }

  // MARK: Against the oracle

  /// A slow reference computes the difference of two fetches; a list that takes the blocks between
  /// `beginUpdates` and `endUpdates` shows what a fetch shows.
  @Test(
    "each block is the difference of the list before and after", arguments: StoreKind.allCases,
    0..<2)
  func differences(kind: StoreKind, seed: Int) throws {
    var random = SeededGenerator(seed: SeededGenerator.runSeed &+ UInt64(seed))
    let requests = try Lists.followed(by: kind)
    for round in 0..<6 {
      let request = try #require(requests.randomElement(using: &random))
      let directory = TemporaryDirectory(isInMemory: true)
      let store = try kind.make(in: directory)
      var walk = RandomWalk(store, seed: SeededGenerator.runSeed &+ UInt64(seed * 100 + round))
      for _ in 0..<10 { try walk.step() }
      let followed = try Followed(store, request)
      for step in 0..<25 {
        let before = ReferenceDiff.shown(try Oracle(store).rows(of: request), request)
        try walk.step()
        let after = ReferenceDiff.shown(try Oracle(store).rows(of: request), request)
        let blocks = followed.take()
        let comment = Comment(
          rawValue:
            "\(kind), RESULTS_SEED=\(SeededGenerator.runSeed), seed \(seed), round \(round), step \(step)"
        )
        expect(blocks, lead: before, to: after, request, comment)
        #expect(try followed.shown() == after.map(\.rows), comment)
        #expect(followed.list.sections.map(\.key) == after.map(\.key), comment)
        #expect(followed.list.sections.map(\.count) == after.map(\.rows.count), comment)
      }
      #expect(followed.failures.isEmpty && followed.reloads == 0)
    }
  }

  /// Each kind of sections in each order, which the random lists above need not meet.
  @Test(
    "lists by every kind of sections follow commits in every order", arguments: StoreKind.allCases,
    Grouping.allCases)
  func groupings(kind: StoreKind, grouping: Grouping) throws {
    let store = try kind.make(in: directory)
    var walk = RandomWalk(store, seed: SeededGenerator.runSeed)
    for _ in 0..<30 { try walk.step() }
    let requests = ListOrder.allCases.map { EntryRequest.entries(order: $0, grouping: grouping) }
    let lists = try requests.map { try Followed(store, $0) }
    for step in 0..<6 {
      try walk.step()
      let name: Comment = "RESULTS_SEED=\(SeededGenerator.runSeed), step \(step)"
      let oracle = try Oracle(store)
      for (followed, request) in zip(lists, requests) {
        let shown = ReferenceDiff.shown(oracle.rows(of: request), request)
        // A list that is fetched now shows the same.
        for list in [followed] + (step == 5 ? [try Followed(store, request)] : []) {
          #expect(try list.shown() == shown.map(\.rows), name)
          #expect(list.list.sections.map(\.key) == shown.map(\.key), name)
          #expect(list.list.sections.map(\.count) == shown.map(\.rows.count), name)
        }
        #expect(Set(shown.map(\.key)).count == shown.count, name)
        for (key, rows) in shown {
          #expect(rows.allSatisfy { grouping.key(of: $0.day) ?? key == key }, name)
        }
      }
    }
    #expect(lists.allSatisfy { $0.failures.isEmpty && $0.reloads == 0 })
  }

  private func expect(
    _ blocks: [ResultsChange<EntryRow>], lead before: ReferenceDiff<EntryRow>.Shown,
    to after: ReferenceDiff<EntryRow>.Shown, _ request: EntryRequest, _ comment: Comment
  ) {
    guard let block = blocks.first, blocks.count == 1 else {
      return #expect(blocks.isEmpty && ReferenceDiff.same(before, after), comment)
    }
    let applied = BatchApplier.simultaneously(block.batch, old: before, new: after)
    #expect(ReferenceDiff.same(applied, after), comment)
    #expect(
      block.batch.insertedSectionKeys == block.batch.insertedSections.map { after[$0].key }, comment
    )
    let told = BatchLists(
      delegate: ResultsChange<EntryRow>(
        sections: block.batch.deletedSections.map { .delete(at: $0) }
          + block.batch.insertedSections.map { .insert(at: $0) },
        rows: block.rows, batch: block.batch))
    #expect(told == ReferenceDiff(old: before, new: after).delegate, comment)
  }

  // MARK: Another process

  @Test(
    "a commit of another process is handed on as its own block",
    arguments: [StoreKind.sqlite, .json])
  func anotherProcess(kind: StoreKind) throws {
    let (ours, theirs) = (try kind.make(in: directory), try kind.make(in: directory))
    let followed = try Followed(ours, .entries())
    try theirs.add([Self.entry("one"), Self.entry("two")])
    try theirs.edit(1, text: "one more")
    #expect(followed.take().isEmpty)
    while try ours.refresh().retryAfter != nil {}
    let blocks = followed.take()
    #expect(blocks.map(\.batch.insertedSections.count) == [1, 0])
    #expect(blocks.map(\.batch.updates.count) == [0, 1])
    #expect(blocks.last?.rows.map(\.row.title) == ["one more"])
    #expect(followed.list.sections.map(\.count) == [2])
    while try ours.refresh().retryAfter != nil {}
    #expect(followed.take().isEmpty)
  }

  // MARK: Places

  @Test("rows, numbers and index titles are those of the list", arguments: StoreKind.allCases)
  func places(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try store.add([
      Self.entry("a #x", daysAgo: 400), Self.entry("b #x #y", daysAgo: 1), Self.entry("c #y"),
    ])
    let byDay = try Followed(store, .entries()).host
    #expect(try byDay.numbers(in: RowPath(0, 0)...RowPath(2, 0)) == [3, 2, 1])
    #expect(try byDay.path(of: 2) == RowPath(1, 0))
    #expect(try byDay.path(of: 9) == nil)
    #expect(byDay.indexTitles.map(\.section) == [0, 2])
    let byTag = try Followed(store, .entries(grouping: .tag)).host
    #expect(byTag.indexTitles.map(\.title) == ["X", "Y"])
    #expect(Set(try byTag.allNumbers()) == [1, 2, 3])
    // A row of a list by day is in a list by tag under one of its tags.
    #expect(try byTag.path(of: 3) == RowPath(1, 1) || byTag.path(of: 3) == RowPath(1, 0))
  }

  @Test("a match is found round the end, a date or the nearest one", arguments: StoreKind.allCases)
  func finding(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    try store.add([
      Self.entry("bread", daysAgo: 9), Self.entry("milk", daysAgo: 4), Self.entry("bread again"),
    ])
    let host = try Followed(store, .entries()).host
    let bread = try Lists.query("bread")
    let first = (row: try host.list.object(at: RowPath(0, 0)), path: RowPath(0, 0))
    let last = (row: try host.list.object(at: RowPath(2, 0)), path: RowPath(2, 0))
    let never = { false }
    #expect(
      try host.match(of: bread, from: first, isCancelled: never)
        == .init(path: RowPath(2, 0), isWrapped: false))
    #expect(
      try host.match(of: bread, from: last, isCancelled: never)
        == .init(path: RowPath(0, 0), isWrapped: true))
    #expect(
      try host.match(of: bread, from: first, isHereEnough: true, isCancelled: never)?.path
        == RowPath(0, 0))
    let milkHere = try host.match(
      of: try Lists.query("milk"), from: first, isHereEnough: true, isCancelled: never)
    #expect(milkHere?.path == RowPath(1, 0))
    #expect(
      try host.match(of: try Lists.query("wine"), from: first, isCancelled: never) == .init())
    let counts = try host.matches(of: bread, before: last.row, isCancelled: never)
    #expect(counts?.before == 1 && counts?.all == 2)
    let day = Self.moment(0).localDay
    #expect(try host.place(of: day...day) == .init(path: RowPath(0, 0), isOfDays: true))
    let missed = day.adding(days: -5)
    #expect(try host.place(of: missed...missed) == .init(path: RowPath(1, 0), isOfDays: false))
    let milk = try host.list.object(at: RowPath(1, 0))
    let onlyBread = try Followed(store, .entries(query: bread)).host
    #expect(try onlyBread.path(nearestTo: milk) == RowPath(0, 0))
  }

  // MARK: Helpers

  private static func moment(_ daysAgo: Int) -> Moment {
    Moment(seconds: 1_794_000_000 - Int64(daysAgo) * 86_400, offset: 3_600)
  }

  private static func entry(_ text: String, daysAgo: Int = 0) -> NewEntry {
    NewEntry(text: text, created: moment(daysAgo), day: moment(daysAgo).localDay)
  }
}
