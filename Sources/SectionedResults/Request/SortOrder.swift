// SPDX-License-Identifier: MIT

/// The directions of a request's sort keys.
///
/// Not generic over the row: in a program that uses the library, generic code looks up the types of the
/// row at run time, with each call, which costs more than a comparison.
struct SortOrder: Equatable, Sendable {
  private let isDescending: [Bool]

  init<Field>(_ sortKeys: [SortKey<Field>]) {
    isDescending = sortKeys.map { $0.order == .descending }
  }

  /// Compares two lists of sort values, up to the length of the shorter one.
  ///
  /// - Returns: a negative number, zero or a positive number if `lhs` is before, equal to or after
  ///   `rhs`.
  func compare(_ lhs: [SortValue], _ rhs: [SortValue]) -> Int {
    for index in 0..<min(lhs.count, rhs.count, isDescending.count) {
      let ascending = lhs[index].order(rhs[index])
      if ascending != 0 { return isDescending[index] ? -ascending : ascending }
    }
    return 0
  }

  /// The places of some lists of sort values in the order, first to last.
  ///
  /// - Parameter isBefore: decides between two places with equal values.
  func sortedPlaces(
    of values: [[SortValue]], _ isBefore: (Int, Int) -> Bool
  ) -> [Int] {
    values.indices.sorted { left, right in
      let order = compare(values[left], values[right])
      return order == 0 ? isBefore(left, right) : order < 0
    }
  }
}
