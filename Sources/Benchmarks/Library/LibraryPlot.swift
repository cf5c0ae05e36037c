/// The growth of one change and of the memory with the rows.
extension GrowthPlot {
  init(report: LibraryReport) {
    panels = [
      GrowthPanel(
        title: "One changed row until the list shows it",
        subtitle: "processor time, from the start of the transaction", axis: "rows in the list",
        series: Self.series(report, .one), text: LibraryTable.time, tick: Self.time),
      GrowthPanel(
        title: "Peak memory of the process",
        subtitle: "after a fetch, the first screen and single changed rows",
        axis: "rows in the list", series: Self.series(report, .memory), text: LibraryTable.memory,
        tick: Self.memory),
    ]
    caption = "\(report.machine) · \(report.date) · daybook-bench library"
  }

  private static func series(_ report: LibraryReport, _ figure: FeedFigure) -> [GrowthSeries] {
    ContenderKind.allCases.compactMap { contender in
      let points = report.lists.filter { $0.contender == contender }.compactMap { result in
        result[figure]?.value.map { GrowthPoint(rows: result.size, value: $0) }
      }
      return points.isEmpty
        ? nil
        : GrowthSeries(
          name: contender.name, shortName: contender.shortName, style: contender.style,
          points: points)
    }
  }

  /// A tick of milliseconds, in seconds from 1,000 on.
  static func time(_ milliseconds: Double) -> String {
    milliseconds < 1_000
      ? "\(Figure.number(milliseconds)) ms" : "\(Figure.number(milliseconds / 1_000)) s"
  }

  private static func memory(_ mebibytes: Double) -> String {
    "\(Bench.words(Int(mebibytes.rounded()))) MiB"
  }
}

extension ContenderKind {
  fileprivate var style: PlotStyle {
    switch self {
    case .memory: PlotStyle(name: rawValue, light: "#4d8259", dark: "#6fa37a")
    case .sqlite: PlotStyle(name: rawValue, light: "#22694a", dark: "#a8dcae")
    case .observation: PlotStyle(name: rawValue, light: "#b8602b", dark: "#e3a06f")
    case .requery: PlotStyle(name: rawValue, light: "#6b7699", dark: "#9aa8d0")
    }
  }
}
