import ArgumentParser
import Foundation
import Glibc

/// Measures speed, memory and scale, with lower bounds and other programs in the same run.
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daybook-bench",
    abstract: "Measure the speed and memory of daybook beside floors and peers.",
    discussion: """
      Needs the release build of daybook beside it. Every figure is the median of at least five
      measurements unless it names another share. Each row appears as soon as it is measured. The
      journals it measures are made once.
      `daybook-bench library` measures the library SectionedResults instead.
      """)

  @Flag(help: "A small journal and few rounds: whether it runs, not how fast.")
  var quick = false

  @Flag(
    help: """
      Also what takes minutes: ten million entries, the synchronisation of a million, sealed \
      journals, builds.
      """)
  var full = false

  @Flag(help: "Print JSON, a line for each figure.")
  var json = false

  @Flag(help: "Print Markdown.")
  var markdown = false

  @Option(help: ArgumentHelp("Only these rows, such as 1,4,growth.", valueName: "rows"))
  var rows: String?

  @Option(help: ArgumentHelp("Only the keys of row 26 with these words.", valueName: "words"))
  var keys: String?

  @Option(help: "How often each thing is measured; some, which vary more, a multiple of it.")
  var rounds = 5

  @Option(help: ArgumentHelp("The program jrnl, where PATH has none.", valueName: "file"))
  var jrnl: String?

  @Option(help: ArgumentHelp("Where the growth is drawn.", valueName: "file"))
  var svg = ".build/growth.svg"

  @Option(help: ArgumentHelp("Show an earlier run, of which this is the JSON.", valueName: "file"))
  var from: String?

  @Option(help: ArgumentHelp("Where the journals are kept.", valueName: "directory"))
  var data = ".build/bench"

  func validate() throws {
    guard rounds >= 5 else { throw ValidationError("a median needs at least 5 rounds") }
    guard !quick || !full else { throw ValidationError("--quick and --full exclude each other") }
    guard !json || !markdown else {
      throw ValidationError("--json and --markdown exclude each other")
    }
    let known = Set(BenchPlan.allCases.flatMap(\.rows))
    if let unknown = wantedRows?.first(where: { !known.contains($0) }) {
      throw ValidationError("there is no row \(unknown)")
    }
  }

  func run() throws {
    let printer = ReportPrinter(format: json ? .json : .table(ReportTable(isMarkdown: markdown)))
    var report = Report(show: printer.show)
    if let from {
      let text = try String(contentsOfFile: from, encoding: .utf8)
      for line in try Report(json: text).lines { report.add(line) }
    } else {
      try measure(&report)
    }
    if let plot = JournalGrowth.plot(report) {
      try plot.text.write(toFile: svg, atomically: true, encoding: .utf8)
      Console.tell("drew \(svg)")
    }
    if report.hasFailures { throw ExitCode.failure }
  }

  private var wantedRows: Set<String>? {
    rows.map { Set($0.split(separator: ",").map(String.init)) }
  }

  private func measure(_ report: inout Report) throws {
    let binaries = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().path
    let directory = try DataDirectory(path: URL(filePath: data).path)
    defer { directory.clean() }
    let bench = Bench(
      data: directory, large: quick ? 10_000 : 1_000_000, rounds: rounds, isQuick: quick,
      isFull: full, keys: keys, binaries: binaries, peers: PeerPrograms(jrnl: jrnl))
    report.add(ReportLine(run: RunDescription()))
    let peers = JrnlPeer(bench)
    for step in BenchPlan.allCases
    where wantedRows.map({ !$0.isDisjoint(with: step.rows) }) ?? (full || !step.isLong) {
      let start = Monotonic.now()
      Console.tell("measuring row \(step.rows.joined(separator: ", "))")
      do {
        try step.measure(bench, peers, &report)
      } catch {
        // The other rows are still worth their time.
        report.add(failure: "row \(step.rows.joined(separator: ", ")) failed: \(error)")
      }
      try directory.removeCopies()
      Console.tell("  \(Int(Monotonic.milliseconds(since: start) / 1_000)) s")
    }
    for note in bench.peers.missing { report.add(note: note) }
  }
}

/// The steps of a run, in their order.
enum BenchPlan: CaseIterable {
  case start, commit, observation, bulk, notice, keys, everyKey, search, shell, importing,
    exporting, idle
  case size, program, json, marks, sync, growth, extremes, intents, huge, seal, builds, archives

  /// The rows that a step measures.
  var rows: [String] {
    switch self {
    case .start: ["1", "2", "3"]
    case .commit: ["4"]
    case .observation: ["5"]
    case .bulk: ["6"]
    case .notice: ["7"]
    case .keys: ["8"]
    case .everyKey: ["26"]
    case .search: ["9"]
    case .shell: ["10", "11"]
    case .importing: ["12"]
    case .exporting: ["13"]
    case .idle: ["14"]
    case .size: ["15"]
    case .program: ["16"]
    case .huge: ["17"]
    case .intents: ["18"]
    case .extremes: ["19"]
    case .sync: ["20"]
    case .builds: ["21"]
    case .seal: ["22"]
    case .json: ["23"]
    case .archives: ["24"]
    case .marks: ["25"]
    case .growth: ["growth"]
    }
  }

  /// Whether only `--full` measures it, or `--rows` with its number.
  var isLong: Bool {
    switch self {
    case .huge, .seal, .builds, .archives: true
    default: false
    }
  }

  func measure(_ bench: Bench, _ jrnl: JrnlPeer, _ report: inout Report) throws {
    switch self {
    case .start: report.add(try StartRows(bench: bench).measure())
    case .commit: report.add(try CommitRows(bench: bench).measure())
    case .observation: report.add(try ObservationRow(bench: bench).measure())
    case .bulk: report.add(try BulkRow(bench: bench).measure())
    case .notice: report.add(try ScreenRows(bench: bench).notice())
    case .keys: report.add(try ScreenRows(bench: bench).keys())
    case .everyKey: try EveryKeyRow(bench: bench).measure(&report)
    case .search: report.add(try SearchRow(bench: bench).measure())
    case .shell: try ShellRows(bench: bench, jrnl: jrnl).measure(&report)
    case .importing: report.add(try TransferRows(bench: bench).importing())
    case .exporting: report.add(try TransferRows(bench: bench).exporting())
    case .idle: report.add(try ScreenRows(bench: bench).idle())
    case .size: report.add(try SizeRow(bench: bench).measure())
    case .program: try ProgramRow(bench: bench).measure(&report)
    case .huge: try HugeRow(bench: bench).measure(&report)
    case .intents: report.add(try IntentRow(bench: bench).measure())
    case .extremes: try ExtremeRow(bench: bench).measure(&report)
    case .sync: report.add(try SyncRow(bench: bench).measure())
    case .builds: try BuildRow(bench: bench).measure(&report)
    case .seal: try SealRow(bench: bench).measure(&report)
    case .json: report.add(try JSONRow(bench: bench).measure())
    case .archives: try ArchiveRow(bench: bench).measure(&report)
    case .marks: report.add(try MarkRow(bench: bench).measure())
    case .growth: try JournalGrowth(bench: bench, jrnl: jrnl).measure(&report)
    }
  }
}

/// Prints the lines of a report on standard output as they come.
final class ReportPrinter {
  enum Format {
    case json
    case table(ReportTable)
  }

  private let format: Format
  private var hasHeading = false

  init(format: Format) {
    self.format = format
  }

  func show(_ line: ReportLine) {
    switch format {
    case .json: put(line.json)
    case .table(let table):
      if !hasHeading, line.figure != nil {
        put(table.heading)
        hasHeading = true
      }
      put(table.text(line))
    }
  }

  private func put(_ text: String) {
    guard !text.isEmpty else { return }
    print(text)
    // Also into a file or a pipe, at once.
    fflush(nil)
  }
}

/// The benchmark, or one of the measured programs, for which it starts itself again.
@main
enum Main {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case FloorProgram.option: exit(FloorProgram.run())
    case WriterProgram.option: run(WriterProgram.run)
    case LibraryProbe.option: run(LibraryProbe.run)
    // Not a subcommand of ArgumentParser: options of the same name would be read as the benchmark's.
    case "library": LibraryCommand.main(Array(arguments.dropFirst()))
    default: BenchCommand.main()
    }
  }

  private static func run(_ program: ([String]) throws -> Void) {
    do {
      try program(Array(CommandLine.arguments.dropFirst(2)))
    } catch {
      Console.tell("\(error)")
      exit(1)
    }
  }
}
