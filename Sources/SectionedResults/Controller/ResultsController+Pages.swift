// Going through all rows once, for programs that write a list out instead of showing it.

extension ResultsController {
  /// Calls `body` with the rows of a section in order, a page at a time, as of the state shown.
  ///
  /// What is read is forgotten after its page, so that a list of any size takes the memory of one of
  /// the store's groups. `body` is called outside of any read and may take its time; commits that
  /// come meanwhile do not show.
  ///
  /// - Throws: `ResultsError.notFetched`; `ResultsError.historyLost` or `inconsistentStore` when the
  ///   state shown can no longer be told; what the store or `body` throws.
  public func forEachPage(
    inSection section: Int, _ body: ([Row]) throws -> Void
  ) throws {
    guard let shown = state else { throw ResultsError.notFetched }
    guard section >= 0, section < shown.window.sections.count else { return }
    let index = shown.window.sections.lowerBound + section
    var start = shown.window.position(section: index, row: 0)
    for leaf in shown.tree.sections[index].leaves {
      let visible = shown.window.rows.clamped(to: start..<start + leaf.count)
      if !visible.isEmpty {
        let keys = try keys(of: leaf)
        try forEachPage(of: keys[visible.lowerBound - start..<visible.upperBound - start], body)
      }
      start += leaf.count
    }
  }

  private func keys(of leaf: ResultsTree<Row>.Leaf) throws -> [RowKey<Row.ID>] {
    if let keys = leaf.keys { return keys }
    let keys = try reading { _, reader in try reader.keys(in: leaf.range) }
    guard keys.count == leaf.count else {
      throw ResultsError.inconsistentStore("\(keys.count) rows where \(leaf.count) were counted")
    }
    return keys
  }

  private func forEachPage(
    of keys: ArraySlice<RowKey<Row.ID>>, _ body: ([Row]) throws -> Void
  ) throws {
    var rest = keys
    while !rest.isEmpty {
      let ids = rest.prefix(request.pageSize).map(\.id)
      rest = rest.dropFirst(request.pageSize)
      let rows = try reading { _, reader in try reader.rows(ids) }
      try body(
        ids.map { id in
          guard let row = rows[id] else {
            throw ResultsError.inconsistentStore("row \(id) has no contents")
          }
          return row
        })
    }
  }
}
