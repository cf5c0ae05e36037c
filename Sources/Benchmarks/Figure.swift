/// One line of the table: a measurement, its comparison, and its goal.
struct Figure: Equatable {
  /// The unit of a value.
  enum Unit: String, Codable {
    case milliseconds = "ms"
    case seconds = "s"
    case mebibytes = "MiB"
    case kibibytes = "KiB"
    case times = ""

    /// A value with its unit.
    func text(_ value: Double) -> String {
      self == .times ? Figure.number(value) : "\(Figure.number(value)) \(rawValue)"
    }
  }

  /// The measurement it is compared with, in the same unit.
  struct Peer: Codable, Equatable {
    var name: String
    var value: Double
  }

  /// The number of the row in the plan of measurements.
  var row: Int
  /// The name of the measurement.
  var name: String
  var value: Double
  var unit = Unit.milliseconds
  var peer: Peer?
  var goal = Goal()
  /// A remark for the reader.
  var note = ""
  /// The point of the growth plot that this figure is.
  var growth: GrowthSample?

  init(
    row: Int, name: String, value: Double, unit: Unit = .milliseconds,
    peer: (name: String, value: Double)? = nil, goal: Goal = Goal(), note: String = "",
    growth: GrowthSample? = nil
  ) {
    self.row = row
    self.name = name
    self.value = value
    self.unit = unit
    self.peer = peer.map { Peer(name: $0.name, value: $0.value) }
    self.goal = goal
    self.note = note
    self.growth = growth
  }

  /// The number of the row; of a point of the growth plot with a G before it.
  var label: String { growth == nil ? "\(row)" : "G\(row)" }

  /// The value as a multiple of the peer's.
  var ratio: Double? {
    peer.flatMap { $0.value > 0 ? value / $0.value : nil }
  }

  var isMet: Bool? { goal.isMet(value: value, ratio: ratio) }

  /// A number with three significant digits, without an exponent.
  static func number(_ value: Double) -> String {
    let size = value.magnitude
    let decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size == 0 ? 0 : 3
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let rounded = (value * scale).rounded() / scale
    return decimals == 0 ? "\(Int(rounded))" : trimmed("\(rounded)")
  }

  private static func trimmed(_ text: String) -> String {
    text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

/// The goal of a figure; all conditions must hold.
struct Goal: Codable, Equatable {
  /// The maximum of the figure, in its own unit.
  var most: Double?
  /// The maximum of its ratio to the lower bound.
  var mostRatio: Double?
  /// The minimum ratio of the peer to the figure.
  var leastSpeedup: Double?

  /// Whether a figure and its ratio reach the goal; `nil` without a goal.
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

extension Figure: Codable {
  private enum Key: String, CodingKey {
    case row, figure, value, unit, beside, ratio, goal, met, note, growth
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    row = try values.decode(Int.self, forKey: .row)
    name = try values.decode(String.self, forKey: .figure)
    value = try values.decode(Double.self, forKey: .value)
    unit = try values.decode(Unit.self, forKey: .unit)
    peer = try values.decodeIfPresent(Peer.self, forKey: .beside)
    goal = try values.decodeIfPresent(Goal.self, forKey: .goal) ?? Goal()
    note = try values.decodeIfPresent(String.self, forKey: .note) ?? ""
    growth = try values.decodeIfPresent(GrowthSample.self, forKey: .growth)
  }

  /// Also writes the ratio and whether the goal is met, for readers that do not compute them.
  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(row, forKey: .row)
    try values.encode(name, forKey: .figure)
    try values.encode(value, forKey: .value)
    try values.encode(unit, forKey: .unit)
    try values.encodeIfPresent(peer, forKey: .beside)
    try values.encodeIfPresent(ratio, forKey: .ratio)
    if goal != Goal() { try values.encode(goal, forKey: .goal) }
    try values.encodeIfPresent(isMet, forKey: .met)
    if !note.isEmpty { try values.encode(note, forKey: .note) }
    try values.encodeIfPresent(growth, forKey: .growth)
  }
}
