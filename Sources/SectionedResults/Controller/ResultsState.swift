// SPDX-License-Identifier: MIT

/// The state of a controller at one generation.
struct ResultsState<Row: ResultsRow> {
  var tree: ResultsTree<Row>
  var window: ResultsWindow
  var stamp: StoreStamp
  var generation: Int
  /// Invalidated rows that the store still has; they count as absent until they are written again.
  var invalid: Set<Row.ID.Exact> = []
  /// The values of the aggregated fields; `nil` without such fields.
  var aggregates: SectionAggregates<Row>?

  /// Reads the state of a snapshot.
  init(
    request: ResultsRequest<Row>, snapshot: any ResultsSnapshot<Row>, generation: Int
  ) throws {
    let reader = try ResultsReader(
      request: request, snapshot: snapshot, since: snapshot.stamp())
    tree = try ResultsTree(
      request: request, outline: snapshot.outline(of: request), loader: reader.keys)
    stamp = reader.stamp
    self.generation = generation
    window = Self.window(over: tree)
  }

  /// The window of a tree after the request's limit and offset.
  static func window(over tree: ResultsTree<Row>) -> ResultsWindow {
    ResultsWindow(
      starts: tree.sectionStarts(), offset: tree.request.offset, limit: tree.request.limit,
      isSectioned: tree.request.sectionField != nil)
  }

  var isSectioned: Bool { tree.request.sectionField != nil }

  /// The keys of the sections shown, in order.
  var sectionKeys: [String] { tree.keys(ofSections: window.sections) }

  /// The path of a key that may be in the results; loads its leaf.
  mutating func path(
    of key: ResultsKey<Row.ID>, with reader: ResultsReader<Row>
  ) throws -> RowPath? {
    try tree.loadLeaves(of: [key], with: reader)
    guard let place = tree.position(of: key) else { return nil }
    let position = window.position(section: place.section, row: tree.row(of: place))
    guard window.rows.contains(position) else { return nil }
    return window.path(position: position, section: place.section)
  }
}

// The incremental step: from one state and one commit to the next state and their difference. Cost
// O(k log n + k log k) for k written rows, plus one pass over the section counts.

extension ResultsState {
  /// Applies one commit.
  ///
  /// - Returns: the change; `nil` when nothing shown has changed (rule 26).
  /// - Throws: `ResultsError.splitSection`, or `inconsistentStore` when the commit does not match;
  ///   the state is then unchanged.
  mutating func apply(
    _ commit: StoreCommit<Row>, with reader: ResultsReader<Row>
  ) throws -> ResultsChange<Row>? {
    try Self.check(commit)
    var stillInvalid = invalid
    let changes =
      invalid.isEmpty
      ? commit.changes : Self.changes(commit.changes, withoutImagesOf: &stillInvalid)
    var written = changes.filter(tree.request.isChanged).map {
      WrittenRow(images: $0, request: tree.request)
    }
    guard !written.isEmpty else {
      stamp = commit.stamp
      invalid = stillInvalid
      return nil
    }
    var next = tree
    let removed = try next.locate(&written, with: reader, window: window)
    let emptied = next.remove(removed)
    let created = try next.insert(written.compactMap { $0.newKey }, with: reader)
    let nextWindow = Self.window(over: next)
    try next.locateNew(&written, window: nextWindow)

    var comparison = StateComparison(
      old: self, newTree: next, newWindow: nextWindow, written: written)
    comparison.compareSections(emptied: emptied, created: created)
    try comparison.compareRows(reader)
    let change = comparison.change
    var nextAggregates = aggregates
    if !change.batch.isEmpty { try nextAggregates?.apply(change) }
    aggregates = nextAggregates
    tree = comparison.newTree
    window = nextWindow
    stamp = commit.stamp
    invalid = stillInvalid
    generation += change.batch.isEmpty ? 0 : 1
    return change.batch.isEmpty ? nil : change
  }
}

extension ResultsState {
  /// Turns the present state of a snapshot into the one at an earlier stamp, by undoing the commits
  /// since; O(k log n) for k rows written since.
  ///
  /// - Throws: `ResultsError.historyLost` if the log does not contain them, or for a later stamp.
  mutating func goBack(to earlier: StoreStamp, in snapshot: any ResultsSnapshot<Row>) throws {
    guard earlier <= stamp else { throw ResultsError.historyLost }
    let commits = try snapshot.commits(after: earlier, for: tree.request)
    if let last = commits.last {
      let undone = StoreCommit(merging: commits, last: last).changes.map {
        RowImages(id: $0.id, before: $0.after, after: $0.before)
      }
      let shown = generation
      let reader = try ResultsReader(
        request: tree.request, snapshot: snapshot, since: stamp, at: stamp)
      _ = try apply(StoreCommit(stamp: stamp, changes: undone), with: reader)
      generation = shown
    }
    stamp = earlier
  }

  /// Checks that a commit lists each row once, with its own images; O(k).
  private static func check(_ commit: StoreCommit<Row>) throws {
    var seen: Set<Row.ID.Exact> = []
    for change in commit.changes {
      if commit.changes.count > 1, !seen.insert(change.id.exact).inserted {
        throw ResultsError.inconsistentStore("row \(change.id) is twice in one commit")
      }
      for image in [change.before, change.after] {
        guard let image, image.id.exact != change.id.exact else { continue }
        throw ResultsError.inconsistentStore("row \(change.id) has the image of row \(image.id)")
      }
    }
  }

  /// The changes, with invalidated rows counted as absent before.
  private static func changes(
    _ changes: [RowImages<Row>], withoutImagesOf invalid: inout Set<Row.ID.Exact>
  ) -> [RowImages<Row>] {
    changes.map { change in
      guard invalid.remove(change.id.exact) != nil else { return change }
      return RowImages(id: change.id, before: nil, after: change.after)
    }
  }
}

/// A written row with its positions before and after.
struct WrittenRow<Row: ResultsRow> {
  let images: RowImages<Row>
  let oldKey: ResultsKey<Row.ID>?
  let newKey: ResultsKey<Row.ID>?
  /// Its position among all rows, and its section in the tree; `nil` while it is absent.
  var old: (position: Int, section: Int)?
  var new: (position: Int, section: Int)?

  init(images: RowImages<Row>, request: ResultsRequest<Row>) {
    self.images = images
    oldKey = images.before.map(request.key(of:))
    newKey = images.after.map(request.key(of:))
  }
}

extension ResultsTree {
  /// Finds the positions of written rows before the commit, and loads their leaves.
  fileprivate mutating func locate(
    _ written: inout [WrittenRow<Row>], with reader: ResultsReader<Row>, window: ResultsWindow
  ) throws -> [Position] {
    var positions: [Position] = []
    try loadLeaves(of: written.compactMap { $0.oldKey }, with: reader)
    for index in written.indices {
      guard let key = written[index].oldKey else { continue }
      guard let place = position(of: key) else {
        throw ResultsError.inconsistentStore("row \(key.id) was written but is not in the results")
      }
      let row = row(of: place)
      written[index].old = (window.position(section: place.section, row: row), place.section)
      positions.append(place)
    }
    return positions
  }

  /// Finds the positions of written rows after the commit; their leaves are loaded.
  fileprivate func locateNew(
    _ written: inout [WrittenRow<Row>], window: ResultsWindow
  ) throws {
    for index in written.indices {
      guard let key = written[index].newKey else { continue }
      guard let place = position(of: key) else {
        throw ResultsError.inconsistentStore("row \(key.id) has no place in its order")
      }
      let row = row(of: place)
      written[index].new = (window.position(section: place.section, row: row), place.section)
    }
  }
}
