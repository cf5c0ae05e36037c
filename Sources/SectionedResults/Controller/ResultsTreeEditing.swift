// SPDX-License-Identifier: MIT

// Removing and inserting keys, grouped by leaf, so that a transaction of many rows changes each
// leaf once.

extension ResultsTree {
  /// Removes the rows at these distinct positions, and the leaves and sections that become empty.
  ///
  /// - Returns: the keys of the sections that became empty, with their old indexes.
  mutating func remove(_ positions: [Position]) -> [SortValue: Int] {
    var emptied: [SortValue: Int] = [:]
    // From last to first, so that a removal does not shift the remaining positions.
    let ordered = positions.sorted { $1.precedes($0) }
    var start = 0
    while start < ordered.count {
      let place = ordered[start]
      var end = start + 1
      while end < ordered.count, ordered[end].isInSameLeaf(as: place) { end += 1 }
      remove(ordered[start..<end], section: place.section, leaf: place.leaf)
      start = end
      guard sections[place.section].leaves[place.leaf].count == 0 else { continue }
      sections[place.section].leaves.remove(at: place.leaf)
      if sections[place.section].count == 0, request.sectionField != nil {
        emptied[.text(sections[place.section].key)] = place.section
        sections.remove(at: place.section)
      }
    }
    return emptied
  }

  /// Removes rows from one leaf; their indexes descend.
  private mutating func remove(_ positions: ArraySlice<Position>, section: Int, leaf: Int) {
    guard var keys = sections[section].leaves[leaf].keys else { return }
    // Cleared first, so that the array is not shared while it changes.
    sections[section].leaves[leaf].keys = nil
    if let only = positions.first, positions.count == 1 {
      keys.remove(at: only.index)
    } else {
      let gone = Set(positions.map { $0.index })
      keys = keys.indices.lazy.filter { !gone.contains($0) }.map { keys[$0] }
    }
    sections[section].leaves[leaf].keys = keys
    sections[section].leaves[leaf].count = keys.count
    sections[section].count -= positions.count
  }

  /// Inserts new keys and creates missing sections.
  ///
  /// - Returns: the keys of the created sections.
  /// - Throws: `ResultsError.splitSection` for a row that would be inside another section;
  ///   `inconsistentStore` for one that is there already.
  mutating func insert(
    _ keys: [Key], with reader: ResultsReader<Row>
  ) throws -> Set<SortValue> {
    var created: Set<SortValue> = []
    let sorted = request.sorted(keys)
    var index = 0
    while index < sorted.count {
      let key = sorted[index]
      let section = try place(for: key, &created, with: reader.keys)
      let leaf = try loadLeaf(of: section, for: sorted[index...], with: reader)
      let end = index + run(of: sorted[index...], section: section, leaf: leaf)
      for key in sorted[index..<end] where position(of: key) != nil {
        throw ResultsError.inconsistentStore("row \(key.id) was inserted, but it was there before")
      }
      merge(sorted[index..<end], section: section, leaf: leaf)
      index = end
    }
    return created
  }

  /// The number of leading keys that belong to the same leaf as the first one.
  func run(of keys: ArraySlice<Key>, section: Int, leaf: Int) -> Int {
    guard keys.count > 1 else { return keys.count }
    let name = sections[section].key
    let leaves = sections[section].leaves
    let next = leaf + 1 < leaves.count ? leaves[leaf + 1].bound : nil
    let nextSection = section + 1 < sections.count ? sections[section + 1].bound : nil
    var end = keys.startIndex + 1
    while end < keys.endIndex, keys[end].section.hasBytes(of: name) {
      if let bound = next ?? nextSection, starts(bound, atOrBefore: keys[end]) { break }
      end += 1
    }
    return end - keys.startIndex
  }

  private mutating func merge(_ added: ArraySlice<Key>, section: Int, leaf: Int) {
    guard var keys = sections[section].leaves[leaf].keys, let first = added.first else { return }
    sections[section].leaves[leaf].keys = nil
    if added.count == 1 {
      keys.insert(first, at: partitionPoint(keys.count) { request.precedes(keys[$0], first) })
    } else {
      keys = request.merged(keys, added)
    }
    if !starts(sections[section].leaves[leaf].bound, atOrBefore: first) {
      sections[section].leaves[leaf].bound = Bound(values: first.values, id: first.id)
    }
    sections[section].leaves[leaf].keys = keys
    sections[section].leaves[leaf].count = keys.count
    sections[section].count += added.count
    if keys.count > Self.leafCapacity { split(section: section, leaf: leaf) }
  }

  private mutating func split(section: Int, leaf: Int) {
    guard let keys = sections[section].leaves[leaf].keys else { return }
    let size = Self.leafCapacity / 2
    let whole = sections[section].leaves[leaf]
    let parts = stride(from: 0, to: keys.count, by: size).map { start in
      let part = Array(keys[start..<min(start + size, keys.count)])
      let bound = start == 0 ? whole.bound : Bound(values: part[0].values, id: part[0].id)
      return Leaf(bound: bound, count: part.count, keys: part, range: whole.range)
    }
    sections[section].leaves.replace(at: leaf, with: Array(parts))
  }
}

extension ResultsRequest {
  /// Merges two sorted sequences of keys.
  func merged(
    _ old: [ResultsKey<Row.ID>], _ added: ArraySlice<ResultsKey<Row.ID>>
  ) -> [ResultsKey<Row.ID>] {
    guard !added.isEmpty else { return old }
    var result: [ResultsKey<Row.ID>] = []
    result.reserveCapacity(old.count + added.count)
    var next = 0
    for key in added {
      while next < old.count, precedes(old[next], key) {
        result.append(old[next])
        next += 1
      }
      result.append(key)
    }
    result.append(contentsOf: old[next...])
    return result
  }
}

// MARK: - Placing sections

extension ResultsTree {
  /// The section of a new key, created if needed.
  private mutating func place(
    for key: Key, _ created: inout Set<SortValue>, with loader: (ResultsKeyRange) throws -> [Key]
  ) throws -> Int {
    guard request.sectionField != nil else { return placeWithoutSections(for: key) }
    let before = sectionIndex(before: key)
    if before >= 0, sections[before].key.hasBytes(of: key.section) { return before }
    let endsBefore =
      try before < 0 || lastKey(of: before, with: loader).map { request.precedes($0, key) } ?? true
    guard endsBefore else { return try placeAhead(of: before, key, &created, with: loader) }
    if before + 1 < sections.count, sections[before + 1].key.hasBytes(of: key.section) {
      return before + 1
    }
    return try makeSection(for: key, at: before + 1, &created)
  }

  private mutating func placeWithoutSections(for key: Key) -> Int {
    if sections[0].leaves.isEmpty { sections[0].leaves.append(Self.emptyLeaf(at: key)) }
    return 0
  }

  /// Inserts a key that is after a section's old bound and before its first row.
  private mutating func placeAhead(
    of section: Int, _ key: Key, _ created: inout Set<SortValue>,
    with loader: (ResultsKeyRange) throws -> [Key]
  ) throws -> Int {
    try load(leaf: 0, of: section, with: loader)
    guard let first = sections[section].leaves[0].keys?.first, request.precedes(key, first) else {
      throw ResultsError.splitSection(row: "\(key.id)", section: sections[section].key)
    }
    sections[section].leaves[0].bound = Bound(values: first.values, id: first.id)
    if section > 0, sections[section - 1].key.hasBytes(of: key.section) {
      return section - 1
    }
    return try makeSection(for: key, at: section, &created)
  }

  private mutating func makeSection(
    for key: Key, at index: Int, _ created: inout Set<SortValue>
  ) throws -> Int {
    guard !sections.contains(where: { $0.key.hasBytes(of: key.section) }) else {
      throw ResultsError.splitSection(row: "\(key.id)", section: key.section)
    }
    sections.insert(
      Section(key: key.section, leaves: ChunkedArray([Self.emptyLeaf(at: key)]), count: 0),
      at: index)
    created.insert(.text(key.section))
    return index
  }

  private mutating func lastKey(
    of section: Int, with loader: (ResultsKeyRange) throws -> [Key]
  ) throws -> Key? {
    guard let last = sections[section].leaves.indices.last else { return nil }
    try load(leaf: last, of: section, with: loader)
    return sections[section].leaves[last].keys?.last
  }

  private static func emptyLeaf(at key: Key) -> Leaf {
    Leaf(
      bound: Bound(values: key.values, id: key.id), count: 0, keys: [],
      range: ResultsKeyRange(lower: nil, upper: nil))
  }
}
