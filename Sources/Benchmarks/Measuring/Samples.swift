/// Repeated measurements of one thing.
struct Samples {
  private(set) var values: [Double] = []

  /// Adds a measurement.
  mutating func add(_ value: Double) {
    values.append(value)
  }

  /// The middle value; 0 without any.
  var median: Double { quantile(0.5) }

  /// The smallest value that at least a share of all values does not exceed.
  func quantile(_ share: Double) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let index = Int((Double(sorted.count) * share).rounded(.up)) - 1
    return sorted[min(max(index, 0), sorted.count - 1)]
  }
}
