import Journal
import SectionedResults

/// All keys of a request in order, for one state of a memory journal.
struct KeyList {
  let request: FetchRequest<EntryRow>
  let sequence: Int64
  let keys: [RowKey<EntryRowID>]

  /// The keys that stand in a range.
  ///
  /// - Complexity: logarithmic, besides the keys themselves.
  func keys(in range: KeyRange) -> ArraySlice<RowKey<EntryRowID>> {
    let start = range.lower.map(index) ?? keys.startIndex
    let end = range.upper.map(index) ?? keys.endIndex
    return keys[start..<max(start, end)]
  }

  private func index(of bound: [SortValue]) -> Int {
    keys.partitioningIndex { request.compare($0.values, bound) >= 0 }
  }
}
