/// The order of all rows of a request, kept as groups whose keys are read on first need.
///
/// Sections stand in order, each with its leaves: runs of neighbouring rows with a count, a bound
/// where they start, and their keys once somebody needed them. Counts alone are enough to draw a
/// scroll bar over a million rows; a written row loads only the leaves it leaves and enters.
///
/// An unloaded leaf is exactly what the store holds in the leaf's `range`: every change that touches
/// it loads it first.
struct ResultsTree<Row: ResultsRow> {
  typealias ID = Row.ID
  typealias Key = RowKey<ID>

  /// Where a leaf or section starts: sort values or a prefix of them, and an `id` where ties matter.
  struct Bound {
    var values: [SortValue]
    var id: ID?
  }

  /// A run of neighbouring rows.
  struct Leaf: Weighted {
    var bound: Bound
    var count: Int
    /// The keys in order; `nil` until loaded.
    var keys: [Key]?
    /// Where the store finds the keys of an unloaded leaf.
    var range: KeyRange
    var weight: Int { count }
  }

  /// A section with at least one leaf, or the one section of a request without sections.
  struct Section: Weighted {
    let key: String
    var leaves: ChunkedArray<Leaf>
    var count: Int
    // Not `first`: that goes through the collection's witnesses, at every step of every search.
    var bound: Bound? { leaves.count == 0 ? nil : leaves[0].bound }
    var weight: Int { count }
  }

  /// Where a key stands in the tree.
  struct Position {
    var section: Int
    var leaf: Int
    var index: Int

    /// Whether it stands before another place.
    func precedes(_ other: Position) -> Bool {
      (section, leaf, index) < (other.section, other.leaf, other.index)
    }

    /// Whether both are in one leaf.
    func isInSameLeaf(as other: Position) -> Bool {
      section == other.section && leaf == other.leaf
    }
  }

  /// A leaf longer than this is split in two, in rows.
  static var leafCapacity: Int { 256 }

  let request: FetchRequest<Row>
  var sections: ChunkedArray<Section>

  /// Builds the tree from a store's outline.
  ///
  /// - Throws: `ResultsError.splitSection` when a section comes back after it had ended (rule 7).
  init(
    request: FetchRequest<Row>, outline: [OutlineGroup<ID>],
    loader: (KeyRange) throws -> [Key]
  ) throws {
    self.request = request
    sections = ChunkedArray()
    for (index, group) in outline.enumerated() {
      let upper = index + 1 < outline.count ? outline[index + 1].bound : nil
      let leaf = Leaf(
        bound: Bound(values: group.bound, id: group.keys?.first?.id), count: group.count,
        keys: group.keys, range: KeyRange(lower: group.bound, upper: upper))
      if let last = sections.indices.last, sections[last].key == group.section {
        sections[last].leaves.append(leaf)
        sections[last].count += leaf.count
      } else {
        sections.append(
          Section(key: group.section, leaves: ChunkedArray([leaf]), count: leaf.count))
      }
    }
    try checkContiguity(loader)
    if request.sectionField == nil, sections.isEmpty {
      sections = ChunkedArray([Section(key: "", leaves: ChunkedArray(), count: 0)])
    }
  }

  private func checkContiguity(_ loader: (KeyRange) throws -> [Key]) throws {
    var seen = Set<String>(minimumCapacity: sections.count)
    for section in sections where !seen.insert(section.key).inserted {
      let leaf = section.leaves[0]
      let first = try leaf.keys?.first ?? loader(leaf.range).first
      throw ResultsError.splitSection(
        row: first.map { "\($0.id)" } ?? "?", section: section.key)
    }
  }
}

// MARK: - Counting

extension ResultsTree {
  /// How many rows there are, without limit and offset.
  var count: Int { sections.reduce(0) { $0 + $1.count } }

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
  /// Whether a bound stands at or before a key.
  func starts(_ bound: Bound, atOrBefore key: Key) -> Bool {
    let order = request.compare(bound.values, key.values)
    guard order == 0, let id = bound.id, bound.values.count == key.values.count else {
      return order <= 0
    }
    return id <= key.id
  }

  /// The last section that starts at or before a key, or -1.
  func sectionIndex(before key: Key) -> Int {
    guard request.sectionField != nil else { return 0 }
    return partitionPoint(sections.count) { index in
      guard let bound = sections[index].bound else { return true }
      return starts(bound, atOrBefore: key)
    } - 1
  }

  /// The leaf of a section that a key belongs to; the first one for keys before all bounds.
  func leafIndex(of key: Key, in section: Int) -> Int {
    let leaves = sections[section].leaves
    return max(0, partitionPoint(leaves.count) { starts(leaves[$0].bound, atOrBefore: key) } - 1)
  }

  /// Where a key that is in the tree stands; its leaf must be loaded.
  func position(of key: Key) -> Position? {
    let section = sectionIndex(before: key)
    guard section >= 0, section < sections.count, sections[section].key == key.section,
      !sections[section].leaves.isEmpty
    else { return nil }
    let leaf = leafIndex(of: key, in: section)
    guard let keys = sections[section].leaves[leaf].keys else { return nil }
    let index = partitionPoint(keys.count) { request.precedes(keys[$0], key) }
    guard index < keys.count, keys[index].id == key.id else { return nil }
    return Position(section: section, leaf: leaf, index: index)
  }
}

/// The first index in `0..<count` for which `isBefore` is false, by halving; O(log n).
func partitionPoint(_ count: Int, _ isBefore: (Int) -> Bool) -> Int {
  var low = 0
  var high = count
  while low < high {
    let middle = low + (high - low) / 2
    if isBefore(middle) { low = middle + 1 } else { high = middle }
  }
  return low
}
