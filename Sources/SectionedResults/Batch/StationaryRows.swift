/// Decides which written rows of the results stay where they are, and which move.
///
/// Rows nobody wrote never move (rule 38). A written row can stay only if as many unwritten rows stand
/// before it as before; among the rows of one such gap a longest increasing run stays, so that the
/// moves are the fewest possible; of several longest runs the one that patience sorting finds, where
/// the smallest tail stays (rule 39).
package enum StationaryRows {
  /// A written row that is in the same section before and after.
  struct Candidate {
    /// Its position before.
    var old: Int
    /// Its position after.
    var new: Int
    /// How many unwritten rows stood before it.
    var oldAnchors: Int
    /// How many unwritten rows stand before it.
    var newAnchors: Int
  }

  /// The candidates that stay, as indexes into `candidates`; O(k log k).
  static func among(_ candidates: [Candidate]) -> Set<Int> {
    let steady = candidates.indices
      .filter { candidates[$0].oldAnchors == candidates[$0].newAnchors }
      .sorted { candidates[$0].new < candidates[$1].new }
    var staying: Set<Int> = []
    var start = 0
    while start < steady.count {
      let gap = candidates[steady[start]].newAnchors
      let end = steady[start...].firstIndex { candidates[$0].newAnchors != gap } ?? steady.count
      let run = Array(steady[start..<end])
      for index in longestIncreasingRun(run.map { candidates[$0].old }) {
        staying.insert(run[index])
      }
      start = end
    }
    return staying
  }

  /// The indexes of one longest strictly increasing run, by patience sorting; O(n log n).
  package static func longestIncreasingRun(_ values: [Int]) -> [Int] {
    var tails: [Int] = []
    var previous = [Int?](repeating: nil, count: values.count)
    for index in values.indices {
      let pile = partitionPoint(tails.count) { values[tails[$0]] < values[index] }
      previous[index] = pile > 0 ? tails[pile - 1] : nil
      if pile == tails.count { tails.append(index) } else { tails[pile] = index }
    }
    var run: [Int] = []
    var next = tails.last
    while let index = next {
      run.append(index)
      next = previous[index]
    }
    return run.reversed()
  }
}
