import SectionedResults
import TestSupport
import Testing

/// The controllers of one store: one read per commit, one commit shown by all, and an index of
/// interests.
@Suite("Controllers of one store")
struct ControllerGroupTests {
  private let rows = (0..<40).map { Reading(id: $0, gauge: Int64($0 % 4), value: Int64($0)) }

  private func values(_ controller: ResultsController<Reading>) throws -> [Int64] {
    try (controller.fetchedObjects() ?? []).map(\.value)
  }

  @Test("rule 63: all controllers show a commit before any listener is called, commit by commit")
  func oneGeneration() throws {
    let store = GaugeStore(rows)
    let controllers = try (0..<4).map {
      try store.controller(.gauge(Int64($0 % 2), hasInterest: $0 < 2))
    }
    var seen: [[Int]] = []
    let tokens = try controllers.map { controller in
      try controller.observe { _ in seen.append(controllers.map(\.numberOfRows)) }
    }
    store.isQuiet = true
    // Both gauges change with each commit; the last one concerns gauge 1 alone.
    for round in 0..<20 {
      store.memory.write {
        $0.put(Reading(id: 100 + round, gauge: 0, value: 1))
        $0.delete(4 * round + 1)
      }
    }
    store.memory.write { $0.put(Reading(id: 1, gauge: 1, value: 1)) }
    store.tellCommits()
    let expected = (1...20).flatMap { round in
      let counts = [10 + round, max(0, 10 - round)]
      let isDeleted = round <= 10
      return Array(repeating: counts + counts, count: isDeleted ? 4 : 2)
    }
    #expect(seen == expected + [[30, 1, 30, 1], [30, 1, 30, 1]])
    withExtendedLifetime(tokens) {}
  }

  @Test("rule 63: will change of every controller comes before any of them shows the commit")
  func willChangeOfAll() throws {
    final class Delegate: ResultsWillChangeDelegate, ResultsDidChangeDelegate {
      typealias Row = Reading
      var look: (String) -> Void = { _ in }
      func controllerWillChangeContent(_ controller: any ResultsList<Reading>) { look("will") }
      func controllerDidChangeContent(_ controller: any ResultsList<Reading>) { look("did") }
    }
    let store = GaugeStore(rows)
    let controllers = try (0..<2).map { try store.controller(.gauge($0, hasInterest: true)) }
    let delegates = [Delegate(), Delegate()]
    var seen: [String] = []
    for (delegate, controller) in zip(delegates, controllers) {
      delegate.look = { seen.append("\($0) \(controllers.map(\.numberOfRows))") }
      controller.delegate = delegate
    }
    store.memory.write {
      $0.put(Reading(id: 0, gauge: 1, value: 0))
      $0.put(Reading(id: 4, gauge: 1, value: 0))
    }
    #expect(seen == ["will [10, 10]", "will [10, 10]", "did [8, 12]", "did [8, 12]"])
    withExtendedLifetime((controllers, delegates)) {}
  }

  @Test("rule 64: a commit is one read for all controllers of a store")
  func oneRead() throws {
    let store = GaugeStore(rows)
    let controllers = try (0..<7).map {
      try store.controller(.gauge(Int64($0 % 3), hasInterest: true))
    }
    var calls = 0
    let tokens = try controllers.map { try $0.observe { _ in calls += 1 } }
    store.reset()
    store.memory.write { $0.put(Reading(id: 0, gauge: 1, value: 7)) }
    #expect(store.reads == 1)
    // Three show gauge 0, which the row leaves, and two gauge 1, which it enters.
    #expect(calls == 5)
    withExtendedLifetime((controllers, tokens)) {}
  }

  @Test("rule 65: of 10,000 controllers a commit asks for those whose rows it may change")
  func indexOfInterest() throws {
    let store = GaugeStore()
    let filters = (0..<5_000 as Range<Int64>).flatMap { number -> [Reading.Filter] in
      let first = 10 * number
      return [
        .gauge(number, hasInterest: true), .values(first...first + 29, hasInterest: true),
      ]
    }
    let controllers = try filters.map { try store.controller($0) }
    var called: [Int] = []
    let tokens = try controllers.enumerated().map { number, controller in
      try controller.observe { _ in called.append(number) }
    }
    // The first commit builds the index.
    store.memory.write { $0.put(Reading(id: 1, gauge: 7, value: 1_000)) }
    #expect(called == [14, 197, 199, 201])
    called = []
    store.reset()
    store.memory.write { $0.put(Reading(id: 1, gauge: 4_999, value: 49_999)) }
    #expect(called == [14, 197, 199, 201, 9_995, 9_997, 9_998, 9_999])
    #expect(store.reads == 1)
    #expect(store.askedCommits == 1 + 8)
    // The others count as showing the commit, and go on from there.
    #expect(controllers.allSatisfy { $0.stamp?.sequence == 2 })
    store.reset()
    for controller in controllers { controller.processPendingChanges() }
    #expect(store.askedCommits == 0)
    withExtendedLifetime(tokens) {}
  }

  @Test("rule 66: a controller whose commits cannot be read keeps its results; the others go on")
  func oneFails() throws {
    let store = GaugeStore(rows)
    let failing = try store.controller(.gauge(0, hasInterest: true))
    let other = try store.controller(.gauge(0, hasInterest: true), sortKeys: [SortKey(\.id)])
    var calls = [0, 0]
    let tokens = [
      try failing.observe { _ in calls[0] += 1 }, try other.observe { _ in calls[1] += 1 },
    ]
    store.failing = failing.request
    store.memory.write { $0.delete(0) }
    store.memory.write { $0.delete(4) }
    #expect(calls == [0, 2])
    #expect(failing.numberOfRows == 10)
    #expect(failing.stamp?.sequence == 0)
    #expect(other.stamp?.sequence == 2)
    store.failing = nil
    #expect(try failing.object(at: RowPath(0, 0)).id == 0)
    // A commit that does not concern it lets it catch up, too.
    store.memory.write { $0.delete(1) }
    #expect(calls == [2, 2])
    #expect(try values(failing) == values(other))
    #expect(failing.stamp == other.stamp)
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "rule 66: a controller that waits for a whole section over many commits lets the others go on")
  func oneWaits() throws {
    let store = GaugeStore(rows)
    // Sorted by value, the rows of a gauge are not together.
    let waiting = try ResultsController(
      request: ResultsRequest(
        filter: .values(0...0, hasInterest: true), sortKeys: [SortKey(\.value), SortKey(\.id)],
        sections: \.gauge), store: store)
    try waiting.performFetch()
    let other = try store.controller(.gauge(9, hasInterest: true))
    var sizes: [Int] = []
    let tokens = [
      try waiting.observe { _ in }, try other.observe { _ in sizes.append(waiting.numberOfRows) },
    ]
    // The section of gauge 0 is split by gauge 5 from the first commit to the last but one.
    store.memory.write {
      $0.put(Reading(id: 50, gauge: 5, value: 0))
      $0.put(Reading(id: 51, gauge: 0, value: 0))
    }
    for round in 0..<50 {
      store.memory.write { $0.put(Reading(id: 100 + round, gauge: 9, value: 1)) }
    }
    #expect(sizes == Array(repeating: 1, count: 50))
    #expect(waiting.sectionKeys == ["0"])
    store.isQuiet = true
    for round in 0..<50 {
      store.memory.write { $0.put(Reading(id: 200 + round, gauge: 9, value: 1)) }
    }
    store.memory.write { $0.delete(50) }
    store.tellCommits()
    #expect(waiting.sectionCounts == [2])
    #expect(other.numberOfRows == 100)
    #expect(waiting.stamp == other.stamp)
    withExtendedLifetime(tokens) {}
  }

  @Test("a listener may let controllers come and go")
  func comingAndGoing() throws {
    let store = GaugeStore(rows)
    let first = try store.controller(.gauge(0, hasInterest: true))
    var gone: ResultsController<Reading>? = try store.controller(.gauge(0, hasInterest: true))
    weak let released = gone
    var goneToken = try gone?.observe { _ in }
    var born: ResultsController<Reading>?
    var bornToken: ResultsObservation?
    var bornCalls = 0
    let token = try first.observe { _ in
      gone = nil
      goneToken = nil
      guard born == nil else { return }
      born = try? store.controller(.gauge(0, hasInterest: true))
      bornToken = try? born?.observe { _ in bornCalls += 1 }
    }
    store.memory.write { $0.delete(0) }
    #expect(released == nil)
    #expect(born?.numberOfRows == 9)
    #expect(bornCalls == 0)
    store.memory.write { $0.delete(4) }
    #expect(bornCalls == 1)
    #expect(born?.stamp == first.stamp)
    withExtendedLifetime((token, bornToken, goneToken)) {}
  }
}

/// Controllers with interests against those without, over random commits.
@Suite("Interests")
struct InterestTests {
  /// A controller with an interest, one without, and what each was told.
  private final class Pair {
    let controllers: [ResultsController<Reading>]
    var told: [[ResultsChange<Reading>]] = [[], []]
    private var tokens: [ResultsObservation] = []

    init(_ store: GaugeStore, _ filter: Reading.Filter) throws {
      controllers = try [filter, filter.withoutInterest].map { try store.controller($0) }
      for (number, controller) in controllers.enumerated() { try follow(number, controller) }
    }

    func follow(_ number: Int, _ controller: ResultsController<Reading>) throws {
      tokens.append(try controller.observe { [weak self] in self?.told[number].append($0) })
    }

    func unfollow() { tokens = [] }
  }

  private static func filter(_ random: inout SeededGenerator) -> Reading.Filter {
    if random.chance(0.5) {
      return .gauge(Int64.random(in: 0..<6, using: &random), hasInterest: true)
    }
    let start = Int64.random(in: 0..<20, using: &random)
    return .values(start...start + Int64.random(in: 0..<8, using: &random), hasInterest: true)
  }

  private static func reading(_ random: inout SeededGenerator) -> Reading {
    Reading(
      id: Int.random(in: 0..<40, using: &random), gauge: Int64.random(in: 0..<8, using: &random),
      value: Int64.random(in: -3..<30, using: &random), note: Int.random(in: 0..<3, using: &random))
  }

  @Test("rule 65: a controller with an interest is told what one without is told")
  func randomCommits() throws {
    for round in 0..<60 as Range<UInt64> {
      var random = SeededGenerator(seed: SeededGenerator.runSeed &+ round)
      let store = GaugeStore((0..<20).map { _ in Self.reading(&random) })
      var pairs = try (0..<Int.random(in: 1..<25, using: &random)).map { _ in
        try Pair(store, Self.filter(&random))
      }
      for _ in 0..<40 {
        store.isQuiet = random.chance(0.3)
        for _ in 0..<(store.isQuiet ? Int.random(in: 1..<25, using: &random) : 1) {
          store.memory.write { transaction in
            for _ in 0..<Int.random(in: 1..<4, using: &random) {
              let row = Self.reading(&random)
              if random.chance(0.3) { transaction.delete(row.id) } else { transaction.put(row) }
            }
          }
        }
        if random.chance(0.2) { try Self.change(&pairs, store, &random) }
        store.tellCommits()
        for pair in pairs {
          #expect(pair.told[0] == pair.told[1], "round \(round)")
          let shown = try pair.controllers.map { try $0.fetchedObjects() }
          #expect(shown[0] == shown[1], "round \(round)")
          guard random.chance(0.2) else { continue }
          let fresh = try store.controller(pair.controllers[1].request.filter.unsafelyUnwrapped)
          if pair.controllers[0].trackingMode != .none {
            #expect(try shown[0] == fresh.fetchedObjects(), "round \(round)")
          }
        }
      }
    }
  }

  /// One pair comes, goes, fetches again, looks elsewhere, or stops or begins to follow.
  private static func change(
    _ pairs: inout [Pair], _ store: GaugeStore, _ random: inout SeededGenerator
  ) throws {
    let number = Int.random(in: 0..<pairs.count, using: &random)
    let pair = pairs[number]
    switch Int.random(in: 0..<6, using: &random) {
    case 0: pairs.append(try Pair(store, filter(&random)))
    case 1: if pairs.count > 1 { pairs.remove(at: number) }
    case 2: for controller in pair.controllers { try controller.performFetch() }
    case 3:
      let filter = filter(&random)
      let isNotifying = random.chance(0.5)
      for (controller, filter) in zip(pair.controllers, [filter, filter.withoutInterest]) {
        var request = controller.request
        request.filter = filter
        try controller.setRequest(request)
        try controller.performFetch(notifyingChanges: isNotifying)
      }
      pair.told = [[], []]
    case 4: pair.unfollow()
    case _:
      pair.unfollow()
      for (number, controller) in pair.controllers.enumerated() {
        try pair.follow(number, controller)
      }
    }
  }
}
