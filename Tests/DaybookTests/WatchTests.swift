import Foundation
import Testing

/// The lines of `watch` word for word, and all the ways it ends.
@Suite(.waiting)
struct WatchTests {
  private let program: Program
  private let journal: String

  init() throws {
    program = try Program()
    journal = program.home.appending(path: "j.sqlite").path
  }

  private func daybook(_ words: String...) throws {
    let result = try program.run(["--journal", journal] + words)
    try #require(result.code == 0, "\(words): \(result.errors)")
  }

  private func session(_ options: String...) throws -> WatchSession {
    try WatchSession(program, options, journal: journal)
  }

  /// The row of an entry as it must be written.
  private func row(_ number: Int) throws -> String {
    let shown = try program.run(["--journal", journal, "show", "--format", "json", "\(number)"])
    let line = shown.output.dropLast()
    let start = try #require(line.range(of: ",\"text\":"))
    let end = try #require(line.range(of: ",\"tags\":"))
    return String(line[..<start.lowerBound] + line[end.lowerBound...])
  }

  @Test("the first line is the list, with rows that lack only the text")
  func reset() throws {
    try daybook("add", "One\nbody #a", "--date", "2026-01-01 10:00")
    try daybook("add", "Two", "--date", "2026-01-02 10:00")
    let line = try session().stamplessLine()
    #expect(
      line == """
        {"event":"reset","generation":0,"sections":[{"key":"2026-01-02","rows":[\(try row(2))]},\
        {"key":"2026-01-01","rows":[\(try row(1))]}]}
        """)
  }

  @Test("an empty list has no sections; without sections it has one, without rows")
  func empty() throws {
    try daybook("add", "One")
    #expect(
      try session("nothing").stamplessLine() == #"{"event":"reset","generation":0,"sections":[]}"#)
    #expect(
      try session("nothing", "--section", "none").stamplessLine()
        == #"{"event":"reset","generation":0,"sections":[{"key":"","rows":[]}]}"#)
  }

  @Test("a batch has all its fields in their order")
  func batch() throws {
    for (index, day) in ["01", "01", "01", "02", "03"].enumerated() {
      try daybook("add", "E\(index + 1)", "--date", "2026-01-\(day) 10:0\(index)")
    }
    let session = try session()
    _ = try session.stamplessLine()
    try daybook("star", "1")
    #expect(
      try session.stamplessLine() == """
        {"event":"batch","from":0,"to":1,"deletedSections":[],"insertedSections":[],\
        "deletedRows":[],"insertedRows":[],"moves":[],\
        "updates":[{"from":[2,2],"to":[2,2],"row":\(try row(1))}],"counts":[1,1,3]}
        """)
    try daybook("redate", "1", "--date", "2026-01-01 11:00")
    #expect(
      try session.stamplessLine() == """
        {"event":"batch","from":1,"to":2,"deletedSections":[],"insertedSections":[],\
        "deletedRows":[],"insertedRows":[],\
        "moves":[{"from":[2,2],"to":[2,0],"row":\(try row(1))}],"updates":[],"counts":[1,1,3]}
        """)
    try daybook("delete", "5", "2")
    #expect(
      try session.stamplessLine() == """
        {"event":"batch","from":2,"to":3,"deletedSections":[0],"insertedSections":[],\
        "deletedRows":[[2,2]],"insertedRows":[],"moves":[],"updates":[],"counts":[1,2]}
        """)
    try daybook("redate", "4", "3", "--date", "2026-01-05 09:00")
    #expect(
      try session.stamplessLine() == """
        {"event":"batch","from":3,"to":4,"deletedSections":[0],\
        "insertedSections":[{"index":0,"key":"2026-01-05","rows":[\(try row(4)),\(try row(3))]}],\
        "deletedRows":[[1,1]],"insertedRows":[],"moves":[],"updates":[],"counts":[2,1]}
        """)
  }

  @Test("rows come with their text under --full")
  func full() throws {
    try daybook("add", "One\nbody")
    let session = try session("--full")
    #expect(try session.stamplessLine().contains(#""title":"One","text":"One\nbody","tags":[]"#))
    try daybook("edit", "1", "Two\nlines")
    #expect(try session.stamplessLine().contains(#""title":"Two","text":"Two\nlines","tags":[]"#))
  }

  @Test("a change that nobody could see is not told")
  func unseen() throws {
    try daybook("add", "One #a")
    let session = try session("#a", "--limit", "1")
    _ = try session.stamplessLine()
    try daybook("add", "Two #b")
    try daybook("add", "Older #a", "--date", "2020-01-01")
    try daybook("delete", "2", "3")
    try daybook("edit", "1", "Three #a")
    let line = try session.stamplessLine()
    #expect(line.hasPrefix(#"{"event":"batch","from":0,"to":1,"#))
    #expect(line.contains("Three #a"))
  }

  @Test("SIGTERM and SIGINT end it with 0", arguments: [SIGTERM, SIGINT])
  func signals(signal: Int32) throws {
    try daybook("add", "One")
    let session = try session()
    _ = try session.stamplessLine()
    session.send(signal)
    #expect(try session.exitCode() == 0)
  }

  @Test("a closed pipe ends it with 0, though nothing is written")
  func closedPipe() throws {
    try daybook("add", "One")
    let session = try session()
    _ = try session.stamplessLine()
    session.hangUp()
    #expect(try session.exitCode() == 0)
  }

  @Test("a signal ends it also while nobody reads")
  func stuckReader() throws {
    try daybook("add", String(repeating: "words ", count: 20_000))
    let session = try session("--full")
    // A pipe holds 64 KiB: the program has to wait for a reader who does not read.
    while session.unread < 60_000 { usleep(1_000) }
    session.send(SIGTERM)
    #expect(try session.exitCode() == 0)
  }

  @Test("a wrong query or option ends with 64 before anything is written")
  func usage() throws {
    for words in [["sinse:monday"], ["--sort", "up wards"], ["--limit", "-1"], ["--bogus"]] {
      let result = try program.run(["--journal", journal, "watch"] + words)
      #expect(result.code == 64)
      #expect(result.output == "")
      #expect(result.errors.split(separator: "\n").count == 1)
    }
    #expect(try program.run(["--journal", journal, "watch"]).code == 66)
  }

  @Test("another file in the journal's place is followed, after a reset")
  func replaced() throws {
    try daybook("add", "One")
    let session = try session()
    _ = try session.stamplessLine()
    let other = program.home.appending(path: "other.sqlite").path
    _ = try program.run(["--journal", other, "add", "Other"])
    try #require(rename(other, journal) == 0)
    let reset = try session.stamplessLine()
    #expect(reset.hasPrefix(#"{"event":"reset","generation":1,"#))
    #expect(reset.contains("Other"))
    try daybook("star", "1")
    #expect(try session.stamplessLine().hasPrefix(#"{"event":"batch","from":1,"to":2,"#))
  }

  @Test("the usual journal is followed from before its first entry on")
  func firstEntry() throws {
    let usual = program.home.appending(path: ".local/share/daybook/journal.sqlite").path
    let session = try WatchSession(program, [], journal: "")
    #expect(try session.stamplessLine() == #"{"event":"reset","generation":0,"sections":[]}"#)
    #expect(try program.run(["add", "First"]).code == 0)
    #expect(try session.stamplessLine().contains("First"))
    #expect(FileManager.default.fileExists(atPath: usual))
  }

  @Test("a memory journal is an empty list until the end")
  func memory() throws {
    let session = try WatchSession(program, [], journal: ":memory:")
    #expect(try session.stamplessLine() == #"{"event":"reset","generation":0,"sections":[]}"#)
    session.send(SIGTERM)
    #expect(try session.exitCode() == 0)
  }

  @Test("a journal that goes away ends it with 66")
  func removed() throws {
    try daybook("add", "One")
    let session = try session()
    _ = try session.stamplessLine()
    try FileManager.default.removeItem(atPath: journal)
    #expect(try session.exitCode() == 66)
  }
}
