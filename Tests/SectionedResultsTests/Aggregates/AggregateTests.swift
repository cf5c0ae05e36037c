import SectionedResults
import TestSupport
import Testing

/// Aggregates that follow commits, compared with those of all rows.
@Suite("Aggregates")
struct AggregateTests {
  private typealias Request = ResultsRequest<Reading>
  private typealias Controller = ResultsController<Reading>

  private static let fields: [Reading.SortField] = [
    ResultsField(\.value), ResultsField(\.level), ResultsField(\.note),
  ]

  /// The aggregate of values, from all of them.
  private func aggregate(_ values: [SortValue]) -> ResultsAggregate {
    let present = values.filter { $0 != .null }.sorted()
    let doubles = present.map { value -> Double in
      switch value {
      case .integer(let integer): Double(integer)
      case .real(let real): real
      case _: 0
      }
    }
    let isInteger = present.allSatisfy { if case .integer = $0 { true } else { false } }
    // The levels are quarters, whose sums are exact.
    let sum = doubles.reduce(0, +)
    return ResultsAggregate(
      count: present.count, sum: isInteger ? .integer(Int64(sum)) : .real(sum),
      average: doubles.isEmpty ? nil : sum / Double(doubles.count),
      minimum: present.first ?? .null, maximum: present.last ?? .null)
  }

  private func check(_ controller: Controller, _ comment: Comment) throws {
    let sections = try (0..<controller.numberOfSections).map(controller.objects(inSection:))
    for field in Self.fields {
      for (index, rows) in sections.enumerated() {
        #expect(
          controller.aggregate(of: field, inSection: index)
            == aggregate(rows.map { $0.sortValue(for: field) }), comment)
      }
      #expect(
        controller.aggregate(of: field)
          == aggregate(sections.joined().map { $0.sortValue(for: field) }), comment)
    }
  }

  private static func reading(_ random: inout SeededGenerator) -> Reading {
    Reading(
      id: Int.random(in: 0..<40, using: &random), gauge: Int64.random(in: 0..<5, using: &random),
      value: Int64.random(in: -3..<30, using: &random), note: Int.random(in: 0..<3, using: &random),
      level: random.chance(0.3) ? nil : Double(Int.random(in: -9..<9, using: &random)) / 4)
  }

  private static func request(_ random: inout SeededGenerator) -> Request {
    Request(
      filter: .values(0...25, hasInterest: random.chance(0.5)),
      sortKeys: [
        SortKey(\.gauge, random.chance(0.5) ? .ascending : .descending), SortKey(\.value),
      ],
      sectionField: random.chance(0.7) ? ResultsField(\.gauge) : nil,
      limit: random.chance(0.3) ? Int.random(in: 0..<12, using: &random) : nil,
      offset: random.chance(0.3) ? Int.random(in: 0..<8, using: &random) : 0,
      aggregating: fields)
  }

  @Test("rule 67: aggregates after random commits equal those of all rows")
  func randomCommits() throws {
    for round in 0..<150 as Range<UInt64> {
      var random = SeededGenerator(seed: SeededGenerator.runSeed &+ round)
      let store = GaugeStore((0..<30).map { _ in Self.reading(&random) })
      store.countsValues = random.chance(0.5)
      let controller = try ResultsController(request: Self.request(&random), store: store)
      var told = 0
      let token = try controller.observe { _ in told += 1 }
      try controller.performFetch()
      try check(controller, "round \(round), fetched")
      for step in 0..<25 {
        store.isQuiet = random.chance(0.3)
        for _ in 0..<(store.isQuiet ? 3 : 1) {
          store.memory.write { transaction in
            for _ in 0..<Int.random(in: 1..<6, using: &random) {
              let row = Self.reading(&random)
              if random.chance(0.3) { transaction.delete(row.id) } else { transaction.put(row) }
            }
          }
        }
        store.tellCommits()
        if random.chance(0.1) { controller.invalidate([Int.random(in: 0..<40, using: &random)]) }
        if random.chance(0.1) { try controller.performFetch(notifyingChanges: random.chance(0.5)) }
        try check(controller, "round \(round), step \(step)")
      }
      #expect(told > 0 || controller.numberOfRows == 0)
      withExtendedLifetime(token) {}
    }
  }

  @Test("rule 67: sums of reals leave no error behind, however many changes there were")
  func noDrift() throws {
    let store = GaugeStore()
    let controller = try ResultsController(
      request: Request(sortKeys: [SortKey(\.id)], aggregating: [ResultsField(\.level)]),
      store: store)
    let token = try controller.observe { _ in }
    try controller.performFetch()
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    for _ in 0..<3_000 {
      let exponent = Double(Int.random(in: -300...300, using: &random))
      store.memory.write {
        $0.put(
          Reading(
            id: Int.random(in: 0..<20, using: &random), gauge: 0, value: 0,
            level: Double.random(in: -9...9, using: &random)
              * Double(sign: .plus, exponent: Int(exponent), significand: 1)))
      }
    }
    store.memory.write { for id in 0..<20 { $0.delete(id) } }
    store.memory.write {
      for id in 0..<10 { $0.put(Reading(id: id, gauge: 0, value: 0, level: 0.1)) }
    }
    #expect(
      controller.aggregate(of: \.level)
        == ResultsAggregate(count: 10, sum: .real(1), average: 0.1, minimum: 0.1, maximum: 0.1))
    withExtendedLifetime(token) {}
  }

  /// A row whose equality ignores one of its fields.
  private struct Amount: ResultsRow {
    var id: Int
    var value: SortValue
    var hidden = 0

    static func == (lhs: Amount, rhs: Amount) -> Bool {
      lhs.id == rhs.id && lhs.value == rhs.value
    }
  }

  @Test("rule 67: a write that == does not see changes the aggregates too")
  func equalWrites() throws {
    let store = MemoryResultsStore<Amount>(rows: [
      Amount(id: 1, value: 1), Amount(id: 2, value: 1.0), Amount(id: 3, value: 2),
    ])
    let controller = try ResultsController(
      request: ResultsRequest<Amount>(
        sortKeys: [SortKey(\.id)],
        aggregating: [ResultsField(\.value), ResultsField(\.hidden)]), store: store)
    let token = try controller.observe { _ in }
    func fresh() throws -> ResultsController<Amount> {
      let fresh = try ResultsController(request: controller.request, store: store)
      try fresh.performFetch()
      return fresh
    }
    let writes: [Amount] = [
      Amount(id: 1, value: 1.0), Amount(id: 2, value: 1), Amount(id: 1, value: 5),
      Amount(id: 1, value: "\u{e9}"), Amount(id: 1, value: "e\u{301}"), Amount(id: 1, value: "z"),
      Amount(id: 3, value: 2, hidden: 9), Amount(id: 3, value: 2, hidden: 0),
      Amount(id: 3, value: 2.0), Amount(id: 3, value: .null),
    ]
    for write in writes {
      store.write { $0.put(write) }
      let other = try fresh()
      #expect(controller.aggregate(of: \.value) == other.aggregate(of: \.value), "\(write)")
      #expect(controller.aggregate(of: \.hidden) == other.aggregate(of: \.hidden), "\(write)")
    }
    store.write { for id in 1...3 { $0.delete(id) } }
    #expect(controller.aggregate(of: \.value)?.sum == 0)
    token.cancel()
  }

  @Test("there is no aggregate before a fetch, of another field, and of no such section")
  func noAggregate() throws {
    let store = GaugeStore([Reading(id: 1, gauge: 2, value: 3)])
    let controller = try ResultsController(
      request: Request(
        sortKeys: [SortKey(\.gauge)], sections: \.gauge, aggregating: [ResultsField(\.value)]),
      store: store)
    #expect(controller.aggregate(of: \.value) == nil)
    try controller.performFetch()
    #expect(controller.aggregate(of: \.value)?.sum == 3)
    #expect(controller.aggregate(of: \.value, inSection: 0)?.maximum == 3)
    #expect(controller.aggregate(of: \.value, inSection: 1) == nil)
    #expect(controller.aggregate(of: \.value, inSection: -1) == nil)
    #expect(controller.aggregate(of: \.note) == nil)
    #expect(controller.aggregate(of: \.note, inSection: 0) == nil)
  }

  @Test("a commit reads nothing for aggregates")
  func commitReadsNothing() throws {
    let store = GaugeStore(
      (0..<2_000).map { Reading(id: $0, gauge: Int64($0 % 3), value: Int64($0)) })
    let controller = try ResultsController(
      request: Request(
        sortKeys: [SortKey(\.gauge), SortKey(\.value)], sections: \.gauge,
        aggregating: [ResultsField(\.value), ResultsField(\.note)]), store: store)
    let token = try controller.observe { _ in }
    try controller.performFetch()
    store.reset()
    store.memory.write { $0.delete(1_999) }
    #expect(controller.aggregate(of: \.value, inSection: 1)?.maximum == 1_996)
    #expect(store.readRows == 0)
    withExtendedLifetime(token) {}
  }

  @Test("a store whose counts disagree with its rows is an error")
  func lyingCounts() throws {
    let store = GaugeStore([Reading(id: 1, gauge: 2, value: 3)])
    store.countsValues = true
    store.extraCounts = [ResultsValueCount(section: "", field: 0, value: 7, count: 1)]
    let controller = try ResultsController(
      request: Request(sortKeys: [SortKey(\.gauge)], aggregating: [ResultsField(\.value)]),
      store: store)
    #expect(throws: ResultsError.self) { try controller.performFetch() }
    store.extraCounts = [ResultsValueCount(section: "no", field: 0, value: 7, count: 1)]
    #expect(throws: ResultsError.self) { try controller.performFetch() }
    store.extraCounts = []
    try controller.performFetch()
    #expect(controller.aggregate(of: \.value)?.sum == 3)
  }
}
