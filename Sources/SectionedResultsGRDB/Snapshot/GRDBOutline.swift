// SPDX-License-Identifier: MIT

import GRDB
import SectionedResults
import SectionedResultsSQL

// The outline of a request: with an index, counts of groups found by jumps; without one, one pass
// over all keys.

extension GRDBSnapshot {
  /// The number of rows in a group.
  private static var groupSize: Int { 512 }
  /// A section up to this length is one group if only the sections have an index.
  private static var longestGroup: Int { 4_096 }

  func outline(of request: ResultsRequest<Record>) throws -> [Group] {
    let reader = try reader(request)
    let sql = reader.list
    // Each jump would search again.
    if sql.searches {
      let groups = try scannedGroups(reader, request)
      plan.note(groups.reduce(0) { $0 + $1.count }, of: sql.filter)
      return groups
    }
    let isOrdered = try plan.isOrdered(sql, keys: sql.keys.count, db)
    guard sql.section != nil else {
      guard isOrdered else { return try scannedGroups(reader, request) }
      return try reader.groups(total: try reader.count(in: .everything), size: Self.groupSize)
    }
    guard sql.isOrderedBySection, try isOrdered || plan.isOrdered(sql, keys: 1, db) else {
      return try scannedGroups(reader, request)
    }
    let sections = try reader.counts()
    guard isOrdered || sections.allSatisfy({ $0.count <= Self.longestGroup }) else {
      return try scannedGroups(reader, request)
    }
    return try sections.flatMap { value, count in
      isOrdered
        ? try reader.groups(
          of: [value], section: value.sectionKey, total: count, size: Self.groupSize)
        : [Group(section: value.sectionKey, bound: [value], count: count)]
    }
  }

  private func scannedGroups(
    _ reader: SQLListReader<RequestSQL<Record>>, _ request: ResultsRequest<Record>
  ) throws -> [Group] {
    var grouping = KeyGrouping(request, size: Self.groupSize, keeping: .few)
    try reader.forEachKey { grouping.add($0) }
    return grouping.groups
  }
}
