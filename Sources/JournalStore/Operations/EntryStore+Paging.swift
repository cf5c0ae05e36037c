import Journal
import SectionedResults

/// What became of a walk through a journal that others may write to meanwhile.
package enum EntryWalk: Hashable, Sendable {
  /// All entries were seen as they stood in one state of the journal.
  case whole
  /// The journal was changed meanwhile: each entry was seen as it stood when its page was read.
  case changed
}

extension EntryStore {
  /// Calls `body` with each entry of a list in its order, in pages, the fast way for very many.
  ///
  /// No transaction stays open between pages, so that a long export makes no writer wait.
  ///
  /// - Parameter request: a list that is not made by tag; its limit and offset do not count.
  /// - Returns: whether what was seen is one state of the journal, or `nil` when the list needs
  ///   another way: nothing was done then.
  /// - Throws: ``StoreError`` when the medium fails, and what `body` throws.
  package func forEachPagedEntry(
    of request: FetchRequest<EntryRow>, _ body: (Entry) throws -> Void
  ) throws -> EntryWalk? {
    let page = 512
    var key: RowKey<EntryRowID>?
    var first: StoreStamp?
    var isSame = true
    while true {
      let read = try self.read { snapshot -> (entries: [Entry], stamp: StoreStamp)? in
        guard let paging = snapshot as? any EntryPaging,
          let entries = try paging.entries(of: request, after: key, limit: page)
        else { return nil }
        return (entries, try snapshot.stamp())
      }
      guard let (entries, stamp) = read else { return nil }
      isSame = isSame && stamp == first ?? stamp
      first = first ?? stamp
      for entry in entries { try body(entry) }
      guard let last = entries.last, entries.count == page else {
        return isSame ? .whole : .changed
      }
      key = request.key(of: last.row())
    }
  }
}

/// A snapshot that reads whole entries in a list's order.
protocol EntryPaging {
  /// The entries behind a key, at most `limit` of them; `nil` where the list needs another way.
  func entries(
    of request: FetchRequest<EntryRow>, after key: RowKey<EntryRowID>?, limit: Int
  ) throws -> [Entry]?
}
