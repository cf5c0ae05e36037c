import Journal
import SectionedResults
import Testing

@testable import JournalStore

@Suite("Every store shows the same lists")
struct ListConformanceTests {
  @Test("Outline and keys agree with sorting everything", arguments: StoreKind.allCases)
  func outlines(kind: StoreKind) throws {
    let directory = TemporaryDirectory()
    let store = try kind.make(in: directory)
    var walk = RandomWalk(store, seed: 11)
    for _ in 0..<60 { try walk.step() }
    let oracle = try Oracle(store)
    for request in try Lists.all() {
      let expected = oracle.rows(of: request)
      let everything = oracle.allRows(like: request)
      try store.read { snapshot in try expect(snapshot, request, expected, among: everything) }
    }
  }

  private func expect(
    _ snapshot: any ResultsSnapshot<EntryRow>, _ request: EntryRequest, _ expected: [EntryRow],
    among everything: [EntryRow]
  ) throws {
    let name = Comment(rawValue: "\(request)")
    let keys = expected.map { request.key(of: $0) }
    let all = try snapshot.keys(of: request, in: ResultsKeyRange(lower: nil, upper: nil))
    #expect(all == keys, name)
    let groups = try snapshot.outline(of: request)
    var rest = keys[...]
    for (index, group) in groups.enumerated() {
      let next = index + 1 < groups.count ? groups[index + 1].bound : nil
      let range = ResultsKeyRange(lower: index == 0 ? nil : group.bound, upper: next)
      let part = try snapshot.keys(of: request, in: range)
      #expect(part == Array(rest.prefix(group.count)), name)
      #expect(part.allSatisfy { $0.section == group.section }, name)
      #expect(group.keys == nil || group.keys == part, name)
      #expect(try snapshot.count(of: request, in: range) == part.count, name)
      // Whatever the count, since the entries of a test are few.
      try expectParts(snapshot, request, range, part, name)
      rest = rest.dropFirst(group.count)
    }
    #expect(rest.isEmpty, name)
    try expectCounts(snapshot, request, keys, name)
    try expectTotals(snapshot, request, expected, name)
    let rows = try snapshot.rows(of: request, ids: keys.map(\.id))
    #expect(rows == expected, name)
    // Rows that the filter leaves out, and rows under a tag that the entry has not, are none.
    let shown = Set(expected.map(\.id))
    let others = everything.filter { !shown.contains($0.id) }
    let strangers = expected.map { EntryRowID(number: $0.id.number, tag: $0.id.tag + "x") }
    #expect(try snapshot.rows(of: request, ids: others.map(\.id) + strangers) == [], name)
  }

  /// The groups into which a group is divided, and the keys between their bounds.
  private func expectParts(
    _ snapshot: any ResultsSnapshot<EntryRow>, _ request: EntryRequest, _ range: ResultsKeyRange,
    _ keys: [ResultsKey<EntryRowID>], _ name: Comment
  ) throws {
    guard let parts = try snapshot.outline(of: request, in: range, count: .max) else { return }
    var rest = keys[...]
    for (index, part) in parts.enumerated() {
      let upper = index + 1 < parts.count ? parts[index + 1].bound : range.upper
      let lower = index == 0 ? range.lower : part.bound
      let own = try snapshot.keys(
        of: request, in: ResultsKeyRange(lower: lower, upper: upper))
      #expect(own == Array(rest.prefix(part.count)), name)
      #expect(own.allSatisfy { $0.section == part.section }, name)
      rest = rest.dropFirst(part.count)
    }
    #expect(rest.isEmpty, name)
  }

  /// The values of aggregated fields are counted as the rows have them.
  private func expectTotals(
    _ snapshot: any ResultsSnapshot<EntryRow>, _ request: EntryRequest, _ rows: [EntryRow],
    _ name: Comment
  ) throws {
    struct Value: Hashable {
      let section: String
      let field: Int
      let value: SortValue
    }
    guard let counts = try snapshot.valueCounts(of: request) else { return }
    var expected: [Value: Int] = [:]
    for row in rows {
      for (index, field) in request.aggregatedFields.enumerated() {
        let section = request.key(of: row).section
        expected[
          Value(section: section, field: index, value: row.sortValue(for: field)), default: 0] += 1
      }
    }
    let found = Dictionary(
      counts.map { (Value(section: $0.section, field: $0.field, value: $0.value), $0.count) },
      uniquingKeysWith: +)
    #expect(found == expected, name)
  }

  /// Ranges between any two rows, and from the one to the end, have as many rows as are counted.
  private func expectCounts(
    _ snapshot: any ResultsSnapshot<EntryRow>, _ request: EntryRequest,
    _ keys: [ResultsKey<EntryRowID>], _ name: Comment
  ) throws {
    for (low, high) in stride(from: 0, to: keys.count, by: 7).map({ ($0, min($0 * 2, keys.count)) })
    {
      let upper = high < keys.count ? keys[high].values : nil
      let range = ResultsKeyRange(lower: keys[low].values, upper: upper)
      let inside = try snapshot.keys(of: request, in: range).count
      #expect(try snapshot.count(of: request, in: range) == inside, name)
    }
  }

  @Test(
    "Going through a list gives its entries in order, within limit and offset",
    arguments: StoreKind.allCases)
  func scanning(kind: StoreKind) throws {
    let directory = TemporaryDirectory()
    let store = try kind.make(in: directory)
    var walk = RandomWalk(store, seed: 31)
    for _ in 0..<40 { try walk.step() }
    let oracle = try Oracle(store)
    for (index, request) in try Lists.all().enumerated() {
      var part = request
      (part.offset, part.limit) = (index % 5, index % 3 == 0 ? nil : index % 7)
      var seen: [EntryRowID] = []
      try store.forEachEntry(of: part) { key, entry in
        #expect(entry.number == key.id.number)
        seen.append(key.id)
        return true
      }
      let rows = oracle.rows(of: request).dropFirst(part.offset).prefix(part.limit ?? Int.max)
      #expect(seen == rows.map(\.id), "\(part)")
    }
  }

  @Test("Sections stand together in every list")
  func sectionsAreContiguous() throws {
    let store = try StoreKind.memory.make(in: TemporaryDirectory())
    var walk = RandomWalk(store, seed: 5)
    for _ in 0..<60 { try walk.step() }
    for request in try Lists.all() {
      let sections = try store.read { try $0.outline(of: request) }.map(\.section)
      var seen: Set<String> = []
      for (index, section) in sections.enumerated()
      where index == 0 || sections[index - 1] != section {
        #expect(seen.insert(section).inserted)
      }
    }
  }

  @Test(
    "The commits since a stamp lead from the old rows to the new", arguments: StoreKind.allCases)
  func commits(kind: StoreKind) throws {
    let directory = TemporaryDirectory()
    let store = try kind.make(in: directory)
    var walk = RandomWalk(store, seed: 23)
    for _ in 0..<20 { try walk.step() }
    for round in 0..<12 {
      let requests = try Lists.followed(by: kind).enumerated().filter { $0.offset % 12 == round }
        .map(\.element)
      let stamp = try store.read { try $0.stamp() }
      let before = try Oracle(store)
      for _ in 0..<5 { try walk.step() }
      let after = try Oracle(store)
      for request in requests {
        let commits = try store.read { try $0.commits(after: stamp, for: request) }
        expect(commits, request, before.rows(of: request), after.rows(of: request))
      }
    }
  }

  private func expect(
    _ commits: [StoreCommit<EntryRow>], _ request: EntryRequest, _ before: [EntryRow],
    _ after: [EntryRow]
  ) {
    let name = Comment(rawValue: "\(request)")
    var rows = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0) })
    #expect(commits.map(\.stamp) == commits.map(\.stamp).sorted(), name)
    for commit in commits {
      #expect(Set(commit.changes.map(\.id)).count == commit.changes.count, name)
      for change in commit.changes {
        #expect(rows[change.id] == change.before, name)
        #expect(change.before != change.after, name)
        rows[change.id] = change.after
      }
    }
    #expect(rows == Dictionary(uniqueKeysWithValues: after.map { ($0.id, $0) }), name)
  }
}
