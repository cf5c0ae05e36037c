/// The common elements of two sequences, in order, found in bounded time.
///
/// The common prefix and suffix come first. Elements that occur once in each sequence divide the
/// rest, as in patience diff, and the remaining gaps are compared by Myers's algorithm while the
/// budget lasts. After that, all elements count as replaced: the result is always correct, but not
/// always minimal, so that two unrelated texts of megabytes take no long time.
struct SequenceDifference {
  /// For each element of the old sequence, whether the new one has it, too.
  private(set) var keptOld: [Bool]
  /// For each element of the new sequence, whether the old one had it.
  private(set) var keptNew: [Bool]

  private let old: [Int]
  private let new: [Int]
  private var budget: Int

  /// The maximum number of comparisons beyond the linear ones.
  static let usualBudget = 4_000_000
  /// The maximum number of edit steps in a gap: memory grows with their square.
  private static let mostEdits = 1_000
  /// The maximum depth of division of a gap.
  private static let mostDivisions = 12

  /// Compares two sequences of numbers, which represent their elements.
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

  /// The elements that occur once on each side, as many as have the same order on both.
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

  /// The position of each element, `nil` for one that occurs several times.
  private func onlyPlaces(_ elements: [Int], _ range: Range<Int>) -> [Int: Int?] {
    var places: [Int: Int?] = [:]
    for index in range {
      places[elements[index]] = places[elements[index]] == nil ? .some(index) : .some(nil)
    }
    return places
  }

  /// A longest subsequence of pairs, ascending on the old side, that ascends on the new side, too.
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
  /// Myers's greedy search; elements beyond its limits count as replaced.
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

  /// Follows the furthest reaching paths backwards and keeps their common elements.
  private mutating func walkBack(
    _ traces: [[Int]], _ edits: Int, _ left: Range<Int>, _ right: Range<Int>
  ) {
    var (x, y) = (left.count, right.count)
    for step in stride(from: edits, through: 1, by: -1) {
      // A trace has the furthest positions before its step, of the diagonals -step...step.
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

/// Maps equal texts to equal numbers, byte by byte: canonically equivalent texts differ.
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
