/// Finding the word that somebody probably meant.
public enum Spelling {
  /// The candidate that needs the fewest typing errors to become `word`, if they are few enough.
  ///
  /// Up to a third of the longer word may be wrong, at least one character. A word of one letter is near
  /// to every other one, so it is neither corrected nor suggested. O(candidates · length²).
  public static func nearest(to word: String, among candidates: [String]) -> String? {
    let typed = Array(word.lowercased().prefix(64))
    guard typed.count > 1 else { return nil }
    let ranked = candidates.filter { $0.count > 1 }.map { (distance(typed, Array($0)), $0) }
    guard let best = ranked.min(by: { $0.0 < $1.0 }) else { return nil }
    return best.0 <= max(1, max(typed.count, best.1.count) / 3) ? best.1 : nil
  }

  /// Levenshtein's distance, with two neighbours exchanged counted as one error.
  static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var before: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var line = [row + 1]
      for column in right.indices {
        let same = left[row] == right[column]
        var best = min(last[column + 1] + 1, line[column] + 1, last[column] + (same ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, before[column - 1] + 1)
        }
        line.append(best)
      }
      before = last
      last = line
    }
    return last[right.count]
  }
}
