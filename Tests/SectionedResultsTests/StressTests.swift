import Foundation
import SectionedResults
import Testing

/// Random transactions: the incremental step against computing everything anew.
///
/// `RESULTS_STRESS` gives the number of transactions per store, `RESULTS_SEED` another start.
@Suite("Stress")
struct StressTests {
  @Test(
    "random transactions give the batch that a slow comparison gives", arguments: StoreKind.allCases
  )
  func randomTransactions(_ kind: StoreKind) throws {
    let environment = ProcessInfo.processInfo.environment
    let count =
      environment["RESULTS_STRESS"].flatMap(Int.init) ?? (kind == .memory ? 20_000 : 5_000)
    let seed = environment["RESULTS_SEED"].flatMap(UInt64.init) ?? 7
    var done = 0
    var round: UInt64 = 0
    while done < count {
      var journey = try Journey(seed: seed &* 1_000_003 &+ round, kind)
      for _ in 0..<25 { try journey.step() }
      done += 25
      round += 1
      if let failure = journey.failure {
        Issue.record("round \(round): \(failure)")
        return
      }
    }
  }
}

/// One controller and a run of random transactions over its store.
private struct Journey {
  var random: SeededGenerator
  let options: VectorOptions
  let memory: MemoryResultsStore<VectorRow>
  let controller: ResultsController<VectorRow>
  let inbox = Inbox()
  let token: ResultsObservation
  var table: [SortValue: VectorRow]
  var shown: ReferenceDiff.Shown
  var failure: String?
  private let quietStore: CountingStore?
  private var next = 100

  init(seed: UInt64, _ kind: StoreKind) throws {
    random = SeededGenerator(seed: seed)
    var options = VectorOptions()
    options.isSectioned = random.chance(0.85)
    options.sectionOrder = random.chance(0.5) ? .ascending : .descending
    options.keyOrder = random.chance(0.5) ? .ascending : .descending
    if random.chance(0.3) { options.limit = Int.random(in: 0..<9, using: &random) }
    if random.chance(0.2) { options.offset = Int.random(in: 0..<6, using: &random) }
    self.options = options
    table = [:]
    for id in 0..<Int.random(in: 0..<14, using: &random) {
      let row = Self.row(id, &random)
      table[row.id] = options.observed(row)
    }
    memory = MemoryResultsStore(rows: Array(table.values)) { row, _ in !row.isHidden }
    let store = kind.store(over: memory)
    quietStore = kind == .late ? store as? CountingStore : nil
    quietStore?.isQuiet = true
    controller = try ResultsController(request: options.request, store: store)
    let inbox = inbox
    token = try controller.fetch { inbox.changes.append($0) }
    shown = ReferenceDiff.shown(Array(table.values), options)
  }

  /// One transaction, or a few that are noticed together, and all that must be true afterwards.
  mutating func step() throws {
    guard failure == nil else { return }
    var expected: [Expectation] = []
    for _ in 0..<(quietStore == nil ? 1 : Int.random(in: 1...4, using: &random)) {
      let before = table
      try writeRandomly()
      let now = ReferenceDiff.shown(Array(table.values), options)
      let reference = ReferenceDiff(old: shown, new: now)
      expected.append(Expectation(reference: reference, before: before, after: table))
      shown = now
    }
    if quietStore != nil, random.chance(0.5) {
      // Reading while commits wait must show the state before them.
      try checkController(expected[0].reference.old)
    }
    quietStore?.tellCommits()
    check(inbox.take(), expected.filter { $0.reference.delegate != Self.nothing })
    try checkController(shown)
  }

  private struct Expectation {
    let reference: ReferenceDiff
    let before: [SortValue: VectorRow]
    let after: [SortValue: VectorRow]
  }

  private static var nothing: BatchLists { BatchLists(ResultsBatch(from: 0, to: 0)) }

  private mutating func writeRandomly() throws {
    var random = random
    var table = table
    var next = next
    let options = options
    memory.write { transaction in
      for _ in 0..<Int.random(in: 0..<8, using: &random) {
        let savepoint = transaction
        let saved = table
        let row = Self.write(&table, &next, options, &random)
        if let value = table[row] { transaction.put(value) } else { transaction.delete(row) }
        if random.chance(0.1) {
          transaction = savepoint
          table = saved
        }
      }
    }
    if random.chance(0.05) {
      struct Rollback: Error {}
      #expect(throws: Rollback.self) {
        try memory.write { transaction in
          if let id = table.keys.first { transaction.delete(id) }
          throw Rollback()
        }
      }
    }
    self.random = random
    self.table = table
    self.next = next
  }

  private static func write(
    _ table: inout [SortValue: VectorRow], _ next: inout Int, _ options: VectorOptions,
    _ random: inout SeededGenerator
  ) -> SortValue {
    let ids = table.keys.sorted()
    guard let id = ids.randomElement(using: &random), !random.chance(0.3) else {
      let new = row(next, &random)
      next += 1
      table[new.id] = options.observed(new)
      return new.id
    }
    if random.chance(0.25) {
      table[id] = nil
    } else if var changed = table[id] {
      let other = row(0, &random)
      if random.chance(0.4) { changed.section = other.section }
      if random.chance(0.5) { changed.key = other.key }
      if random.chance(0.4) { changed.value = other.value }
      if random.chance(0.2) { changed.isHidden = other.isHidden }
      table[id] = options.observed(changed)
    }
    return id
  }

  private static func row(_ id: Int, _ random: inout SeededGenerator) -> VectorRow {
    VectorRow(
      id: .integer(Int64(id)), section: "s\(Int.random(in: 0..<5, using: &random))",
      key: .integer(Int64.random(in: 0..<8, using: &random)),
      value: .integer(Int64.random(in: 0..<3, using: &random)), isHidden: random.chance(0.15))
  }
}

extension Journey {
  private mutating func check(
    _ changes: [ResultsChange<VectorRow>], _ expected: [Expectation]
  ) {
    guard changes.count == expected.count else {
      failure = "\(changes.count) changes for \(expected.count) commits that show"
      return
    }
    for (change, expectation) in zip(changes, expected) {
      let reference = expectation.reference
      let got = BatchLists(delegate: change)
      if change.batch.isEmpty { failure = "an empty batch was told" }
      if got != reference.delegate { failure = "got \(got), want \(reference.delegate)" }
      for shown in [
        BatchApplier.simultaneously(change.batch, old: reference.old, new: reference.new),
        BatchApplier.sequentially(change.batch, old: reference.old, new: reference.new),
      ] where !same(shown, reference.new) {
        failure = "applied to \(shown), want \(reference.new)"
      }
      checkWritten(change, expectation)
    }
  }

  /// No row is reported that nobody wrote, but for rows pushed over an edge (rules 38 and 44).
  private mutating func checkWritten(
    _ change: ResultsChange<VectorRow>, _ expectation: Expectation
  ) {
    let isWindowed = options.limit != nil || options.offset > 0
    for row in change.rows
    where expectation.after[row.row.id] == expectation.before[row.row.id] {
      switch row.kind {
      case .insert,
        .delete where isWindowed:
        continue
      default: failure = "row \(row.row.id) was reported though nobody wrote it"
      }
    }
    let ids = change.rows.map(\.row.id)
    if Set(ids).count != ids.count { failure = "a row was reported twice" }
  }

  private mutating func checkController(_ now: ReferenceDiff.Shown) throws {
    if controller.sectionKeys != now.map(\.key) { failure = "sections \(controller.sectionKeys)" }
    for (section, content) in now.enumerated() where failure == nil {
      for (row, value) in content.rows.enumerated() {
        let path = RowPath(section, row)
        if try controller.object(at: path) != value { failure = "\(path) is not \(value)" }
        if try controller.indexPath(for: value.id) != path {
          failure = "\(value) is not at \(path)"
        }
      }
    }
  }

  private func same(_ left: ReferenceDiff.Shown, _ right: ReferenceDiff.Shown) -> Bool {
    left.elementsEqual(right) { $0.key == $1.key && $0.rows == $1.rows }
  }
}

/// Collects changes.
private final class Inbox {
  var changes: [ResultsChange<VectorRow>] = []

  func take() -> [ResultsChange<VectorRow>] {
    defer { changes = [] }
    return changes
  }
}
