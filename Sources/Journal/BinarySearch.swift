extension RandomAccessCollection {
  /// The first index whose element satisfies a condition; `endIndex` if none does.
  ///
  /// All elements after the first that satisfies it must satisfy it too: `days.partitioningIndex {
  /// $0.day >= day }` in ascending order. The program's one binary search; the library
  /// `SectionedResults`, which imports nothing, has its own.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  package func partitioningIndex(where condition: (Element) throws -> Bool) rethrows -> Index {
    var (low, count) = (startIndex, count)
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if try condition(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}
