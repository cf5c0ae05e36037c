import Foundation
import Glibc

/// All figures of a run, as a table or as JSON.
struct Report {
  var figures: [Figure] = []
  /// The omitted measurements with the reasons.
  var notes: [String] = []

  /// The table, one figure per line, and the notes below it.
  func table() -> String {
    let heads = ["#", "figure", "value", "beside", "", "ratio", "goal", "met"]
    let rows = [heads] + figures.map(cells)
    let widths = heads.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      zip(row, widths).enumerated().map { column, cell in
        pad(cell.0, to: cell.1, onLeft: [0, 2, 4, 5].contains(column))
      }.joined(separator: "  ").trimmingCharacters(in: .newlines)
    }
    return (lines + notes.map { "note: \($0)" }).joined(separator: "\n")
  }

  private func cells(of figure: Figure) -> [String] {
    [
      "\(figure.row)", figure.name, figure.unit.text(figure.value), figure.peer?.name ?? "",
      figure.peer.map { figure.unit.text($0.value) } ?? "",
      figure.ratio.map { Figure.number($0) } ?? "", figure.goal.words(figure.unit),
      figure.isMet.map { $0 ? "yes" : "NO" } ?? "",
    ]
  }

  private func pad(_ text: String, to width: Int, onLeft: Bool) -> String {
    let blank = String(repeating: " ", count: max(0, width - text.count))
    return onLeft ? blank + text : text + blank
  }

  /// The same as JSON: an object with `figures` and `notes`.
  func json() throws -> String {
    let object: [String: Any] = ["figures": figures.map(object), "notes": notes]
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .prettyPrinted]
    return String(
      decoding: try JSONSerialization.data(withJSONObject: object, options: options),
      as: UTF8.self)
  }

  private func object(of figure: Figure) -> [String: Any] {
    var object: [String: Any] = [
      "row": figure.row, "figure": figure.name, "value": figure.value,
      "unit": figure.unit.rawValue,
    ]
    if let peer = figure.peer { object["beside"] = ["name": peer.name, "value": peer.value] }
    object["ratio"] = figure.ratio
    object["met"] = figure.isMet
    if !figure.note.isEmpty { object["note"] = figure.note }
    let goal = figure.goal.words(figure.unit)
    if !goal.isEmpty { object["goal"] = goal }
    return object
  }
}

/// One line of the table: a measurement, its comparison, and its goal.
struct Figure {
  /// The unit of a value.
  enum Unit: String {
    case milliseconds = "ms"
    case mebibytes = "MiB"
    case kibibytes = "KiB"
    case times = ""

    /// A value with its unit.
    func text(_ value: Double) -> String {
      self == .times ? Figure.number(value) : "\(Figure.number(value)) \(rawValue)"
    }
  }

  /// The number of the row in the plan of measurements.
  var row: Int
  /// The name of the measurement.
  var name: String
  var value: Double
  var unit = Unit.milliseconds
  /// The comparison, in the same unit.
  var peer: (name: String, value: Double)?
  var goal = Goal()
  /// A remark for the reader.
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

/// The goal of a figure; all conditions must hold.
struct Goal {
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

/// Prints progress on standard error, so that standard output contains the table only.
enum Console {
  static func tell(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}
