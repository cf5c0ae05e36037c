import Journal
import Screen

/// The heat map as a self-contained SVG: light or dark by the viewer's setting, with the counts of
/// each day as a tooltip.
struct StatisticsSVG {
  let map: HeatMap
  /// The counts of the days with entries.
  let counts: [Day: DayCount]
  /// The title of the drawing.
  let title: String
  let total: PeriodCount
  let names: DateNames

  private static let cell = 11
  private static let step = 14
  private static let left = 40
  private static let top = 44

  /// The whole file.
  var text: String {
    let width = Self.left + map.weeks.count * Self.step + 16
    let height = Self.top + 7 * Self.step + 34
    let heading =
      "\(title): \(Numbers.entries(total.entries)), \(Numbers.words(total.words)),"
      + " \(Numbers.days(total.days))"
    let parts = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
      height="\(height)" role="img" aria-label="\(Self.escaped(heading))">
      <style>\(Self.rules)</style>
      <rect class="ground" width="\(width)" height="\(height)" rx="8"/>
      <text class="title" x="16" y="22">\(Self.escaped(heading))</text>
      """
    ]
    return (parts + months + weekdays + cells + legend(width, height) + ["</svg>", ""])
      .joined(separator: "\n")
  }

  private static let rules = """
    text{font:11px system-ui,sans-serif;fill:#57606a}.title{font-size:13px;fill:#24292f}\
    .ground{fill:#fff}.l0{fill:#e9ecef}.l1{fill:#b7d3b7}.l2{fill:#87af87}.l3{fill:#5f875f}\
    .l4{fill:#2f5f2f}@media(prefers-color-scheme:dark){text{fill:#8b949e}.title{fill:#e6edf3}\
    .ground{fill:#0d1117}.l0{fill:#21262d}.l1{fill:#2f4a35}.l2{fill:#4a7350}.l3{fill:#73a878}\
    .l4{fill:#a8dcae}}
    """

  private func x(_ week: Int) -> Int { Self.left + week * Self.step }
  private func y(_ row: Int) -> Int { Self.top + row * Self.step }

  private var months: [String] {
    var free = 0
    return map.weeks.enumerated().compactMap { index, week in
      let days = week.compactMap { $0?.day }
      guard let day = days.first(where: { $0.day == 1 }), index >= free,
        index + 2 < map.weeks.count
      else { return nil }
      free = index + 3
      let name = String(names.months[day.month - 1].prefix(3))
      return "<text x=\"\(x(index))\" y=\"\(Self.top - 6)\">\(Self.escaped(name))</text>"
    }
  }

  private var weekdays: [String] {
    stride(from: 0, to: 7, by: 2).map { row in
      let name = names.shortWeekdays[(map.firstWeekday - 1 + row) % 7]
      return "<text x=\"10\" y=\"\(y(row) + 9)\">\(Self.escaped(name))</text>"
    }
  }

  private var cells: [String] {
    map.weeks.enumerated().flatMap { index, week in
      week.enumerated().compactMap { row, cell in
        cell.map { square($0, x: x(index), y: y(row)) }
      }
    }
  }

  private func square(_ cell: HeatMap.Cell, x: Int, y: Int) -> String {
    let words =
      counts[cell.day].map { "\(Numbers.entries($0.entries)), \(Numbers.words($0.words))" }
      ?? "nothing written"
    return Self.square(cell.level, x, y, title: "\(cell.day): \(words)")
  }

  private static func square(_ level: Int, _ x: Int, _ y: Int, title: String) -> String {
    "<rect class=\"l\(level)\" x=\"\(x)\" y=\"\(y)\" width=\"\(cell)\" height=\"\(cell)\" rx=\"2\">"
      + "<title>\(title)</title></rect>"
  }

  private func legend(_ width: Int, _ height: Int) -> [String] {
    let row = height - 22
    let start = width - 16 - 5 * Self.step - 40
    let texts = [
      "<text x=\"\(start - 30)\" y=\"\(row + 9)\">less</text>",
      "<text x=\"\(start + 5 * Self.step + 4)\" y=\"\(row + 9)\">more</text>",
    ]
    return texts
      + (0...HeatMap.levels).map { level in
        Self.square(
          level, start + level * Self.step, row,
          title: level == 0 ? "nothing written" : "level \(level) of \(HeatMap.levels)")
      }
  }

  /// Escaped XML text, without characters that XML does not allow.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in Sanitizing.line(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
