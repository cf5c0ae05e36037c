/// Which elements two sequences have in common, in order, found in bounded time.
///
/// What both begin and end with is taken first. What stands once in each of them divides the rest, as
/// in patience diff, and what then is left is compared step by step (Myers) as long as the budget
/// lasts. Behind that everything counts as replaced: the answer is always right, only not always the
/// shortest one, so that two unrelated texts of megabytes are no reason to wait.
struct SequenceDifference {
  /// For each element of the old sequence, whether it stands in the new one too.
  private(set) var keptOld: [Bool]
  /// For each element of the new sequence, whether it stood in the old one already.
  private(set) var keptNew: [Bool]

  private let old: [Int]
  private let new: [Int]
  private var budget: Int

  /// Comparisons that a difference may take beyond the linear ones.
  static let usualBudget = 4_000_000
  /// Edit steps between two gaps that are looked for at most: the memory grows with their square.
  private static let mostEdits = 1_000
  /// How often a gap is divided again.
  private static let mostDivisions = 12

  /// Compares two sequences of numbers that stand for their elements.
  ///
  /// - Complexity: O(n log n) in the elements of both, and `budget` steps.
  init(from old: [Int], to new: [Int], budget: Int = usualBudget) {
    self.old = old
    self.new = new
    self.budget = budget
    keptOld = Array(repeating: false, count: old.count)
    keptNew = Array(repeating: false, count: new.count)
    compare(0..<old.count, 0..<new.count, Self.mostDivisions)
  }

  private mutating func keep(_ oldIndex: Int, _ newIndex: Int) {
    keptOld[oldIndex] = true
    keptNew[newIndex] = true
  }

  private mutating func compare(_ left: Range<Int>, _ right: Range<Int>, _ divisions: Int) {
    let (left, right) = withoutCommonEnds(left, right)
    guard !left.isEmpty, !right.isEmpty else { return }
    let anchors = divisions > 0 ? anchors(left, right) : []
    guard !anchors.isEmpty else { return compareStepwise(left, right) }
    var (nextLeft, nextRight) = (left.lowerBound, right.lowerBound)
    for anchor in anchors {
      keep(anchor.old, anchor.new)
      compare(nextLeft..<anchor.old, nextRight..<anchor.new, divisions - 1)
      (nextLeft, nextRight) = (anchor.old + 1, anchor.new + 1)
    }
    compare(nextLeft..<left.upperBound, nextRight..<right.upperBound, divisions - 1)
  }

  private mutating func withoutCommonEnds(
    _ left: Range<Int>, _ right: Range<Int>
  ) -> (Range<Int>, Range<Int>) {
    var (first, other) = (left.lowerBound, right.lowerBound)
    var (end, otherEnd) = (left.upperBound, right.upperBound)
    while first < end, other < otherEnd, old[first] == new[other] {
      keep(first, other)
      (first, other) = (first + 1, other + 1)
    }
    while first < end, other < otherEnd, old[end - 1] == new[otherEnd - 1] {
      (end, otherEnd) = (end - 1, otherEnd - 1)
      keep(end, otherEnd)
    }
    return (first..<end, other..<otherEnd)
  }
}

// MARK: - Anchors

extension SequenceDifference {
  private typealias Anchor = (old: Int, new: Int)

  /// What stands once on each side, as much of it as has the same order on both.
  private func anchors(_ left: Range<Int>, _ right: Range<Int>) -> [Anchor] {
    let placesLeft = onlyPlaces(old, left)
    let placesRight = onlyPlaces(new, right)
    let pairs: [Anchor] = left.compactMap { index in
      guard placesLeft[old[index]] == index, let other = placesRight[old[index]] ?? nil else {
        return nil
      }
      return (index, other)
    }
    return Self.longestAscending(pairs)
  }

  /// The place of each element, `nil` for one that stands in several.
  private func onlyPlaces(_ elements: [Int], _ range: Range<Int>) -> [Int: Int?] {
    var places: [Int: Int?] = [:]
    for index in range {
      places[elements[index]] = places[elements[index]] == nil ? .some(index) : .some(nil)
    }
    return places
  }

  /// The longest part of pairs, ascending on the old side, that ascends on the new side too.
  private static func longestAscending(_ pairs: [Anchor]) -> [Anchor] {
    var piles: [Int] = []
    var before = Array(repeating: -1, count: pairs.count)
    for (index, pair) in pairs.enumerated() {
      let pile = piles.partitioningIndex { pairs[$0].new >= pair.new }
      before[index] = pile > 0 ? piles[pile - 1] : -1
      if pile == piles.count { piles.append(index) } else { piles[pile] = index }
    }
    var chain: [Anchor] = []
    var next = piles.last ?? -1
    while next >= 0 {
      chain.append(pairs[next])
      next = before[next]
    }
    return chain.reversed()
  }
}

// MARK: - Step by step

extension SequenceDifference {
  /// Myers's greedy search; what it cannot finish within its limits stays replaced.
  private mutating func compareStepwise(_ left: Range<Int>, _ right: Range<Int>) {
    let (count, otherCount) = (left.count, right.count)
    let most = min(count + otherCount, Self.mostEdits)
    var reach = Array(repeating: 0, count: 2 * most + 3)
    let middle = most + 1
    var traces: [[Int]] = []
    for edits in 0...most {
      traces.append(Array(reach[(middle - edits)...(middle + edits)]))
      for diagonal in stride(from: -edits, through: edits, by: 2) {
        let isDown =
          diagonal == -edits
          || (diagonal != edits && reach[middle + diagonal - 1] < reach[middle + diagonal + 1])
        var x = isDown ? reach[middle + diagonal + 1] : reach[middle + diagonal - 1] + 1
        let start = x
        while x < count, x - diagonal < otherCount, x - diagonal >= 0,
          old[left.lowerBound + x] == new[right.lowerBound + x - diagonal]
        {
          x += 1
        }
        reach[middle + diagonal] = x
        budget -= 1 + x - start
        if x >= count, x - diagonal >= otherCount {
          return walkBack(traces, edits, left, right)
        }
      }
      if budget < 0 { return }
    }
  }

  /// Goes back along the furthest reaching paths and keeps what they had in common.
  private mutating func walkBack(
    _ traces: [[Int]], _ edits: Int, _ left: Range<Int>, _ right: Range<Int>
  ) {
    var (x, y) = (left.count, right.count)
    for step in stride(from: edits, through: 1, by: -1) {
      // A trace holds the reaches before its step, of the diagonals -step...step.
      let reach = traces[step]
      let diagonal = x - y
      let isDown =
        diagonal == -step
        || (diagonal != step && reach[step + diagonal - 1] < reach[step + diagonal + 1])
      let before = isDown ? diagonal + 1 : diagonal - 1
      let beforeX = reach[step + before]
      let beforeY = beforeX - before
      let (startX, startY) = isDown ? (beforeX, beforeY + 1) : (beforeX + 1, beforeY)
      while x > startX, y > startY {
        (x, y) = (x - 1, y - 1)
        keep(left.lowerBound + x, right.lowerBound + y)
      }
      (x, y) = (beforeX, beforeY)
    }
    while x > 0, y > 0 {
      (x, y) = (x - 1, y - 1)
      keep(left.lowerBound + x, right.lowerBound + y)
    }
  }
}

/// Gives equal texts equal numbers, byte by byte: é and e with an accent are two.
struct Interning {
  private var numbers: [[UInt8]: Int] = [:]

  /// The number of each text.
  mutating func take(_ texts: [String]) -> [Int] {
    texts.map { number(of: Array($0.utf8)) }
  }

  /// The number of some bytes.
  mutating func number(of bytes: [UInt8]) -> Int {
    if let number = numbers[bytes] { return number }
    numbers[bytes] = numbers.count
    return numbers.count - 1
  }
}
