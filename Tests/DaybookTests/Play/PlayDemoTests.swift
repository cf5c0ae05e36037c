import Foundation
import Testing

/// The tour, played at full speed.
@Suite(.waiting)
struct PlayDemoTests {
  private let program: Program
  private let now = ["--now", "2026-11-21T17:40:00+00:00"]

  init() throws {
    program = try Program()
  }

  @Test("the tour shows what it says, chapter by chapter, and never fails at anything")
  func chapters() throws {
    let result = try program.run(["demo", "--frames"] + now)
    #expect(result.code == 0, "\(result.errors)")
    let frames = result.output.split(separator: "\u{0C}").map(String.init)
    try expect(
      frames,
      [
        ("Daybook: a journal", ["Today, Saturday 21 November", "朝の散歩"]),
        ("a  write", ["new: Walked home"]),
        ("a  write", ["›  17:40  Walked home along the river", "added entry 26"]),
        ("Any script", ["›  17:40  雨が止んだ 🌈 the whole street looked up"]),
        ("e  edit", ["the whole street looked out of the window", "saved entry 27"]),
        ("d  delete", ["deleted entry 27; u undoes it"]),
        ("d  delete", ["undid the deletion of", "›  17:40  雨が止んだ"]),
        ("Another program", ["The doorbell, from another terminal", "›  17:40  雨が止んだ"]),
        ("f  filter", ["#walk river", "1 of 2"]),
        ("/  search", ["The one from @mira"]),
        ("[[a title]]", ["More Potato soup"]),
        ("[[a title]]", ["Do not stir it.", "Linked from 1 entry"]),
        ("Space marks", ["3 marked", "tagged 3 entries"]),
        ("Space marks", ["undid the new tags of 3 entries"]),
        ("o  other", ["by tag", "#books"]),
        ("run:: 5 km is", ["Last 12 months  20 km on 4 days", "run 5 km"]),
        ("M  the month", ["November 2026", "Mo  Tu  We"]),
        ("M  the month", ["6 entries in October 2026"]),
        ("That was Daybook", ["›  17:40  River again", "1 of 30"]),
      ])
    for word in ["no such", "failed", "unknown", "error", "not done"] {
      #expect(!result.output.contains(word), "\(word)")
    }
  }

  @Test("the tour takes less than a minute")
  func length() throws {
    let cast = program.home.appending(path: "demo.cast").path
    #expect(try program.run(["demo", "--cast", cast]).code == 0)
    let last = try #require(try CastFile(cast).events.last?.time)
    #expect(last > 30)
    #expect(last < 57)
  }

  @Test("nothing of the tour stays, and nothing of the user's is read or written")
  func leavesNothing() throws {
    _ = try program.run(["add", "My own entry"])
    let before = try files()
    let inputrc = program.home.appending(path: ".inputrc").path
    try "set editing-mode vi\n\"a\": \"zzz\"\n".write(
      toFile: inputrc, atomically: true, encoding: .utf8)
    let temporary = try directory("temporary")
    let result = try program.run(
      ["demo", "--frames"] + now, extra: ["TMPDIR": temporary, "INPUTRC": inputrc])
    #expect(result.code == 0)
    #expect(result.output.contains("Walked home along the river #walk"))
    #expect(!result.output.contains("My own entry"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
    #expect(try files().subtracting([".inputrc", "temporary"]) == before)
    #expect(try program.run(["list"]).output.contains("My own entry"))
  }

  @Test("a signal that ends the tour removes its journal too", arguments: ["TERM", "HUP", "INT"])
  func signals(_ name: String) throws {
    let temporary = try directory("temporary")
    let result = try program.shell(
      """
      export TMPDIR=\(temporary)
      set -m
      \(Program.binary.path) demo --speed 0.01 >/dev/null &
      until [ -e \(temporary)/daybook-demo-*/demo.sqlite ]; do sleep 0.01; done
      stat -c %a \(temporary)/daybook-demo-*
      kill -\(name) $!
      wait $!
      echo $?
      ls \(temporary)
      """)
    let code = ["TERM": 143, "HUP": 129, "INT": 130][name] ?? 0
    #expect(result.output == "700\n\(code)\n")
  }

  @Test("who watched the tour to its end, or stopped it, can try things in its journal")
  func handsOver() throws {
    let terminal = try TerminalSession(
      program, command: "\(Program.binary.path) demo --speed max", lines: 24)
    try terminal.wait("the end") { $0.contains("the tour is over; try what you like") }
    try terminal.type("a", "Tried it", "Enter")
    try terminal.wait("the entry") { $0.contains("Tried it") && !$0.contains("new:") }
    #expect(try !program.run(["list"]).output.contains("Tried it"))
  }

  // MARK: - Helpers

  /// Expects frames with these captions and words, in this order; words may be spread over frames of
  /// one caption.
  private func expect(
    _ frames: [String], _ chapters: [(caption: String, words: [String])],
    at location: SourceLocation = #_sourceLocation
  ) throws {
    var rest = frames[...]
    for (caption, words) in chapters {
      for word in words {
        let index = rest.firstIndex { frame in
          frame.split(separator: "\n").last?.contains(caption) == true && frame.contains(word)
        }
        guard let index else {
          Issue.record("\(caption): no frame with \(word)", sourceLocation: location)
          continue
        }
        rest = rest[index...]
      }
    }
  }

  private func directory(_ name: String) throws -> String {
    let path = program.home.appending(path: name)
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
    return path.path
  }

  private func files() throws -> Set<String> {
    Set(try FileManager.default.subpathsOfDirectory(atPath: program.home.path))
      .filter { !$0.hasPrefix("run-") }
  }
}
