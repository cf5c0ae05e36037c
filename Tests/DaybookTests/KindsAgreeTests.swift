import Foundation
import TestSupport
import Testing

@testable import daybook

/// SQLite, JSON and memory journals answer every command alike: the same codes, the same words, the same
/// data.
@Suite(.waiting)
struct KindsAgreeTests {
  private static let entries = """
    {"text":"Bought bread #home","created":"2026-01-05T10:00:00+00:00","modified":"2026-01-06T10:00:00+00:00","uuid":"0193c0de-0000-7000-8000-000000000001"}
    {"text":"Straße\\n\\n- [ ] call @anna #work/api","created":"2026-01-05T23:30:00+02:00","modified":"2026-02-06T10:00:00+00:00","uuid":"0193c0de-0000-7000-8000-000000000002","starred":true}
    {"text":"東京 #work","created":"2025-12-31T08:00:00+09:00","modified":"2026-03-06T10:00:00+00:00","uuid":"0193c0de-0000-7000-8000-000000000003"}
    {"text":"in the trash #home","created":"2026-01-02T10:00:00+00:00","modified":"2026-04-06T10:00:00+00:00","uuid":"0193c0de-0000-7000-8000-000000000004","deleted":"2026-05-01T10:00:00+00:00"}
    {"text":"no text worth it","created":"2024-02-29T10:00:00+00:00","modified":"2026-05-06T10:00:00+00:00","uuid":"0193c0de-0000-7000-8000-000000000005"}

    """

  /// The commands of one session, each on what those before left.
  private static let session = [
    "import $HOME/in.jsonl", "import $HOME/in.jsonl", "list", "list --sort modified",
    "list --sort title --section none", "list --sort oldest --section month",
    "list --section week", "list --section year", "list --section tag", "list --format json",
    "list --section tag --format jsonl", "list --format csv", "list --format markdown",
    "list --limit 2 --offset 1", "list --section tag --limit 3", "list is:deleted",
    "list is:untagged",
    "list '#work'", "list strasse", "list 京", "list is:starred OR bread", "list 'words:>2'",
    "list sinse:x", "list on:*-01-05", "show 2", "show --format json 1 3", "show 99",
    "list --at today --sort title --format json", "show 2 --at today",
    "list --at nonsense", "tags --at today", "export --at today --format csv",
    "show 0193c0de",
    "show 000000000003", "show --where '#work'", "tags", "tags --format json",
    "sync --status", "unseal", "passphrase", "lock", "unlock", "stats --year 2026",
    "stats --format json", "stats --format svg --year 2026",
    "export",
    "export --format jrnl", "export --format tui-journal", "export --format dayone",
    "export --format markdown", "export --format html", "export is:deleted", "export --id 2",
    "add --date '2026-01-07 10:00' new '#home'",
    "add --date '2026-01-07 11:00' --star --tag two words",
    "add --template none x", "add ' '", "edit 1 'Bought bread and milk #home'",
    "edit 1 'Bought bread and milk #home'",
    "edit 4 x", "edit 99 x", "delete 3", "delete 3", "delete --where nothing", "restore 3 4",
    "star 1 2",
    "unstar 2", "unstar 2", "tag 1 2 --tag home", "untag --where '#home' --tag home",
    "redate 5 --date 2024-03-01", "redate 5 --date nonsense", "undo", "undo", "redo", "list",
    "undo 2", "undo 2", "undo 99", "undo x", "changes", "changes --json -n 3",
    "history 1", "history 1 --diff", "history 1 --restore 1", "history 1 --restore 9", "history 99",
    "tags --rename work job", "tags --rename none x", "tags",
    "add --date '2026-01-04 09:00' See [[Bread]] and [[nothing]] 'run:: 5.2 km'", "links",
    "links 1", "fields", "random --daily", "random --daily '#home'", "random id:1",
    "remind", "remind --prompt", "links --complete", "links --format json", "fields --format json",
    "list 'run:>5'", "files", "files --format json", "file 1", "file 0123456789abcdef",
    "list has:file",
    "list 'file:*.jpg'", "list 'file:>1M'", "list has:x", "add --attach /nowhere x", "attach 1",
    "attach 99 /nowhere",
    "list is:broken",
    "list is:orphan", "stats --field run --by month", "stats --field run --format json",
    "stats --field run --format svg", "list --format csv --csv-field run", "links 99",
    "delete 5", "purge", "purge --yes",
    "purge --yes", "undo", "redo", "undo", "undo", "list --format json",
    "list is:deleted --format json", "doctor",
    "doctor --fix", "backup $HOME/copy.$KIND", "backup $HOME/copy.$KIND", "delete 1",
    "backup --restore --yes $HOME/copy.$KIND", "list", "doctor --salvage $HOME/saved.$KIND",
    "--journal $HOME/saved.$KIND list --format jsonl", "--read-only list", "--read-only add x",
    "--read-only undo", "--limit", "frobnicate", "config show", "demo --help", "help list",
    "screen --filter '#job'", "play $HOME/a.keys", "replay $HOME/none.jsonl",
    "timeout watch --full", "mcp --write", "mcp --filter sinse:x",
    "export --format obsidian -o $HOME/vault-$KIND/", "import $HOME/vault-$KIND/",
  ]

  private let program: Program

  init() throws {
    program = try Program()
    try Data(Self.entries.utf8).write(to: program.home.appending(path: "in.jsonl"))
    try Data("jssul?q:tags<Enter>q".utf8).write(to: program.home.appending(path: "a.keys"))
  }

  /// The results of commands, in sequence or each over an empty journal, without legitimate
  /// differences: the time, new identities, the history that a stamp names, the file's name.
  private func answers(
    _ commands: [String], _ kind: String, isFresh: Bool = false
  ) throws -> [String] {
    let journal = kind == "memory" ? ":memory:" : "$HOME/j.\(kind)"
    let lines = commands.enumerated().map { index, command in
      // A pipe that ends after a line ends a live list.
      let isEndless = command.hasPrefix("timeout ")
      let words = isEndless ? String(command.dropFirst(8)) : command
      return """
        \(isFresh ? "fresh" : "true")
        { daybook \(words) </dev/null \(isEndless ? "| head -1" : ""); } > $out/\(index).out 2> $out/\(index).err
        echo "code $?" > $out/\(index).code
        """
    }
    let result = try program.shell(
      """
      export KIND=\(kind) DAYBOOK_JOURNAL=\(journal); out=$HOME/out-\(kind); mkdir -p $out
      fresh() {
        rm -rf $HOME/.local/state
        [ $KIND = memory ] && return
        rm -f $DAYBOOK_JOURNAL*
        [ -e $HOME/empty.$KIND ] && cp $HOME/empty.$KIND $DAYBOOK_JOURNAL && return
        daybook purge 2>/dev/null; cp $DAYBOOK_JOURNAL $HOME/empty.$KIND
      }
      \(lines.joined(separator: "\n"))
      """)
    #expect(result.errors == "")
    let directory = program.home.appending(path: "out-\(kind)")
    return try commands.enumerated().map { index, command in
      let answer = try plain(
        ["code", "out", "err"].map {
          try String(contentsOf: directory.appending(path: "\(index).\($0)"), encoding: .utf8)
        }.joined())
      // The title bar is as wide as the screen, whatever the journal's name is, and has an SQLite
      // journal's name without its extension.
      let isScreen = ["screen", "play"].contains { command.hasPrefix($0) }
      return isScreen
        ? answer.replacing(#/ +/#, with: " ").replacing("\n j ", with: "\n JOURNAL ") : answer
    }
  }

  private func plain(_ text: String) throws -> String {
    let days = [0.0, -86_400].map { Date(timeIntervalSinceNow: $0).ISO8601Format().prefix(10) }
    var text = text
    for day in days {
      text = text.replacing(
        try Regex("\(day)([T ])?(\\d\\d:?\\d\\d(:?\\d\\d)?([+-]\\d\\d:\\d\\d)?)?(-\\d)?"),
        with: "NOW")
    }
    text = text.replacing(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/) {
      match in
      match.0.hasPrefix("0193c0de") ? String(match.0) : "UUID"
    }
    text = text.replacing(/"stamp":"(\d+)-[0-9a-f]{16}"/) { "STAMP \($0.1)" }
    text = text.replacing(/Today|Yesterday/, with: "DAY").replacing(/\d\d:\d\d/, with: "HH:MM")
    return text.replacing(/[\/\w.-]*(j|saved|copy|:memory:)(-NOW)?\.(sqlite|json)/, with: "JOURNAL")
      .replacing(":memory:", with: "JOURNAL")
      .replacing(/(drafts\/)[^\/]+/, with: "DRAFT")
  }

  @Test("every command is in the session")
  func complete() {
    let words = Self.session.flatMap { command in
      let words = command.split(separator: " ").map(String.init)
      // After the global options, with the journal of one of them.
      return words.drop { $0.hasPrefix("--") || $0.hasPrefix("$") || $0 == "timeout" }.prefix(1)
    }
    // Only an SQLite journal can be sealed.
    #expect(Set(Daybook.commandNames).subtracting(words) == ["seal"])
  }

  @Test("a session over SQLite and JSON prints the same")
  func files() throws {
    let sqlite = try answers(Self.session, "sqlite")
    let json = try answers(Self.session, "json")
    for (index, command) in Self.session.enumerated() {
      #expect(sqlite[index] == json[index], "\(command)")
    }
  }

  @Test("a sample of commands prints the same over an empty journal of each kind")
  func empty() throws {
    // Commands that need a file report it for a journal in memory.
    let all = Self.session.filter { !$0.contains("$KIND") && !$0.hasPrefix("backup") }
    let sample = Sample(oneIn: 7, of: "empty journals")
    let commands = all.indices.filter { sample.contains($0 + 1) }.map { all[$0] }
    let sqlite = try answers(commands, "sqlite", isFresh: true)
    let json = try answers(commands, "json", isFresh: true)
    let memory = try answers(commands, "memory", isFresh: true)
    for (index, command) in commands.enumerated() {
      #expect(sqlite[index] == json[index], "\(command)")
      // Memory is never read-only: nobody could read what is in it but who wrote it.
      if !command.hasPrefix("--read-only") { #expect(sqlite[index] == memory[index], "\(command)") }
    }
  }

  @Test(
    "keys on the screen do the same over each kind",
    arguments: [
      "aOne #home\raTwo #work\raThree @anna #home\r", "aOne\raTwo\rjs", "aOne\raTwo\rddu\u{12}",
      "aOne #a #b\raTwo #b\rot*", "aOne #a #b\raTwo #b\rot**", "aOne\raTwo\r*d", "aOne\raTwo\r*du",
      "aOne\raTwo\r:sort title\rf#x\r", "aOne\raTwo\rfTwo\r", "aOne\rt+home\rtwork\rH",
      "aOne\reTwo\rH",
      "aOne\rD2026-01-01\r", "aOne\rdTr", "aOne #x\r:tags\r", "aOne two three\rS", "aOne\rM",
      "aOne\r/one\rn", "aOne\raTwo\rVjVt+x\r", "aOne\r:section tag\r", "aOne\r:filter sinse:x\r",
    ])
  func screens(keys: String) throws {
    let screens = try ["sqlite", "json", "memory"].map { kind in
      let journal =
        kind == "memory" ? ":memory:" : program.home.appending(path: "j.\(kind)").path
      let result = try program.run(
        ["--journal", journal], input: Array(keys.utf8), extra: ["COLUMNS": "100"])
      let name = kind == "memory" ? ":memory:" : "j.\(kind)"
      let output = try plain(result.output.replacing(name, with: "NAME"))
      let screen = output.replacing(#/ +/#, with: " ").replacing(#/^ j /#, with: " NAME ")
      return "code \(result.code)\n\(screen)\(result.errors)"
    }
    #expect(screens[0] == screens[1])
    #expect(screens[0] == screens[2])
  }
}
