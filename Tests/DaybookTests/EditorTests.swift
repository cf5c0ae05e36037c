import Foundation
import Testing

@testable import daybook

/// Whatever an editor does to the file, nothing that was written is lost, and nothing else is saved.
///
/// Each editor is a small shell script, run by the real program for a new entry (`A`) and for an
/// existing one (`E`).
@Suite(.waiting)
struct EditorTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  /// The action of an editor, and the expected result.
  struct Case: Sendable, CustomTestStringConvertible {
    /// The action of the editor.
    let name: String
    /// The script; the file is `$1`, a program of ours `$DAYBOOK`.
    let script: String
    /// The text that is saved; `nil` if nothing is.
    var saved: String?
    /// The expected status line.
    var says: String
    /// The expected draft; `nil` for no draft, or none with a text.
    var kept: String?

    var testDescription: String { name }
  }

  private static let cases: [Case] = [
    Case(name: "changes the text", script: "echo new > $1", saved: "new", says: ""),
    Case(
      name: "has a text with blank lines and no line feed", script: #"printf '\n a\n\nb' > "$1""#,
      saved: "\n a\n\nb", says: ""),
    Case(
      name: "empties the file", script: "sleep 1.1; : > $1", says: ""),
    Case(
      name: "leaves white space", script: #"printf ' \n\t\n' > "$1""#, says: ""),
    Case(name: "removes the file", script: "rm $1", says: "removed the file"),
    Case(
      name: "puts another file in the place", script: "echo new > $1.x; mv $1.x $1",
      saved: "new", says: ""),
    Case(
      name: "leaves a link to elsewhere", script: "rm $1; ln -s /etc/passwd $1",
      says: "a symbolic link"),
    Case(
      name: "leaves a pipe", script: "rm $1; mkfifo $1", says: "not a regular file"),
    Case(
      name: "leaves a folder", script: "rm $1; mkdir $1", says: "not a regular file"),
    Case(
      name: "fails", script: "echo new > $1; exit 1", says: "editor ended with 1", kept: "new\n"),
    Case(
      name: "is killed", script: "echo new > $1; kill -9 $$", says: "editor ended with 137",
      kept: "new\n"),
    Case(
      name: "returns at once", script: ":",
      says: "unchanged, nothing saved; if the editor opened a window of its own, set EDITOR="),
    Case(
      name: "writes a NUL", script: #"printf 'a\0b' > "$1""#, says: "NUL at byte 2",
      kept: "a\0b"),
    Case(
      name: "writes what is no UTF-8", script: #"printf 'ab\377' > "$1""#,
      says: "invalid UTF-8 at byte 3", kept: "ab\u{FFFD}"),
    Case(
      name: "ends lines as Windows does", script: #"printf 'a\r\nb\r\n' > "$1""#,
      saved: "a\nb\n", says: ""),
    Case(
      name: "writes 100 MB", script: "head -c 100000000 /dev/zero | tr '\\0' a > $1",
      says: "longer than 64 MiB"),
  ]

  @Test("the signals of keys stay ignored while one of two programs has the terminal")
  func keySignals() {
    KeySignals.ignore()
    KeySignals.ignore()
    KeySignals.restore()
    defer { KeySignals.restore() }
    for number in [SIGINT, SIGQUIT] {
      var action = sigaction()
      sigaction(number, nil, &action)
      #expect(unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1, "\(number)")
    }
  }

  @Test("a new entry, when the editor", arguments: cases)
  func newEntry(_ editor: Case) throws {
    let result = try run("A", editor.script)
    #expect(result.code == (editor.saved == nil ? 1 : 0))
    #expect(try texts() == (editor.saved.map { [Self.stored($0)] } ?? []))
    try check(editor, result, base: nil)
  }

  @Test("an existing entry, when the editor", arguments: cases)
  func existingEntry(_ editor: Case) throws {
    _ = try program.run(["add", "old"])
    let result = try run("E", editor.script)
    #expect(result.code == (editor.saved == nil ? 1 : 0))
    #expect(try texts() == [editor.saved.map(Self.stored) ?? "old"])
    try check(editor, result, base: "old\n")
  }

  private func check(_ editor: Case, _ result: Program.Result, base: String?) throws {
    #expect(editor.says.isEmpty || result.output.contains(editor.says), "\(result.output)")
    if let kept = editor.kept {
      #expect(try program.drafts() == [kept])
    } else if editor.name == "writes 100 MB" {
      #expect(try program.drafts().map(\.utf8.count) == [100_000_000])
    } else {
      // The initial text is in the journal, and there is no draft that a user must look at.
      #expect(try program.drafts().allSatisfy { $0 == base || $0 == "" })
      #expect(!(try program.run([], input: Array("q".utf8)).output.contains("kept: press a")))
    }
  }

  @Test("a file that cannot be read any more is left where it is, and nothing is saved or lost")
  func unreadable() throws {
    _ = try program.run(["add", "old"])
    _ = try run("E", "echo new > $1; chmod 000 $1")
    // The superuser reads it all the same.
    let isSaved = try texts() == ["new"]
    #expect(isSaved == (geteuid() == 0))
    let drafts = try program.drafts()
    #expect(isSaved || drafts.count == 1)
  }

  @Test("text of a prompt that goes on in an editor survives an editor that removes the file")
  func continued() throws {
    let result = try run("aHalf a thought\u{18}\u{05}", "rm $1")
    #expect(result.output.contains("removed the file"))
    #expect(try texts() == [])
    let second = try program.run([], input: Array("a\u{1B}[A\rq".utf8))
    #expect(second.output.contains("Half a thought"))
    #expect(try texts() == ["Half a thought"])
  }

  @Test("an editor opens a file with a name to be read: the date of the entry")
  func fileName() throws {
    _ = try program.run(["add", "--date", "2025-03-04 05:06", "old"])
    _ = try run("E", "echo $1 > $HOME/path; echo new > $1")
    let path = try String(contentsOf: program.home.appending(path: "path"), encoding: .utf8)
    #expect(path.hasSuffix("/2025-03-04-0506.md\n"))
    #expect(path.dropFirst(program.home.path.count).utf8.count < 70)
    _ = try run("A", "basename $1 > $HOME/path; echo newer > $1")
    let name = try String(contentsOf: program.home.appending(path: "path"), encoding: .utf8)
    #expect(name.wholeMatch(of: /20\d\d-\d\d-\d\d-\d{4}\.md\n/) != nil)
    #expect(try texts().sorted() == ["new", "newer"])
  }

  @Test("an editor with a window of its own that saves later leaves a draft to be found")
  func window() throws {
    let wait = "while [ ! -e $HOME/go ]; do sleep 0.01; done"
    let script = "(\(wait); echo later > $1; touch $HOME/done) </dev/null >/dev/null 2>&1 &"
    let result = try run("A", script)
    #expect(result.output.contains("set EDITOR='code --wait'"))
    _ = try program.shell("touch $HOME/go; until [ -e $HOME/done ]; do sleep 0.01; done")
    let next = try program.run([], input: Array("a\u{1B}[A\rq".utf8))
    #expect(next.output.contains("later"))
    #expect(try texts() == ["later"])
  }

  @Test("an entry that was changed meanwhile is not overwritten, and the answer decides")
  func conflict() throws {
    for (answer, expected, drafts) in [
      ("m", ["mine"], 0), ("n", ["mine", "theirs"], 0), ("\u{03}", ["theirs"], 1),
    ] {
      let program = try Program()
      _ = try program.run(["add", "old"])
      let script = "$DAYBOOK edit 1 theirs >/dev/null; echo mine > $1"
      let asked = try run("E", script, program)
      #expect(asked.output.contains("entry 1 was changed elsewhere"))
      #expect(try texts(program) == ["theirs"])
      #expect(try program.drafts() == ["mine\n"])
      _ = try program.run(["edit", "1", "old"])
      for draft in program.draftDirectories() { try FileManager.default.removeItem(at: draft) }
      _ = try run("E" + answer + "q", script, program)
      #expect(try texts(program).sorted() == expected)
      #expect(try program.drafts().count == drafts)
    }
  }

  @Test("an entry that was deleted meanwhile stays deleted until somebody says otherwise")
  func deleted() throws {
    for (answer, expected) in [("o", ["mine"]), ("n", ["mine"]), ("\u{03}", [])] {
      let program = try Program()
      _ = try program.run(["add", "old"])
      let script = "$DAYBOOK delete 1 >/dev/null; echo mine > $1"
      let result = try run("E" + answer, script, program)
      #expect(try texts(program) == expected)
      if answer == "\u{03}" {
        #expect(result.output.contains("draft kept: press a, then Up"))
        _ = try program.run([], input: Array("a\u{1B}[A\rq".utf8))
        #expect(try texts(program) == ["mine"])
      }
    }
  }

  @Test("a signal ends the program while the editor still runs", arguments: ["TERM", "HUP"])
  func signals(_ name: String) throws {
    // The editor writes, ends us, and looks whether we have ended before it.
    let script = """
      trap '' \(name); echo new > $1; until [ -s $HOME/pid ]; do sleep 0.01; done
      kill -\(name) $(cat $HOME/pid)
      i=0; until [ -e $HOME/ended ] || [ $i -ge 1000 ]; do sleep 0.01; i=$((i+1)); done
      [ -e $HOME/ended ] && touch $HOME/seen
      touch $HOME/done
      """
    let editor = try makeEditor(script, program)
    let result = try program.shell(
      """
      export EDITOR='\(editor)'; printf A > $HOME/keys
      \(Program.binary.path) < $HOME/keys & echo $! > $HOME/pid
      wait $!; code=$?; touch $HOME/ended
      until [ -e $HOME/done ]; do sleep 0.01; done
      [ -e $HOME/seen ] && echo code=$code
      """)
    #expect(result.output.contains("code=\(name == "TERM" ? 143 : 129)"))
    #expect(try program.drafts() == ["new\n"])
  }

  @Test("a signal reaches an editor below shells of its own, and leaves none of them running")
  func signalsBelowShells() throws {
    let editor = try makeEditor(
      "echo new > $1; sh -c 'echo $$ > $HOME/inner; sleep 1000; true'; true", program)
    let result = try program.shell(
      """
      export EDITOR='\(editor)'; printf A > $HOME/keys
      \(Program.binary.path) < $HOME/keys & pid=$!
      until [ -s $HOME/inner ]; do sleep 0.01; done
      kill -TERM $pid; wait $pid; code=$?
      inner=$(cat $HOME/inner)
      while [ -e /proc/$inner ] && ! grep -q '^State:.*Z' /proc/$inner/status; do sleep 0.01; done
      echo code=$code
      """)
    #expect(result.output.contains("code=143"))
    #expect(try program.drafts() == ["new\n"])
  }

  private func run(
    _ keys: String, _ script: String, _ other: Program? = nil
  ) throws -> Program.Result {
    let program = other ?? program
    let editor = try makeEditor(script, program)
    return try program.run(
      [], input: Array(keys.utf8),
      extra: ["EDITOR": editor, "DAYBOOK": Program.binary.path, "COLUMNS": "200"])
  }

  private func makeEditor(_ script: String, _ program: Program) throws -> String {
    let path = program.home.appending(path: "editor").path
    try program.makeTool(path, script)
    return path
  }

  /// One final line feed is not stored.
  private static func stored(_ text: String) -> String {
    text.utf8.last == 0x0A ? String(text.unicodeScalars.dropLast()) : text
  }

  private func texts(_ other: Program? = nil) throws -> [String] {
    let json = try (other ?? program).run(["list", "--format", "jsonl"]).output
    return try json.split(separator: "\n").map { line in
      let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return try #require(entry?["text"] as? String)
    }
  }
}
