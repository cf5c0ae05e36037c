import SectionedResults
import TestSupport

/// A store with a request over it, on which a stress test makes random transactions.
package protocol StressWorld {
  /// The rows of the store.
  associatedtype Row: ResultsRow

  /// The request shown.
  var request: ResultsRequest<Row> { get }
  /// Where it comes from.
  var store: any ResultsStore<Row> { get }
  /// Whether commits wait for an announcement, so that several of them may come together.
  var isTold: Bool { get }

  /// Makes one random transaction and commits it.
  mutating func commit(_ random: inout SeededGenerator) throws

  /// Tells waiting commits, as noticing another process does.
  func tellCommits() throws

  /// The rows that pass the request's filter, in any order, from what the test itself knows.
  func visibleRows() throws -> [Row]
}

/// One controller and random transactions over its store, each compared with a complete
/// computation.
package struct StressJourney<World: StressWorld> {
  /// The first thing that was wrong.
  package private(set) var failure: String?
  /// How many transactions were made.
  package private(set) var transactions = 0

  private typealias Row = World.Row
  private typealias Reference = ReferenceDiff<World.Row>

  private var world: World
  private var random: SeededGenerator
  private let controller: ResultsController<World.Row>
  private let inbox = Inbox<World.Row>()
  private let token: ResultsObservation
  private var shown: ReferenceDiff<World.Row>.Shown
  private var visible: [World.Row.ID: World.Row]
  private var array: SectionedArray<World.Row>
  private let classic = ClassicDelegate<World.Row>()

  /// Fetches from a world.
  package init(_ world: World, seed: UInt64) throws {
    self.world = world
    random = SeededGenerator(seed: seed)
    controller = try ResultsController(request: world.request, store: world.store)
    let inbox = inbox
    token = try controller.observe { inbox.changes.append($0) }
    let rows = try world.visibleRows()
    visible = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
    shown = ReferenceDiff<World.Row>.shown(rows, world.request)
    array = try SectionedArray(controller)
    controller.delegate = classic
    classic.controllerNeedsReload(controller)
    try checkController(shown)
  }

  /// One transaction, or a few that are noticed together, and all that must be true afterwards.
  ///
  /// - Parameter isThorough: whether each row is also looked up in the controller, by path and back.
  package mutating func step(isThorough: Bool = true) throws {
    guard failure == nil else { return }
    let before = shown
    var expected: [Expectation] = []
    for _ in 0..<(world.isTold ? Int.random(in: 1...4, using: &random) : 1) {
      let old = visible
      try world.commit(&random)
      transactions += 1
      let rows = try world.visibleRows()
      visible = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
      let now = Reference.shown(rows, world.request)
      expected.append(
        Expectation(reference: Reference(old: shown, new: now), before: old, after: visible))
      shown = now
    }
    if isThorough, world.isTold, random.chance(0.5) {
      // Reading while commits wait must show the state before them.
      try checkController(before)
    }
    try world.tellCommits()
    check(inbox.take(), expected.filter { $0.reference.delegate != BatchLists() })
    if isThorough { try checkController(shown) }
  }

  private struct Expectation {
    let reference: ReferenceDiff<World.Row>
    let before: [World.Row.ID: World.Row]
    let after: [World.Row.ID: World.Row]
  }
}

// MARK: - Checks

extension StressJourney {
  private mutating func check(
    _ changes: [ResultsChange<World.Row>], _ expected: [Expectation]
  ) {
    guard changes.count == expected.count else {
      failure = "\(changes.count) changes for \(expected.count) commits that show"
      return
    }
    for (change, expectation) in zip(changes, expected) {
      checkApplication(change, expectation.reference)
      checkArray(change, expectation.reference)
      checkWritten(change, expectation)
    }
    checkClassic()
  }

  /// The four methods that every text about Apple's class has keep a list.
  private mutating func checkClassic() {
    // After a lost history the list was reloaded.
    if let error = classic.error, error as? ResultsError != .historyLost { failure = "\(error)" }
    let sections = classic.list.sections
    if sections.map(\.key) != shown.map(\.key) || sections.map(\.count) != shown.map(\.rows.count) {
      failure = "the four methods lead to \(sections), want \(shown)"
    }
  }

  /// Every row that is still there is found where it is now, in whatever sections it was and is.
  private mutating func checkMapping(
    _ batch: ResultsBatch, _ reference: ReferenceDiff<World.Row>
  ) {
    var places: [World.Row.ID: RowPath] = [:]
    for (section, content) in reference.new.enumerated() {
      for (row, value) in content.rows.enumerated() { places[value.id] = RowPath(section, row) }
    }
    let mapping = PathMapping(batch)
    for (section, content) in reference.old.enumerated() {
      for (row, value) in content.rows.enumerated() {
        let found = mapping.map(RowPath(section, row)).path
        guard found != places[value.id] else { continue }
        failure = "\(value.id) is looked for at \(String(describing: found)) in \(reference.new)"
        return
      }
    }
  }

  /// The changed rows alone keep arrays up to date, and each has the values it had.
  private mutating func checkArray(
    _ change: ResultsChange<World.Row>, _ reference: ReferenceDiff<World.Row>
  ) {
    for row in change.rows {
      let before: World.Row? =
        switch row.kind {
        case .insert: nil
        case .delete(let from), .move(let from, _), .update(let from, _):
          array.sections[from.section].rows[from.row]
        }
      if row.old != before {
        failure = "\(row.kind) has not the row before, \(String(describing: before))"
      }
    }
    do {
      try array.apply(change)
    } catch {
      failure = "\(error)"
    }
    if !Reference.same(array.sections.map { ($0.key, $0.rows) }, reference.new) {
      failure = "the arrays are \(array.sections), want \(reference.new)"
    }
  }

  private mutating func checkApplication(
    _ change: ResultsChange<World.Row>, _ reference: ReferenceDiff<World.Row>
  ) {
    let got = BatchLists(delegate: change)
    if change.batch.isEmpty { failure = "an empty batch was told" }
    if got != reference.delegate { failure = "got \(got), want \(reference.delegate)" }
    checkMapping(change.batch, reference)
    for shown in [
      BatchApplier<World.Row>.simultaneously(
        change.batch, old: reference.old, new: reference.new),
      BatchApplier<World.Row>.sequentially(
        change.batch, old: reference.old, new: reference.new),
    ] where !Reference.same(shown, reference.new) {
      failure = "applied to \(shown), want \(reference.new)"
    }
  }

  /// No row is reported that nobody wrote, but for rows pushed over an edge (rules 38 and 44).
  private mutating func checkWritten(
    _ change: ResultsChange<World.Row>, _ expectation: Expectation
  ) {
    let isWindowed = world.request.limit != nil || world.request.offset > 0
    for row in change.rows
    where expectation.after[row.row.id] == expectation.before[row.row.id] {
      switch row.kind {
      case .insert where isWindowed, .delete where isWindowed: continue
      default: failure = "row \(row.row.id) was reported though nobody wrote it"
      }
    }
    let ids = change.rows.map(\.row.id)
    if Set(ids).count != ids.count { failure = "a row was reported twice" }
  }

  /// The counts, the least and the greatest values and the sums of integers are those of the rows shown.
  private mutating func checkAggregates(_ now: ReferenceDiff<World.Row>.Shown) {
    for (section, content) in now.enumerated() {
      for field in world.request.aggregatedFields where failure == nil {
        let values = content.rows.map { $0.sortValue(for: field) }.filter { $0 != .null }
        let sum = values.reduce(Int64(0)) { sum, value in
          if case .integer(let integer) = value { sum + integer } else { sum }
        }
        let found = controller.aggregate(of: field, inSection: section)
        if found?.count != values.count || found?.sum != .integer(sum)
          || found?.minimum != values.min() ?? .null || found?.maximum != values.max() ?? .null
        {
          failure =
            "\(field) of section \(content.key) is \(String(describing: found)) of \(values)"
        }
      }
    }
  }

  private mutating func checkController(_ now: ReferenceDiff<World.Row>.Shown) throws {
    checkAggregates(now)
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
}

/// Collects changes.
private final class Inbox<Row: ResultsRow> {
  var changes: [ResultsChange<Row>] = []

  func take() -> [ResultsChange<Row>] {
    defer { changes = [] }
    return changes
  }
}
