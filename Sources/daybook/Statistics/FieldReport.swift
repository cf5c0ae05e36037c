import Journal
import TextLayout

/// The sums of a field as `daybook stats --field` prints them.
struct FieldReport {
  let name: String
  let statistics: FieldStatistics
  let grouping: Grouping?

  /// The table: a line of all values, then one of each period; nothing without values to sum.
  ///
  /// - Parameter columns: the room; without enough the last columns are left out. `nil` for any.
  func lines(columns: Int? = nil) -> [String] {
    guard let all = statistics.all else {
      return [
        "\(name): \(Numbers.counted(statistics.others, "value", "values")), none of them a number or a duration"
      ]
    }
    var rows = [["", "count"] + all.columns.map(\.name), row("all", all)]
    rows += statistics.parts.map { row($0.key, $0.summary) }
    let widths = rows[0].indices.map { column in
      rows.map { TextWidth.columns(of: $0[column]) }.max() ?? 0
    }
    let kept = widths.indices.last { last in
      widths[...last].reduce(0, +) + 2 * last <= columns ?? .max
    }
    let unit =
      statistics.isDuration
      ? " of durations" : statistics.unit.isEmpty ? "" : " in \(statistics.unit)"
    var lines = ["\(name)\(unit)"]
    lines += rows.map { row in
      row.prefix((kept ?? 0) + 1).enumerated().map { index, cell in
        TextFit.pad(cell, columns: widths[index], atRight: index > 0)
      }.joined(separator: "  ")
    }
    if statistics.others > 0 {
      let (one, more) = ("value of another unit or kind is", "values of other units or kinds are")
      lines.append("\(Numbers.counted(statistics.others, one, more)) left out")
    }
    return lines
  }

  /// The sums of the periods as a plot, with the greatest and the least of them, the first and the last
  /// period; empty if there is one period only, or no room.
  func plot(columns: Int) -> [String] {
    let sums = periods
    let amounts = sums.map { $0.sum }
    guard amounts.count > 1 else { return [] }
    let labels = [max(0, amounts.max() ?? 0), min(0, amounts.min() ?? 0)].map {
      statistics.text($0)
    }
    let width = labels.reduce(0) { max($0, TextWidth.columns(of: $1)) }
    let room = min(columns - width - 1, Self.widestPlot)
    guard room >= 8 else { return [] }
    let lines = BraillePlot(
      amounts.map { Double($0) }, columns: room, height: Self.plotLines
    ).lines
    let plot = lines.enumerated().map { index, line in
      let label = index == 0 ? labels[0] : index == lines.count - 1 ? labels[1] : ""
      return TextFit.pad(label, columns: width, atRight: true) + " " + line
    }
    // Of more periods than dots the last are shown.
    let shown = sums.suffix(2 * room)
    let first = shown.first?.key ?? ""
    let last = shown.last?.key ?? ""
    let gap = TextWidth.columns(of: lines[0]) - first.count - last.count
    return [""] + plot
      + [
        String(repeating: " ", count: width + 1) + first
          + (gap < 1 ? " … " : String(repeating: " ", count: gap)) + last
      ]
  }

  private static let plotLines = 6
  private static let widestPlot = 120
  private static let mostPeriods = 10_000

  /// The sums of all periods from the first to the last with values, also of those without.
  private var periods: [(key: String, sum: Int128)] {
    guard let grouping, let period = grouping.period, let last = statistics.parts.last?.key,
      var day = statistics.parts.first.flatMap({ grouping.days(ofSection: $0.key)?.lowerBound })
    else { return [] }
    let sums = Dictionary(uniqueKeysWithValues: statistics.parts.map { ($0.key, $0.summary.sum) })
    var all: [(key: String, sum: Int128)] = []
    while all.count < Self.mostPeriods, let key = grouping.key(of: day), key <= last {
      all.append((key, sums[key] ?? 0))
      day = period.days(around: day).upperBound.adding(days: 1)
    }
    return all
  }

  private func row(_ key: String, _ summary: FieldStatistics.Summary) -> [String] {
    [key, "\(summary.count)"] + summary.columns.map { statistics.text(rounded: $0.value) }
  }

  /// The numbers as JSON, with durations in seconds.
  var json: String {
    var members = [
      JSONMember("field", .string(name)),
      JSONMember("unit", .string(statistics.isDuration ? "s" : statistics.unit)),
    ]
    members += statistics.all.map(Self.members) ?? [JSONMember("count", .number("0"))]
    members.append(JSONMember("others", .number("\(statistics.others)")))
    if let grouping {
      members.append(JSONMember("by", .string(grouping.rawValue)))
      members.append(
        JSONMember(
          "periods",
          .array(
            statistics.parts.map {
              .object([JSONMember("period", .string($0.key))] + Self.members($0.summary))
            })))
    }
    var bytes: [UInt8] = []
    JSONValue.object(members).append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func members(_ summary: FieldStatistics.Summary) -> [JSONMember] {
    [JSONMember("count", .number("\(summary.count)"))]
      + summary.columns.map { JSONMember($0.name, .number(FieldUnit.decimal($0.value))) }
  }

  /// A picture with a bar for the sum of each period.
  var svg: String {
    let parts = statistics.parts
    let sums = parts.map { Double($0.summary.sum) }
    let (top, bottom) = (max(sums.max() ?? 0, 0), min(sums.min() ?? 0, 0))
    let span = max(top - bottom, 1)
    let height = 120.0
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(max(parts.count, 1) * 12 + 8) 152" role="img">
      <title>\(Self.escaped(name))\(statistics.unit.isEmpty ? "" : " in " + Self.escaped(statistics.unit))</title>

      """
    for (index, part) in parts.enumerated() {
      let length = (abs(sums[index]) / span * height * 100).rounded() / 100
      let base = (top / span * height * 100).rounded() / 100 + 20
      let y = sums[index] < 0 ? base : base - length
      text += """
        <rect x="\(index * 12 + 4)" y="\(y)" width="10" height="\(length)" rx="1" fill="#4078c0">\
        <title>\(part.key): \(Self.escaped(statistics.text(part.summary.sum)))</title></rect>

        """
    }
    return text + "</svg>\n"
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
  }
}
