// Reading keys on first need: whole leaves, or of a long one only the neighbours of a key.

extension ResultsTree {
  /// Reads the keys of a leaf unless they are known.
  mutating func load(
    leaf: Int, of section: Int, with loader: (KeyRange) throws -> [Key]
  ) throws {
    guard sections[section].leaves[leaf].keys == nil else { return }
    let expected = sections[section].leaves[leaf].count
    let keys = try loader(sections[section].leaves[leaf].range)
    guard keys.count == expected else {
      throw ResultsError.inconsistentStore(
        "section \(sections[section].key) has \(keys.count) rows where \(expected) were counted")
    }
    sections[section].leaves[leaf].keys = keys
  }

  /// Loads the keys around some that may be in the tree, as far as their sections are here.
  ///
  /// From the first to the last, so that what an excerpt leaves over is the next one's leaf.
  mutating func loadLeaves(of keys: [Key], with reader: ResultsReader<Row>) throws {
    let sorted = keys.count > 1 ? keys.sorted { request.precedes($0, $1) } : keys
    for index in sorted.indices { try loadLeaf(of: sorted[index...], with: reader) }
  }

  /// Loads the keys around the first of some in order.
  ///
  /// Where a key that is not in the tree has no neighbour behind it, nothing is loaded.
  private mutating func loadLeaf(of keys: ArraySlice<Key>, with reader: ResultsReader<Row>) throws {
    guard let key = keys.first else { return }
    let section = sectionIndex(before: key)
    guard section >= 0, section < sections.count, !sections[section].leaves.isEmpty else { return }
    let leaf = leafIndex(of: key, in: section)
    guard sections[section].leaves[leaf].keys == nil else { return }
    let written = run(of: keys, section: section, leaf: leaf)
    guard
      let excerpt = try reader.excerpt(
        of: sections[section].leaves[leaf], from: key, written: written)
    else { return try load(leaf: leaf, of: section, with: reader.keys) }
    if excerpt.keys.isEmpty { return }
    _ = try split(leaf: leaf, of: section, at: key, by: excerpt)
  }

  /// Loads the place of a leaf where the first of some new keys in order belongs.
  ///
  /// - Returns: the leaf that the key belongs to then; it may be empty until the key is put in.
  mutating func loadLeaf(
    _ leaf: Int, of section: Int, for keys: ArraySlice<Key>, with reader: ResultsReader<Row>
  ) throws -> Int {
    guard sections[section].leaves[leaf].keys == nil, let key = keys.first else { return leaf }
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

  /// Cuts an unloaded leaf into what stands before an excerpt, the excerpt, and what follows it.
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
      let range = KeyRange(lower: whole.range.lower, upper: key.values)
      parts.append(Leaf(bound: whole.bound, count: excerpt.rank, keys: nil, range: range))
    }
    parts.append(
      Leaf(
        bound: isFirst ? whole.bound : Bound(values: key.values, id: nil),
        count: excerpt.keys.count, keys: excerpt.keys,
        range: KeyRange(lower: key.values, upper: excerpt.next ?? whole.range.upper)))
    if let next = excerpt.next, rest > 0 {
      let range = KeyRange(lower: next, upper: whole.range.upper)
      parts.append(Leaf(bound: Bound(values: next, id: nil), count: rest, keys: nil, range: range))
    }
    sections[section].leaves.replace(at: leaf, with: parts)
    return isFirst ? leaf : leaf + 1
  }

  /// The key of the row at a place of a section, loading its leaf when needed.
  mutating func key(
    section: Int, row: Int, with loader: (KeyRange) throws -> [Key]
  ) throws -> Key {
    guard let place = sections[section].leaves.element(at: row) else {
      throw ResultsError.noSuchRow(RowPath(section, row))
    }
    try load(leaf: place.index, of: section, with: loader)
    guard let keys = sections[section].leaves[place.index].keys else {
      throw ResultsError.noSuchRow(RowPath(section, row))
    }
    return keys[place.rest]
  }
}
