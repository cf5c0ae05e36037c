import Journal
import SectionedResults

/// Stepping through the rows of a request without fetching all of them.
extension EntryStore {
  /// The identity of the first row of a request behind another one, or of its first row at all.
  ///
  /// Rows are read in the request's order only until one matches, so near matches are found at once
  /// and rare ones cost a pass over the journal; run it in ``cancellable(_:_:)``. Limit and offset of
  /// the request do not count.
  ///
  /// - Parameter key: the key to start behind, whose row need not match; `nil` for the beginning.
  /// - Throws: ``StoreError`` when the medium fails.
  package func firstRow(
    of request: FetchRequest<EntryRow>, after key: RowKey<EntryRowID>?
  ) throws -> EntryRowID? {
    let range = KeyRange(lower: key?.values, upper: nil)
    return try read { snapshot in
      if let seeking = snapshot as? any RowSeeking {
        return try seeking.firstRow(of: request, in: range, except: key?.id)
      }
      return try snapshot.keys(of: request, in: range).first { $0.id != key?.id }?.id
    }
  }
}

/// A snapshot that can stop at the first row, where others would read a whole range.
protocol RowSeeking {
  /// The first row of a range that is not the one excepted.
  func firstRow(
    of request: FetchRequest<EntryRow>, in range: KeyRange, except id: EntryRowID?
  ) throws -> EntryRowID?
}

extension FetchRequest where Row == EntryRow {
  /// The same rows the other way round, in one section: for looking backwards.
  package var reversed: FetchRequest<EntryRow> {
    var other = self
    other.sortKeys = sortKeys.map { key in
      SortKey(key.field, key.order == .ascending ? .descending : .ascending)
    }
    other.sectionField = sectionField == .tag ? .tag : nil
    return other
  }
}
