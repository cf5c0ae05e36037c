import ResultsTestSupport
import SectionedResults
import TestSupport
import Testing

/// Random edits of snapshots, compared with plain arrays and a slow count of the fewest moves.
///
/// `RESULTS_STRESS` sets the number of snapshots, `RESULTS_SEED` the seed of a failure.
@Suite("Snapshot oracle")
struct SnapshotOracleTests {
  @Test("random edits give what arrays give, and batches with the fewest moves that lead there")
  func randomEdits() throws {
    for round in 0..<UInt64(StressRun.count(4_000) / 20) {
      let seed = SeededGenerator.runSeed &* 1_000_003 &+ round
      var journey = SnapshotJourney(seed: seed)
      for _ in 0..<20 {
        if let failure = try journey.step() {
          Issue.record("RESULTS_SEED=\(SeededGenerator.runSeed), round \(round): \(failure)")
          return
        }
      }
    }
  }
}

private struct SnapshotJourney {
  private typealias Model = [(key: String, rows: [Int])]

  private var random: SeededGenerator
  private var model: Model = []
  private var reloaded: Set<Int> = []
  private var source = SnapshotSource<Int>()
  private var list = SectionedList()

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Some edits, and one batch.
  ///
  /// - Returns: what is wrong.
  mutating func step() throws -> String? {
    let old = model
    reloaded = []
    var next = source.snapshot
    for _ in 0..<Int.random(in: 0..<6, using: &random) {
      let before = (model, reloaded, next)
      do {
        if let error = try edit(&next) { return error }
      } catch is SnapshotError {
        // The model refuses what the snapshot refuses, and both stay as they were.
        guard next == before.2 else { return "a refused edit changed the snapshot" }
        (model, reloaded) = (before.0, before.1)
      }
      guard Self.same(next, model), Set(next.reloaded) == reloaded else {
        return "the snapshot is \(next), want \(model)"
      }
    }
    return try apply(next, old)
  }

  private static func same(_ snapshot: SectionedSnapshot<Int>, _ model: Model) -> Bool {
    snapshot.sections.elementsEqual(model) { $0.key == $1.key && $0.rows == $1.rows }
  }

  private mutating func apply(_ next: SectionedSnapshot<Int>, _ old: Model) throws -> String? {
    let batch = source.apply(next)
    guard let batch else {
      return Self.same(next, old) && reloaded.isEmpty ? nil : "no batch from \(old) to \(model)"
    }
    try list.apply(batch)
    guard list.sections.map(\.key) == model.map(\.key),
      list.sections.map(\.count) == model.map(\.rows.count), list.generation == source.generation
    else { return "the list shows \(list.sections), want \(model)" }
    let before = Self.shown(old, [])
    let after = Self.shown(model, reloaded)
    for shown in [
      BatchApplier<SnapshotOracleRow>.simultaneously(batch, old: before, new: after),
      BatchApplier<SnapshotOracleRow>.sequentially(batch, old: before, new: after),
    ] where !ReferenceDiff.same(shown, after) {
      return "\(batch) gives \(shown), want \(after)"
    }
    return Self.checkFewest(batch, old, model)
  }

  private static func shown(
    _ model: Model, _ reloaded: Set<Int>
  ) -> ReferenceDiff<SnapshotOracleRow>.Shown {
    model.map { section in
      (section.key, section.rows.map { SnapshotOracleRow(id: $0, isNew: reloaded.contains($0)) })
    }
  }

  /// The fewest sections are replaced, and inside those that stay the fewest rows move.
  private static func checkFewest(_ batch: ResultsBatch, _ old: Model, _ new: Model) -> String? {
    let stay = longestCommon(old.map(\.key), new.map(\.key))
    guard batch.deletedSections.count == old.count - stay else {
      return "\(batch.deletedSections) deleted, \(stay) of \(old.map(\.key)) could stay"
    }
    let kept = old.indices.filter { !batch.deletedSections.contains($0) }
    var moves = 0
    for section in kept {
      guard let now = new.first(where: { $0.key == old[section].key }) else { return "gone" }
      let common = Set(old[section].rows).intersection(now.rows)
      moves += common.count - longestCommon(old[section].rows, now.rows)
    }
    let inside = batch.moves.filter { move in
      old[move.from.section].key == new[move.to.section].key
    }
    return inside.count == moves ? nil : "\(inside.count) moves inside sections, want \(moves)"
  }

  /// The length of the longest common subsequence, by the table of all prefixes.
  private static func longestCommon<Item: Equatable>(_ lhs: [Item], _ rhs: [Item]) -> Int {
    var table = [[Int]](
      repeating: [Int](repeating: 0, count: rhs.count + 1), count: lhs.count + 1)
    for left in lhs.indices {
      for right in rhs.indices {
        table[left + 1][right + 1] =
          lhs[left] == rhs[right]
          ? table[left][right] + 1 : max(table[left][right + 1], table[left + 1][right])
      }
    }
    return table[lhs.count][rhs.count]
  }
}

private struct SnapshotOracleRow: ResultsRow {
  let id: Int
  let isNew: Bool
}

// MARK: - Edits

extension SnapshotJourney {
  /// One random edit of the snapshot and of the model; most refer to what exists.
  ///
  /// - Returns: an error if the snapshot took what the model refuses.
  private mutating func edit(_ next: inout SectionedSnapshot<Int>) throws -> String? {
    let (key, other) = (anyKey(), anyKey())
    let (id, neighbour) = (anyID(), anyID())
    let ids = [anyID(), anyID()]
    switch Int.random(in: 0..<12, using: &random) {
    case 0:
      try next.appendSections([key])
      return insert(section: key, at: model.count)
    case 1:
      try next.insertSections([key], before: other)
      return insert(section: key, at: index(other))
    case 2:
      try next.deleteSections([key])
      guard let index = index(key) else { return "deleted \(key)" }
      reloaded.subtract(model.remove(at: index).rows)
    case 3:
      try next.moveSection(key, after: other)
      guard let from = index(key), let to = index(other) else { return "moved \(key)" }
      let section = model.remove(at: from)
      model.insert(section, at: from == to ? from : (index(other) ?? 0) + 1)
    case 4, 5:
      try next.appendRows(ids, toSection: key)
      return insert(ids, at: index(key).map { RowPath($0, model[$0].rows.count) })
    case 6:
      try next.insertRows(ids, before: neighbour)
      return insert(ids, at: path(neighbour))
    case 7:
      try next.deleteRows([id])
      guard remove(id) != nil else { return "deleted \(id)" }
      reloaded.remove(id)
    case 8, 9:
      try next.moveRow(id, before: neighbour)
      guard let from = remove(id) else { return "moved \(id)" }
      return insert([id], at: id == neighbour ? from : path(neighbour))
    case 10:
      try next.moveRow(id, toEndOfSection: key)
      guard remove(id) != nil else { return "moved \(id)" }
      return insert([id], at: index(key).map { RowPath($0, model[$0].rows.count) })
    default:
      try next.reloadRows([id])
      guard path(id) != nil else { return "reloaded \(id)" }
      reloaded.insert(id)
    }
    return nil
  }

  private mutating func anyKey() -> String { "s\(Int.random(in: 0..<5, using: &random))" }

  private mutating func anyID() -> Int { Int.random(in: 0..<16, using: &random) }

  private func index(_ key: String) -> Int? { model.firstIndex { $0.key == key } }

  private func path(_ id: Int) -> RowPath? {
    for (section, content) in model.enumerated() {
      if let row = content.rows.firstIndex(of: id) { return RowPath(section, row) }
    }
    return nil
  }

  private mutating func insert(section key: String, at place: Int?) -> String? {
    guard let place, index(key) == nil else { return "inserted section \(key)" }
    model.insert((key, []), at: place)
    return nil
  }

  private mutating func insert(_ ids: [Int], at place: RowPath?) -> String? {
    guard let place, Set(ids).count == ids.count, ids.allSatisfy({ path($0) == nil }) else {
      return "inserted \(ids)"
    }
    model[place.section].rows.insert(contentsOf: ids, at: place.row)
    return nil
  }

  private mutating func remove(_ id: Int) -> RowPath? {
    guard let path = path(id) else { return nil }
    model[path.section].rows.remove(at: path.row)
    return path
  }
}
