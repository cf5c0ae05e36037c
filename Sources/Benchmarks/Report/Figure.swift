/// One line of the table: a measurement, what it is compared with, and what it should reach.
struct Figure {
  /// What the value counts.
  enum Unit: String {
    case milliseconds = "ms"
    case mebibytes = "MiB"
    case times = ""

    /// A value with its unit.
    func text(_ value: Double) -> String {
      self == .times ? Figure.number(value) : "\(Figure.number(value)) \(rawValue)"
    }
  }

  /// The number of the row in the plan of measurements.
  var row: Int
  /// What was measured.
  var name: String
  var value: Double
  var unit = Unit.milliseconds
  /// What it is compared with, in the same unit.
  var peer: (name: String, value: Double)?
  var goal = Goal()
  /// What a reader should know about it.
  var note = ""

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
