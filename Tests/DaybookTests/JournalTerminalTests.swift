import Foundation
import Testing

/// The state that the screen saves between runs, and behaviour that needs a terminal.
@Suite(.waiting)
struct JournalTerminalTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  @Test("the way of looking and the place are there again, also after another journal was open")
  func remembered() throws {
    for text in ["one", "two #home", "three #home"] { _ = try program.run(["add", text]) }
    let session = try start()
    try session.wait("the entries") { $0.contains("three") }
    try session.type("o", "x", "G")
    try session.wait("no sections") { $0.contains("no sections") && $0.contains("3 of 3") }
    let other = program.home.appending(path: "other.sqlite").path
    try session.type(":", "open \(other)", "Enter")
    try session.wait("the other journal") { $0.contains("other.sqlite is a new journal") }
    try session.type(":", "open", "Enter")
    try session.wait("the journals") { $0.contains("› ~/.local/share/daybook/journal.sqlite") }
    try session.type("Enter")
    try session.wait("the first one") { $0.contains("no sections") || $0.contains("opened") }
    try session.wait("its place") { $0.contains("3 of 3") && $0.contains("› ") }
    try session.type("q")
    try session.wait("the end") { $0.contains("ended") }
    let again = try start()
    try again.wait("the place") { $0.contains("no sections") && $0.contains("3 of 3") }
    // A pipe begins as ever.
    #expect(!(try program.run([], input: []).output.contains("no sections")))
  }

  @Test("read-only, nothing is remembered")
  func readOnly() throws {
    _ = try program.run(["add", "one"])
    let session = try TerminalSession(
      program, command: "sh -c '\(Program.binary.path) --read-only; echo ended; cat'")
    try session.wait("the entry") { $0.contains("one") }
    try session.type("a")
    try session.wait("why not") { $0.contains("read-only; nothing was changed") }
    try session.type("o", "t", "Q")
    try session.wait("the end") { $0.contains("ended") }
    let state = program.home.appending(path: ".local/state/daybook")
    for name in ["journals", "views"] {
      #expect(!FileManager.default.fileExists(atPath: state.appending(path: name).path))
    }
  }

  @Test("keys that arrive together go on from each other's match, and texts come after the rows")
  func matchesTogether() throws {
    for (index, text) in ["bread", "milk", "one", "two", "three"].enumerated() {
      let body = index < 2 ? "" : "\n\nand some bread"
      _ = try program.run(["add", "--date", "2026-11-0\(index + 1) 09:00", text + body])
    }
    let session = try start()
    try session.wait("the entries") { $0.contains("three") }
    try session.type("/bread\rnn")
    let screen = try session.wait("the third match") { $0.contains("/bread 3/4") }
    #expect(screen.contains("›  09:00  one"))
    try session.wait("the texts") { $0.contains("three … and some bread") }
    // A deletion that comes with the search is one of what was found, and a second key of a habit deletes
    // nothing else.
    try session.type("ndd")
    try session.wait("the deletion") {
      $0.contains("deleted entry 1; u undoes it; press d again for the next")
    }
    #expect(try program.run(["list", "is:deleted"]).output.contains("bread"))
  }

  @Test("a wrong line after : stays in the prompt with the error above it")
  func wrongLine() throws {
    let session = try start()
    try session.wait("the greeting") { $0.contains("This journal is empty") }
    try session.type(":", "set them calm", "Enter")
    let screen = try session.wait("the error") { $0.contains("did you mean") }
    #expect(screen.contains(":set them calm"))
    try session.type("C-c", ":", "undoo", "Enter")
    try session.wait("the next one") { $0.contains("did you mean :undo?") && $0.contains(":undoo") }
  }

  @Test("^Z in a prompt stops the program, and fg brings the prompt back with its text")
  func suspend() throws {
    let session = try TerminalSession(program, command: "bash --norc -i")
    try session.type("PS1='$ '; \(Program.binary.path)", "Enter")
    try session.wait("the greeting") { $0.contains("This journal is empty") }
    try session.type("a")
    try session.wait("the prompt") { $0.contains("new:") }
    try session.type("-l", "Half a thought")
    try session.wait("the text") { $0.contains("new: Half a thought") }
    try session.type("C-z")
    try session.wait("the shell") { $0.contains("Stopped") }
    #expect(try program.drafts() == ["Half a thought"])
    try session.type("fg", "Enter")
    try session.wait("the prompt again") { $0.contains("new: Half a thought") }
    try session.type("-l", "!")
    try session.type("Enter")
    try session.wait("the entry") { $0.contains("added entry 1") }
    #expect(try program.drafts() == [])
  }

  @Test("after :open Tab completes the journals that were open, then files")
  func completion() throws {
    let directory = program.home.appending(path: "notes")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    _ = try program.run(["--journal", "\(directory.path)/travel.sqlite", "add", "Far away"])
    let session = try start()
    try session.wait("the greeting") { $0.contains("This journal is empty") }
    try session.type(":", "open ~/no", "Tab")
    try session.wait("the folder") { $0.contains(":open ~/notes/") }
    try session.type("tr", "Tab", "Enter")
    try session.wait("the journal") { $0.contains("Far away") }
    try session.type(":", "set week_starts su", "Tab", "Enter")
    try session.wait("the setting") { $0.contains("week_starts = \"sunday\"") }
  }

  @Test("a change of many entries says how far it is, and ^C gives it up with nothing changed")
  func givenUp() throws {
    _ = try program.run(["add", "first"])
    let made = try program.shell(
      """
      sqlite3 "$HOME/.local/share/daybook/journal.sqlite" "INSERT INTO entry (text) WITH RECURSIVE
      c(x) AS (VALUES(1) UNION ALL SELECT x+1 FROM c WHERE x<30000) SELECT 'entry '||x FROM c"
      """)
    #expect(made.code == 0)
    let session = try start()
    try session.wait("the entries") { $0.contains("1 of 30,001") }
    try session.type("*")
    try session.wait("the marks") { $0.contains("30,001 marked") }
    try session.type("d")
    try session.wait("the progress") { $0.contains("deleting: ") && $0.contains("^C cancels") }
    // A key typed meanwhile is discarded together with the cancelled work.
    try session.type("Q", "C-c")
    let screen = try session.wait("the end") { $0.contains("was cancelled; nothing was changed") }
    #expect(screen.contains("of 30,001"))
    try session.type("u")
    try session.wait("no step of it to undo") { $0.contains("undid another program") }
  }

  /// Another program that writes to the journal until it is stopped.
  private func hold(_ body: () throws -> Void) throws {
    let script = """
      (echo 'BEGIN IMMEDIATE;'; echo '.shell touch $HOME/held'; until [ -e $HOME/free ]; do sleep 0.01
      done) | sqlite3 $HOME/.local/share/daybook/journal.sqlite; touch $HOME/over
      """
    let started = try program.shell(
      """
      rm -f $HOME/held $HOME/free $HOME/over; (\(script)) </dev/null >/dev/null 2>&1 &
      until [ -e $HOME/held ]; do sleep 0.01; done
      """)
    try #require(started.code == 0)
    defer {
      _ = try? program.shell("touch $HOME/free; until [ -e $HOME/over ]; do sleep 0.01; done")
    }
    try body()
  }

  @Test("while another program writes the screen says so, ^C cancels, and the text is kept")
  func busy() throws {
    _ = try program.run(["add", "Bought bread"])
    let session = try start()
    try session.wait("the entry") { $0.contains("Bought bread") }
    try hold {
      try session.type("a", "Slept", "Enter")
      try session.wait("the wait") {
        $0.contains("waiting for another program to finish writing… ^C cancels")
      }
      try session.type("C-c")
      try session.wait("the end") { $0.contains("journal busy; draft kept: press a, then Up") }
      try session.type("e", " and milk", "Enter")
      try session.wait("the second wait") { $0.contains("waiting for another program") }
      try session.type("C-c")
      try session.wait("its end") { $0.contains("journal busy; draft of entry 1 kept") }
      try session.type("d")
      try session.wait("the third wait") { $0.contains("waiting for another program") }
      try session.type("C-c")
      try session.wait("its end") { $0.contains("nothing was changed") }
    }
    try session.type("a", "Up", "Enter")
    try session.wait("the text") { $0.contains("added entry 2") && $0.contains("Slept") }
  }

  @Test("keys that are typed while another program writes are pressed when it has ended")
  func keysMeanwhile() throws {
    _ = try program.run(["add", "Bought bread"])
    let session = try start()
    try session.wait("the entry") { $0.contains("Bought bread") }
    try hold {
      try session.type("a", "Slept", "Enter")
      try session.wait("the wait") { $0.contains("waiting for another program") }
      try session.type("a", "Woke", "Enter", "G")
    }
    try session.wait("both") {
      $0.contains("Slept") && $0.contains("Woke") && $0.contains("3 of 3")
        && !$0.contains("waiting for another program")
    }
  }

  @Test("a command that waits for another program says so at a terminal, and nowhere else")
  func busyCommand() throws {
    _ = try program.run(["add", "Bought bread"])
    try hold {
      let session = try TerminalSession(
        program, command: "sh -c 'trap : INT; \(Program.binary.path) add Slept; echo ended $?; cat'"
      )
      try session.wait("the wait") {
        $0.contains("daybook: waiting for another program to finish writing… ^C cancels")
      }
      try session.type("C-c")
      try session.wait("the end") { $0.contains("ended 130") }
      let quiet = try program.run(["star", "1"])
      #expect(quiet.code == 75 && !quiet.errors.contains("waiting for"))
    }
    #expect(!(try program.run(["list"]).output.contains("Slept")))
  }

  private func start() throws -> TerminalSession {
    // The window stays when the program has ended.
    try TerminalSession(program, command: "sh -c '\(Program.binary.path); echo ended; cat'")
  }
}
