import Journal
import SectionedResults

extension EntryStore {
  /// Gives the entries of a list one after the other, in its order, with its limit and offset.
  ///
  /// No transaction stays open meanwhile: each page is read in one of its own, so that a long export
  /// makes no writer wait. Entries that are gone when their page is read are left out; in a list by
  /// tag an entry comes once for each of its tags.
  ///
  /// - Parameters:
  ///   - request: the list.
  ///   - body: takes an entry with its place in the list; returns whether to go on.
  package func forEachEntry(
    of request: FetchRequest<EntryRow>,
    _ body: (RowKey<EntryRowID>, Entry) throws -> Bool
  ) throws {
    var skip = request.offset
    var left = request.limit ?? Int.max
    let groups = try read { try $0.outline(of: request) }
    for (index, group) in groups.enumerated() where left > 0 {
      if skip >= group.count {
        skip -= group.count
        continue
      }
      let upper = index + 1 < groups.count ? groups[index + 1].bound : nil
      let range = KeyRange(lower: group.bound, upper: upper)
      let keys = try group.keys ?? read { try $0.keys(of: request, in: range) }
      let wanted = Array(keys.dropFirst(skip).prefix(left))
      guard try forEachPage(of: wanted, body) else { return }
      skip = 0
      left -= wanted.count
    }
  }

  private func forEachPage(
    of keys: [RowKey<EntryRowID>], _ body: (RowKey<EntryRowID>, Entry) throws -> Bool
  ) throws -> Bool {
    let page = 512
    for start in stride(from: 0, to: keys.count, by: page) {
      let part = keys[start..<min(start + page, keys.count)]
      let entries = try inspect { reader in
        try part.map { try reader.entry(number: $0.id.number) }
      }
      for (key, entry) in zip(part, entries) {
        if let entry, try !body(key, entry) { return false }
      }
    }
    return true
  }
}
