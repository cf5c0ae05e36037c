import Foundation
import Testing

/// Standard streams that are closed, or full: every command ends by itself, with a code that says so, and
/// says of a change that it is made.
struct StreamTests {
  /// A run of a command over a journal with entries 1 to 3, the third in the trash.
  struct Row: CustomTestStringConvertible {
    var words: String
    /// Whether it prints on standard output.
    var prints = true
    /// Whether it changes the journal, or makes a file.
    var changes = false

    var name: String { String(words.split(separator: " ")[0]) }
    var testDescription: String { words }
  }

  private static let rows = [
    Row(words: "add new", changes: true), Row(words: "edit 1 new", changes: true),
    Row(words: "list"), Row(words: "list --format json"), Row(words: "show 1"), Row(words: "watch"),
    Row(words: "delete 1", changes: true), Row(words: "restore 3", changes: true),
    Row(words: "star 1", changes: true), Row(words: "unstar 2", changes: true),
    Row(words: "tag 1 --tag new", changes: true), Row(words: "untag 1 --tag t", changes: true),
    Row(words: "redate 1 --date yesterday", changes: true),
    Row(words: "purge --yes", changes: true), Row(words: "undo", changes: true),
    Row(words: "redo", changes: true), Row(words: "history 1"),
    Row(words: "history 1 --restore 1", changes: true), Row(words: "tags"),
    Row(words: "tags --rename t u", changes: true), Row(words: "stats"),
    Row(words: "import $HOME/new.json", changes: true), Row(words: "export"),
    Row(words: "export -o $HOME/made.json", prints: false, changes: true),
    Row(words: "backup $HOME/made.sqlite", changes: true),
    Row(words: "backup --restore --yes $HOME/copy.sqlite", changes: true), Row(words: "doctor"),
    Row(words: "doctor --salvage $HOME/made.sqlite", changes: true), Row(words: "config show"),
    Row(words: "config keys"), Row(words: "config path"), Row(words: "config themes"),
    Row(words: "play $HOME/a.keys"), Row(words: "demo $HOME/a.keys"), Row(words: "screen"),
    Row(words: "help"), Row(words: "help list"),
  ]

  private let program: Program

  init() throws {
    program = try Program()
    let made = try program.shell(
      """
      export DAYBOOK_JOURNAL=$HOME/start.sqlite
      daybook add 'one #t' >/dev/null; daybook add two --star >/dev/null; daybook add three >/dev/null
      daybook edit 1 'eins #t' >/dev/null; daybook delete 3 >/dev/null
      printf '{"text":"new","created":"2026-01-01T10:00:00+00:00"}\\n' > $HOME/new.json
      printf '?q' > $HOME/a.keys; cp $HOME/start.sqlite $HOME/copy.sqlite
      """)
    #expect(made.errors == "")
  }

  @Test("every command is tried")
  func complete() throws {
    let help = try program.run(["--help"]).output
    let commands = help.split(separator: "\n").compactMap {
      $0.firstMatch(of: #/^  ([a-z]+)(?: \(default\))?  /#).map { String($0.1) }
    }
    #expect(commands.count > 20)
    #expect(Set(commands).subtracting(Self.rows.map(\.name)).isEmpty)
  }

  /// Runs a row's command over a fresh journal.
  ///
  /// - Returns: its exit code, 124 where it did not end, and what it said on standard error.
  private func run(_ row: Row, _ redirection: String) throws -> (code: Int, errors: String) {
    let result = try program.shell(
      """
      export DAYBOOK_JOURNAL=$HOME/j.sqlite; rm -f $HOME/made.* $HOME/j*.sqlite*
      cp $HOME/start.sqlite $HOME/j.sqlite
      \(row.words == "redo" ? "daybook undo >/dev/null" : "")
      cp $HOME/j.sqlite $HOME/base.sqlite
      timeout 20 \(Program.binary.path) \(row.words) \(redirection); echo $? > $HOME/code
      """)
    let code = try String(contentsOf: program.home.appending(path: "code"), encoding: .utf8)
    return (Int(code.trimmingCharacters(in: .newlines)) ?? -1, result.errors)
  }

  /// Whether the journal, or what stands beside it, is not as it was.
  private func isChanged() throws -> Bool {
    try program.shell(
      """
      for j in base j; do
        daybook --journal $HOME/$j.sqlite export --format jsonl
        daybook --journal $HOME/$j.sqlite export --format jsonl is:deleted
      done | sort | uniq -u | grep -q . || ls $HOME/made.* $HOME/j-*.sqlite 2>/dev/null | grep -q .
      """
    ).code == 0
  }

  @Test(
    "without standard output each ends at once with 74, and a change is made and said",
    arguments: rows)
  func closedOutput(row: Row) throws {
    let (code, errors) = try run(row, "</dev/null >&-")
    #expect(code == (row.prints ? 74 : 0), "\(errors)")
    #expect(!row.prints || errors.contains("standard output is closed"))
    guard row.changes else { return }
    #expect(try isChanged())
    #expect(!row.prints || Self.saysDone(errors), "\(errors)")
  }

  @Test(
    "where standard output is full each ends with 74, and a change is made and said",
    arguments: rows)
  func fullOutput(row: Row) throws {
    let (code, errors) = try run(row, "</dev/null >/dev/full")
    #expect(code == (row.prints ? 74 : 0), "\(errors)")
    guard row.changes else { return }
    #expect(try isChanged())
    #expect(!row.prints || Self.saysDone(errors), "\(errors)")
  }

  private static func saysDone(_ errors: String) -> Bool {
    errors.contains(#/ (saved|made|mended|written|restored)(;.*)?, but standard output/#)
  }

  @Test("without standard error or input each does its work and ends", arguments: rows)
  func closedInputAndErrors(row: Row) throws {
    // A live list would go on.
    guard row.name != "watch" else { return }
    for redirection in ["</dev/null 2>&- >/dev/null", "<&- >/dev/null", "<&- >/dev/null 2>&-"] {
      let (code, errors) = try run(row, redirection)
      #expect(code == 0, "\(redirection): \(errors)")
      #expect(try isChanged() == row.changes)
    }
  }
}
