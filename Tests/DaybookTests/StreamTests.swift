import Foundation
import Journal
import JournalStore
import Seal
import TestSupport
import Testing

@testable import daybook

/// Standard streams that are closed, or full: every command ends by itself, with a code that says so, and
/// says of a change that it is made.
@Suite(.waiting)
struct StreamTests {
  /// A run of a command over a journal with entries 1 to 3, the third in the trash.
  private struct Row {
    var words: String
    /// Whether it prints on standard output.
    var prints = true
    /// Whether it changes the journal, or makes a file.
    var changes = false
    /// Whether it changes nothing when its output cannot be printed.
    var needsOutput = false

    var name: String { String(words.split(separator: " ")[0]) }
  }

  private static let rows = [
    Row(words: "add new", changes: true), Row(words: "edit 1 new", changes: true),
    Row(words: "list"), Row(words: "list --format json"), Row(words: "show 1"), Row(words: "watch"),
    Row(words: "delete 1", changes: true), Row(words: "restore 3", changes: true),
    Row(words: "star 1", changes: true), Row(words: "unstar 2", changes: true),
    Row(words: "tag 1 --tag new", changes: true), Row(words: "untag 1 --tag t", changes: true),
    Row(words: "redate 1 --date yesterday", changes: true),
    Row(words: "purge --yes", changes: true), Row(words: "undo", changes: true),
    Row(words: "redo", changes: true), Row(words: "changes"), Row(words: "changes --json"),
    Row(words: "history 1"),
    Row(words: "history 1 --restore 1", changes: true), Row(words: "tags"),
    Row(words: "attach 1 $HOME/new.json", changes: true), Row(words: "files"),
    Row(words: "file 1"), Row(words: "file 1 -o $HOME/made.txt", prints: false, changes: true),
    Row(words: "links"), Row(words: "links 1", prints: false), Row(words: "fields"),
    Row(words: "stats --field run"), Row(words: "random"), Row(words: "list --at today"),
    Row(words: "remind --status"), Row(words: "random --daily"),
    Row(words: "tags --rename t u", changes: true), Row(words: "stats"),
    Row(words: "import $HOME/new.json", changes: true), Row(words: "export"),
    Row(words: "export -o $HOME/made.json", prints: false, changes: true),
    Row(words: "backup $HOME/made.sqlite", changes: true),
    Row(words: "backup --restore --yes $HOME/copy.sqlite", changes: true), Row(words: "doctor"),
    Row(words: "sync --remote $HOME/made.git", changes: true),
    // Nothing is sealed unless its recovery key could be printed.
    Row(words: "seal --yes", changes: true, needsOutput: true),
    Row(words: "unseal --yes", changes: true), Row(words: "passphrase --yes"),
    Row(words: "lock"), Row(words: "unlock"),
    Row(words: "doctor --salvage $HOME/made.sqlite", changes: true), Row(words: "config show"),
    Row(words: "config init --force"), Row(words: "config keys"), Row(words: "config path"),
    Row(words: "config themes"),
    Row(words: "play $HOME/a.keys"), Row(words: "demo $HOME/a.keys"), Row(words: "screen"),
    Row(words: "replay $HOME/run.jsonl"),
    // It prints nothing without a message.
    Row(words: "mcp", prints: false),
    Row(words: "help"), Row(words: "help list"),
  ]

  private let program: Program

  init() throws {
    program = try Program()
    let made = try program.shell(
      """
      export DAYBOOK_JOURNAL=$HOME/start.sqlite
      daybook add 'one #t' >/dev/null; daybook add 'two run:: 5 km' --star >/dev/null; daybook add three >/dev/null
      printf '?q' > $HOME/a.keys; daybook attach 1 $HOME/a.keys >/dev/null
      daybook edit 1 "eins #t $(daybook show 1 | tail -1)" >/dev/null; daybook delete 3 >/dev/null
      printf '{"text":"new","created":"2026-01-01T10:00:00+00:00"}\\n' > $HOME/new.json
      cp $HOME/start.sqlite $HOME/copy.sqlite
      cp $HOME/start.sqlite $HOME/undone.sqlite
      DAYBOOK_JOURNAL=$HOME/undone.sqlite daybook undo >/dev/null
      daybook --record $HOME/run.jsonl < $HOME/a.keys >/dev/null
      """)
    #expect(made.errors == "")
    try Data("[seal]\npassphrase_command = 'cat $HOME/new'\nkeep = '0'\n".utf8)
      .write(to: program.home.appending(path: "seal.toml"))
    try Data("\(SealedProgram.passphrase)\n".utf8).write(to: program.home.appending(path: "new"))
    try FileManager.default.createDirectory(
      at: program.home.appending(path: ".config/daybook"), withIntermediateDirectories: true)
    let sealed = program.home.appending(path: "sealed.sqlite").path
    try FileManager.default.copyItem(
      atPath: program.home.appending(path: "start.sqlite").path, toPath: sealed)
    try SealedProgram.sealLightly(sealed, program)
  }

  @Test("every command is tried")
  func complete() {
    #expect(Set(Daybook.commandNames) == Set(Self.rows.map(\.name)))
  }

  /// Runs a row's command over a fresh journal.
  ///
  /// - Returns: its exit code, 124 after a timeout, its standard error, and whether the journal or
  ///   a file beside it has changed.
  private func run(
    _ row: Row, _ redirection: String
  ) throws -> (code: Int32, errors: String, isChanged: Bool) {
    let isSealed = ["unseal", "passphrase", "lock", "unlock"].contains(row.name)
    let start = row.words == "redo" ? "undone" : isSealed ? "sealed" : "start"
    let result = try program.shell(
      """
      export DAYBOOK_JOURNAL=$HOME/j.sqlite; rm -rf $HOME/.local $HOME/made.* $HOME/j*.sqlite*
      cp $HOME/\(start).sqlite $HOME/j.sqlite
      cp $HOME/seal.toml $HOME/.config/daybook/config.toml
      export DAYBOOK_NEW_PASSPHRASE_FD=9; exec 9<$HOME/new
      exec timeout 20 \(Program.binary.path) \(row.words) \(redirection)
      """)
    let files = try FileManager.default.contentsOfDirectory(atPath: program.home.path)
    let isMade = files.contains {
      $0.hasPrefix("made.") || ($0.hasPrefix("j-") && $0.hasSuffix(".sqlite"))
    }
    let isChanged = try contents("j") != contents(start)
    return (result.code, result.errors, isMade || isChanged)
  }

  /// The entries of a journal; none of a sealed one.
  private func contents(_ name: String) throws -> [Entry] {
    let location = JournalLocation(
      path: program.home.appending(path: "\(name).sqlite").path, isExplicit: true)
    guard try Sealing.header(of: location) == nil else { return [] }
    return try StoredJournal.entries(program.home.appending(path: "\(name).sqlite").path)
  }

  @Test("without standard output each ends at once with 74, and a change is made and said")
  func closedOutput() throws {
    for row in Self.rows {
      let (code, errors, isChanged) = try run(row, "</dev/null >&-")
      #expect(code == (row.prints ? 74 : 0), "\(row.words): \(errors)")
      #expect(!row.prints || errors.contains("standard output is closed"), "\(row.words)")
      guard row.changes else { continue }
      #expect(isChanged != row.needsOutput, "\(row.words)")
      guard isChanged else { continue }
      #expect(!row.prints || Self.saysDone(errors), "\(row.words): \(errors)")
    }
  }

  /// One in so many of the rows, each day others; all of them with `FAULT_STRIDE=1`.
  private static func some(oneIn interval: Int, of name: String) -> [Row] {
    let sample = Sample(oneIn: interval, of: name)
    return rows.indices.filter { sample.contains($0 + 1) }.map { rows[$0] }
  }

  @Test("where standard output is full each ends with 74, and a change is made and said")
  func fullOutput() throws {
    for row in Self.some(oneIn: 3, of: "full output") {
      let (code, errors, isChanged) = try run(row, "</dev/null >/dev/full")
      #expect(code == (row.prints ? 74 : 0), "\(row.words): \(errors)")
      guard row.changes else { continue }
      #expect(isChanged != row.needsOutput, "\(row.words)")
      guard isChanged else { continue }
      #expect(!row.prints || Self.saysDone(errors), "\(row.words): \(errors)")
    }
  }

  private static func saysDone(_ errors: String) -> Bool {
    errors.contains(#/ (saved|made|repaired|written|restored)(;.*)?, but standard output/#)
  }

  @Test(
    "without standard error or input each but a live list, which goes on, does its work and ends",
    arguments: ["</dev/null 2>&- >/dev/null", "<&- >/dev/null", "<&- >/dev/null 2>&-"])
  func closedInputAndErrors(redirection: String) throws {
    for row in Self.some(oneIn: 3, of: redirection) where row.name != "watch" {
      let (code, errors, isChanged) = try run(row, redirection)
      #expect(code == 0, "\(row.words): \(errors)")
      #expect(isChanged == row.changes, "\(row.words)")
    }
  }
}
