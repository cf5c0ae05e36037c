// SPDX-License-Identifier: MIT

/// A condition that every row of a filter meets: a field whose value is in a range.
///
/// A row type that returns the interests of its filters (``ResultsRow/interest(of:)``) lets thousands
/// of controllers be open at once: a commit is looked up in an index of their interests, and costs
/// only those whose rows it may have changed.
public struct ResultsInterest<Row: ResultsRow>: Equatable, Sendable {
  /// The field.
  public var field: Row.SortField
  /// The range of its values; both ends are included.
  public var values: ClosedRange<SortValue>

  /// Makes an interest in a range of values.
  public init(_ field: Row.SortField, in values: ClosedRange<SortValue>) {
    self.field = field
    self.values = values
  }

  /// Makes an interest in one value.
  public init(_ field: Row.SortField, _ value: SortValue) {
    self.init(field, in: value...value)
  }
}

extension ResultsInterest where Row.SortField == ResultsField<Row> {
  /// Makes an interest in one value of a property.
  public init<Value: SortValueConvertible & SendableMetatype>(
    _ property: any KeyPath<Row, Value> & Sendable, _ value: Value
  ) {
    self.init(ResultsField(property), value.sortValue)
  }

  /// Makes an interest in a range of a property's values.
  public init<Value: SortValueConvertible & SendableMetatype & Comparable>(
    _ property: any KeyPath<Row, Value> & Sendable, in values: ClosedRange<Value>
  ) {
    self.init(
      ResultsField(property), in: values.lowerBound.sortValue...values.upperBound.sortValue)
  }
}

extension ResultsRequest {
  /// The interest of the request's filter; `nil` if any row may match.
  var interest: ResultsInterest<Row>? { filter.flatMap(Row.interest(of:)) }
}

/// The interests of many members, by number: which of them a row may concern.
struct InterestIndex<Row: ResultsRow> {
  /// Looking up costs about as much as asking this many members.
  private static var fewMembers: Int { 8 }

  /// The members without an interest, which every row concerns.
  private var others: Set<Int> = []
  private var interests: [Int: ResultsInterest<Row>] = [:]
  /// Members that are not in the ranges yet.
  private var recent: Set<Int> = []
  private var fields: [(field: Row.SortField, ranges: RangeIndex)] = []
  /// The number of ranges of members that have gone.
  private var gone = 0

  /// Whether looking up is faster than asking every member.
  var isWorthwhile: Bool { interests.count > Self.fewMembers }

  /// Adds a member, or replaces its interest.
  mutating func set(_ interest: ResultsInterest<Row>?, of member: Int) {
    guard interests[member] != interest || interest == nil else { return }
    remove(member)
    guard let interest else {
      others.insert(member)
      return
    }
    interests[member] = interest
    recent.insert(member)
  }

  mutating func remove(_ member: Int) {
    others.remove(member)
    guard interests.removeValue(forKey: member) != nil else { return }
    if recent.remove(member) == nil { gone += 1 }
  }

  /// The members that rows may concern; O(rows · (log members + members concerned)).
  mutating func members(concernedBy rows: some Sequence<Row>) -> Set<Int> {
    if recent.count + gone > Self.fewMembers + interests.count / 16 { rebuild() }
    var result = others
    for row in rows {
      for (field, ranges) in fields {
        let value = row.sortValue(for: field)
        ranges.forEach(containing: value) { member in
          // A range may be older than the member's interest.
          if interests[member]?.contains(row) == true { result.insert(member) }
        }
      }
      for member in recent where interests[member]?.contains(row) == true { result.insert(member) }
    }
    return result
  }

  private mutating func rebuild() {
    var ranges: [(field: Row.SortField, ranges: [RangeIndex.Range])] = []
    for (member, interest) in interests {
      let range = RangeIndex.Range(values: interest.values, member: member)
      if let place = ranges.firstIndex(where: { $0.field == interest.field }) {
        ranges[place].ranges.append(range)
      } else {
        ranges.append((interest.field, [range]))
      }
    }
    fields = ranges.map { ($0.field, RangeIndex($0.ranges)) }
    recent = []
    gone = 0
  }
}

extension ResultsInterest {
  fileprivate func contains(_ row: Row) -> Bool { values.contains(row.sortValue(for: field)) }
}

/// Ranges sorted by their lower ends, as a balanced tree in an array: the root of a part is its middle.
struct RangeIndex {
  /// The range of a member.
  struct Range {
    let values: ClosedRange<SortValue>
    let member: Int
  }

  private let ranges: [Range]
  /// The greatest upper end of each part, at the place of its root.
  private var greatest: [SortValue]

  init(_ ranges: [Range]) {
    self.ranges = ranges.sorted { $0.values.lowerBound < $1.values.lowerBound }
    greatest = self.ranges.map { $0.values.upperBound }
    _ = measure(0..<greatest.count)
  }

  private mutating func measure(_ part: Swift.Range<Int>) -> SortValue? {
    guard !part.isEmpty else { return nil }
    let root = (part.lowerBound + part.upperBound) / 2
    for inner in [part.lowerBound..<root, root + 1..<part.upperBound] {
      if let upper = measure(inner) { greatest[root] = max(greatest[root], upper) }
    }
    return greatest[root]
  }

  /// Calls `body` with the member of each range that contains a value; O(log n + members).
  func forEach(containing value: SortValue, _ body: (Int) -> Void) {
    forEach(containing: value, in: 0..<ranges.count, body)
  }

  private func forEach(
    containing value: SortValue, in part: Swift.Range<Int>, _ body: (Int) -> Void
  ) {
    guard !part.isEmpty else { return }
    let root = (part.lowerBound + part.upperBound) / 2
    guard greatest[root] >= value else { return }
    forEach(containing: value, in: part.lowerBound..<root, body)
    let range = ranges[root]
    guard range.values.lowerBound <= value else { return }
    if range.values.upperBound >= value { body(range.member) }
    forEach(containing: value, in: root + 1..<part.upperBound, body)
  }
}
