/// Finding what somebody may have meant.
enum Suggestion {
  /// The candidate that is nearest to a word, if one is near enough to be a slip of the fingers.
  ///
  /// A third of the word may be wrong, one letter at least. Of equally near ones the first wins.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let distances = candidates.map { (distance(word, $0), $0) }
    guard let best = distances.min(by: { $0.0 < $1.0 }) else { return nil }
    return best.0 <= max(1, word.count / 3) ? best.1 : nil
  }

  /// How many letters have to be put in, left out, changed or swapped with their neighbour.
  static func distance(_ lhs: String, _ rhs: String) -> Int {
    let left = Array(lhs.lowercased())
    let right = Array(rhs.lowercased())
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 0..<left.count {
      var line = [row + 1]
      for column in 0..<right.count {
        let change = last[column] + (left[row] == right[column] ? 0 : 1)
        var best = min(change, last[column + 1] + 1, line[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, beforeLast[column - 1] + 1)
        }
        line.append(best)
      }
      (beforeLast, last) = (last, line)
    }
    return last[right.count]
  }
}
