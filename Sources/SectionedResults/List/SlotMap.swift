/// Maps indexes through a simultaneous removal and filling of slots: what stays keeps its order.
///
/// `removed` are old indexes, `filled` new ones; both are sorted and free of repetitions. Rows inside
/// a section and sections inside a list follow the same arithmetic (rule 54).
struct SlotMap: Equatable, Sendable {
  let removed: ArraySlice<Int>
  let filled: ArraySlice<Int>

  init(removed: ArraySlice<Int>, filled: ArraySlice<Int>) {
    self.removed = removed
    self.filled = filled
  }

  init(removed: [Int], filled: [Int]) {
    self.init(removed: removed[...], filled: filled[...])
  }

  /// The new index of an old one; `nil` if its slot is removed.
  ///
  /// O(log n).
  func map(_ old: Int) -> Int? {
    let before = removed.firstIndexSorted { $0 >= old }
    if before < removed.endIndex, removed[before] == old { return nil }
    return slot(ofRank: old - (before - removed.startIndex))
  }

  /// The new index of the `rank`-th of those that stay.
  ///
  /// O(log n).
  private func slot(ofRank rank: Int) -> Int {
    var low = 0
    var high = filled.count
    while low < high {
      let middle = (low + high) / 2
      if filled[filled.startIndex + middle] - middle > rank {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return rank + low
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index whose element fulfils a condition that all later elements fulfil too.
  ///
  /// O(log n).
  func firstIndexSorted(where condition: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
