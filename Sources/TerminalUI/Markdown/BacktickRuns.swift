/// The runs of backticks in a paragraph by their length, found once for all searches.
struct BacktickRuns {
  /// The places of the runs of a length, and how many of them are passed.
  private struct Places {
    var all: [Int] = []
    var passed = 0
  }

  private var places: [Int: Places] = [:]

  /// Finds the runs from a place on.
  init(_ bytes: [UInt8], from start: Int) {
    var index = start
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "`") else {
        index += 1
        continue
      }
      let end = bytes.endOfRun(at: index)
      places[end - index, default: Places()].all.append(index)
      index = end
    }
  }

  /// The first run of a length at or behind a place.
  ///
  /// Places must be asked for in ascending order; all searches together take linear time.
  mutating func next(ofLength length: Int, from index: Int) -> Int? {
    guard var runs = places.removeValue(forKey: length) else { return nil }
    while runs.passed < runs.all.count, runs.all[runs.passed] < index { runs.passed += 1 }
    let found = runs.passed < runs.all.count ? runs.all[runs.passed] : nil
    // A length without runs ahead is forgotten.
    if found != nil { places[length] = runs }
    return found
  }
}
