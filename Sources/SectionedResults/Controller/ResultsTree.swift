// SPDX-License-Identifier: MIT

/// The order of all rows of a request, in groups whose keys are read when first needed.
///
/// Sections are ordered, and each has leaves: runs of adjacent rows with a count, a bound at which
/// they start, and their keys once they are loaded. Counts are enough to draw a scroll bar over a
/// million rows; a written row loads only the leaves that it leaves and enters.
///
/// An unloaded leaf equals the store's contents of the leaf's `range`: every change to it loads it
/// first.
struct ResultsTree<Row: ResultsRow> {
  typealias ID = Row.ID
  typealias Key = ResultsKey<ID>

  /// The start of a leaf or section: sort values or a prefix of them, with an `id` if there are
  /// ties.
  struct Bound {
    var values: [SortValue]
    var id: ID?
  }

  /// A run of adjacent rows.
  struct Leaf: Weighted {
    var bound: Bound
    var count: Int
    /// The keys in order; `nil` until loaded.
    var keys: [Key]?
    /// The range of an unloaded leaf's keys in the store.
    var range: ResultsKeyRange
    var weight: Int { count }
  }

  /// A section with at least one leaf, or the only section of a request without sections.
  struct Section: Weighted {
    let key: String
    var leaves: ChunkedArray<Leaf>
    var count: Int
    // Not `first`: it calls the collection's witnesses at every step of every search.
    var bound: Bound? { leaves.count == 0 ? nil : leaves[0].bound }
    var weight: Int { count }
  }

  /// The position of a key in the tree.
  struct Position {
    var section: Int
    var leaf: Int
    var index: Int

    /// Whether it comes before another position.
    func precedes(_ other: Position) -> Bool {
      (section, leaf, index) < (other.section, other.leaf, other.index)
    }

    /// Whether both are in one leaf.
    func isInSameLeaf(as other: Position) -> Bool {
      section == other.section && leaf == other.leaf
    }
  }

  /// The maximum number of rows in a leaf; longer ones are split.
  static var leafCapacity: Int { 256 }

  let request: ResultsRequest<Row>
  var sections: ChunkedArray<Section>

  /// Builds the tree from a store's outline.
  ///
  /// - Throws: `ResultsError.splitSection` when a section has rows in two separate runs (rule 7);
  ///   `inconsistentStore` for an outline that contradicts itself.
  init(
    request: ResultsRequest<Row>, outline: [OutlineGroup<ID>],
    loader: (ResultsKeyRange) throws -> [Key]
  ) throws {
    self.request = request
    sections = ChunkedArray()
    try Self.check(outline, of: request, loader)
    // Sections in an order of their keys have none twice.
    var (ascend, descend) = (true, true)
    for (index, group) in outline.enumerated() {
      let upper = index + 1 < outline.count ? outline[index + 1].bound : nil
      let leaf = Leaf(
        bound: Bound(values: group.bound, id: group.keys?.first?.id), count: group.count,
        keys: group.keys, range: ResultsKeyRange(lower: group.bound, upper: upper))
      let last = sections.count - 1
      let order = last < 0 ? -1 : SortValue.order(sections[last].key, group.section)
      if order == 0 {
        sections[last].leaves.append(leaf)
        sections[last].count += leaf.count
        continue
      }
      if last >= 0 { (ascend, descend) = (ascend && order < 0, descend && order > 0) }
      sections.append(Section(key: group.section, leaves: ChunkedArray([leaf]), count: leaf.count))
    }
    if !ascend, !descend { try checkContiguity(loader) }
    if request.sectionField == nil, sections.isEmpty {
      sections = ChunkedArray([Section(key: "", leaves: ChunkedArray(), count: 0)])
    }
  }

  /// Checks what a store answers, before anything is computed from it; O(groups).
  private static func check(
    _ outline: [OutlineGroup<ID>], of request: ResultsRequest<Row>,
    _ loader: (ResultsKeyRange) throws -> [Key]
  ) throws {
    var total = 0
    for (index, group) in outline.enumerated() {
      guard SectionedList.Section.possibleCounts.contains(group.count), group.count > 0,
        group.keys.map({ $0.count == group.count }) ?? true
      else {
        throw ResultsError.inconsistentStore(
          "a group of section \(group.section) has \(group.count) rows"
            + (group.keys.map { " and \($0.count) keys" } ?? ""))
      }
      total += group.count
      guard SectionedList.Section.possibleCounts.contains(total) else {
        throw ResultsError.inconsistentStore("\(total) rows are more than can be counted")
      }
      if index > 0 { try check(outline[index - 1], before: group, of: request, loader) }
    }
  }

  /// Checks that the bounds of two adjacent groups are in order, and separate their rows.
  private static func check(
    _ previous: OutlineGroup<ID>, before group: OutlineGroup<ID>, of request: ResultsRequest<Row>,
    _ loader: (ResultsKeyRange) throws -> [Key]
  ) throws {
    let order = request.compare(previous.bound, group.bound)
    guard order <= 0 else {
      throw ResultsError.inconsistentStore(
        "a group of section \(group.section) is before one of section \(previous.section)")
    }
    if let last = previous.keys?.last, let first = group.keys?.first,
      !request.precedes(last, first)
    {
      throw ResultsError.inconsistentStore(
        "row \(first.id) of a group is not after row \(last.id) of the group before")
    }
    guard order == 0, previous.bound.count == group.bound.count, group.keys == nil else { return }
    guard !previous.section.hasBytes(of: group.section) else {
      throw ResultsError.inconsistentStore(
        "two groups of section \(group.section) have the same bound and no keys")
    }
    let first = try loader(ResultsKeyRange(lower: group.bound, upper: nil)).first
    throw ResultsError.splitSection(
      row: first.map { "\($0.id)" } ?? "?", section: group.section)
  }

  private func checkContiguity(_ loader: (ResultsKeyRange) throws -> [Key]) throws {
    var seen = Set<SortValue>(minimumCapacity: sections.count)
    for section in sections where !seen.insert(.text(section.key)).inserted {
      let leaf = section.leaves[0]
      let first = try leaf.keys?.first ?? loader(leaf.range).first
      throw ResultsError.splitSection(
        row: first.map { "\($0.id)" } ?? "?", section: section.key)
    }
  }
}

// MARK: - Counting

extension ResultsTree {
  /// The number of rows without limit and offset.
  var count: Int { sections.reduce(0) { $0 + $1.count } }

  /// The keys of sections, in order.
  func keys(ofSections range: Range<Int>) -> [String] { sections.map(in: range) { $0.key } }

  /// The position of each section's first row among all rows, in order, and the total at the end.
  func sectionStarts() -> [Int] {
    sections.runningTotals()
  }

  /// The position of a key's row inside its section.
  func row(of position: Position) -> Int {
    sections[position.section].leaves.total(before: position.leaf) + position.index
  }
}

// MARK: - Searching

extension ResultsTree {
  /// Whether a bound is equal to or before a key.
  func starts(_ bound: Bound, atOrBefore key: Key) -> Bool {
    let order = request.compare(bound.values, key.values)
    guard order == 0, let id = bound.id, bound.values.count == key.values.count else {
      return order <= 0
    }
    return id.exact <= key.id.exact
  }

  /// The last section that starts at or before a key, or -1.
  func sectionIndex(before key: Key) -> Int {
    guard request.sectionField != nil else { return 0 }
    return partitionPoint(sections.count) { index in
      guard let bound = sections[index].bound else { return true }
      return starts(bound, atOrBefore: key)
    } - 1
  }

  /// The leaf of a section for a key; the first one if the key is before all bounds.
  func leafIndex(of key: Key, in section: Int) -> Int {
    let leaves = sections[section].leaves
    return max(0, partitionPoint(leaves.count) { starts(leaves[$0].bound, atOrBefore: key) } - 1)
  }

  /// The position of a key in the tree, whose leaf must be loaded; `nil` if it is absent.
  func position(of key: Key) -> Position? {
    let section = sectionIndex(before: key)
    guard section >= 0, section < sections.count, sections[section].key.hasBytes(of: key.section),
      !sections[section].leaves.isEmpty
    else { return nil }
    let leaf = leafIndex(of: key, in: section)
    guard let keys = sections[section].leaves[leaf].keys else { return nil }
    let index = partitionPoint(keys.count) { request.precedes(keys[$0], key) }
    guard index < keys.count, keys[index].id.exact == key.id.exact else { return nil }
    return Position(section: section, leaf: leaf, index: index)
  }
}

/// The first index in `0..<count` for which `isBefore` is false, by halving; O(log n).
///
/// The one binary search of the library, which imports nothing.
@inlinable
package func partitionPoint(_ count: Int, _ isBefore: (Int) -> Bool) -> Int {
  var low = 0
  var high = count
  while low < high {
    let middle = low + (high - low) / 2
    if isBefore(middle) { low = middle + 1 } else { high = middle }
  }
  return low
}

// Reading keys when first needed: whole leaves, or only the surroundings of a key in a long leaf.

extension ResultsTree {
  /// Reads the keys of a leaf unless they are loaded.
  mutating func load(
    leaf: Int, of section: Int, with loader: (ResultsKeyRange) throws -> [Key]
  ) throws {
    guard sections[section].leaves[leaf].keys == nil else { return }
    let expected = sections[section].leaves[leaf].count
    let keys = try loader(sections[section].leaves[leaf].range)
    guard keys.count == expected else {
      throw ResultsError.inconsistentStore(
        "section \(sections[section].key) has \(keys.count) rows where \(expected) were counted")
    }
    let order = request.order
    for index in keys.indices.dropFirst() {
      let (last, next) = (keys[index - 1], keys[index])
      let isBefore = order.compare(last.values, next.values)
      guard isBefore < 0 || isBefore == 0 && last.id.exact < next.id.exact else {
        throw ResultsError.inconsistentStore("row \(next.id) is not after row \(last.id)")
      }
    }
    sections[section].leaves[leaf].keys = keys
  }

  /// Loads the keys around those given, as far as their sections exist.
  ///
  /// From first to last: the rest of one excerpt's leaf is the leaf of the next excerpt.
  mutating func loadLeaves(of keys: [Key], with reader: ResultsReader<Row>) throws {
    let sorted = request.sorted(keys)
    for index in sorted.indices { try loadLeaf(of: sorted[index...], with: reader) }
  }

  /// Loads the keys around the first of some sorted keys.
  ///
  /// If no row follows a key that is not in the tree, nothing is loaded.
  private mutating func loadLeaf(of keys: ArraySlice<Key>, with reader: ResultsReader<Row>) throws {
    guard let key = keys.first else { return }
    let section = sectionIndex(before: key)
    guard section >= 0, section < sections.count, !sections[section].leaves.isEmpty else { return }
    let leaf = try dividedLeaf(of: key, in: section, with: reader)
    guard sections[section].leaves[leaf].keys == nil else { return }
    let written = run(of: keys, section: section, leaf: leaf)
    guard
      let excerpt = try reader.excerpt(
        of: sections[section].leaves[leaf], from: key, written: written)
    else { return try load(leaf: leaf, of: section, with: reader.keys) }
    if excerpt.keys.isEmpty { return }
    _ = try split(leaf: leaf, of: section, at: key, by: excerpt)
  }

  /// Loads the part of a leaf to which the first of some sorted new keys belongs.
  ///
  /// - Returns: the leaf of the key; it may be empty until the key is inserted.
  mutating func loadLeaf(
    of section: Int, for keys: ArraySlice<Key>, with reader: ResultsReader<Row>
  ) throws -> Int {
    guard let key = keys.first else { return 0 }
    let leaf = try dividedLeaf(of: key, in: section, with: reader)
    guard sections[section].leaves[leaf].keys == nil else { return leaf }
    let written = run(of: keys, section: section, leaf: leaf)
    guard
      let excerpt = try reader.excerpt(
        of: sections[section].leaves[leaf], from: key, written: written)
    else {
      try load(leaf: leaf, of: section, with: reader.keys)
      return leaf
    }
    return try split(leaf: leaf, of: section, at: key, by: excerpt)
  }

  /// Splits an unloaded leaf into the rows before an excerpt, the excerpt, and the rows after it.
  ///
  /// - Returns: the index of the excerpt's leaf.
  private mutating func split(
    leaf: Int, of section: Int, at key: Key, by excerpt: LeafExcerpt<ID>
  ) throws -> Int {
    let whole = sections[section].leaves[leaf]
    let rest = whole.count - excerpt.rank - excerpt.keys.count
    guard excerpt.rank >= 0, excerpt.next == nil ? rest == 0 : rest >= 0 else {
      throw ResultsError.inconsistentStore(
        "section \(sections[section].key) has not the \(whole.count) rows that were counted")
    }
    let isFirst = excerpt.rank == 0
    var parts: [Leaf] = []
    if !isFirst {
      let range = ResultsKeyRange(lower: whole.range.lower, upper: key.values)
      parts.append(Leaf(bound: whole.bound, count: excerpt.rank, keys: nil, range: range))
    }
    parts.append(
      Leaf(
        bound: isFirst ? whole.bound : Bound(values: key.values, id: nil),
        count: excerpt.keys.count, keys: excerpt.keys,
        range: ResultsKeyRange(lower: key.values, upper: excerpt.next ?? whole.range.upper)))
    if let next = excerpt.next, rest > 0 {
      let range = ResultsKeyRange(lower: next, upper: whole.range.upper)
      parts.append(Leaf(bound: Bound(values: next, id: nil), count: rest, keys: nil, range: range))
    }
    sections[section].leaves.replace(at: leaf, with: parts)
    return isFirst ? leaf : leaf + 1
  }

  /// The key of a row in a section; loads its leaf when needed.
  mutating func key(section: Int, row: Int, with reader: ResultsReader<Row>) throws -> Key {
    guard var place = sections[section].leaves.element(at: row) else {
      throw ResultsError.noSuchRow(RowPath(section, row))
    }
    if try divide(leaf: place.index, of: section, with: reader) {
      place = sections[section].leaves.element(at: row) ?? place
    }
    try load(leaf: place.index, of: section, with: reader.keys)
    guard let keys = sections[section].leaves[place.index].keys else {
      throw ResultsError.noSuchRow(RowPath(section, row))
    }
    return keys[place.rest]
  }
}
