// SPDX-License-Identifier: MIT

import SectionedResults

/// A wrong answer, before it is known which transaction showed it.
struct Wrong: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Compares an answer with the expected one.
///
/// - Throws: ``Wrong``.
func expect<Value: Equatable>(
  _ answer: Value, _ expected: Value, _ question: @autoclosure () -> String
) throws {
  guard answer != expected else { return }
  throw Wrong("\(question())\n  answer:   \(answer)\n  expected: \(expected)")
}

/// Steele, Lea and Flood's generator: any seed gives a good sequence.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension StoreConformance {
  /// Compares all answers of a store with a model, and its log with earlier states of the model.
  ///
  /// - Returns: the stamp of the state compared.
  /// - Throws: ``Wrong``, or the error of the store.
  func compare(
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
      try compareParts(snapshot, request, range, own)
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

  /// The groups into which a group is divided, and the keys between their bounds.
  private func compareParts(
    _ snapshot: any ResultsSnapshot<Row>, _ request: ResultsRequest<Row>, _ range: ResultsKeyRange,
    _ keys: [ResultsKey<Row.ID>]
  ) throws {
    guard let parts = try snapshot.outline(of: request, in: range, count: keys.count) else {
      return
    }
    try expect(parts.map(\.count).reduce(0, +), keys.count, "rows in the parts of \(range)")
    var rest = keys[...]
    for (index, part) in parts.enumerated() {
      let own = Array(rest.prefix(part.count))
      rest = rest.dropFirst(part.count)
      if let given = part.keys { try expect(given, own, "keys in part \(index) of \(range)") }
      let next = parts.dropFirst(index + 1).first?.bound ?? range.upper
      let lower = index == 0 ? range.lower : part.bound
      try compareKeys(snapshot, request, ResultsKeyRange(lower: lower, upper: next), own)
      for key in own {
        try expect(Array(part.section.utf8), Array(key.section.utf8), "section of \(key.id)")
      }
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
