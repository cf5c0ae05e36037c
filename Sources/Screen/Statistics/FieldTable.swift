import Journal
import TextLayout

/// The sums of a field as a table and as a plot, for the screen and for printing.
package struct FieldTable {
  /// The name of the field.
  package let name: String
  package let statistics: FieldStatistics
  /// The periods of the lines; `nil` for one line of all values.
  package let grouping: Grouping?

  package init(name: String, statistics: FieldStatistics, grouping: Grouping?) {
    (self.name, self.statistics, self.grouping) = (name, statistics, grouping)
  }

  /// The table: a line of all values, then one of each period; nothing without values to sum.
  ///
  /// - Parameter columns: the room; without enough the last columns are left out. `nil` for any.
  package func lines(columns: Int? = nil) -> [String] {
    guard let all = statistics.all else {
      if statistics.others == 0 { return ["\(name): no values"] }
      return [
        "\(name): \(Numbers.counted(statistics.others, "value", "values")), none of them a number or a duration"
      ]
    }
    return [heading] + self.rows(all, columns: columns)
  }

  /// The hint for a field that no entry has: `did you mean run?`; `nil` for no names.
  package static func hint(_ meant: [String]) -> String? {
    meant.isEmpty ? nil : "did you mean \(meant.joined(separator: " or "))?"
  }

  /// The name of the field with its unit: `run in km`.
  package var heading: String {
    statistics.isDuration
      ? "\(name) of durations" : statistics.unit.isEmpty ? name : "\(name) in \(statistics.unit)"
  }

  /// The table below its heading; empty without values to sum.
  package func rows(columns: Int? = nil) -> [String] {
    statistics.all.map { rows($0, columns: columns) } ?? []
  }

  private func rows(_ all: FieldStatistics.Summary, columns: Int?) -> [String] {
    var rows = [["", "count"] + all.columns.map(\.name), row("all", all)]
    rows += statistics.parts.map { row($0.key, $0.summary) }
    let widths = rows[0].indices.map { column in
      rows.map { TextWidth.columns(of: $0[column]) }.max() ?? 0
    }
    let kept = widths.indices.last { last in
      widths[...last].reduce(0, +) + 2 * last <= columns ?? .max
    }
    var lines = rows.map { row in
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
  package func plot(by grouping: Grouping, columns: Int) -> [String] {
    let sums = periods(grouping)
    let amounts = sums.map { $0.sum }
    guard amounts.count > 1 else { return [] }
    let labels = [max(0, amounts.max() ?? 0), min(0, amounts.min() ?? 0)].map {
      statistics.text(rounded: $0)
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
    return plot
      + [
        String(repeating: " ", count: width + 1) + first
          + (gap < 1 ? " … " : String(repeating: " ", count: gap)) + last
      ]
  }

  private static let plotLines = 6
  private static let widestPlot = 120
  private static let mostPeriods = 10_000

  /// The sums of all periods from the first to the last with values, also of those without.
  private func periods(_ grouping: Grouping) -> [(key: String, sum: Int128)] {
    guard let period = grouping.period, let first = statistics.days.first?.day,
      let last = statistics.days.last?.day
    else { return [] }
    var sums: [String: Int128] = [:]
    for day in statistics.days {
      if let key = grouping.key(of: day.day) { sums[key, default: 0] += day.sum }
    }
    var all: [(key: String, sum: Int128)] = []
    var day = first
    while all.count < Self.mostPeriods, let key = grouping.key(of: day) {
      all.append((key, sums[key] ?? 0))
      let end = period.days(around: day).upperBound
      guard end < last else { break }
      day = end.adding(days: 1)
    }
    return all
  }

  private func row(_ key: String, _ summary: FieldStatistics.Summary) -> [String] {
    [key, "\(summary.count)"] + summary.columns.map { statistics.text(rounded: $0.value) }
  }
}
