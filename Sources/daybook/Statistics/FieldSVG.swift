import Journal
import Screen

/// The sums of a field as a self-contained SVG: a bar for each period from the first to the last one, also for those
/// without a value, light or dark by the viewer's setting.
struct FieldSVG {
  let name: String
  let statistics: FieldStatistics
  let grouping: Grouping?

  /// A period with its sum; `nil` without values.
  private struct Bar {
    var key: String
    var sum: Int128?
  }

  private static let (step, width, height) = (14, 10, 120.0)
  private static let (left, top) = (16, 52)
  /// More periods than these are drawn without the empty ones.
  private static let mostBars = 4_000
  /// The bars between two labels below.
  private static let labelDistance = 6

  /// The whole file.
  var text: String {
    let bars = bars
    let sums = bars.map { Double($0.sum ?? 0) }
    let (most, least) = (max(sums.max() ?? 0, 0), min(sums.min() ?? 0, 0))
    let scale = Self.height / max(most - least, 1)
    let base = Double(Self.top) + most * scale
    let unit = statistics.unit.isEmpty ? "" : " in \(statistics.unit)"
    let drawing = (
      max(bars.count * Self.step + 2 * Self.left, 260), Self.top + Int(Self.height) + 34
    )
    let title = StatisticsSVG.escaped(name + unit)
    let range = "\(value(most)) at most" + (least < 0 ? ", \(value(least)) at least" : "")
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(drawing.0) \(drawing.1)" \
      width="\(drawing.0)" height="\(drawing.1)" role="img" aria-label="\(title)">
      <style>text{font:11px system-ui,sans-serif;fill:#57606a}.title{font-size:13px;fill:#24292f}\
      .ground{fill:#fff}.bar{fill:#5f875f}.line{stroke:#d0d7de}@media(prefers-color-scheme:dark){\
      text{fill:#8b949e}.title{fill:#e6edf3}.ground{fill:#0d1117}.bar{fill:#73a878}.line{stroke:#30363d}}</style>
      <rect class="ground" width="\(drawing.0)" height="\(drawing.1)" rx="8"/>
      <text class="title" x="\(Self.left)" y="22">\(title)</text>
      """
    ]
    if bars.contains(where: { $0.sum != nil }) {
      lines.append("<text x=\"\(Self.left)\" y=\"38\">\(StatisticsSVG.escaped(range))</text>")
    }
    for (index, bar) in bars.enumerated() {
      let x = Self.left + index * Self.step
      let length = abs(sums[index]) * scale
      let y = sums[index] < 0 ? base : base - length
      let words = bar.sum.map { statistics.text($0) } ?? "nothing"
      lines.append(
        """
        <rect class="bar" x="\(x)" y="\(Self.number(y))" width="\(Self.width)" \
        height="\(Self.number(length))" rx="1"><title>\(StatisticsSVG.escaped("\(bar.key): \(words)"))\
        </title></rect>
        """)
      if index % Self.labelDistance == 0 {
        let y = Self.top + Int(Self.height) + 20
        lines.append("<text x=\"\(x)\" y=\"\(y)\">\(StatisticsSVG.escaped(bar.key))</text>")
      }
    }
    lines.append(
      """
      <line class="line" x1="\(Self.left)" x2="\(drawing.0 - Self.left)" y1="\(Self.number(base))" \
      y2="\(Self.number(base))"/>
      </svg>

      """)
    return lines.joined(separator: "\n")
  }

  /// The periods in order, with the empty ones between them.
  private var bars: [Bar] {
    let parts = statistics.parts.map { Bar(key: $0.key, sum: $0.summary.sum) }
    guard let grouping, let first = parts.first.flatMap({ grouping.days(ofSection: $0.key) }),
      let last = parts.last.flatMap({ grouping.days(ofSection: $0.key) })
    else { return parts }
    let sums = Dictionary(parts.map { ($0.key, $0.sum) }) { first, _ in first }
    var bars: [Bar] = []
    var days = first
    while days.lowerBound <= last.lowerBound, let key = grouping.key(of: days.lowerBound) {
      bars.append(Bar(key: key, sum: sums[key] ?? nil))
      guard bars.count <= Self.mostBars,
        let next = grouping.period?.days(around: days.upperBound.adding(days: 1)),
        next.lowerBound > days.lowerBound
      else { break }
      days = next
    }
    return bars.count <= Self.mostBars ? bars : parts
  }

  private func value(_ sum: Double) -> String {
    statistics.text(Int128(sum.rounded()))
  }

  /// A coordinate to the hundredth.
  private static func number(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
