import Foundation

/// Plots of growing figures side by side, as a self-contained SVG: light or dark by the viewer's
/// setting.
struct GrowthPlot {
  let panels: [GrowthPanel]
  /// The line below the panels.
  let caption: String

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
      <style>\(rules)</style>
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

  private var rules: String {
    var styles: [PlotStyle] = []
    for series in panels.flatMap(\.series) where !styles.contains(where: { $0 == series.style }) {
      styles.append(series.style)
    }
    func lines(_ colour: (PlotStyle) -> String) -> String {
      styles.map { style in
        ".\(style.name){stroke:\(colour(style))}"
          + "circle.\(style.name),text.\(style.name){fill:\(colour(style))}"
      }.joined()
    }
    return """
      text{font:12px system-ui,sans-serif;fill:#57606a}\
      .title{font-size:14px;font-weight:600;fill:#24292f}\
      .ground{fill:#fff}.grid{stroke:#e4e8ec}.axis{stroke:#b6bec7}.end{text-anchor:end}\
      .mid{text-anchor:middle}polyline{fill:none;stroke-width:2.2;stroke-linejoin:round}\
      .lead{stroke-width:1;stroke-dasharray:1 4}\(lines(\.light))text,circle{stroke:none!important}\
      @media(prefers-color-scheme:dark){text{fill:#8b949e}.title{fill:#e6edf3}.ground{fill:#0d1117}\
      .grid{stroke:#21262d}.axis{stroke:#444c56}\(lines(\.dark))}
      """
  }
}

/// The colours of a line, its points and its label.
struct PlotStyle: Equatable {
  /// The class of its elements.
  let name: String
  /// On a light ground.
  let light: String
  /// On a dark ground.
  let dark: String
}

/// A measured value at a number of rows.
struct GrowthPoint: Equatable {
  let rows: Int
  let value: Double
}

/// One line.
struct GrowthSeries: Equatable {
  let name: String
  /// The name beside the end of the line.
  let shortName: String
  let style: PlotStyle
  let points: [GrowthPoint]
}

/// One plot with logarithmic axes: the rows from left to right, the values upwards.
struct GrowthPanel {
  let title: String
  let subtitle: String
  /// The quantity of the axis from left to right.
  let axis: String
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
      + [
        "<text class=\"mid\" x=\"\(middle)\" y=\"\(Self.bottom + 42)\">\(XML.escaped(axis))</text>"
      ]
  }

  private func line(_ x: Double, _ y: Int, _ endX: Double, _ endY: Int, _ kind: String) -> String {
    "<line class=\"\(kind)\" x1=\"\(number(x))\" y1=\"\(y)\" x2=\"\(number(endX))\" y2=\"\(endY)\"/>"
  }

  private func line(_ series: GrowthSeries) -> [String] {
    let points = series.points.map { (x(Double($0.rows)), y($0.value), $0) }
    let path = points.map { "\(number($0.0)),\(number($0.1))" }.joined(separator: " ")
    let name = series.style.name
    return ["<polyline class=\"\(name)\" points=\"\(path)\"/>"]
      + points.map { x, y, point in
        let words = "\(series.name), \(Bench.words(point.rows)): \(text(point.value))"
        return "<circle class=\"\(name)\" cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"3.2\">"
          + "<title>\(XML.escaped(words))</title></circle>"
      }
  }

  /// The names with their last values beside the ends of the lines.
  private var labels: [String] {
    let ends = series.compactMap { series in series.points.last.map { (series, $0) } }
    let places = LabelPlaces.spread(
      ends.map { y($0.1.value) }, gap: Self.lineHeight,
      in: Double(Self.plot.top)...Double(Self.bottom))
    return zip(ends, places).map { end, place in
      let (series, point) = end
      let start = (x(Double(point.rows)) + 7, y(point.value))
      let lead = "\(number(start.0)),\(number(start.1)) \(Self.right + 16),\(number(place))"
      return """
        <polyline class="\(series.style.name) lead" points="\(lead)"/>
        <text class="\(series.style.name)" x="\(Self.right + 20)" y="\(number(place + 4))">\
        \(XML.escaped("\(series.shortName)  \(text(point.value))"))</text>
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
