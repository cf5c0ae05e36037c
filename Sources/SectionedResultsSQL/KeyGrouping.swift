// SPDX-License-Identifier: MIT

import SectionedResults

/// Groups of the keys of a list, given one after the other in order.
package struct KeyGrouping<ID: ResultsID> {
  /// Which groups have their keys, so that nobody reads them again.
  package enum Keeping {
    /// All.
    case all
    /// All of a list of few rows; of a longer one those that begin or end inside a run of equal sort
    /// values, since their bounds could not separate them.
    case few
    /// None: no two rows have equal sort values.
    case none
  }

  /// The groups so far.
  package private(set) var groups: [OutlineGroup<ID>] = []
  private let keeping: Keeping
  private let size: Int
  /// Whether a group is all rows with one first sort value, such as a day.
  private let isByFirstValue: Bool
  /// Whether sort values are equal in the list's order.
  private let areEqual: ([SortValue], [SortValue]) -> Bool
  private var total = 0
  private var last: ResultsKey<ID>?
  /// Whether the newest group needs its keys.
  private var isBoundUnclear = false

  /// - Parameters:
  ///   - size: the number of rows of a group, unless it ends inside a run.
  ///   - isByFirstValue: whether a group has all rows with one first sort value instead.
  ///   - request: compares sort values.
  package init<Row>(
    _ request: ResultsRequest<Row>, size: Int, isByFirstValue: Bool = false, keeping: Keeping
  ) where Row: ResultsRow, Row.ID == ID {
    self.keeping = keeping
    self.size = size
    self.isByFirstValue = isByFirstValue
    areEqual = { request.compare($0, $1) == 0 }
  }

  /// The number of rows of a list of few rows.
  private static var fewKeys: Int { 10_000 }

  /// Takes the next key.
  package mutating func add(_ key: ResultsKey<ID>) {
    total += 1
    if keeping == .few, total == Self.fewKeys { forgetClearKeys() }
    let isRun = keeping == .few && last.map { areEqual($0.values, key.values) } ?? false
    if keeping == .few { last = key }
    let end = groups.count - 1
    if end >= 0, SortValue.text(groups[end].section) == .text(key.section),
      isByFirstValue
        ? groups[end].bound.first == key.values.first : groups[end].count < size || isRun
    {
      groups[end].count += 1
      groups[end].keys?.append(key)
      return
    }
    if keeping == .few, end >= 0, total >= Self.fewKeys, !isRun, !isBoundUnclear {
      groups[end].keys = nil
    }
    isBoundUnclear = isRun
    groups.append(
      OutlineGroup(
        section: key.section, bound: isByFirstValue ? Array(key.values.prefix(1)) : key.values,
        count: 1, keys: keeping == .none ? nil : [key]))
  }

  /// Counts all further keys to the last group.
  ///
  /// - Parameter total: the number of keys in all groups.
  package mutating func fillLast(upTo total: Int) {
    guard !groups.isEmpty else { return }
    groups[groups.count - 1].count = total - groups.dropLast().reduce(0) { $0 + $1.count }
  }

  /// Unclear groups are so rare that keeping all of the first ones' keys costs less than marks.
  private mutating func forgetClearKeys() {
    for index in groups.indices.dropLast() where isClear(index) { groups[index].keys = nil }
  }

  /// Whether the bounds of a group separate it from its neighbours.
  private func isClear(_ index: Int) -> Bool {
    func areApart(_ left: Int, _ right: Int) -> Bool {
      guard groups.indices.contains(left), let end = groups[left].keys?.last else { return true }
      return !areEqual(end.values, groups[right].bound)
    }
    return areApart(index - 1, index)
      && (index + 1 == groups.count || areApart(index, index + 1))
  }
}
