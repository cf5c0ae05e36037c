/// The growth of one change and of the memory with the rows, as a self-contained SVG: light or dark by
/// the viewer's setting.
struct GrowthPlot {
  private let panels: [GrowthPanel]
  private let caption: String

  init(report: LibraryReport) {
    panels = [
      GrowthPanel(
        title: "One changed row until the list shows it",
        subtitle: "processor time, from the start of the transaction",
        series: Self.series(report, .one), text: LibraryTable.time, tick: Self.time),
      GrowthPanel(
        title: "Peak memory of the process",
        subtitle: "after a fetch, the first screen and single changed rows",
        series: Self.series(report, .memory), text: LibraryTable.memory, tick: Self.memory),
    ]
    caption = "\(report.machine) · \(report.date) · daybook-bench library"
  }

  private static func series(_ report: LibraryReport, _ figure: FeedFigure) -> [GrowthSeries] {
    ContenderKind.allCases.compactMap { contender in
      let points = report.lists.filter { $0.contender == contender }.compactMap { result in
        result[figure]?.value.map { GrowthPoint(rows: result.size, value: $0) }
      }
      return points.isEmpty ? nil : GrowthSeries(contender: contender, points: points)
    }
  }

  private static func time(_ milliseconds: Double) -> String {
    milliseconds < 1_000
      ? "\(Figure.number(milliseconds)) ms" : "\(Figure.number(milliseconds / 1_000)) s"
  }

  private static func memory(_ mebibytes: Double) -> String {
    "\(Bench.words(Int(mebibytes.rounded()))) MiB"
  }

  private static let margin = 16
  private static let foot = 34

  /// The whole file.
  var text: String {
    let width = panels.count * GrowthPanel.width + 2 * Self.margin
    let height = GrowthPanel.height + Self.margin + Self.foot
    let label = panels.map(\.title).joined(separator: "; ")
    let head = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
      height="\(height)" role="img" aria-label="\(XML.escaped(label))">
      <style>\(Self.rules)</style>
      <rect class="ground" width="\(width)" height="\(height)" rx="8"/>
      """
    let body = panels.enumerated().map { index, panel in
      let x = Self.margin + index * GrowthPanel.width
      return (["<g transform=\"translate(\(x) \(Self.margin))\">"] + panel.elements + ["</g>"])
        .joined(separator: "\n")
    }
    let foot =
      "<text x=\"\(Self.margin)\" y=\"\(height - 14)\">\(XML.escaped(caption))</text>"
    return ([head] + body + [foot, "</svg>", ""]).joined(separator: "\n")
  }

  /// The classes of the contenders are their raw values.
  private static let rules = """
    text{font:12px system-ui,sans-serif;fill:#57606a}.title{font-size:14px;font-weight:600;fill:#24292f}\
    .ground{fill:#fff}.grid{stroke:#e4e8ec}.axis{stroke:#b6bec7}.end{text-anchor:end}\
    .mid{text-anchor:middle}polyline{fill:none;stroke-width:2.2;stroke-linejoin:round}\
    .lead{stroke-width:1;stroke-dasharray:1 4}\
    .memory{stroke:#6fa37a}.sqlite{stroke:#22694a}.observation{stroke:#b8602b}.requery{stroke:#6b7699}\
    circle.memory,text.memory{fill:#6fa37a}circle.sqlite,text.sqlite{fill:#22694a}\
    circle.observation,text.observation{fill:#b8602b}circle.requery,text.requery{fill:#6b7699}\
    text.memory{fill:#4d8259}text,circle{stroke:none!important}\
    @media(prefers-color-scheme:dark){text{fill:#8b949e}.title{fill:#e6edf3}.ground{fill:#0d1117}\
    .grid{stroke:#21262d}.axis{stroke:#444c56}\
    .memory{stroke:#6fa37a}.sqlite{stroke:#a8dcae}.observation{stroke:#e3a06f}.requery{stroke:#9aa8d0}\
    circle.memory,text.memory{fill:#6fa37a}circle.sqlite,text.sqlite{fill:#a8dcae}\
    circle.observation,text.observation{fill:#e3a06f}circle.requery,text.requery{fill:#9aa8d0}}
    """
}

/// A measured value at a number of rows.
struct GrowthPoint: Equatable {
  let rows: Int
  let value: Double
}

/// The line of a contender.
struct GrowthSeries: Equatable {
  let contender: ContenderKind
  let points: [GrowthPoint]
}

/// One plot with logarithmic axes: the rows from left to right, the values upwards.
struct GrowthPanel {
  let title: String
  let subtitle: String
  let series: [GrowthSeries]
  /// A value with its unit.
  let text: (Double) -> String
  /// A value of the axis with its unit.
  let tick: (Double) -> String

  static let width = 520
  static let height = 372
  private static let plot = (left: 74, top: 62, width: 236, height: 256)
  /// The least distance of two labels' baselines.
  private static let lineHeight = 17.0

  private var across: LogAxis {
    LogAxis(containing: series.flatMap { $0.points.map { Double($0.rows) } })
  }
  private var up: LogAxis { LogAxis(containing: series.flatMap { $0.points.map(\.value) }) }

  private func x(_ rows: Double) -> Double {
    Double(Self.plot.left) + across.place(of: rows) * Double(Self.plot.width)
  }

  private func y(_ value: Double) -> Double {
    Double(Self.plot.top) + (1 - up.place(of: value)) * Double(Self.plot.height)
  }

  private static var right: Int { plot.left + plot.width }
  private static var bottom: Int { plot.top + plot.height }

  /// The elements of the SVG, the grid first.
  var elements: [String] {
    [
      "<text class=\"title\" x=\"0\" y=\"18\">\(XML.escaped(title))</text>",
      "<text x=\"0\" y=\"36\">\(XML.escaped(subtitle))</text>",
    ] + grid + series.flatMap(line) + labels
  }

  private var grid: [String] {
    let rows = across.ticks.flatMap { tick in
      [
        line(x(tick), Self.plot.top, x(tick), Self.bottom, "grid"),
        """
        <text class="mid" x="\(number(x(tick)))" y="\(Self.bottom + 20)">\(Self.power(tick))</text>
        """,
      ]
    }
    let values = up.ticks.enumerated().flatMap { index, tick in
      [
        line(
          Double(Self.plot.left), Int(y(tick)), Double(Self.right), Int(y(tick)),
          index == 0 ? "axis" : "grid"),
        """
        <text class="end" x="\(Self.plot.left - 10)" y="\(number(y(tick) + 4))">\(self.tick(tick))</text>
        """,
      ]
    }
    let middle = Self.plot.left + Self.plot.width / 2
    return rows + values
      + ["<text class=\"mid\" x=\"\(middle)\" y=\"\(Self.bottom + 42)\">rows in the list</text>"]
  }

  private func line(_ x: Double, _ y: Int, _ endX: Double, _ endY: Int, _ kind: String) -> String {
    "<line class=\"\(kind)\" x1=\"\(number(x))\" y1=\"\(y)\" x2=\"\(number(endX))\" y2=\"\(endY)\"/>"
  }

  private func line(_ series: GrowthSeries) -> [String] {
    let points = series.points.map { (x(Double($0.rows)), y($0.value), $0) }
    let path = points.map { "\(number($0.0)),\(number($0.1))" }.joined(separator: " ")
    let name = series.contender.rawValue
    return ["<polyline class=\"\(name)\" points=\"\(path)\"/>"]
      + points.map { x, y, point in
        let words =
          "\(series.contender.name), \(Bench.words(point.rows)) rows: \(text(point.value))"
        return "<circle class=\"\(name)\" cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"3.2\">"
          + "<title>\(XML.escaped(words))</title></circle>"
      }
  }

  /// The contenders' names with their last values beside the ends of the lines.
  private var labels: [String] {
    let ends = series.compactMap { series in series.points.last.map { (series.contender, $0) } }
    let places = LabelPlaces.spread(
      ends.map { y($0.1.value) }, gap: Self.lineHeight,
      in: Double(Self.plot.top)...Double(Self.bottom))
    return zip(ends, places).map { end, place in
      let (contender, point) = end
      let start = (x(Double(point.rows)) + 7, y(point.value))
      let lead = "\(number(start.0)),\(number(start.1)) \(Self.right + 16),\(number(place))"
      return """
        <polyline class="\(contender.rawValue) lead" points="\(lead)"/>
        <text class="\(contender.rawValue)" x="\(Self.right + 20)" y="\(number(place + 4))">\
        \(XML.escaped("\(contender.shortName)  \(text(point.value))"))</text>
        """
    }
  }

  /// A power of ten, such as 10⁶.
  private static func power(_ value: Double) -> String {
    let exponent = "\(Bench.words(Int(value)))".filter { $0 == "0" }.count
    let digits = Array("⁰¹²³⁴⁵⁶⁷⁸⁹")
    return "10" + String("\(exponent)".compactMap { $0.wholeNumberValue.map { digits[$0] } })
  }

  /// A coordinate with one decimal.
  private func number(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}

/// Text in XML.
enum XML {
  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
