import Journal
import JournalStore
import SectionedResults

/// Walks through the rows of a request a page at a time, so that a journal of any size takes the
/// memory of one page, and no read lasts longer than one.
struct RowPages {
  /// Rows of one section, neighbours in order.
  struct Page {
    /// The section's key.
    var section: String
    /// The rows.
    var rows: [EntryRow]
  }

  let request: FetchRequest<EntryRow>
  let store: any EntryStore

  /// Calls `body` with each page in order; honours the request's limit and offset.
  ///
  /// - Throws: what the store or `body` throws.
  func visit(_ body: (Page) throws -> Void) throws {
    let groups = try store.read { try $0.outline(of: request) }
    var skip = request.offset
    var left = request.limit ?? .max
    for (index, group) in groups.enumerated() where left > 0 {
      guard skip < group.count else {
        skip -= group.count
        continue
      }
      let next = groups.indices.contains(index + 1) ? groups[index + 1].bound : nil
      let keys = try keys(of: group, before: next).dropFirst(skip).prefix(left)
      skip = 0
      left -= keys.count
      try visitPages(of: keys, section: group.section, body)
    }
  }

  private func keys(
    of group: OutlineGroup<EntryRowID>, before next: [SortValue]?
  ) throws -> [RowKey<EntryRowID>] {
    if let keys = group.keys { return keys }
    return try store.read {
      try $0.keys(of: request, in: KeyRange(lower: group.bound, upper: next))
    }
  }

  private func visitPages(
    of keys: ArraySlice<RowKey<EntryRowID>>, section: String, _ body: (Page) throws -> Void
  ) throws {
    var rest = keys
    while !rest.isEmpty {
      let ids = rest.prefix(request.pageSize).map(\.id)
      rest = rest.dropFirst(request.pageSize)
      let rows = try store.read { try $0.rows(of: request, ids: ids) }
      let byID = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      try body(Page(section: section, rows: ids.compactMap { byID[$0] }))
    }
  }
}
