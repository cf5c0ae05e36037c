import SectionedResults
import Testing

/// Keys, identities and values are compared one way: by bytes, as a database compares them.
@Suite("Exact comparison")
struct ExactComparisonTests {
  /// A row whose identity and section are texts, with defaults for all else.
  private struct Item: ResultsRow {
    let id: String
    var feed = ""
    var rank = 0
  }

  /// `ü` in two forms, which Swift's `==` calls equal; by bytes they are apart.
  private let decomposed = "u\u{308}"
  private let composed = "\u{fc}"

  private func controller(
    _ rows: [Item]
  ) throws -> (
    MemoryResultsStore<Item>, ResultsController<Item>
  ) {
    let store = MemoryResultsStore(rows: rows)
    let controller = try ResultsController(
      request: ResultsRequest<Item>(
        sortKeys: [SortKey(\.feed), SortKey(\.rank)], sections: \.feed),
      store: store)
    try controller.performFetch()
    return (store, controller)
  }

  @Test("section keys that only Swift calls equal are two sections, also with one between them")
  func sections() throws {
    let (store, controller) = try controller([
      Item(id: "1", feed: decomposed), Item(id: "2", feed: composed),
    ])
    #expect(controller.sectionCounts == [1, 1])
    var list = SectionedList()
    list.reload(from: controller)
    let token = try controller.observe { try! list.apply($0.batch) }
    list.reload(from: controller)
    store.write { $0.put(Item(id: "3", feed: "v")) }
    store.write { $0.put(Item(id: "4", feed: composed)) }
    #expect(
      controller.sectionKeys.map { Array($0.utf8) }
        == [decomposed, "v", composed].map { Array($0.utf8) })
    #expect(list.sections.map(\.count) == [1, 1, 2])
    list.fold(keys: [composed])
    #expect(list.sections.map(\.folded) == [false, false, true])
    token.cancel()
  }

  @Test("a row that only Swift calls unchanged moves to the section of its bytes")
  func equalRows() throws {
    let (store, controller) = try controller([
      Item(id: "1", feed: decomposed), Item(id: "2", feed: composed),
    ])
    var array = try SectionedArray(controller)
    let token = try controller.observe { try! array.apply($0) }
    array = try SectionedArray(controller)
    store.write { $0.put(Item(id: "1", feed: composed)) }
    #expect(controller.sectionKeys.map { Array($0.utf8) } == [Array(composed.utf8)])
    #expect(array.sections.map(\.rows.count) == [2])
    let generation = controller.generation
    store.write { $0.put(Item(id: "1", feed: composed)) }
    #expect(controller.generation == generation, "nothing changed")
    store.write { $0.put(Item(id: "2", feed: decomposed)) }
    #expect(
      array.sections.map { Array($0.key.utf8) } == [Array(decomposed.utf8), Array(composed.utf8)])
    withExtendedLifetime(token) {}
  }

  @Test("identities that only Swift calls equal are two rows; ties are ordered by bytes")
  func identities() throws {
    let ids = [composed, decomposed, "v", "e\u{301}", "f"]
    let (store, controller) = try controller(ids.map { Item(id: $0) })
    let shown = try #require(try controller.fetchedObjects()).map { Array($0.id.utf8) }
    #expect(shown == ids.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
    var changes: [ResultsChange<Item>] = []
    let token = try controller.observe { changes.append($0) }
    store.write { $0.put(Item(id: decomposed, rank: -1)) }
    #expect(changes.count == 1)
    #expect(changes.first?.rows.map(\.kind) == [.move(from: RowPath(0, 2), to: RowPath(0, 0))])
    #expect(try controller.indexPath(for: composed) == RowPath(0, 4))
    store.write { $0.delete(composed) }
    #expect(controller.numberOfRows == 4)
    token.cancel()
  }

  /// The order of SQLite's `BINARY` collation over all types.
  private let ascending: [SortValue] = [
    .null, .integer(.min), .real(-1e15), -2, -1.5, 0, 0.5, 1, .real(1.0).nextUp, 2,
    .integer(9_007_199_254_740_992), .integer(9_007_199_254_740_993),
    .real(9_007_199_254_740_994), .integer(.max), .real(0x1p63), .real(.infinity),
    "", "a", "e\u{301}", "f", "\u{fc}", .blob([]), .blob([0]), .blob([0, 0]), .blob([1]),
  ]

  @Test("every two values have one order")
  func values() {
    for (left, one) in ascending.enumerated() {
      for (right, other) in ascending.enumerated() {
        #expect((one < other) == (left < right), "\(one) \(other)")
        #expect((one == other) == (left == right), "\(one) \(other)")
      }
    }
  }

  @Test("equal numbers of both kinds are one value, and not-a-number is none")
  func equalNumbers() {
    #expect(SortValue.integer(3) == .real(3) && Set<SortValue>([3, 3.0, .real(3)]).count == 1)
    #expect(SortValue.real(.nan) == .null && Set<SortValue>([.null, .real(.nan)]).count == 1)
    #expect(SortValue.real(-0.0) == 0 && Double.nan.sortValue == .null)
  }

  @Test("properties of every kind have a value, and a field the name of its property")
  func conversions() {
    struct Author { var name = "Ada" }
    enum Kind: String, SortValueConvertible { case draft }
    let author: ResultsField<Author> = ResultsField(\.name)
    #expect(author.name == "name" && author.value(of: Author()) == "Ada")
    #expect([true.sortValue, Int8(-3).sortValue, UInt64.max.sortValue] == [1, -3, .real(0x1p64)])
    #expect(Optional<Int>.none.sortValue == .null && Optional("x").sortValue == "x")
    #expect(Kind.draft.sortValue == "draft")
  }
}

extension SortValue {
  /// The next greater number.
  fileprivate var nextUp: SortValue {
    guard case .real(let value) = self else { return self }
    return .real(value.nextUp)
  }
}
