import ArgumentParser
import Foundation
import Glibc

/// Measures SectionedResults beside what programs do without it.
struct LibraryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daybook-bench library",
    abstract: "Measure SectionedResults beside ValueObservation and a plain requery.",
    discussion: """
      One table and one stream of changes for all: a results controller over a memory store and over \
      SQLite, GRDB's ValueObservation with CollectionDifference, and a list that is read again. Each \
      contender runs at each size in a process of its own. The table grows while it is measured.
      """)

  @Option(help: ArgumentHelp("The most rows, from 1,000 on.", valueName: "rows"))
  var largest = 1_000_000

  @Flag(help: "10,000,000 rows; needs 8 GiB of memory and of disk.")
  var full = false

  @Option(help: "How often each figure is measured; one changed row four times as often.")
  var rounds = 5

  @Option(help: "No round of a figure begins after so many seconds; a longer round is given up.")
  var limit = 120

  @Flag(help: "Print the clock's times instead of processor times.")
  var wall = false

  @Flag(help: "Print JSON, with both times.")
  var json = false

  @Flag(help: "Print Markdown.")
  var markdown = false

  @Option(help: ArgumentHelp("Draw the plot.", valueName: "file"))
  var svg: String?

  @Option(help: ArgumentHelp("Show an earlier run, of which this is the JSON.", valueName: "file"))
  var from: String?

  @Option(help: ArgumentHelp("Where the tables are kept.", valueName: "directory"))
  var data = ".build/bench"

  func validate() throws {
    guard rounds >= 5 else { throw ValidationError("a median needs at least 5 rounds") }
    guard largest >= 1_000 else { throw ValidationError("the smallest table has 1,000 rows") }
    guard limit >= 1 else { throw ValidationError("the limit is at least a second") }
    guard !json || !markdown else {
      throw ValidationError("--json and --markdown exclude each other")
    }
  }

  func run() throws {
    let report = try from.map(read) ?? measure()
    if let svg {
      try GrowthPlot(report: report).text.write(toFile: svg, atomically: true, encoding: .utf8)
    }
    if json {
      print(try report.json())
    } else if markdown {
      print(table.markdown(report))
    } else {
      if from != nil { report.results.forEach(LinePrinter(table: table).show) }
      print("\n" + table.notes(report).joined(separator: "\n"))
    }
  }

  private var table: LibraryTable { LibraryTable(clock: wall ? .wall : .processor) }

  private func read(_ path: String) throws -> LibraryReport {
    try JSONDecoder().decode(LibraryReport.self, from: Data(contentsOf: URL(filePath: path)))
  }

  private func measure() throws -> LibraryReport {
    let most = full ? max(largest, 10_000_000) : largest
    let sizes = [1_000, 10_000, 100_000, 1_000_000, 10_000_000].filter { $0 <= most }
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
    let run = LibraryRun(
      sizes: sizes, crowds: [1, 10, 100, 1_000, 10_000], rounds: rounds, limit: limit,
      directory: URL(filePath: data).appending(path: "work-\(getpid())").path, program: program)
    let printer = LinePrinter(table: table)
    return try run.measure { result in
      if !json, !markdown { printer.show(result) }
    }
  }
}

/// Prints the lines of a table as they come, each heading before its first line.
private final class LinePrinter {
  private let table: LibraryTable
  private var printed: Set<Bool> = []

  init(table: LibraryTable) {
    self.table = table
  }

  func show(_ result: FeedResult) {
    let isCrowd = result.crowd != nil
    if printed.insert(isCrowd).inserted { print(table.heading(ofCrowds: isCrowd)) }
    print(table.line(result))
    fflush(nil)
  }
}
