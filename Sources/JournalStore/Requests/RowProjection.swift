import Journal
import SectionedResults

/// Tells which rows of a request an entry is: none if the filter leaves it out, one a tag by tag.
struct RowProjection {
  let request: FetchRequest<EntryRow>

  /// - Parameter text: gives the entry's text, and is asked only if the filter depends on it.
  func rows(_ row: EntryRow, text: () throws -> String?) throws -> [EntryRow] {
    guard try matches(row, text: text) else { return [] }
    guard isByTag else { return [row] }
    let keys = row.tags.isEmpty ? [""] : row.tags.map { Tag.key(of: $0) }
    return keys.map { key in
      var tagged = row
      tagged.id.tag = key
      return tagged
    }
  }

  func rows(_ entry: Entry) -> [EntryRow] {
    (try? rows(entry.row()) { entry.text }) ?? []
  }

  var isByTag: Bool {
    request.sectionField == .tag || request.sortKeys.contains { $0.field == .tag }
  }

  /// Whether an entry has the tag under which a row of it stands, or any tag where lists have none.
  func hasTag(_ row: EntryRow) -> Bool {
    guard isByTag else { return row.id.tag.isEmpty }
    return row.tags.isEmpty
      ? row.id.tag.isEmpty : row.tags.contains { Tag.key(of: $0) == row.id.tag }
  }

  /// Whether the filter lets an entry through.
  func matches(_ row: EntryRow, text: () throws -> String?) throws -> Bool {
    guard let filter = request.filter, filter != .everything else { return row.deleted == nil }
    if row.deleted != nil, !filter.wantsDeleted { return false }
    let text = filter.needsText ? try text() ?? "" : ""
    return filter.matches(row.entry(text: text))
  }
}
