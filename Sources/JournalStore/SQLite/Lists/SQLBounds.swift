import GRDB
import Journal
import SectionedResults

/// The condition that a row is in a range of an order, in a form that can use an index.
struct SQLBounds {
  private(set) var conditions: [String] = []
  private(set) var arguments: [any DatabaseValueConvertible] = []

  init(_ range: ResultsKeyRange, _ keys: [SQLSortKey]) {
    let lower = Array((range.lower ?? []).prefix(keys.count))
    let upper = Array((range.upper ?? []).prefix(keys.count))
    var shared = 0
    while shared < lower.count, shared < upper.count, lower[shared] == upper[shared] {
      compare(keys[shared], "=", lower[shared])
      shared += 1
    }
    let rest = Array(keys.dropFirst(shared))
    // Equal bounds enclose nothing; if one is a prefix of the other, the longer one decides.
    if range.upper != nil, shared == upper.count { conditions.append("0") }
    bound(Array(lower.dropFirst(shared)), rest, isUpper: false)
    bound(Array(upper.dropFirst(shared)), rest, isUpper: true)
  }

  /// The parts of a range, each with all values but the last fixed and one simple comparison.
  ///
  /// Together they are the range, and they are disjoint. SQLite tests a comparison of several
  /// columns for each row, even if an index already decides it; that makes counting several times
  /// slower.
  static func parts(of range: ResultsKeyRange, _ keys: [SQLSortKey]) -> [SQLBounds] {
    let lower = Array((range.lower ?? []).prefix(keys.count))
    let upper = Array((range.upper ?? []).prefix(keys.count))
    var middle = SQLBounds(ResultsKeyRange(lower: nil, upper: nil), keys)
    var shared = 0
    while shared < lower.count, shared < upper.count, lower[shared] == upper[shared] {
      middle.compare(keys[shared], "=", lower[shared])
      shared += 1
    }
    if range.upper != nil, shared == upper.count { return [] }
    let rest = Array(keys.dropFirst(shared))
    let (from, to) = (Array(lower.dropFirst(shared)), Array(upper.dropFirst(shared)))
    let edges = middle.edges(from, rest, isUpper: false) + middle.edges(to, rest, isUpper: true)
    if let value = from.first {
      let sign = sign(rest[0], isUpper: false, orEqual: from.count == 1)
      middle.compare(rest[0], sign, value)
    }
    if let value = to.first {
      middle.compare(rest[0], sign(rest[0], isUpper: true, orEqual: false), value)
    }
    return edges + [middle]
  }

  /// The parts whose rows begin with the first of some values, within a bound of all of them.
  private func edges(_ values: [SortValue], _ keys: [SQLSortKey], isUpper: Bool) -> [SQLBounds] {
    var edges: [SQLBounds] = []
    var prefix = self
    for (index, value) in values.enumerated() {
      if index > 0 {
        let isLast = index == values.count - 1
        let sign = SQLBounds.sign(keys[index], isUpper: isUpper, orEqual: isLast && !isUpper)
        var edge = prefix
        edge.compare(keys[index], sign, value)
        edges.append(edge)
      }
      prefix.compare(keys[index], "=", value)
    }
    return edges
  }

  private mutating func bound(_ values: [SortValue], _ keys: [SQLSortKey], isUpper: Bool) {
    guard let first = values.first else { return }
    if values.count == 1 {
      compare(keys[0], SQLBounds.sign(keys[0], isUpper: isUpper, orEqual: !isUpper), first)
      return
    }
    let used = Array(keys.prefix(values.count))
    if used.allSatisfy({ $0.isColumn && $0.order == used[0].order }) {
      rowValue(values, used, isUpper: isUpper)
    } else {
      compare(keys[0], SQLBounds.sign(keys[0], isUpper: isUpper, orEqual: true), first)
      expanded(values, used, isUpper: isUpper)
    }
  }

  private mutating func rowValue(_ values: [SortValue], _ keys: [SQLSortKey], isUpper: Bool) {
    let sign = SQLBounds.sign(keys[0], isUpper: isUpper, orEqual: !isUpper)
    let marks = Array(repeating: "?", count: keys.count).joined(separator: ", ")
    conditions.append(
      "(\(keys.map(\.expression).joined(separator: ", "))) \(sign) (\(marks))")
    arguments += zip(keys, values).map { $0.stored($1) }
  }

  private mutating func expanded(_ values: [SortValue], _ keys: [SQLSortKey], isUpper: Bool) {
    var alternatives: [String] = []
    for last in keys.indices {
      let isFinal = last == keys.count - 1
      var terms = keys[..<last].map { "\($0.expression) = ?" }
      let sign = SQLBounds.sign(keys[last], isUpper: isUpper, orEqual: isFinal && !isUpper)
      terms.append("\(keys[last].expression) \(sign) ?")
      alternatives.append(terms.joined(separator: " AND "))
      arguments += zip(keys, values).prefix(last + 1).map { $0.stored($1) }
    }
    conditions.append("(" + alternatives.map { "(\($0))" }.joined(separator: " OR ") + ")")
  }

  /// Compares one key; a period is compared by its days, which have an index.
  private mutating func compare(_ key: SQLSortKey, _ sign: String, _ value: SortValue) {
    guard key.isPeriod, let days = key.days(of: value) else {
      conditions.append("\(key.expression) \(sign) ?")
      arguments.append(key.stored(value))
      return
    }
    let day = key.dayExpression
    switch sign {
    case "=":
      conditions.append("\(day) BETWEEN ? AND ?")
      arguments += [days.lowerBound.description, days.upperBound.description]
    case "<", ">=": add("\(day) \(sign) ?", days.lowerBound)
    default: add("\(day) \(sign) ?", days.upperBound)
    }
  }

  private mutating func add(_ condition: String, _ day: Day) {
    conditions.append(condition)
    arguments.append(day.description)
  }

  /// The operator for rows after a lower bound, or before an upper one.
  private static func sign(_ key: SQLSortKey, isUpper: Bool, orEqual: Bool) -> String {
    let isGreater = (key.order == .ascending) != isUpper
    return (isGreater ? ">" : "<") + (orEqual ? "=" : "")
  }
}
