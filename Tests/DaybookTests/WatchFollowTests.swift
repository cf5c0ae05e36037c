import Foundation
import TestSupport
import Testing

/// A reader that follows the documentation of `watch` always has the current list, for all writers.
@Suite(.waiting)
struct WatchFollowTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  /// Options of lists that are followed all at once.
  static let lists: [[String]] = [
    [], ["--full"], ["--section", "tag"], ["--section", "month", "--sort", "oldest"],
    ["--section", "none", "--limit", "7"], ["--limit", "5", "--offset", "2"],
    ["--section", "week", "--sort", "title"], ["--section", "none", "--sort", "modified", "#work"],
    ["--section", "tag", "--limit", "6", "bread", "-rain"], ["is:deleted"],
    ["--section", "year", "--full", "東京", "OR", "@anna"],
    ["--section", "tag", "--sort", "oldest", "--offset", "3", "--full"],
  ]

  @Test("a journal whose counts are wrong ends it, and is not told for ever")
  func wrongCounts() throws {
    let journal = program.home.appending(path: "j.sqlite").path
    _ = try program.run(["--journal", journal, "add", "one"])
    let sql = "UPDATE section_count SET entries = entries + 1"
    #expect(try program.shell("sqlite3 \(journal) '\(sql)'").code == 0)
    let session = try WatchSession(program, [], journal: journal)
    #expect(try session.exitCode() == 78)
  }

  @Test(
    "batches lead from the first reset to the list as it is in the end",
    arguments: [
      ("journal.sqlite", 1, false), ("journal.sqlite", 2, true), ("journal.json", 3, false),
      ("journal.json", 4, true),
    ] as [(String, UInt64, Bool)])
  func follow(name: String, seed: UInt64, purges: Bool) throws {
    let journal = program.home.appending(path: name).path
    let writers = try RandomWriters(program, journal: journal, seed: seed, purges: purges)
    for _ in 0..<10 { try writers.step() }
    let sessions = try Self.lists.map { try WatchSession(program, $0, journal: journal) }
    var followed = try sessions.map { session in
      var list = WatchedList()
      try list.apply(try session.line())
      return list
    }
    for _ in 0..<40 { try writers.step() }
    for (index, options) in Self.lists.enumerated() {
      let expected = try fresh(options, journal)
      while followed[index].sections != expected.sections {
        try followed[index].apply(try sessions[index].line())
      }
      // A purge may overtake the reader, and a text of --full may be gone for good.
      if !purges, !options.contains("--full") {
        #expect(followed[index].resets == 1, "\(options)")
      }
      let listed = try listedNumbers(options, journal)
      #expect(try followed[index].numbers() == listed, "\(options)")
    }
    #expect(followed.map(\.batches).reduce(0, +) > 0)
  }

  @Test(
    "with --since the list of an ended run is continued, without a reset",
    arguments: ["journal.sqlite", "journal.json"])
  func resume(name: String) throws {
    let journal = program.home.appending(path: name).path
    let writers = try RandomWriters(
      program, journal: journal, seed: SeededGenerator.runSeed, purges: false)
    for _ in 0..<10 { try writers.step() }
    for options in Self.lists {
      var list = WatchedList()
      let first = try WatchSession(program, options, journal: journal)
      try list.apply(try first.line())
      try stop(first)
      for _ in 0..<2 {
        for _ in 0..<8 { try writers.step() }
        let session = try WatchSession(
          program, options + ["--since", list.stamp], journal: journal)
        try list.apply(try session.line())
        for _ in 0..<4 { try writers.step() }
        let expected = try fresh(options, journal)
        while list.sections != expected.sections { try list.apply(try session.line()) }
        try stop(session)
      }
      #expect(list.resumes == 2, "\(options)")
      // A text that was replaced meanwhile may be gone.
      if !options.contains("--full") { #expect(list.resets == 1, "\(options)") }
    }
  }

  private func stop(_ session: WatchSession) throws {
    session.send(SIGTERM)
    #expect(try session.exitCode() == 0)
  }

  @Test("a stamp of another list, another history or a purged one starts with a reset")
  func foreignStamps() throws {
    let journal = program.home.appending(path: "j.sqlite").path
    let backup = program.home.appending(path: "b.sqlite").path
    for text in ["one", "two", "three"] {
      _ = try program.run(["--journal", journal, "add", text])
    }
    _ = try program.run(["--journal", journal, "backup", backup])
    let stamp = try stampOfLine([], journal)
    // The history goes another way from the backup, and reaches further than the stamp.
    _ = try program.run(["--journal", journal, "add", "four"])
    _ = try program.run(["--journal", backup, "add", "five"])
    _ = try program.run(["--journal", backup, "star", "1"])
    let later = try stampOfLine([], journal)
    #expect(try event(["--since", stamp], journal) == "resume")
    #expect(try event(["--since", stamp], backup) == "resume")
    #expect(try event(["--since", later], backup) == "reset")
    #expect(try event(["--since", stamp, "--section", "month"], journal) == "reset")
    #expect(try event(["--since", stamp, "three"], journal) == "reset")
    #expect(try event(["--since", "9" + stamp], journal) == "reset")
    #expect(try event(["--since", stamp, "--full"], journal) == "resume")
  }

  private func stampOfLine(_ options: [String], _ journal: String) throws -> String {
    var list = WatchedList()
    try list.apply(try WatchSession(program, options, journal: journal).line())
    return list.stamp
  }

  private func event(_ options: [String], _ journal: String) throws -> String? {
    let line = try WatchSession(program, options, journal: journal).line()
    let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    return event?["event"] as? String
  }

  @Test("what is no stamp is an error of usage", arguments: ["", "x", "12", "-1-0", "5-5f3a"])
  func badStamps(_ text: String) throws {
    let journal = program.home.appending(path: "j.sqlite").path
    _ = try program.run(["--journal", journal, "add", "one"])
    let result = try program.run(["--journal", journal, "watch", "--since=" + text])
    #expect(result.code == 64)
    #expect(result.errors.contains("--since"), "\(result.errors)")
  }

  @Test("each of many commits in a row is a line of its own")
  func burst() throws {
    let journal = program.home.appending(path: "j.sqlite").path
    let writers = try RandomWriters(program, journal: journal, seed: 4)
    try writers.add("the first")
    let session = try WatchSession(program, ["--section", "none"], journal: journal)
    var list = WatchedList()
    try list.apply(try session.line())
    for index in 0..<120 { try writers.add("number \(index)") }
    while list.sections.first?.rows.count != 121 { try list.apply(try session.line()) }
    #expect(list.batches == 120)
    #expect(list.resets == 1)
    #expect(list.generation == 120)
  }

  @Test("what is not committed is never told, and does not keep others from being read")
  func openTransaction() throws {
    let journal = program.home.appending(path: "j.sqlite").path
    let writers = try RandomWriters(program, journal: journal, seed: 5)
    try writers.add("the first")
    let session = try WatchSession(program, [], journal: journal)
    var list = WatchedList()
    try list.apply(try session.line())
    try writers.whileWriting {
      let other = try fresh([], journal)
      #expect(other.sections == list.sections)
    }
    try writers.add("committed")
    let line = try session.line()
    #expect(line.contains("\"title\":\"committed\""))
    #expect(!line.contains("never committed"))
    try list.apply(line)
    #expect(list.generation == 1)
  }

  /// The list as a new reader gets it.
  private func fresh(_ options: [String], _ journal: String) throws -> WatchedList {
    let session = try WatchSession(program, options, journal: journal)
    var list = WatchedList()
    try list.apply(try session.line())
    return list
  }

  private func listedNumbers(_ options: [String], _ journal: String) throws -> [Int] {
    let words = ["--journal", journal, "list", "--format", "json"]
    let result = try program.run(words + options.filter { $0 != "--full" })
    let document = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    let entries = try #require((document as? [String: Any])?["entries"] as? [[String: Any]])
    return try entries.map { try #require($0["number"] as? Int) }
  }
}
