import ResultsTestSupport
import SectionedResults
import TestSupport
import Testing

/// Rules 1 to 13: fetching, sections and lookups.
@Suite("Fetching, sections, lookups")
struct FetchTests {
  private let rows = [
    row(1, "a", 1), row(2, "a", 2), row(3, "b", 1), row(4, "c", 1), row(5, "c", 2),
    row(6, "c", 3), row(7, "b", 9, hidden: true),
  ]

  @Test("rule 1: a request without a sort key is refused, at construction and when it is set")
  func sortKeyIsNeeded() throws {
    let store = MemoryResultsStore(rows: rows) { row, _ in !row.isHidden }
    let request = ResultsRequest<VectorRow>(sortKeys: [])
    #expect(throws: ResultsError.noSortKey) {
      try ResultsController(request: request, store: store)
    }
    let controller = try ResultsController(request: splittable, store: store)
    #expect(throws: ResultsError.noSortKey) { try controller.setRequest(request) }
    #expect(controller.request == splittable)
  }

  @Test(
    "rule 1: a negative limit or offset and a page without rows are refused too",
    arguments: [
      ResultsRequest<VectorRow>(sortKeys: [SortKey(.key)], limit: -1),
      ResultsRequest<VectorRow>(sortKeys: [SortKey(.key)], offset: -1),
      ResultsRequest<VectorRow>(sortKeys: [SortKey(.key)], pageSize: 0),
    ])
  func rangesAreChecked(_ request: ResultsRequest<VectorRow>) {
    let store = MemoryResultsStore(rows: rows) { row, _ in !row.isHidden }
    #expect(
      throws: ResultsError.invalidRange(
        "limit and offset must not be negative, the page size must be positive")
    ) {
      try ResultsController(request: request, store: store)
    }
  }

  @Test("rule 2: before a fetch there are neither objects nor sections")
  func nothingBeforeFetch() throws {
    let store = MemoryResultsStore(rows: rows) { row, _ in !row.isHidden }
    let controller = try ResultsController(request: VectorOptions().request, store: store)
    #expect(try controller.fetchedObjects() == nil)
    #expect(controller.sections == nil)
    #expect(!controller.isFetched && controller.sectionKey(at: 0) == nil)
    #expect(controller.numberOfSections == 0 && controller.numberOfRows == 0)
    #expect(controller.stamp == nil)
    #expect(try controller.path(1) == nil)
    #expect(throws: ResultsError.notFetched) { try controller.object(at: RowPath(0, 0)) }
    #expect(throws: ResultsError.notFetched) { try controller.snapshot() }
    try controller.performFetch()
    #expect(try controller.fetchedObjects()?.count == 6)
    #expect(controller.sections?.count == 3)
  }

  @Test(
    "rule 3: a fetch throws what fails and replaces results without any callback",
    arguments: StoreKind.allCases)
  func fetchIsSilent(_ kind: StoreKind) throws {
    let bench = try RulesBench(rows, kind, listener: ClassicListener())
    bench.store.isQuiet = true
    bench.put(row(8, "d", 1))
    bench.store.isBroken = true
    #expect(throws: SpyStore.Fault.self) { try bench.controller.performFetch() }
    bench.store.isBroken = false
    #expect(try bench.controller.numbers() == [[1, 2], [3], [4, 5, 6]])
    try bench.controller.performFetch()
    #expect(try bench.controller.numbers() == [[1, 2], [3], [4, 5, 6], [8]])
    #expect(bench.listener.told.isEmpty)
  }

  @Test(
    "rule 4: without a section field there is exactly one section, also over no rows",
    arguments: StoreKind.allCases)
  func oneSectionWithoutField(_ kind: StoreKind) throws {
    let bench = try RulesBench(rows, kind, options: .flat, listener: ClassicListener())
    #expect(bench.controller.sectionCounts == [6])
    bench.delete(1, 2, 3, 4, 5, 6)
    #expect(bench.controller.sectionCounts == [0])
    bench.put(row(9))
    #expect(bench.controller.sectionCounts == [1])
    #expect(!bench.listener.told.map(\.kind).contains("section"))
    let empty = try RulesBench([], kind, options: .flat, listener: ClassicListener())
    #expect(empty.controller.sectionCounts == [0])
    let nothing = try RulesBench(
      rows, kind, options: .flat(limit: 0), listener: ClassicListener())
    #expect(nothing.controller.sectionCounts == [0])
  }

  @Test(
    "rule 5: with a section field no section is ever empty", arguments: StoreKind.allCases)
  func noEmptySections(_ kind: StoreKind) throws {
    let bench = try RulesBench(rows, kind, listener: ClassicListener())
    bench.delete(3)
    #expect(bench.controller.sectionKeys == ["a", "c"])
    bench.put(row(4, "a", 3), row(5, "a", 4), row(6, "a", 5))
    #expect(bench.controller.sectionKeys == ["a"])
    bench.delete(1, 2, 4, 5, 6)
    #expect(bench.controller.sectionCounts == [])
    #expect(try bench.controller.fetchedObjects() == [])
    bench.put(row(7, "b", 9, hidden: false))
    #expect(bench.controller.sectionKeys == ["b"])
  }

  @Test("rule 6: sections stand in the order in which they appear in the sorted rows")
  func sectionOrderIsAppearance() throws {
    let rows = [row(1, "m", 5), row(2, "z", 1), row(3, "a", 9), row(4, "z", 2)]
    let bench = try RulesBench(rows, request: splittable, listener: ClassicListener())
    #expect(bench.controller.sectionKeys == ["z", "m", "a"])
    bench.put(row(5, "k", 7))
    #expect(bench.controller.sectionKeys == ["z", "m", "k", "a"])
  }

  @Test(
    "rule 8: rows with equal sort keys stand by identity, so a refetch equals the commits' state",
    arguments: StoreKind.allCases)
  func equalKeysHaveAnOrder(_ kind: StoreKind) throws {
    var random = SeededGenerator(seed: 8)
    let bench = try RulesBench([], kind, listener: ClassicListener())
    for _ in 0..<120 {
      let ids = (0..<4).map { _ in Int.random(in: 0..<40, using: &random) }
      let gone = random.chance(0.3)
      let section = ["a", "b", "c"].randomElement(using: &random) ?? "a"
      bench.write { transaction in
        for id in ids {
          if gone {
            transaction.delete(.integer(Int64(id)))
          } else {
            transaction.put(row(id, section, 0))
          }
        }
      }
      let shown = try bench.controller.shown()
      #expect(shown == (try bench.fresh()))
      for section in shown { #expect(section.map(\.number) == section.map(\.number).sorted()) }
    }
  }

  @Test(
    "rule 9: a section's number is its objects' count, and all sections make the fetched objects",
    arguments: StoreKind.allCases)
  func sectionsAddUp(_ kind: StoreKind) throws {
    for (offset, limit) in [(0, nil), (1, 4), (2, 3), (0, 1)] as [(Int, Int?)] {
      var options = VectorOptions()
      options.offset = offset
      options.limit = limit
      let controller = try RulesBench(
        rows, kind, options: options, listener: ClassicListener()
      ).controller
      let sections = try #require(controller.sections)
      var all: [VectorRow] = []
      for (index, section) in sections.enumerated() {
        let objects = try controller.objects(inSection: index)
        #expect(section.numberOfObjects == objects.count)
        #expect(section.key == controller.sectionKey(at: index))
        #expect(controller.numberOfRows(inSection: index) == objects.count)
        all += objects
      }
      #expect(try controller.fetchedObjects() == all)
      #expect(controller.numberOfRows == all.count)
    }
  }

  @Test(
    "rule 10: every result is found at its path, what is no result has none",
    arguments: StoreKind.allCases)
  func lookupsAgree(_ kind: StoreKind) throws {
    let controller = try RulesBench(rows, kind, listener: ClassicListener()).controller
    for (section, objects) in try controller.shown().enumerated() {
      for (index, object) in objects.enumerated() {
        let path = try #require(try controller.indexPath(for: object.id))
        #expect(path == RowPath(section, index))
        #expect(try controller.object(at: path) == object)
        #expect(try controller.identity(at: path) == object.id)
      }
    }
    #expect(try controller.path(7) == nil, "a row that the filter hides")
    #expect(try controller.path(99) == nil, "a row that does not exist")
    for path in [RowPath(3, 0), RowPath(0, 2), RowPath(-1, 0), RowPath(0, -1)] {
      #expect(throws: ResultsError.noSuchRow(path)) { try controller.object(at: path) }
    }
  }

  @Test(
    "rule 10: rows beyond a limit or offset are no results", arguments: StoreKind.allCases)
  func lookupsBeyondEdges(_ kind: StoreKind) throws {
    var options = VectorOptions()
    options.offset = 1
    options.limit = 3
    let controller = try RulesBench(
      rows, kind, options: options, listener: ClassicListener()
    ).controller
    let paths = try (1...6).map(controller.path)
    #expect(paths == [nil, RowPath(0, 0), RowPath(1, 0), RowPath(2, 0), nil, nil])
  }

  @Test(
    "rule 11: an index title is the key's first letter capitalised, unless the delegate says so")
  func indexTitles() throws {
    let rows = [row(1, "march"), row(2, "plain"), row(3, "ärger")]
    let store = MemoryResultsStore(rows: rows) { row, _ in !row.isHidden }
    let controller = try ResultsController(request: VectorOptions().request, store: store)
    try controller.performFetch()
    #expect(controller.sections?.map(\.indexTitle) == ["M", "P", "Ä"])
    let listener = TitleListener()
    controller.delegate = listener
    #expect(controller.sections?.map(\.indexTitle) == ["<march>", "P", "<ärger>"])
  }

  @Test("rule 12: index titles are unique and lead to the first section that has them")
  func indexTitlesLeadToSections() throws {
    let rows = [row(1, "alpha"), row(2, "beta"), row(3, "azure"), row(4, "bronze"), row(5, "x")]
    let controller = try RulesBench(rows, listener: ClassicListener()).controller
    #expect(controller.sectionKeys == ["alpha", "azure", "beta", "bronze", "x"])
    #expect(controller.sectionIndexTitles == ["A", "B", "X"])
    #expect(controller.section(forSectionIndexTitle: "A") == 0)
    #expect(controller.section(forSectionIndexTitle: "B") == 2)
    #expect(controller.section(forSectionIndexTitle: "X") == 4)
    #expect(controller.section(forSectionIndexTitle: "Z") == nil)
    #expect(controller.section(forSectionIndexTitle: "B", at: 0) == 2, "the title decides")
    #expect(controller.section(forSectionIndexTitle: "gone", at: 1) == 2, "then the place")
    #expect(controller.section(forSectionIndexTitle: "gone", at: 9) == 4)
    #expect(controller.section(forSectionIndexTitle: "gone", at: -1) == nil)
  }

  @Test("rule 13: a section's title may change without a write, its key sorts and identifies")
  func titleIsNotIdentity() throws {
    let bench = try RulesBench(
      [row(1, "2026-11-20"), row(2, "2026-11-21")], listener: TitleListener())
    #expect(bench.controller.sectionKeys == ["2026-11-20", "2026-11-21"])
    #expect(bench.controller.sectionIndexTitles == ["<2026-11-20>", "<2026-11-21>"])
    let change = try ResultsChange(bench) { $0.put(row(3, "2026-11-20", 5)) }
    #expect(change?.sections == [])
  }
}
