import Foundation
import Glibc

/// The process that measures one contender at one size, so that its peak of memory is its own.
///
/// It prints a line at the start and at the end of each round.
enum LibraryProbe {
  /// The option that starts it; a ``ProbeTask`` follows.
  static let option = "--library-probe"

  static func run(_ arguments: [String]) throws {
    let task = try JSONDecoder().decode(ProbeTask.self, from: Data((arguments.first ?? "").utf8))
    try task.run { line in
      print(line.text)
      fflush(nil)
    }
  }
}

/// The work of a measuring process.
struct ProbeTask: Codable {
  let contender: ContenderKind
  /// The number of rows, or of the controllers of a crowd.
  let size: Int
  var crowd: Crowd?
  /// The database, which the process may change.
  let file: String
  let rounds: Int
  /// Seconds.
  let limit: Int

  /// Measures, and calls `report` before and after each round.
  func run(_ report: @escaping (ProbeLine) -> Void) throws {
    let rounds = ProbeRounds(least: rounds, limit: Double(limit) * 1_000, report: report)
    guard let crowd else {
      let items = FeedItems(count: size)
      return try rounds.measure(try contender.make(items, file: file), items)
    }
    try rounds.measure(try contender.makeCrowd(of: size, crowd, file: file))
  }
}

/// The rounds of each figure of a contender.
struct ProbeRounds {
  let least: Int
  /// Milliseconds after which no further round of a figure begins.
  let limit: Double
  let report: (ProbeLine) -> Void

  func measure(_ contender: any FeedContender, _ items: FeedItems) throws {
    var changes = FeedChanges(items)
    try repeating(least) {
      try time(.fetch) { try contender.fetch() }
      let rows = try time(.screen) { try contender.screen() }
      guard rows.count == min(items.count, type(of: contender).screenful) else {
        throw BenchError("a screen of \(rows.count) rows")
      }
    }
    for figure in [FeedFigure.one, .hundred, .tenThousand] {
      guard let writes = figure.writes, writes <= items.count else { continue }
      // The first round prepares statements and is not counted, unless it is so long that no other follows.
      var isFirst = figure == .one
      try repeating(figure == .one ? least * 4 + 1 : least) {
        if writes > 1 { try contender.forget() }
        let transaction = changes.transaction(rows: writes)
        try time(figure, omittedBelow: isFirst ? 1_000 : 0) {
          try contender.commit(transaction)
          return try contender.screen()
        }
        isFirst = false
      }
      if figure == .one { try reportMemory(.memory) }
    }
    try reportMemory(.memoryAtEnd)
  }

  /// Measures many lists: opening them, and one changed row.
  func measure(_ crowd: any FeedCrowd) throws {
    try time(.fetch) { try crowd.open() }
    var changes = FeedChanges(Crowd.items)
    // The first commit prepares the statements of all lists.
    var isFirst = true
    try repeating(least + 1) {
      let transaction = changes.mark(in: FeedItems.name(0))
      try time(.one, omittedBelow: isFirst ? 1_000 : 0) { try crowd.commit(transaction) }
      isFirst = false
    }
    try reportMemory(.memory)
  }

  private func repeating(_ rounds: Int, _ body: () throws -> Void) throws {
    let start = Monotonic.now()
    for round in 0..<rounds where round == 0 || Monotonic.milliseconds(since: start) < limit {
      try body()
    }
  }

  /// - Parameter shortest: a shorter round is not reported.
  @discardableResult
  private func time<Value>(
    _ figure: FeedFigure, omittedBelow shortest: Double = 0, _ body: () throws -> Value
  ) rethrows -> Value {
    report(.begin(figure))
    let (wall, processor) = (Monotonic.now(), ProcessorTime.now())
    let value = try body()
    let used = Monotonic.milliseconds(from: processor, to: ProcessorTime.now())
    let sample = ProbeSample(
      figure: figure, value: used, wall: Monotonic.milliseconds(since: wall))
    if sample.wall >= shortest { report(.sample(sample)) }
    return value
  }

  private func reportMemory(_ figure: FeedFigure) throws {
    let peak = try ProcessStatistics(pid: getpid()).peakKibibytes
    report(.sample(ProbeSample(figure: figure, value: Double(peak) / 1024)))
  }
}
