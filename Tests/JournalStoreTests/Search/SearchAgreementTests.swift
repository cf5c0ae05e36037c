import Journal
import ResultsTestSupport
import SectionedResults
import TestSupport
import Testing

@testable import JournalStore

/// The index answers as `Query.matches`, for any query and any history.
@Suite("The index of words agrees with reading everything")
struct SearchAgreementTests {
  @Test("random queries over a random journal find the same in SQLite and in memory")
  func randomQueries() throws {
    let directory = TemporaryDirectory(isInMemory: true)
    let sqlite = try StoreKind.sqlite.make(in: directory)
    let memory = try StoreKind.oracle.make(in: directory)
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    var walks = [RandomWalk(sqlite, seed: 77), RandomWalk(memory, seed: 77)]
    for round in 0..<25 {
      for index in walks.indices { for _ in 0..<4 { try walks[index].step() } }
      let oracle = try Oracle(sqlite)
      for _ in 0..<25 {
        let query = RandomQuery.make(&random)
        let name: Comment = "RESULTS_SEED=\(SeededGenerator.runSeed), round \(round): \(query)"
        let expected = oracle.matches(of: query).map(\.number).sorted()
        #expect(try sqlite.numbers(matching: query) == expected, name)
        #expect(try memory.numbers(matching: query) == expected, name)
      }
    }
    #expect(try sqlite.check() == [])
  }

  @Test("large answers give the same lists as small ones: counts per day, ranges, first rows")
  func largeAnswers() throws {
    let directory = TemporaryDirectory(isInMemory: true)
    let sqlite = try StoreKind.sqlite.make(in: directory)
    let memory = try StoreKind.oracle.make(in: directory)
    for store in [sqlite, memory] {
      var random = SeededGenerator(seed: 4)
      _ = try store.add((0..<3_000).map { _ in Samples.entry(&random) })
      try store.delete(Array(stride(from: 5, to: 3_000, by: 50)))
    }
    for text in ["bread OR rain", "-bread", "r*", "bread OR is:deleted", "-東 on:2025-12", "s* m*"] {
      let query = try Lists.query(text)
      for order in ListOrder.allCases {
        for grouping in Grouping.allCases {
          let request = EntryRequest.entries(query: query, order: order, grouping: grouping)
          try expect(sqlite, memory, request)
        }
      }
    }
  }

  private func expect(
    _ sqlite: any EntryStore, _ memory: any EntryStore, _ request: EntryRequest
  ) throws {
    let name = Comment(rawValue: "\(request)")
    let keys = try memory.read {
      try $0.keys(of: request, in: ResultsKeyRange(lower: nil, upper: nil))
    }
    let groups = try sqlite.read { try $0.outline(of: request) }
    var rest = keys[...]
    for (index, group) in groups.enumerated() {
      let upper = index + 1 < groups.count ? groups[index + 1].bound : nil
      let range = ResultsKeyRange(lower: index == 0 ? nil : group.bound, upper: upper)
      let part = Array(rest.prefix(group.count))
      rest = rest.dropFirst(group.count)
      guard index % 9 == 0 else { continue }
      try sqlite.read { snapshot in
        #expect(try snapshot.keys(of: request, in: range) == part, name)
        #expect(try snapshot.count(of: request, in: range) == part.count, name)
        let excerpt = try snapshot.keys(of: request, in: range, limit: 3)
        #expect(excerpt == nil || excerpt == Array(part.prefix(3)), name)
      }
    }
    #expect(rest.isEmpty, name)
    for place in [0, keys.count / 2, keys.count - 1] where keys.indices.contains(place) {
      let next = try sqlite.firstRow(of: request, after: keys[place])
      #expect(next == keys.dropFirst(place + 1).first?.id, name)
    }
    #expect(try sqlite.firstRow(of: request, after: nil) == keys.first?.id, name)
  }

  @Test("a query that is given up half-way leaves the next one right")
  func givingUp() throws {
    let directory = TemporaryDirectory(isInMemory: true)
    let store = try StoreKind.sqlite.make(in: directory)
    var random = SeededGenerator(seed: 9)
    _ = try store.add((0..<3_000).map { _ in Samples.entry(&random) })
    let oracle = try Oracle(store)
    var wasGivenUp = false
    for patience in 0..<40 {
      let query: Query = .or([.word("bread"), .not(.prefix("r")), .word("met")])
      let request = EntryRequest.entries(query: query, order: .newest)
      var asked = 0
      let isCancelled = {
        asked += 1
        return asked > patience
      }
      let outline = try store.cancellable(isCancelled) {
        try store.read { try $0.outline(of: request) }
      }
      wasGivenUp = wasGivenUp || outline == nil
      let expected = oracle.rows(of: request).count
      #expect(outline.map { $0.reduce(0) { $0 + $1.count } } ?? expected == expected)
      let whole = try store.read { try $0.outline(of: request) }
      #expect(whole.reduce(0) { $0 + $1.count } == expected)
      try store.edit(1, text: "bread \(patience)")
      try store.edit(1, text: oracle.entries[1]?.text ?? "")
    }
    #expect(wasGivenUp)
  }

  @Test("a preparation that was cancelled continues, and knows what changed meanwhile")
  func preparation() throws {
    let directory = TemporaryDirectory(isInMemory: true)
    let path = directory.file("j.db")
    var random = SeededGenerator(seed: 6)
    let first = try SQLiteEntryStore.open(path, mode: .create)
    _ = try first.add((0..<3_000).map { _ in Samples.entry(&random) })
    let queries = try ["-bread", "bread OR since:2026", "(-rain) until:2025-12"].map(Lists.query)
    let byTag = EntryRequest.entries(query: queries[0], grouping: .tag)
    var cancelled = 0
    for patience in 0..<12 {
      let grouping = patience.isMultiple(of: 2) ? Grouping.day : .tag
      let store = try SQLiteEntryStore.open(path, mode: .readWrite)
      var walk = RandomWalk(store, seed: UInt64(patience))
      for _ in 0..<3 {
        var asked = 0
        let isCancelled = {
          asked += 1
          return asked > patience
        }
        let isPrepared: Void? = try store.cancellable(isCancelled) {
          try store.prepareSearch(for: grouping)
        }
        cancelled += isPrepared == nil ? 1 : 0
        for _ in 0..<10 { try walk.step() }
      }
      let oracle = try Oracle(store)
      for query in queries {
        let expected = oracle.entries.values.filter { query.matches($0) }.map(\.number).sorted()
        #expect(try store.numbers(matching: query) == expected, "\(patience): \(query)")
      }
      var tagged: [String: Int] = [:]
      for entry in oracle.entries.values where queries[0].matches(entry) && entry.deleted == nil {
        for tag in Set(entry.tags.isEmpty ? [""] : entry.tags.map(Tag.key)) {
          tagged[tag, default: 0] += 1
        }
      }
      let outline = try store.read { try $0.outline(of: byTag) }
      #expect(outline.reduce(into: [:]) { $0[$1.section, default: 0] += $1.count } == tagged)
    }
    #expect((1..<36).contains(cancelled))
  }

  @Test("an index that cannot be trusted is not asked: another tool's texts in a journal only read")
  func unsettled() throws {
    let directory = TemporaryDirectory(isInMemory: true)
    let path = directory.file("j.db")
    _ = try SQLiteEntryStore.open(path, mode: .create)
    try ForeignTool.run("INSERT INTO entry (text) VALUES ('bread'), ('milk')", on: path)
    let reader = try SQLiteEntryStore.open(path, mode: .readOnly)
    #expect(try reader.numbers(matching: .word("bread")) == [1])
    let writer = try SQLiteEntryStore.open(path, mode: .readWrite)
    #expect(try writer.numbers(matching: .word("bread")) == [1])
    #expect(try reader.numbers(matching: .word("bread")) == [1])
    try ForeignTool.run("REPLACE INTO entry (number, text) VALUES (1, 'butter')", on: path)
    #expect(try reader.numbers(matching: .word("bread")) == [])
    #expect(try writer.numbers(matching: .word("butter")) == [1])
    #expect(try writer.check() == [])
  }

  @Test("a journal with a number far beyond all others is searched all the same")
  func farNumbers() throws {
    let directory = TemporaryDirectory(isInMemory: true)
    let path = directory.file("j.db")
    let store = try SQLiteEntryStore.open(path, mode: .create)
    try ForeignTool.run("INSERT INTO entry (text) VALUES ('bread')", on: path)
    #expect(try store.numbers(matching: .word("bread")) == [1])
    let far: Int64 = 9_000_000_000_000_000_000
    try ForeignTool.run("INSERT INTO entry (number, text) VALUES (\(far), 'bread')", on: path)
    _ = try store.refresh()
    #expect(try store.numbers(matching: .word("bread")) == [1, far])
    #expect(try store.numbers(matching: .not(.word("milk"))) == [1, far])
    #expect(try store.check() == [])
  }
}
