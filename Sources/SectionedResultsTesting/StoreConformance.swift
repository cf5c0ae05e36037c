// SPDX-License-Identifier: MIT

import SectionedResults

/// Checks that a store answers as `ResultsStore` requires, by random transactions against a model.
///
/// ```swift
/// let conformance = StoreConformance<Item>(
///   requests: [
///     ResultsRequest(filter: .unread, sortKeys: [SortKey(\.feed), SortKey(\.date)], sections: \.feed)
///   ],
///   matches: { row, filter in row.matches(filter) },
///   randomRow: { Item(id: .random(in: 0..<40, using: &$0), …) })
/// try conformance.check(store) { writes in try store.commit(writes) }
/// ```
///
/// After each transaction it compares, for each request: the outline, the keys of every range between
/// its bounds and of parts of them, counts, rows by identity, counted values, and the change log from
/// several earlier stamps. A controller follows the store and must show what the model has.
public struct StoreConformance<Row: ResultsRow> {
  /// A write of a random transaction.
  public enum Write: Sendable {
    /// Insert the row, or replace the row with its identity.
    case put(Row)
    /// Delete the row if it exists.
    case delete(Row.ID)
  }

  /// The requests to compare; one that does not keep sections together is not valid.
  public var requests: [ResultsRequest<Row>]
  /// The number of transactions of one check.
  public var transactions = 200
  private let matches: (Row, Row.Filter) -> Bool
  private let randomRow: (inout any RandomNumberGenerator) -> Row

  /// Makes a check.
  ///
  /// - Parameters:
  ///   - requests: the requests to compare: each order, direction, filter and section field the store
  ///     supports.
  ///   - matches: whether a row passes a filter, as the store should decide it.
  ///   - randomRow: a row with random values. Use few identities (some dozens) and few values, so that rows
  ///     are replaced, deleted and equal in sort values often.
  public init(
    requests: [ResultsRequest<Row>], matches: @escaping (Row, Row.Filter) -> Bool,
    randomRow: @escaping (inout any RandomNumberGenerator) -> Row
  ) {
    self.requests = requests
    self.matches = matches
    self.randomRow = randomRow
  }

  /// Checks a store that has no rows.
  ///
  /// - Parameters:
  ///   - store: the store to check.
  ///   - seed: the random transactions; a failure names it.
  ///   - write: runs all writes in one transaction. It may use the store, or another connection; then it
  ///     also makes the store notice the commit.
  /// - Throws: ``StoreConformanceFailure`` for the first wrong answer, or the error of the store or `write`.
  public func check(
    _ store: any ResultsStore<Row>, seed: UInt64 = 1, write: ([Write]) throws -> Void
  ) throws {
    var random: any RandomNumberGenerator = SplitMix(state: seed)
    var model = Model(matches: matches)
    let followers = try requests.map { try Follower($0, store) }
    var states: [(stamp: StoreStamp, model: Model)] = [
      (try store.read { try $0.stamp() }, model)
    ]
    for number in 0..<transactions {
      let before = model
      let writes = randomWrites(over: model, &random)
      for write in writes { model.apply(write) }
      do {
        try write(writes)
        let stamp = try compare(store, model, states, &random)
        guard stamp > states[states.count - 1].stamp || model.rows == before.rows else {
          throw Wrong("the stamp did not grow with a commit: \(stamp.sequence)")
        }
        // An empty transaction may have a stamp of its own.
        if stamp != states[states.count - 1].stamp { states.append((stamp, model)) }
        states = Array(states.suffix(8))
        for follower in followers { try follower.compare(with: model) }
      } catch let wrong as Wrong {
        throw StoreConformanceFailure(
          seed: seed, transaction: number, writes: "\(writes)", description: wrong.description)
      }
    }
  }

  private func randomWrites(
    over model: Model, _ random: inout any RandomNumberGenerator
  ) -> [Write] {
    (0..<Int.random(in: 1...6, using: &random)).map { _ in
      let row = randomRow(&random)
      let isDelete = Int.random(in: 0..<3, using: &random) == 0
      return isDelete ? .delete(row.id) : .put(row)
    }
  }
}

/// A wrong answer of a store.
public struct StoreConformanceFailure: Error, CustomStringConvertible {
  /// The seed of the check.
  public let seed: UInt64
  /// The number of transactions before the one that showed it.
  public let transaction: Int
  /// The writes of that transaction.
  public let writes: String
  private let what: String

  init(seed: UInt64, transaction: Int, writes: String, description: String) {
    self.seed = seed
    self.transaction = transaction
    self.writes = writes
    what = description
  }

  /// The request, the question, the answer and the expected one.
  public var description: String {
    "seed \(seed), transaction \(transaction): \(what)\nafter \(writes)"
  }
}

private struct Wrong: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

private func expect<Value: Equatable>(
  _ answer: Value, _ expected: Value, _ question: @autoclosure () -> String
) throws {
  guard answer != expected else { return }
  throw Wrong("\(question())\n  answer:   \(answer)\n  expected: \(expected)")
}

/// Steele, Lea and Flood's generator: any seed gives a good sequence.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

// MARK: - The model

extension StoreConformance {
  /// All rows, and the obvious answers.
  fileprivate struct Model {
    let matches: (Row, Row.Filter) -> Bool
    var rows: [Row.ID.Exact: Row] = [:]

    mutating func apply(_ write: Write) {
      switch write {
      case .put(let row): rows[row.id.exact] = row
      case .delete(let id): rows[id.exact] = nil
      }
    }

    func row(_ id: Row.ID.Exact, in request: ResultsRequest<Row>) -> Row? {
      rows[id].flatMap { row in
        request.filter.map { matches(row, $0) } ?? true ? row : nil
      }
    }

    func sorted(_ request: ResultsRequest<Row>) -> [Row] {
      rows.keys.compactMap { row($0, in: request) }
        .sorted { request.precedes(request.key(of: $0), request.key(of: $1)) }
    }

    /// The rows before and after, of those that differ.
    func changes(
      since earlier: Model, in request: ResultsRequest<Row>
    ) -> [Row.ID.Exact: [Row?]] {
      var changes: [Row.ID.Exact: [Row?]] = [:]
      for id in Set(rows.keys).union(earlier.rows.keys) {
        let images = [earlier.row(id, in: request), row(id, in: request)]
        if images[0] != images[1] { changes[id] = images }
      }
      return changes
    }
  }
}

// MARK: - Comparing

extension StoreConformance {
  /// - Returns: the stamp of the state compared.
  private func compare(
    _ store: any ResultsStore<Row>, _ model: Model, _ states: [(stamp: StoreStamp, model: Model)],
    _ random: inout any RandomNumberGenerator
  ) throws -> StoreStamp {
    try store.read { snapshot in
      for request in requests {
        let rows = model.sorted(request)
        try compareRanges(snapshot, request, rows)
        let ids = (0..<4).map { _ in randomRow(&random).id } + rows.prefix(2).map(\.id)
        try compareRows(snapshot, request, ids, model)
        try compareValues(snapshot, request, rows)
        for state in states {
          let changes = model.changes(since: state.model, in: request)
          try compareLog(snapshot, request, state.stamp, changes)
        }
      }
      return try snapshot.stamp()
    }
  }

  /// The outline, and the keys between its bounds.
  private func compareRanges(
    _ snapshot: any ResultsSnapshot<Row>, _ request: ResultsRequest<Row>, _ rows: [Row]
  ) throws {
    let outline = try snapshot.outline(of: request)
    let keys = rows.map(request.key(of:))
    try expect(outline.map(\.count).reduce(0, +), rows.count, "rows in the outline of \(request)")
    var place = 0
    for (index, group) in outline.enumerated() {
      guard group.count > 0, place + group.count <= keys.count else {
        throw Wrong("group \(index) of \(request) has \(group.count) rows")
      }
      let own = Array(keys[place..<place + group.count])
      place += group.count
      for key in own {
        try expect(Array(group.section.utf8), Array(key.section.utf8), "section of \(key.id)")
      }
      if let given = group.keys { try expect(given, own, "keys in group \(index) of \(request)") }
      // A group with keys may begin inside a run of equal sort values, so that bounds do not separate it.
      let next = outline.dropFirst(index + 1).first
      guard group.keys == nil, next?.keys == nil else { continue }
      let range = ResultsKeyRange(lower: group.bound, upper: next?.bound)
      try compareKeys(snapshot, request, range, own)
    }
    let all = ResultsKeyRange(lower: nil, upper: nil)
    try compareKeys(snapshot, request, all, keys)
    guard let middle = keys.dropFirst(keys.count / 2).first else { return }
    for length in 1...request.sortKeys.count {
      let bound = Array(middle.values.prefix(length))
      try compareKeys(
        snapshot, request, ResultsKeyRange(lower: bound, upper: nil),
        keys.filter { request.compare($0.values, bound) >= 0 })
      try compareKeys(
        snapshot, request, ResultsKeyRange(lower: nil, upper: bound),
        keys.filter { request.compare($0.values, bound) < 0 })
    }
  }

  private func compareKeys(
    _ snapshot: any ResultsSnapshot<Row>, _ request: ResultsRequest<Row>, _ range: ResultsKeyRange,
    _ expected: [ResultsKey<Row.ID>]
  ) throws {
    try expect(
      try snapshot.keys(of: request, in: range), expected, "keys of \(request) in \(range)")
    try expect(
      try snapshot.count(of: request, in: range), expected.count, "count of \(request) in \(range)")
    guard snapshot.excerptSize != nil,
      let excerpt = try snapshot.keys(of: request, in: range, limit: 3)
    else { return }
    try expect(excerpt, Array(expected.prefix(3)), "first keys of \(request) in \(range)")
  }

  private func compareRows(
    _ snapshot: any ResultsSnapshot<Row>, _ request: ResultsRequest<Row>, _ ids: [Row.ID],
    _ model: Model
  ) throws {
    var asked: Set<Row.ID.Exact> = []
    let ids = ids.filter { asked.insert($0.exact).inserted }
    let rows = try snapshot.rows(of: request, ids: ids)
    try expect(
      rows.sorted { $0.id.exact < $1.id.exact },
      ids.compactMap { model.row($0.exact, in: request) }.sorted { $0.id.exact < $1.id.exact },
      "rows of \(request) with the identities \(ids)")
  }

  private func compareValues(
    _ snapshot: any ResultsSnapshot<Row>, _ request: ResultsRequest<Row>, _ rows: [Row]
  ) throws {
    guard let counts = try snapshot.valueCounts(of: request) else { return }
    func key(_ section: String, _ field: Int, _ value: SortValue) -> [SortValue] {
      [.text(section), .integer(Int64(field)), value]
    }
    var answer: [[SortValue]: Int] = [:]
    for count in counts {
      answer[key(count.section, count.field, count.value), default: 0] += count.count
    }
    var expected: [[SortValue]: Int] = [:]
    for row in rows {
      let section = request.key(of: row).section
      for (index, field) in request.aggregatedFields.enumerated() {
        expected[key(section, index, row.sortValue(for: field)), default: 0] += 1
      }
    }
    try expect(answer, expected, "counted values of \(request)")
  }

  /// The net effect of the commits since a stamp.
  private func compareLog(
    _ snapshot: any ResultsSnapshot<Row>, _ request: ResultsRequest<Row>, _ stamp: StoreStamp,
    _ expected: [Row.ID.Exact: [Row?]]
  ) throws {
    var images: [Row.ID.Exact: [Row?]] = [:]
    var last = stamp
    for commit in try snapshot.commits(after: stamp, for: request) {
      guard commit.stamp > last else {
        throw Wrong("the commits of \(request) are not in order: \(commit.stamp.sequence)")
      }
      last = commit.stamp
      var written: Set<Row.ID.Exact> = []
      for change in commit.changes {
        let id = change.id.exact
        guard written.insert(id).inserted else {
          throw Wrong("a commit of \(request) lists \(id) twice")
        }
        if let known = images[id] {
          try expect(change.before, known[1], "the row \(id) before commit \(last.sequence)")
          images[id] = [known[0], change.after]
        } else {
          images[id] = [change.before, change.after]
        }
      }
    }
    try expect(
      images.filter { $0.value[0] != $0.value[1] }, expected,
      "the changes of \(request) after \(stamp.sequence)")
  }
}

// MARK: - Following

extension StoreConformance {
  /// A controller that follows the store, with the list that its changes lead to.
  fileprivate final class Follower {
    private let controller: ResultsController<Row>
    private let token: ResultsObservation
    private let list: Box

    private final class Box {
      var array: SectionedArray<Row>?
      var failure: (any Error)?
    }

    init(_ request: ResultsRequest<Row>, _ store: any ResultsStore<Row>) throws {
      controller = try ResultsController(request: request, store: store)
      let list = Box()
      self.list = list
      token = try controller.observe { change in
        do {
          try list.array?.apply(change)
        } catch {
          list.failure = error
        }
      }
      list.array = try SectionedArray(controller)
    }

    func compare(with model: Model) throws {
      controller.processPendingChanges()
      if let failure = list.failure { throw Wrong("a change of \(controller.request): \(failure)") }
      let request = controller.request
      let rows = model.sorted(request).dropFirst(request.offset).prefix(request.limit ?? .max)
      try expect(
        list.array?.sections.flatMap(\.rows) ?? [], Array(rows), "the list that follows \(request)")
    }
  }
}
