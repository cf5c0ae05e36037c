// SPDX-License-Identifier: MIT

import GRDB
import SectionedResults

/// A sort key in SQL, as far as ranges need it.
package protocol RangeKey {
  /// The value, as SQLite compares it.
  var expression: String { get }
  /// Whether rows with larger values come first.
  var isDescending: Bool { get }
  /// Whether the value may be `NULL`.
  var isNullable: Bool { get }
  /// Whether the expression is a column that is compared as it is, so that several such keys can be
  /// compared at once, as a row.
  var isColumn: Bool { get }

  /// A sort value as the expression has it.
  func stored(_ value: SortValue) -> DatabaseValue

  /// The condition that the key compares so with a value other than `NULL`.
  ///
  /// - Parameter sign: `=`, `<`, `<=`, `>` or `>=`.
  func condition(_ sign: String, _ value: SortValue) -> RangePart
}

extension RangeKey {
  /// By default, keys are compared one by one.
  package var isColumn: Bool { false }

  /// By default, the value itself.
  package func stored(_ value: SortValue) -> DatabaseValue { value.stored }

  /// By default, the condition on the expression itself.
  package func condition(_ sign: String, _ value: SortValue) -> RangePart {
    RangePart(conditions: ["\(expression) \(sign) ?"], arguments: [stored(value)])
  }

  /// The term of `ORDER BY`.
  package var term: String { isDescending ? "\(expression) DESC" : expression }
}

/// Conditions that all hold, with their arguments.
package struct RangePart: Equatable {
  package var conditions: [String]
  package var arguments: [DatabaseValue]

  package init(conditions: [String] = [], arguments: [DatabaseValue] = []) {
    self.conditions = conditions
    self.arguments = arguments
  }

  package mutating func add(_ condition: String) { conditions.append(condition) }

  package mutating func add(_ other: RangePart) {
    conditions += other.conditions
    arguments += other.arguments
  }

  func adding(_ condition: String) -> RangePart { adding(RangePart(conditions: [condition])) }

  func adding(_ other: RangePart) -> RangePart {
    var part = self
    part.add(other)
    return part
  }
}

/// A range of an order as disjoint parts that follow each other.
///
/// Each part fixes some keys and compares one further key with constants, so that it is one seek in
/// an index, also with mixed directions and with `NULL`. A comparison of several columns at once
/// would be tested for each row of a longer range.
package enum RangeParts {
  /// The parts of a range, in order.
  ///
  /// - Parameters:
  ///   - fixed: the number of leading lower values that all rows must have.
  ///   - isAfter: whether rows that are equal to the lower bound are excluded.
  package static func parts<Key: RangeKey>(
    lower: [SortValue]?, upper: [SortValue]?, _ keys: [Key], fixed: Int = 0,
    isAfter: Bool = false
  ) -> [RangePart] {
    let lower = Array((lower ?? []).prefix(keys.count))
    let end = upper.map { Array($0.prefix(keys.count)) }
    let upper = end ?? []
    // 1. The keys that both bounds share are fixed.
    var common = RangePart()
    var shared = 0
    while shared < lower.count,
      shared < fixed || (shared < upper.count && lower[shared] == upper[shared])
    {
      common = equal(common, keys[shared], lower[shared])
      shared += 1
    }
    if end != nil, shared >= upper.count { return [] }
    if shared < lower.count, shared < upper.count,
      (lower[shared] > upper[shared]) != keys[shared].isDescending
    {
      return []
    }
    // 2. The rest of the lower bound, the longest common prefix with it first.
    var parts: [RangePart] = []
    var prefixes = [common]
    for index in shared..<max(shared, lower.count) {
      prefixes.append(equal(prefixes[index - shared], keys[index], lower[index]))
    }
    if isAfter, lower.count == keys.count, shared == lower.count { return [] }
    for index in stride(from: lower.count - 1, to: shared, by: -1) {
      let isLast = index == lower.count - 1
      parts += interval(
        prefixes[index - shared], keys[index],
        from: Bound(value: lower[index], isInclusive: isLast && !isAfter), to: nil)
    }
    // 3. The rows between.
    if shared < max(lower.count, upper.count) {
      let isLast = shared == lower.count - 1
      parts += interval(
        common, keys[shared],
        from: shared < lower.count
          ? Bound(value: lower[shared], isInclusive: isLast && !isAfter) : nil,
        to: shared < upper.count ? Bound(value: upper[shared], isInclusive: false) : nil)
    } else {
      parts.append(common)
    }
    // 4. The rest of the upper bound, the shortest common prefix with it first.
    var prefix = common
    for index in (shared + 1)..<max(shared + 1, upper.count) {
      prefix = equal(prefix, keys[index - 1], upper[index - 1])
      parts += interval(
        prefix, keys[index], from: nil, to: Bound(value: upper[index], isInclusive: false))
    }
    return parts
  }

  /// The statements that read a range: one where each bound can be compared as a row of columns, which
  /// is tested for each row of the range, else one for each part.
  package static func reading<Key: RangeKey>(
    _ range: ResultsKeyRange, _ keys: [Key]
  ) -> [RangePart] {
    whole(range, keys) ?? parts(lower: range.lower, upper: range.upper, keys)
  }

  /// - Returns: `nil` if the bounds cannot be compared as rows of columns.
  private static func whole<Key: RangeKey>(
    _ range: ResultsKeyRange, _ keys: [Key]
  ) -> [RangePart]? {
    let lower = Array((range.lower ?? []).prefix(keys.count))
    let upper = Array((range.upper ?? []).prefix(keys.count))
    guard keys.prefix(max(lower.count, upper.count)).allSatisfy({ $0.isColumn && !$0.isNullable })
    else { return nil }
    var shared = 0
    while shared < min(lower.count, upper.count), lower[shared] == upper[shared] { shared += 1 }
    if range.upper != nil, shared == upper.count { return [] }
    var part = RangePart()
    for (key, value) in zip(keys[..<shared], lower) { part.add(key.condition("=", value)) }
    for (bound, isUpper) in [(lower, false), (upper, true)] where bound.count > shared {
      let used = Array(zip(keys, bound).dropFirst(shared))
      let isDescending = used[0].0.isDescending
      guard used.allSatisfy({ $0.0.isDescending == isDescending && !$0.1.isNull }) else {
        return nil
      }
      let sign = (isDescending == isUpper ? ">" : "<") + (isUpper ? "" : "=")
      if used.count == 1 {
        part.add(used[0].0.condition(sign, used[0].1))
        continue
      }
      let columns = used.map(\.0.expression).joined(separator: ", ")
      let marks = Array(repeating: "?", count: used.count).joined(separator: ", ")
      part.add("(\(columns)) \(sign) (\(marks))")
      part.arguments += used.map { $0.stored($1) }
    }
    return [part]
  }

  private struct Bound {
    let value: SortValue
    let isInclusive: Bool
  }

  private static func equal(
    _ part: RangePart, _ key: some RangeKey, _ value: SortValue
  ) -> RangePart {
    value.isNull
      ? part.adding("\(key.expression) IS NULL") : part.adding(key.condition("=", value))
  }

  /// The rows with one key between two bounds in the key's direction: `NULL` and other values apart.
  private static func interval(
    _ prefix: RangePart, _ key: some RangeKey, from: Bound?, to: Bound?
  ) -> [RangePart] {
    let (low, high) = key.isDescending ? (to, from) : (from, to)
    let startsWithNulls = low.map { $0.value.isNull && $0.isInclusive } ?? true
    let endsAfterNulls = high.map { !$0.value.isNull || $0.isInclusive } ?? true
    let hasNulls = key.isNullable && startsWithNulls && endsAfterNulls
    var values = prefix
    var isLimited = false
    if let low, !low.value.isNull {
      values.add(key.condition(low.isInclusive ? ">=" : ">", low.value))
      isLimited = true
    }
    if let high, !high.value.isNull {
      values.add(key.condition(high.isInclusive ? "<=" : "<", high.value))
      isLimited = true
    }
    let nulls = prefix.adding("\(key.expression) IS NULL")
    if high?.value.isNull == true { return hasNulls ? [nulls] : [] }
    if !isLimited {
      return hasNulls || !key.isNullable
        ? [prefix] : [prefix.adding("\(key.expression) IS NOT NULL")]
    }
    guard hasNulls else { return [values] }
    return key.isDescending ? [values, nulls] : [nulls, values]
  }
}
