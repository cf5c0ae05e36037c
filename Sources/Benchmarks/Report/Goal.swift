/// What a figure should reach; all conditions that are set must hold.
struct Goal {
  /// The most the figure may be, in its own unit.
  var most: Double?
  /// The most the ratio to the floor may be.
  var mostRatio: Double?
  /// The least that the peer must take as a multiple of the figure.
  var leastSpeedup: Double?

  /// Whether a figure and its ratio to floor or peer reach the goal; `nil` when nothing was asked.
  func isMet(value: Double, ratio: Double?) -> Bool? {
    var answers: [Bool] = []
    if let most { answers.append(value <= most) }
    if let mostRatio { answers.append(ratio.map { $0 <= mostRatio } ?? false) }
    if let leastSpeedup { answers.append(ratio.map { $0 * leastSpeedup <= 1 } ?? false) }
    return answers.isEmpty ? nil : answers.allSatisfy(\.self)
  }

  /// The goal in words, with numbers in the figure's unit.
  func words(_ unit: Figure.Unit) -> String {
    [
      most.map { "≤ \(unit.text($0))" },
      mostRatio.map { "≤ \(Figure.number($0))×" },
      leastSpeedup.map { "\(Figure.number($0))× faster" },
    ].compactMap(\.self).joined(separator: ", ")
  }
}
