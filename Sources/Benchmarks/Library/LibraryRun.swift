import Files
import Foundation
import Glibc

/// One run of the library's figures: a process for each contender at each size.
struct LibraryRun {
  /// The numbers of rows.
  let sizes: [Int]
  /// The numbers of controllers.
  let crowds: [Int]
  let rounds: Int
  /// Seconds, see ``LibraryReport/limit``.
  let limit: Int
  /// The directory of the databases.
  let directory: String
  let program: String

  /// Measures everything, and calls `show` with each result as soon as there is one.
  func measure(_ show: (FeedResult) -> Void) throws -> LibraryReport {
    var report = LibraryReport(limit: limit)
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    for size in sizes {
      try withTable(FeedItems(count: size)) { table in
        for contender in ContenderKind.allCases {
          let result = try measure(contender, size, nil, table)
          show(result)
          report.results.append(result)
        }
      }
    }
    try withTable(Crowd.items) { table in
      for crowd in Crowd.allCases {
        for contender in ContenderKind.allCases {
          for count in crowds where contender.canKeep(count, crowd) {
            let result = try measure(contender, count, crowd, table)
            show(result)
            report.results.append(result)
          }
        }
      }
    }
    report.loads.append(Machine.load)
    return report
  }

  private func withTable(_ items: FeedItems, _ body: (String) throws -> Void) throws {
    Console.tell("making a table of \(Bench.words(items.count)) rows")
    let file = "\(directory)/table.sqlite"
    try FeedTable.make(items, at: file)
    defer { remove(file) }
    try body(file)
  }

  private func measure(
    _ contender: ContenderKind, _ size: Int, _ crowd: Crowd?, _ table: String
  ) throws -> FeedResult {
    let words = Bench.words(size)
    let lists = crowd.map { "\(words) controllers, of which \($0.name) show the changed row" }
    Console.tell("measuring \(contender.name): \(lists ?? "\(words) rows")")
    let file = "\(directory)/copy.sqlite"
    defer { remove(file) }
    if contender != .memory {
      try FileManager.default.copyItem(atPath: table, toPath: file)
      // Else the kernel writes it out during the measurement.
      sync()
    }
    let task = ProbeTask(
      contender: contender, size: size, crowd: crowd, file: file, rounds: rounds, limit: limit)
    let process = try ProbeProcess(task, program: program, home: directory)
    let leftOut = try process.finish(limit: limit)
    return FeedResult(
      contender, size: size, crowd: crowd, samples: process.samples, leftOut: leftOut)
  }

  private func remove(_ file: String) {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: file + suffix)
    }
  }
}

/// A running ``LibraryProbe``.
private final class ProbeProcess {
  /// Seconds for what is not measured: making rows, installing triggers, fetching again.
  private static let longestPreparation = 1_200

  private(set) var samples: [ProbeSample] = []
  private let child: ChildProcess
  private let output: Int32
  private var buffer: [UInt8] = []
  private var current: FeedFigure?
  private var isMeasuring = false

  init(_ task: ProbeTask, program: String, home: String) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw BenchError("no pipe") }
    // Only the probe may have a copy of the writing end, or the pipe would never end.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    output = ends[0]
    defer { close(ends[1]) }
    let text = String(decoding: try JSONEncoder().encode(task), as: UTF8.self)
    child = try ChildProcess(
      [program, LibraryProbe.option, text], environment: ChildProcess.environment(home: home),
      output: ends[1])
  }

  deinit { close(output) }

  /// Reads all lines; ends the process when a single round takes longer than `limit` seconds.
  ///
  /// - Returns: the figure at which the process ended early, and why.
  func finish(limit: Int) throws -> (figure: FeedFigure, reason: String)? {
    var poll = Poll()
    var last = Monotonic.now()
    while true {
      if try poll.wait(for: [.reading(output)], milliseconds: 1_000) != nil {
        guard try readLines() else { break }
        last = Monotonic.now()
      }
      let seconds = isMeasuring ? limit : Self.longestPreparation
      guard Monotonic.milliseconds(since: last) > Double(seconds) * 1_000 else { continue }
      kill(child.pid, SIGKILL)
      _ = try ProgramStart.exitCode(of: child.pid)
      return (current ?? .fetch, isMeasuring ? "> \(limit) s" : "not prepared in \(seconds) s")
    }
    let code = try ProgramStart.exitCode(of: child.pid) ?? 0
    return code == 0 ? nil : (current ?? .fetch, "failed with exit code \(code)")
  }

  /// - Returns: whether the process may write more.
  private func readLines() throws -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(output, &bytes, bytes.count)
    guard count > 0 else { return false }
    buffer += bytes[..<count]
    while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
      let text = String(decoding: buffer[..<end], as: UTF8.self)
      buffer.removeFirst(end + 1)
      switch ProbeLine(text) {
      case .begin(let figure)?:
        current = figure
        isMeasuring = true
      case .sample(let sample)?:
        samples.append(sample)
        isMeasuring = false
      case nil: throw BenchError("a probe wrote “\(text)”")
      }
    }
    return true
  }
}
