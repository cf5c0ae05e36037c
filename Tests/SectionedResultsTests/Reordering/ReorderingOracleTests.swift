import ResultsTestSupport
import SectionedResults
import TestSupport
import Testing

/// Random moves of the user, and whatever is written then, compared with a fresh fetch.
///
/// `RESULTS_STRESS` sets the number of moves, `RESULTS_SEED` the seed of a failure.
@Suite("Reordering oracle")
struct ReorderingOracleTests {
  @Test(
    "a list with the user's move and every told batch is what a new fetch shows",
    arguments: StoreKind.allCases)
  func randomMoves(_ kind: StoreKind) throws {
    let worlds = StressRun.count(kind == .memory ? 3_000 : 1_000) / 20
    for round in 0..<UInt64(worlds) {
      let seed = SeededGenerator.runSeed &* 1_000_003 &+ round
      var journey = try ReorderingJourney(kind, seed: seed)
      for _ in 0..<20 {
        if let failure = try journey.step() {
          Issue.record("RESULTS_SEED=\(SeededGenerator.runSeed), round \(round): \(failure)")
          return
        }
      }
    }
  }
}

/// What the program writes when a row was dropped.
private enum Reaction: CaseIterable {
  /// A sort value between the new neighbours.
  case between
  /// The same, and other rows.
  case betweenAndMore
  /// New sort values for the whole section.
  case renumbered
  case elsewhere
  case nothing
  case failure
  case delete
  case hide
  case severalCommits
}

private struct ReorderingJourney {
  private struct Refused: Error {}

  private var random: SeededGenerator
  private let bench: ReorderingBench
  private let options: VectorOptions
  /// Told every change, without a user.
  private var follower: SectionedArray<VectorRow>

  init(_ kind: StoreKind, seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    var options = VectorOptions()
    options.isSectioned = random.chance(0.7)
    options.keyOrder = random.chance(0.5) ? .ascending : .descending
    if random.chance(0.25) { options.limit = Int.random(in: 1..<9, using: &random) }
    if random.chance(0.15) { options.offset = Int.random(in: 0..<4, using: &random) }
    self.options = options
    var rows: [VectorRow] = []
    for id in 0..<Int.random(in: 4..<14, using: &random) {
      rows.append(Self.row(id, options, &random))
    }
    bench = try ReorderingBench(rows, kind, options: options)
    follower = try SectionedArray(bench.controller)
  }

  /// One move.
  ///
  /// - Returns: what is wrong.
  mutating func step() throws -> String? {
    let isForeign = random.chance(0.15)
    if isForeign {
      bench.store.isQuiet = true
      writeOthers(2)
      bench.store.isQuiet = false
    }
    guard let (from, target) = randomMove() else {
      writeOthers(3)
      try bench.lists.redraw(bench.controller)
      return try check(moved: nil)
    }
    let reaction = Reaction.allCases.randomElement(using: &random) ?? .nothing
    let moved = bench.lists.array.sections[from.section].rows[from.row]
    do {
      try bench.drag(from, to: target) { row in try react(reaction, row, target) }
    } catch is Refused {}
    // A row dropped where it was is no move, and the commit of the other program was not announced.
    if isForeign { bench.store.tellCommits() }
    let failure = try check(moved: moved.id)
    if failure == nil, !isForeign, reaction != .severalCommits {
      return try checkChange(of: moved, from, target)
    }
    try bench.lists.redraw(bench.controller)
    return failure
  }
}

// MARK: - Writing

extension ReorderingJourney {
  private mutating func randomMove() -> (RowPath, RowPath)? {
    let counts = bench.lists.list.sections.map(\.count)
    let paths = counts.indices.flatMap { section in
      (0..<counts[section]).map { RowPath(section, $0) }
    }
    guard let from = paths.randomElement(using: &random),
      let section = counts.indices.randomElement(using: &random)
    else { return nil }
    let last = counts[section] - (section == from.section ? 1 : 0)
    return (from, RowPath(section, Int.random(in: 0...last, using: &random)))
  }

  private mutating func react(_ reaction: Reaction, _ row: VectorRow, _ target: RowPath) throws {
    switch reaction {
    case .between: bench.put(between(row, target))
    case .betweenAndMore:
      bench.store.memory.write { transaction in
        for _ in 0..<3 { writeOther(&transaction) }
        transaction.put(between(row, target))
      }
    case .renumbered:
      let section = bench.lists.array.sections[target.section]
      bench.store.memory.write { transaction in
        for (index, var row) in section.rows.enumerated() {
          row.section = section.key
          row.key = .integer(Int64(options.keyOrder == .ascending ? index : -index))
          transaction.put(row)
        }
      }
    case .elsewhere: bench.put(Self.row(row.number, options, &random))
    case .nothing: return
    case .failure: throw Refused()
    case .delete: bench.store.memory.write { $0.delete(row.id) }
    case .hide:
      var hidden = row
      hidden.isHidden = true
      bench.put(hidden)
    case .severalCommits:
      let dropped = between(row, target)
      writeOthers(1)
      bench.put(dropped)
      writeOthers(2)
    }
  }

  /// The row with a key between its neighbours in the moved list.
  private func between(_ row: VectorRow, _ target: RowPath) -> VectorRow {
    let section = bench.lists.array.sections[target.section]
    func key(_ index: Int) -> Double? {
      guard section.rows.indices.contains(index) else { return nil }
      switch section.rows[index].key {
      case .integer(let value): return Double(value)
      case .real(let value): return value
      default: return nil
      }
    }
    let step = options.keyOrder == .ascending ? 1.0 : -1.0
    let before = key(target.row - 1)
    let after = key(target.row + 1)
    var row = row
    row.section = section.key
    row.key = .real(
      ((before ?? after.map { $0 - 2 * step } ?? 0) + (after ?? before.map { $0 + 2 * step } ?? 0))
        / 2)
    return row
  }

  private mutating func writeOthers(_ count: Int) {
    bench.store.memory.write { transaction in
      for _ in 0..<count { writeOther(&transaction) }
    }
  }

  private mutating func writeOther(
    _ transaction: inout MemoryResultsStore<VectorRow>.Transaction
  ) {
    let id = Int.random(in: 0..<16, using: &random)
    if random.chance(0.3) {
      transaction.delete(.integer(Int64(id)))
    } else {
      transaction.put(Self.row(id, options, &random))
    }
  }

  private static func row(
    _ id: Int, _ options: VectorOptions, _ random: inout SeededGenerator
  ) -> VectorRow {
    let section = options.isSectioned ? "s\(Int.random(in: 0..<4, using: &random))" : ""
    return VectorRow(
      id: .integer(Int64(id)), section: section,
      key: .integer(Int64.random(in: 0..<8, using: &random)),
      value: .integer(Int64.random(in: 0..<3, using: &random)), isHidden: random.chance(0.1))
  }
}

// MARK: - Checks

extension ReorderingJourney {
  /// Compares everything with a new fetch; the moved row may have its old contents.
  private mutating func check(moved: SortValue?) throws -> String? {
    if let error = bench.lists.errors.first { return "the delegate was told \(error)" }
    if !(try bench.showsTheSame()) {
      return "the list shows \(bench.numbers), want \(try bench.controller.numbers())"
    }
    for change in bench.told.changes { try follower.apply(change) }
    bench.told.changes = []
    let fresh = try ResultsController(request: options.request, store: bench.store.memory)
    try fresh.performFetch()
    let now = try fresh.contents()
    if !ReferenceDiff.same(follower.sections.map { ($0.key, $0.rows) }, now) {
      return "the closure's arrays are \(follower.sections), want \(now)"
    }
    func withoutMoved(_ shown: ReferenceDiff<VectorRow>.Shown) -> ReferenceDiff<VectorRow>.Shown {
      shown.map { ($0.key, $0.rows.filter { $0.id != moved }) }
    }
    if !ReferenceDiff.same(withoutMoved(bench.lists.shown), withoutMoved(now)) {
      return "the delegate's arrays are \(bench.lists.shown), want \(now)"
    }
    return nil
  }

  /// The one change that was told is what a slow comparison of the moved list with the results gives.
  private func checkChange(
    of moved: VectorRow, _ from: RowPath, _ target: RowPath
  ) throws -> String? {
    let told = bench.lists.changes
    try bench.lists.redraw(bench.controller)
    guard from != target else { return nil }
    guard let before = bench.lists.before else { return "no list was moved" }
    let marked = before.map { section in
      (
        section.key,
        section.rows.map { row in
          var row = row
          // The moved row counts as written.
          if row.id == moved.id { row.value = -99 }
          return row
        }
      )
    }
    let reference = ReferenceDiff<VectorRow>(old: marked, new: try bench.controller.contents())
    var want = reference.delegate
    want.updates.removeAll { $0 == target }
    let got = told.map { BatchLists(delegate: $0) }
    let all = want == BatchLists() ? [] : [want]
    return got == all ? nil : "told \(got), want \(all)"
  }
}
