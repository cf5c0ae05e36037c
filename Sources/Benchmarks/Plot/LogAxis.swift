import Foundation

/// A logarithmic axis of whole decades.
struct LogAxis: Equatable {
  /// The exponents of its ends.
  let decades: ClosedRange<Int>

  /// The smallest axis that contains some values; those that are not positive are ignored.
  init(containing values: [Double]) {
    let exponents = values.filter { $0 > 0 && $0.isFinite }.map(log10)
    // A power of ten may be a little beside its exponent.
    let lower = Int(((exponents.min() ?? 0) + 1e-9).rounded(.down))
    let upper = Int(((exponents.max() ?? 1) - 1e-9).rounded(.up))
    decades = lower...max(lower + 1, upper)
  }

  /// The place of a value from 0 to 1, inside the axis.
  func place(of value: Double) -> Double {
    guard value > 0 else { return 0 }
    let place = (log10(value) - Double(decades.lowerBound)) / Double(decades.count - 1)
    return min(max(place, 0), 1)
  }

  /// The powers of ten.
  var ticks: [Double] { decades.map { pow(10, Double($0)) } }
}

/// Places of labels beside each other.
enum LabelPlaces {
  /// Moves places apart as little as a simple method can, keeping their order.
  ///
  /// - Parameters:
  ///   - wanted: the places in any order.
  ///   - gap: the least distance of two places.
  ///   - range: all places are inside, if there is room.
  /// - Returns: a place for each, in the order of `wanted`.
  static func spread(
    _ wanted: [Double], gap: Double, in range: ClosedRange<Double>
  ) -> [Double] {
    let order = wanted.indices.sorted { (wanted[$0], $0) < (wanted[$1], $1) }
    // Blocks of labels that touch, each around the mean of what its labels want.
    var blocks: [(members: [Int], start: Double)] = []
    func start(_ members: [Int]) -> Double {
      let offsets = members.enumerated().map { wanted[$1] - gap * Double($0) }
      let mean = offsets.reduce(0, +) / Double(members.count)
      let latest = range.upperBound - gap * Double(members.count - 1)
      return max(range.lowerBound, min(mean, latest))
    }
    for index in order {
      blocks.append(([index], start([index])))
      while blocks.count > 1, let last = blocks.last {
        let before = blocks[blocks.count - 2]
        guard before.start + gap * Double(before.members.count) > last.start else { break }
        blocks.removeLast(2)
        let members = before.members + last.members
        blocks.append((members, start(members)))
      }
    }
    var places = wanted
    for block in blocks {
      for (offset, index) in block.members.enumerated() {
        places[index] = block.start + gap * Double(offset)
      }
    }
    return places
  }
}
