import Foundation
import JournalStore
import TestSupport
import Testing

/// Reports about one device.
extension LossesTests {
  @Test("jrnl#2006: two entries of a day, where times have no date", arguments: ["sqlite", "json"])
  func jrnl2006(kind: String) throws {
    let replay = try Replay(kind)
    let device = try replay.device("laptop")
    let directory = device.program.home.appending(path: ".config/daybook")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let file = directory.appending(path: "config.toml")
    let former = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    try Data("time_format = \"%M\"\ndate_format = \"%A\"\n\(former)".utf8).write(to: file)
    try device.done("add", "--date", "2026-11-20 09:00", replay.note("Hello"))
    let (bye, again) = (replay.note("Bye"), replay.note("Again"))
    #expect(try replay.missing(on: device) == ["Again", "Bye"])
    for text in [bye, again] { try device.done("add", "--date", "2026-11-20 17:00", text) }
    #expect(try replay.hidden(on: device) == [])
    let list = try device.done("list")
    #expect(list.contains("Friday") && !list.contains("17:00"), "\(list)")
    // Files with all entries of a day have each of them, there and back.
    let notes = device.program.home.path + "/notes/"
    try device.done("export", "--format", "markdown", "-o", notes)
    let other = try replay.device("other")
    #expect(try replay.missing(on: other) == ["Again", "Bye", "Hello"])
    try other.done("import", notes)
    #expect(try replay.hidden(on: other) == [])
    // The files that the other program writes with such times.
    let directories = device.program.home.path + "/jrnl"
    try replay.shell(
      """
      mkdir -p '\(directories)/2026/11'
      printf '[09:00] \(replay.note("Breakfast"))\\n\\n[17:00] \(replay.note("Tea"))\\n' \
        > '\(directories)/2026/11/21.txt'
      printf '[2026-11-22 10:00] \(replay.note("Lunch"))\\n' > '\(directories)/2026/11/22.txt'
      """)
    try device.done("import", directories)
    #expect(try replay.hidden(on: device) == [])
  }

  @Test("jrnl#2096: killed while it writes the file", arguments: kinds)
  func jrnl2096(kind: String) throws {
    let replay = try Replay(kind)
    let device = try replay.device("laptop")
    let work = (device.journal as NSString).deletingLastPathComponent
    for text in ["Monday", "Tuesday", "Wednesday"] { try device.done("add", replay.note(text)) }
    var kills = 0
    for change in 1...200 {
      let before = try device.shown()
      let text = "Killed at \(change) of many"
      let result = try device.run(
        "add", text,
        extra: [
          "LD_PRELOAD": try FaultShim.path(), "FAULT_DIR": work, "FAULT_AT": "\(change)",
          "FAULT_KILL": "1",
        ])
      let after = try device.shown()
      // All of it or nothing, and all that was there.
      #expect(after == before || after.sorted() == (before + [text]).sorted(), "\(after)")
      if after.contains(text) { _ = replay.note(text) }
      #expect(try replay.hidden(on: device) == [], "change \(change)")
      guard result.code == 137 else {
        #expect(result.code == 0, "\(result.errors)")
        break
      }
      kills += 1
    }
    #expect(3..<200 ~= kills)
    #expect(try device.run("doctor", "--fix").code == 0)
    // The ledger would name a word of a file that lost its end.
    #expect(replay.missing(in: try device.shown().filter { $0 != "Tuesday" }) == ["Tuesday"])
  }

  @Test("jrnl#490: words of one's own in the file that an entry is added to")
  func jrnl490() throws {
    let replay = try Replay()
    let device = try replay.device("laptop")
    let home = device.program.home.path
    let files = [
      ("list.txt", "A shopping list\nmilk\n"), ("notes.json", "{\"mine\": \"words\"}"),
      ("journal.txt", "Words on top\n[2026-01-02 10:00] Entry\n"), ("diary.sqlite", "Dear diary"),
    ]
    for (index, (name, contents)) in files.enumerated() {
      let path = "\(home)/\(name)"
      try Data(contents.utf8).write(to: URL(filePath: path))
      let text = replay.note("Entry\(index) newer")
      #expect(replay.missing(in: try device.kept()).contains("Entry\(index)"))
      let result = try device.program.run(["--journal", path, "add", text])
      #expect(result.code == 78, "\(name): \(result)")
      #expect(FileManager.default.contents(atPath: path) == Data(contents.utf8), "\(name)")
      #expect(try device.program.drafts().contains(text), "\(name): \(result.errors)")
    }
    #expect(try replay.missing(on: device) == [])
    // An import names the words that belong to no entry, and takes them from no file.
    let result = try device.run("import", "--from", "jrnl-text", "\(home)/journal.txt")
    #expect(result.code == 65 && result.errors.contains("journal.txt:1"), "\(result)")
    #expect(try device.shown() == ["Entry"])
  }

  @Test(
    "jrnl#502: an editor that was left open while others wrote", arguments: ["sqlite", "json"],
    Arrival.allCases)
  func jrnl502(kind: String, arrival: Arrival) throws {
    let replay = try Replay(kind)
    let device = try replay.device("laptop")
    let (program, home) = (device.program, device.program.home.path)
    try device.done("add", replay.note("Monday thoughts"))
    let mine = replay.note("Monday thoughts: mine")
    try program.makeTool(
      "\(home)/editor", "until [ -e $HOME/go ]; do sleep 0.02; done; printf '\(mine)' > $1")
    let session = try device.screen(environment: "EDITOR='\(home)/editor'")
    try session.wait("the list") { $0.contains("Monday thoughts") }
    try session.type("E")
    // Two at once, while the editor is open: neither takes the other's away.
    try replay.shell(
      """
      add() { HOME='\(home)' \(Program.binary.path) --journal '\(device.journal)' add - >/dev/null; }
      (echo '\(replay.note("first from a pipe"))'; sleep 0.3) | add & first=$!
      echo '\(replay.note("second from another"))' | add; wait $first
      """)
    try device.done("edit", "1", replay.note("Monday thoughts: theirs"))
    #expect(try replay.missing(on: device) == ["mine"])
    try Data().write(to: URL(filePath: home + "/go"))
    try session.wait("the question") { $0.contains("b both") }
    if arrival == .atOnce {
      try session.answer("b", "q")
    } else {
      try session.answer("b")
      try session.wait("the saved text") { $0.contains("saved entry 1") }
      try session.type("q")
    }
    #expect(try becomesTrue { try replay.hidden(on: device) == [] })
    #expect(try device.shown().count == 3)
  }

  @Test(
    "joplin#5533: the terminal is closed under an editor that has saved", arguments: ["A", "E"])
  func joplin5533(key: String) throws {
    let replay = try Replay()
    let device = try replay.device("laptop")
    let (program, home) = (device.program, device.program.home.path)
    try device.done("add", replay.note("Minutes"))
    let text = replay.note(key == "E" ? "Minutes of a meeting" : "Saved long ago")
    try program.makeTool(
      "\(home)/editor", "printf '\(text)' > $1; touch $HOME/saved; exec sleep 1000")
    let session = try device.screen(environment: "EDITOR='\(home)/editor'")
    try session.wait("the list") { $0.contains("Minutes") }
    try session.type(key)
    #expect(becomesTrue { FileManager.default.fileExists(atPath: "\(home)/saved") })
    #expect(try !replay.hidden(on: device).isEmpty)
    session.end()
    #expect(try becomesTrue { try replay.missing(on: device) == [] })
    #expect(try becomesTrue { try program.drafts() == [text] })
    // The next run offers it: Up brings it back, Enter saves it.
    let next = try device.run(input: (key == "E" ? "e" : "a") + "\u{1B}[A\rq")
    #expect(next.code == 0, "\(next.output)")
    #expect(try replay.hidden(on: device) == [])
  }

  @Test(
    "rednotebook#58: two programs on one journal, and one of them closes last",
    arguments: ["sqlite", "json"], Arrival.allCases)
  func redNotebook58(kind: String, arrival: Arrival) throws {
    let replay = try Replay(kind)
    let device = try replay.device("laptop")
    try device.done("add", replay.note("Shared"))
    let (first, second) = (try device.screen(), try device.screen())
    for session in [first, second] { try session.wait("the list") { $0.contains("Shared") } }
    // The first has a text in its prompt that the second then changes.
    try press(["e", replay.note(" office")], first, arrival) { $0.contains("Shared office") }
    try press(["e", replay.note(" evening"), "Enter"], second, arrival) {
      $0.contains("saved entry 1")
    }
    try press(["a", replay.note("Only here"), "Enter"], second, arrival) { $0.contains("of 2") }
    #expect(try replay.hidden(on: device) == ["office"])
    // A key that arrives before the question can be seen does not answer it.
    try first.type("Enter")
    try first.wait("the question") { $0.contains("b both") }
    if arrival == .atOnce {
      try first.answer("b", "a", replay.note("Last one"), "Enter", "q")
    } else {
      try first.answer("b")
      try first.wait("the saved text") { $0.contains("saved entry 1") }
      try press(["a", replay.note("Last one"), "Enter"], first, .oneByOne) { $0.contains("of 3") }
      try first.type("q")
    }
    #expect(try becomesTrue { try replay.hidden(on: device) == [] })
    try second.wait("the words of the first") { $0.contains("Last one") }
    try second.type("q")
    #expect(try device.shown().count == 3)
    #expect(try replay.hidden(on: device) == [])
    #expect(try device.run("doctor").code == 0)
  }

  /// Types into a screen: all keys at once, or each after the screen has changed.
  private func press(
    _ keys: [String], _ session: TerminalSession, _ arrival: Arrival,
    until condition: (String) -> Bool
  ) throws {
    if arrival == .atOnce {
      try session.type(keys)
    } else {
      for key in keys {
        let before = try session.screen()
        try session.type(key)
        try session.wait("a change after \(key)") { $0 != before }
      }
    }
    try session.wait("the end of \(keys)", until: condition)
  }
}
