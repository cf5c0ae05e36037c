// SPDX-License-Identifier: MIT

// Dividing a long group when one of its rows is first needed, if the store can.

extension ResultsTree {
  /// The leaf of a section for a key, after it was divided.
  mutating func dividedLeaf(
    of key: Key, in section: Int, with reader: ResultsReader<Row>
  ) throws -> Int {
    let leaf = leafIndex(of: key, in: section)
    return try divide(leaf: leaf, of: section, with: reader)
      ? leafIndex(of: key, in: section) : leaf
  }

  /// Whether the bounds of two groups separate them; one may be a prefix of the other.
  private func areInOrder(_ left: OutlineGroup<ID>, _ right: OutlineGroup<ID>) -> Bool {
    let order = request.compare(left.bound, right.bound)
    return order < 0 || order == 0 && left.bound.count != right.bound.count
  }

  /// Divides the leaves of a section, for one who reads all of it leaf by leaf.
  mutating func divideLeaves(of section: Int, with reader: ResultsReader<Row>) throws {
    for leaf in (0..<sections[section].leaves.count).reversed() {
      _ = try divide(leaf: leaf, of: section, with: reader)
    }
  }

  /// Divides an unloaded leaf into the groups of the store.
  ///
  /// - Returns: whether it was divided; the rows before and after it keep their leaves.
  mutating func divide(
    leaf: Int, of section: Int, with reader: ResultsReader<Row>
  ) throws -> Bool {
    let whole = sections[section].leaves[leaf]
    guard whole.keys == nil, whole.count > 1,
      let groups = try reader.outline(in: whole.range, count: whole.count), groups.count > 1
    else { return false }
    let name = sections[section].key
    guard groups.allSatisfy({ $0.section.hasBytes(of: name) && $0.count > 0 }),
      groups.reduce(0, { $0 + $1.count }) == whole.count,
      groups.indices.dropFirst().allSatisfy({ areInOrder(groups[$0 - 1], groups[$0]) })
    else {
      throw ResultsError.inconsistentStore(
        "the parts of a group of section \(name) are not the \(whole.count) rows that were counted")
    }
    let parts = groups.indices.map { index in
      let isFirst = index == groups.startIndex
      let upper = index + 1 < groups.count ? groups[index + 1].bound : whole.range.upper
      return Leaf(
        bound: isFirst
          ? whole.bound : Bound(values: groups[index].bound, id: groups[index].keys?.first?.id),
        count: groups[index].count, keys: groups[index].keys,
        range: ResultsKeyRange(
          lower: isFirst ? whole.range.lower : groups[index].bound, upper: upper))
    }
    sections[section].leaves.replace(at: leaf, with: parts)
    return true
  }
}
