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
      measurements unless it names another share. The journals it measures are made once.
      `daybook-bench library` measures the library SectionedResults instead.
      """)

  @Flag(help: "A small journal and few rounds: whether it runs, not how fast.")
  var quick = false

  @Flag(help: "Also what takes minutes: the synchronisation of a million entries.")
  var full = false

  @Flag(help: "Print JSON.")
  var json = false

  @Option(help: ArgumentHelp("Only these rows, such as 1,4.", valueName: "rows"))
  var rows: String?

  @Option(help: "How often each thing is measured; some, which vary more, a multiple of it.")
  var rounds = 5

  @Option(help: ArgumentHelp("Where the journals are kept.", valueName: "directory"))
  var data = ".build/bench"

  func validate() throws {
    guard rounds >= 5 else { throw ValidationError("a median needs at least 5 rounds") }
    guard !quick || !full else { throw ValidationError("--quick and --full exclude each other") }
  }

  func run() throws {
    let binaries = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().path
    let directory = try DataDirectory(path: URL(filePath: data).path)
    defer { directory.clean() }
    let bench = Bench(
      data: directory, large: quick ? 10_000 : 1_000_000, rounds: rounds, isQuick: quick,
      isFull: full, binaries: binaries)
    let report = try measure(bench)
    print(json ? try report.json() : report.table())
  }

  private func measure(_ bench: Bench) throws -> Report {
    let wanted = rows.map { Set($0.split(separator: ",").compactMap { Int($0) }) }
    var report = Report()
    for (numbers, measure) in Self.plan(bench)
    where wanted.map({ !$0.isDisjoint(with: numbers) }) ?? true {
      Console.tell("measuring row \(numbers.map(String.init).joined(separator: ", "))")
      try measure(&report)
    }
    if wanted?.contains(10) ?? true {
      report.notes.append("jrnl, the other peer of row 10, is not measured")
    }
    return report
  }

  private typealias Step = (rows: [Int], measure: (inout Report) throws -> Void)

  private static func plan(_ bench: Bench) -> [Step] {
    let screen = ScreenRows(bench: bench)
    return [
      ([1, 2, 3], { $0.figures += try StartRows(bench: bench).measure() }),
      ([4], { $0.figures += try CommitRows(bench: bench).measure() }),
      ([5], { $0.figures += try ObservationRow(bench: bench).measure() }),
      ([6], { $0.figures += try BulkRow(bench: bench).measure() }),
      ([7], { $0.figures += try screen.notice() }),
      ([8], { $0.figures += try screen.keys() }),
      ([9], { $0.figures += try SearchRow(bench: bench).measure() }),
      ([10], { try AddRow(bench: bench).measure(&$0) }),
      ([12], { $0.figures += try TransferRows(bench: bench).importing() }),
      ([13], { try TransferRows(bench: bench).exporting(&$0) }),
      ([14], { $0.figures += try screen.idle() }),
      ([15], { $0.figures += try SizeRow(bench: bench).measure() }),
      ([16], { $0.figures += try JSONRow(bench: bench).measure() }),
      ([20], { $0.figures += try SyncRow(bench: bench).measure() }),
      ([22], { $0.figures += try SealRow(bench: bench).measure() }),
    ]
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

/// The parameters of all measurements.
struct Bench {
  let data: DataDirectory
  /// The number of entries of a large journal.
  let large: Int
  /// The number of rounds of a measurement, at least 5.
  let rounds: Int
  let isQuick: Bool
  let isFull: Bool
  /// The directory of the built programs.
  let binaries: String

  var daybook: String { "\(binaries)/daybook" }
  var itself: String { "\(binaries)/daybook-bench" }
  var environment: [String] { ChildProcess.environment(home: data.work) }

  /// The same parameters over other journals.
  func with(_ data: DataDirectory) -> Bench {
    Bench(
      data: data, large: large, rounds: rounds, isQuick: isQuick, isFull: isFull,
      binaries: binaries)
  }

  /// An environment with the given default journal.
  func environment(_ journal: String) -> [String] {
    environment + ["DAYBOOK_JOURNAL=\(journal)"]
  }

  /// A count in words.
  static func words(_ count: Int) -> String {
    var digits = "\(count)"
    var text = ""
    while digits.count > 3 {
      text = ",\(digits.suffix(3))\(text)"
      digits.removeLast(3)
    }
    return digits + text
  }

  /// The end of the screen's first frame; the key before it has another colour.
  static let lastWord = "quit"

  /// Starts the screen over a journal and waits for its first frame.
  func screen(_ journal: String) throws -> (process: TerminalProcess, painted: UInt64) {
    let process = try TerminalProcess([daybook], environment: environment(journal))
    return (process, try process.wait(for: Bench.lastWord))
  }
}
