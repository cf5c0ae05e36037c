import Foundation
import Glibc

/// All figures of a run, each handed on as soon as it is measured, so that a run that is stopped
/// keeps them.
struct Report {
  private(set) var lines: [ReportLine] = []
  /// Whether a row could not be measured.
  private(set) var hasFailures = false
  private let show: (ReportLine) -> Void

  /// - Parameter show: receives each line.
  init(show: @escaping (ReportLine) -> Void = { _ in }) {
    self.show = show
  }

  /// Reads the JSON of an earlier run, also of one that was stopped.
  init(json: String) throws {
    let decoder = JSONDecoder()
    lines = try json.split(separator: "\n").map {
      try decoder.decode(ReportLine.self, from: Data($0.utf8))
    }
    show = { _ in }
  }

  var figures: [Figure] { lines.compactMap(\.figure) }
  var notes: [String] { lines.compactMap(\.note) }
  /// The machine and the date.
  var run: RunDescription? { lines.lazy.compactMap(\.run).first }

  mutating func add(_ line: ReportLine) {
    lines.append(line)
    show(line)
  }

  mutating func add(_ figures: [Figure]) {
    for figure in figures { add(ReportLine(figure: figure)) }
  }

  /// Prints once why a measurement was omitted or did not succeed.
  mutating func add(note: String) {
    if !notes.contains(note) { add(ReportLine(note: note)) }
  }

  mutating func add(failure: String) {
    hasFailures = true
    add(note: failure)
  }
}

/// One line of a run's output: a figure, a note, or the machine, which comes first.
struct ReportLine: Codable, Equatable {
  var figure: Figure?
  /// Why something was not measured.
  var note: String?
  var run: RunDescription?

  /// One line of JSON.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // A figure that is not a number has no JSON.
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}

/// Where and when a run was made.
struct RunDescription: Codable, Equatable {
  var machine = Machine.name
  var date = Machine.today
  /// The load at the start.
  var load = Machine.load
}

/// The lines of a report as a table: on the terminal in columns of fixed widths, because rows appear
/// while others are measured, or as Markdown.
struct ReportTable {
  var isMarkdown = false

  private static let heads = ["#", "figure", "value", "beside", "", "ratio", "goal", "met"]
  private static let widths = [3, 76, 10, 40, 10, 7, 18, 3]
  /// Numbers end in one column, words begin in one.
  private static let areNumbers = [true, false, true, false, true, true, false, false]

  /// The lines before the first figure.
  var heading: String {
    guard isMarkdown else { return row(Self.heads) }
    let rule = Self.areNumbers.map { $0 ? "---:" : "---" }
    return row(Self.heads) + "\n" + row(rule)
  }

  /// The text of a line, which may be empty.
  func text(_ line: ReportLine) -> String {
    if let figure = line.figure { return row(cells(of: figure)) }
    if let note = line.note { return isMarkdown ? "" : "note: \(note)" }
    guard let run = line.run else { return "" }
    let words = "\(run.machine); \(run.date); load at the start: \(run.load)"
    return isMarkdown ? "\(words).\n" : words
  }

  private func cells(of figure: Figure) -> [String] {
    [
      figure.label, figure.name, figure.unit.text(figure.value), figure.peer?.name ?? "",
      figure.peer.map { figure.unit.text($0.value) } ?? "",
      figure.ratio.map { Figure.number($0) } ?? "", figure.goal.words(figure.unit),
      figure.isMet.map { $0 ? "yes" : "NO" } ?? "",
    ]
  }

  private func row(_ cells: [String]) -> String {
    guard !isMarkdown else { return "| " + cells.joined(separator: " | ") + " |" }
    let padded = cells.indices.map { column in
      let cell = cells[column]
      let blank = String(repeating: " ", count: max(0, Self.widths[column] - cell.count))
      return Self.areNumbers[column] ? blank + cell : cell + blank
    }
    let line = padded.joined(separator: "  ")
    return String(line.reversed().drop { $0 == " " }.reversed())
  }
}

/// Prints progress on standard error, so that standard output contains the table only.
enum Console {
  static func tell(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}
