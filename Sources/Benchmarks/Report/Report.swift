import Foundation

/// All figures of a run, as a table for people or as JSON for machines.
struct Report {
  var figures: [Figure] = []
  /// What was left out and why.
  var notes: [String] = []

  /// The table, a line a figure, and the notes below it.
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
