import Foundation

/// Rows 10 and 11: an entry added and ten listed from the shell, compared with `sqlite3` inserting the
/// same row and with jrnl.
struct ShellRows {
  let bench: Bench
  let jrnl: JrnlPeer

  private var jrnlCount: Int { bench.isQuick ? 1_000 : 100_000 }

  func measure(_ report: inout Report) throws {
    report.add([try besideSQLite()])
    let journal = try bench.data.copy(jrnlCount, as: "shell")
    let words = "whole process, \(Bench.words(jrnlCount)) entries"
    let goal = Goal(leastSpeedup: bench.isQuick ? nil : 300)
    let (add, list) = (try adding(journal).median, try listing(journal).median)
    report.add([
      Figure(
        row: 10, name: "add, \(words)", value: add,
        peer: try jrnl.median(.add, jrnlCount).map { ("jrnl", $0) },
        goal: jrnl.isThere ? goal : Goal()),
      Figure(
        row: 11, name: "list --limit 10, \(words)", value: list,
        peer: try jrnl.median(.list, jrnlCount).map { ("jrnl -n 10", $0) },
        goal: jrnl.isThere ? goal : Goal()),
    ])
  }

  private func besideSQLite() throws -> Figure {
    let journal = try bench.data.copy(bench.large, as: "add")
    var (ours, peers) = (Samples(), Samples())
    for round in 0...bench.rounds * 2 {
      let time = try add(round, to: journal)
      let peer = try bench.peers.sqlite3.map { program in
        try ChildProcess.time(
          [program, journal, Self.insert(Self.text(round))], environment: bench.environment)
      }
      if round == 0 { continue }
      ours.add(time)
      if let peer { peers.add(peer) }
    }
    return Figure(
      row: 10, name: "add, whole process, \(Bench.words(bench.large)) entries",
      value: ours.median, peer: bench.peers.sqlite3.map { _ in ("sqlite3", peers.median) },
      goal: bench.peers.sqlite3 == nil ? Goal() : Goal(mostRatio: 2.5))
  }

  /// An entry added to a journal, in milliseconds.
  func adding(_ journal: String) throws -> Samples {
    var samples = Samples()
    for round in 0...bench.rounds * 2 {
      let time = try add(round, to: journal)
      if round > 0 { samples.add(time) }
    }
    return samples
  }

  /// Ten entries listed, in milliseconds.
  func listing(_ journal: String) throws -> Samples {
    var samples = Samples()
    for round in 0...bench.rounds * 2 {
      let time = try ChildProcess.time(
        [bench.daybook, "--journal", journal, "list", "--limit", "10"],
        environment: bench.environment)
      if round > 0 { samples.add(time) }
    }
    return samples
  }

  private func add(_ round: Int, to journal: String) throws -> Double {
    try ChildProcess.time(
      [bench.daybook, "--journal", journal, "add", Self.text(round)],
      environment: bench.environment)
  }

  private static func text(_ round: Int) -> String { "Measured entry \(round) #bench" }

  /// The same row, its tag and its change set, with the same settings.
  private static func insert(_ text: String) -> String {
    """
    PRAGMA journal_mode=TRUNCATE; PRAGMA synchronous=FULL; BEGIN IMMEDIATE;
    INSERT INTO change_set (at, at_offset, actor, kind) VALUES (0, 0, 'sqlite3', 'add');
    UPDATE clock SET change_set = last_insert_rowid();
    INSERT INTO entry (text, title, title_key, tags, words, checksum)
      VALUES ('\(text)', '\(text)', lower('\(text)'), 'bench', 4, 1);
    INSERT INTO entry_tag (live, tag, day, created, number, typed)
      SELECT 1, 'bench', day, created, number, 'bench' FROM entry
      WHERE number = last_insert_rowid();
    UPDATE change_set SET first_seq = (SELECT max(seq) FROM change),
      last_seq = (SELECT max(seq) FROM change) WHERE id = (SELECT change_set FROM clock);
    UPDATE clock SET change_set = NULL; COMMIT;
    """
  }
}

/// jrnl over a journal of the same entries, in a directory of its own: it reads and writes a text
/// file.
final class JrnlPeer {
  enum Task: Hashable {
    case add, list

    fileprivate var words: [String] {
      switch self {
      case .add: ["Measured entry #bench"]
      case .list: ["-n", "10"]
      }
    }
  }

  private struct Key: Hashable {
    let task: Task
    let count: Int
  }

  private let bench: Bench
  private var medians: [Key: Double] = [:]

  init(_ bench: Bench) {
    self.bench = bench
  }

  var isThere: Bool { bench.peers.jrnl != nil }

  /// The median of a task with a journal of `count` entries, in milliseconds, measured once in a run.
  ///
  /// - Returns: `nil` where jrnl is not installed.
  func median(_ task: Task, _ count: Int) throws -> Double? {
    guard let program = bench.peers.jrnl else { return nil }
    let key = Key(task: task, count: count)
    if let known = medians[key] { return known }
    let configuration = try configuration(count)
    let words = [program, "--config-file", configuration] + task.words
    var samples = Samples()
    for round in 0...bench.rounds {
      let time = try ChildProcess.time(words, environment: bench.environment)
      // The first one also updates the configuration and compiles.
      if round > 0 { samples.add(time) }
    }
    medians[key] = samples.median
    return samples.median
  }

  /// A configuration and a fresh copy of the journal, in the run's directory.
  ///
  /// The settings are jrnl's defaults but for `#`: it counts the tags of an addition in quadratic time,
  /// a minute with the tags of 100,000 of our entries.
  private func configuration(_ count: Int) throws -> String {
    let journal = "\(bench.data.work)/jrnl-\(count).txt"
    let file = "\(bench.data.work)/jrnl-\(count).yaml"
    try? FileManager.default.removeItem(atPath: journal)
    try FileManager.default.copyItem(atPath: try sample(count), toPath: journal)
    let text = """
      colors: {body: none, date: none, tags: none, title: none}
      default_hour: 9
      default_minute: 0
      editor: ''
      encrypt: false
      highlight: false
      indent_character: '|'
      journals:
        default:
          journal: \(journal)
      linewrap: 79
      tagsymbols: '@'
      template: false
      timeformat: '%F %r'
      version: v4.6
      """
    try Data("\(text)\n".utf8).write(to: URL(filePath: file))
    return file
  }

  /// The entries of the sample journal in jrnl's format, made once.
  private func sample(_ count: Int) throws -> String {
    try bench.data.kept("\(count).jrnl.txt") { file in
      try ChildProcess(
        [
          bench.daybook, "--journal", try bench.data.sample(count), "--read-only", "export",
          "--format", "jrnl-text", "--force", "--output", file,
        ], environment: bench.environment
      ).wait()
    }
  }
}
