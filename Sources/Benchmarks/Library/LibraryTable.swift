/// The figures of a ``LibraryReport`` as tables: on the terminal line by line, or as Markdown.
struct LibraryTable {
  /// Which times are shown.
  enum Clock {
    case processor, wall
  }

  let clock: Clock

  // MARK: Cells

  /// A time with three digits, in seconds from 1,000 ms on.
  static func time(_ milliseconds: Double) -> String {
    milliseconds < 999.5
      ? "\(Figure.number(milliseconds)) ms" : "\(Figure.number(milliseconds / 1_000)) s"
  }

  /// A size with three digits, in GiB from 1,024 MiB on.
  static func memory(_ mebibytes: Double) -> String {
    mebibytes < 1_023.5
      ? "\(Figure.number(mebibytes)) MiB" : "\(Figure.number(mebibytes / 1_024)) GiB"
  }

  /// The text of a cell; an asterisk for fewer than five rounds, a dash for a figure that was not
  /// measured.
  func text(_ cell: FeedCell?, least: Int = 5) -> String {
    guard let cell else { return "–" }
    let value = clock == .wall && !cell.figure.isMemory ? cell.wall : cell.value
    guard let value else { return cell.reason ?? "–" }
    if cell.figure.isMemory { return Self.memory(value) }
    return Self.time(value) + (cell.rounds < least ? "*" : "")
  }

  /// The cells of a result, in the order of the columns.
  private func cells(_ result: FeedResult) -> [String] {
    guard let crowd = result.crowd else {
      return [Bench.words(result.size), result.contender.name]
        + FeedFigure.allCases.map { text(result[$0]) }
    }
    // The controllers are opened once.
    return [Bench.words(result.size), result.contender.name, crowd.name]
      + [text(result[.fetch], least: 1), text(result[.one]), text(result[.memory])]
  }

  private static let listHeads =
    ["rows", "contender"] + FeedFigure.allCases.map(\.name)
  private static let crowdHeads =
    ["controllers", "contender", "show it", "open all", "one row", "memory"]

  // MARK: The terminal

  private static let listWidths = [11, 29] + FeedFigure.allCases.map { _ in 13 }
  private static let crowdWidths = [11, 29, 9, 13, 13, 13]

  /// The heading of the lists, or of the crowds.
  func heading(ofCrowds: Bool) -> String {
    ofCrowds
      ? "\n" + line(Self.crowdHeads, Self.crowdWidths)
      : line(Self.listHeads, Self.listWidths)
  }

  /// The line of a result.
  func line(_ result: FeedResult) -> String {
    line(cells(result), result.crowd == nil ? Self.listWidths : Self.crowdWidths)
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    let padded = zip(cells, widths).enumerated().map { column, cell in
      let blank = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return column == 1 ? cell.0 + blank : blank + cell.0
    }
    return padded.joined(separator: "  ")
  }

  /// The lines below the tables.
  func notes(_ report: LibraryReport) -> [String] {
    let time = clock == .wall ? "the clock's" : "processor time, user and system"
    return [
      "Times are medians, \(time); a change counts from the start of its transaction until the list"
        + " has its batch and the first 40 rows are read again.",
      "* fewer than five rounds: no round begins after \(report.limit) s. > \(report.limit) s: one round"
        + " took longer, and the rest is left out. – not measured: the list has fewer rows, or the rows"
        + " of all lists would not fit into memory.",
      "\(report.machine); \(report.date); load at the start and at the end:"
        + " \(report.loads.joined(separator: ", ")).",
    ]
  }

  // MARK: Markdown

  /// The tables and notes of a report as Markdown.
  func markdown(_ report: LibraryReport) -> String {
    let tables = [rows(Self.listHeads, report.lists.map(cells))] + crowds(report)
    // An asterisk at the start of a line would make a list.
    let notes = notes(report).joined(separator: "\n").replacing("*", with: "\\*")
    return (tables + [notes]).joined(separator: "\n\n")
  }

  /// For each crowd, how long one changed row takes by the number of controllers.
  private func crowds(_ report: LibraryReport) -> [String] {
    Crowd.allCases.compactMap { crowd in
      let results = report.results.filter { $0.crowd == crowd }
      let counts = Set(results.map(\.size)).sorted()
      guard let most = counts.last else { return nil }
      let heads =
        ["show the row", "contender"] + counts.map(Bench.words)
        + ["memory of \(Bench.words(most))"]
      let lines = ContenderKind.allCases.map { contender in
        let own = results.filter { $0.contender == contender }
        let cells = counts.map { count in
          let result = own.first { $0.size == count }
          return result?[.fetch]?.reason.map { "\($0) to open" } ?? text(result?[.one])
        }
        let memory = own.first { $0.size == most }?[.memory]
        return [crowd.name, contender.name] + cells + [text(memory)]
      }
      return rows(heads, lines)
    }
  }

  private func rows(_ heads: [String], _ rows: [[String]]) -> String {
    let rule = heads.indices.map { $0 == 1 ? "---" : "---:" }
    return ([heads, rule] + rows).map { "| \($0.joined(separator: " | ")) |" }
      .joined(separator: "\n")
  }
}
