import GRDB
import Journal
import SectionedResults
import SectionedResultsGRDB

/// The condition that a row is in a range of an order, as one statement that can use an index.
///
/// For a statement for each part see ``RangeParts``.
struct SQLBounds {
  private(set) var conditions: [String] = []
  private(set) var arguments: [DatabaseValue] = []

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
    arguments += zip(keys, values).map { $0.stored($1).databaseValue }
  }

  private mutating func expanded(_ values: [SortValue], _ keys: [SQLSortKey], isUpper: Bool) {
    var alternatives: [String] = []
    for last in keys.indices {
      let isFinal = last == keys.count - 1
      var terms = keys[..<last].map { "\($0.expression) = ?" }
      let sign = SQLBounds.sign(keys[last], isUpper: isUpper, orEqual: isFinal && !isUpper)
      terms.append("\(keys[last].expression) \(sign) ?")
      alternatives.append(terms.joined(separator: " AND "))
      arguments += zip(keys, values).prefix(last + 1).map { $0.stored($1).databaseValue }
    }
    conditions.append("(" + alternatives.map { "(\($0))" }.joined(separator: " OR ") + ")")
  }

  private mutating func compare(_ key: SQLSortKey, _ sign: String, _ value: SortValue) {
    let part = key.condition(sign, value)
    conditions += part.conditions
    arguments += part.arguments
  }

  /// The operator for rows after a lower bound, or before an upper one.
  private static func sign(_ key: SQLSortKey, isUpper: Bool, orEqual: Bool) -> String {
    let isGreater = key.isDescending == isUpper
    return (isGreater ? ">" : "<") + (orEqual ? "=" : "")
  }
}
