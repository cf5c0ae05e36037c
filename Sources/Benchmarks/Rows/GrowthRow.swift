/// A line of the growth plot.
enum GrowthLine: String, Codable, CaseIterable {
  case start, change, notice, page, search, observation
  case add, list, jrnlAdd, jrnlList

  /// The row of which it is the growth.
  var row: Int {
    switch self {
    case .start: 1
    case .change: 4
    case .observation: 5
    case .notice: 7
    case .page: 8
    case .search: 9
    case .add, .jrnlAdd: 10
    case .list, .jrnlList: 11
    }
  }

  var name: String {
    switch self {
    case .start: "first paint and quit"
    case .change: "one change, from its commit to the list"
    case .notice: "another process's commit until shown, 95 of 100"
    case .page: "page down, 99 of 100"
    case .search: "search: two common words, 95 of 100"
    case .observation: "ValueObservation + CollectionDifference: one change"
    case .add: "add, whole process"
    case .list: "list --limit 10, whole process"
    case .jrnlAdd: "jrnl: add"
    case .jrnlList: "jrnl -n 10"
    }
  }

  /// The name beside the end of the line.
  var shortName: String {
    switch self {
    case .start: "start and quit"
    case .change: "change"
    case .notice: "another's change"
    case .page: "page down"
    case .search: "search"
    case .observation: "ValueObservation"
    case .add: "daybook add"
    case .list: "daybook list"
    case .jrnlAdd: "jrnl, add"
    case .jrnlList: "jrnl, list"
    }
  }

  /// The largest number of entries that a line is measured with: the peers would need hours, or more
  /// memory than most machines have.
  func limit(isFull: Bool) -> Int {
    switch self {
    case .observation: 1_000_000
    case .jrnlAdd, .jrnlList: isFull ? 1_000_000 : 100_000
    case .start, .change, .notice, .page, .search, .add, .list: .max
    }
  }

  var isOnScreen: Bool {
    switch self {
    case .start, .change, .notice, .page, .search, .observation: true
    case .add, .list, .jrnlAdd, .jrnlList: false
    }
  }

  var style: PlotStyle {
    let (light, dark) =
      switch self {
      case .start, .add: ("#22694a", "#a8dcae")
      case .change, .list: ("#4d8259", "#6fa37a")
      case .notice: ("#2f7f8f", "#7cc4d0")
      case .page: ("#3f68a8", "#8fb4ea")
      case .search: ("#6b5fa8", "#b3a8e6")
      case .observation, .jrnlAdd: ("#b8602b", "#e3a06f")
      case .jrnlList: ("#8f4f6b", "#d79ab4")
      }
    return PlotStyle(name: rawValue, light: light, dark: dark)
  }
}

/// A point of a line.
struct GrowthSample: Codable, Equatable {
  let line: GrowthLine
  let entries: Int
}

/// How rows 1, 4 and 7 to 11 grow with the journal, beside jrnl and `ValueObservation`.
struct JournalGrowth {
  let bench: Bench
  let jrnl: JrnlPeer

  func measure(_ report: inout Report) throws {
    for size in bench.growthSizes {
      let journal = try bench.data.copy(size, as: "growth")
      for line in GrowthLine.allCases where size <= line.limit(isFull: bench.isFull) {
        guard let value = try value(of: line, size, journal) else { continue }
        report.add([
          Figure(
            row: line.row, name: "\(line.name), \(Bench.words(size)) entries", value: value,
            growth: GrowthSample(line: line, entries: size))
        ])
      }
      try bench.data.removeCopies()
    }
  }

  /// The figure at one size, in milliseconds; `nil` where its program is not installed.
  private func value(of line: GrowthLine, _ size: Int, _ journal: String) throws -> Double? {
    let shell = ShellRows(bench: bench, jrnl: jrnl)
    let screen = ScreenRows(bench: bench)
    return switch line {
    case .start: try StartRows(bench: bench).whole(journal).median
    case .change: try CommitRows(bench: bench).mixed(size, in: journal).median
    case .notice:
      try screen.notice(journal, rounds: bench.rounds * 6).quantile(0.95)
    case .page: try screen.pages(journal).quantile(0.99)
    case .search: try SearchRow(bench: bench).common(journal).quantile(0.95)
    case .observation:
      try ObservationRow.peer(bench, try bench.data.copy(size, as: "peer"), size).median
    case .add: try shell.adding(journal).median
    case .list: try shell.listing(journal).median
    case .jrnlAdd: try jrnl.median(.add, size)
    case .jrnlList: try jrnl.median(.list, size)
    }
  }

  /// The plot of a report; `nil` if it has no growth.
  static func plot(_ report: Report) -> GrowthPlot? {
    let all = GrowthLine.allCases.compactMap { line -> (line: GrowthLine, series: GrowthSeries)? in
      let points = report.figures.compactMap { figure in
        figure.growth.flatMap { sample in
          sample.line == line ? GrowthPoint(rows: sample.entries, value: figure.value) : nil
        }
      }
      guard !points.isEmpty else { return nil }
      return (
        line,
        GrowthSeries(
          name: line.name, shortName: line.shortName, style: line.style, points: points)
      )
    }
    let titles = [
      (true, "On the screen", "the clock's time, with ValueObservation + CollectionDifference"),
      (false, "From the shell", "whole processes, with jrnl"),
    ]
    let panels = titles.compactMap { isOnScreen, title, subtitle -> GrowthPanel? in
      let series = all.filter { $0.line.isOnScreen == isOnScreen }.map(\.series)
      guard !series.isEmpty else { return nil }
      return GrowthPanel(
        title: title, subtitle: subtitle, axis: "entries in the journal", series: series,
        text: LibraryTable.time, tick: GrowthPlot.time)
    }
    guard !panels.isEmpty else { return nil }
    let run = report.run.map { "\($0.machine) · \($0.date) · " } ?? ""
    return GrowthPlot(panels: panels, caption: run + "make bench")
  }
}
