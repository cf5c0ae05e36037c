import Foundation
import Testing

@testable import daybook

/// Names that others have chosen, of files, settings and remotes, on a terminal.
@Suite(.waiting)
struct HostileNameTests {
  /// A window title, a colour, a C1 control, signs that reorder text, and a line end.
  private static let name =
    "h\u{1B}]0;PWN\u{07}\u{1B}[5;35mX\u{9B}6n\u{202E}\u{061C}\u{200F}\u{2066}\nY"
  /// What a terminal would obey.
  private static let harmful = [
    "\u{1B}]0;PWN", "PWN\u{07}", "\u{1B}[5;35m", "\u{9B}", "\u{202E}", "\u{061C}", "\u{200F}",
    "\u{2066}",
  ]

  /// Command lines over a journal with entries 1 to 3; `$H` is the hostile name.
  private static let lines = [
    #"add "text $H""#, #"add --tag "$H" text"#, #"add --date "$H" text"#, #"add --template "$H" x"#,
    "add --template none x", #"edit 1 "other $H #t""#, #"edit "$H" x"#, "list",
    "list --format json", "list --format jsonl", "list --format csv", "list --format markdown",
    #"list "$H""#, "list --at today", #"list --at "$H""#, "show 1 --at today",
    #"list --sort "$H""#, "show 1", "show 1 --format json", #"show "$H""#, "history 1 --diff",
    #"history "$H""#, "tags", "tags --format json", #"tags --rename "$H" b"#, "stats",
    #"add "[[$H" "x]] y:: $H""#, "links", "links 1", #"links "$H""#, "links --complete",
    "links --format json", #"attach 1 "$HOME/$H.keys""#, #"attach 1 "$HOME/none$H""#,
    #"add --attach "$HOME/$H.md" text"#, "files", "files --format json", "file 1", #"file "$H""#,
    #"file 1 -o "$HOME/f$H""#, #"list "file:$H""#,
    "remind", "remind --status", "remind --prompt --notify",
    "fields", "fields --format json", "random --daily", #"random "$H""#, #"stats --field "$H""#,
    "stats --field y",
    "stats --field y --format svg",
    #"stats "$H""#, "stats --format json", "stats --format svg", #"watch "since:$H""#,
    #"star "$H""#, "star 1", "unstar 1", "tag 1 --tag t", #"tag 1 --tag "$H""#, "untag 1 --tag t",
    #"redate 1 --date "$H""#, "redate 1 --date yesterday", "delete 3", "restore 3", "undo", "redo",
    "changes", "changes --json", #"purge --older "$H""#, "purge --yes",
    #"sync --remote "$HOME/$H.git""#, #"sync --remote "$HOME/${H%$'\n'*}""#, "sync --status",
    #"backup "$HOME/$H.sqlite""#, #"backup --restore "$HOME/none$H""#, "doctor",
    #"doctor --salvage "$HOME/$H.sqlite""#, #"import "$HOME/$H.md""#, #"import "$HOME/none$H""#,
    "export", "export --format csv", "export --format markdown", "export --format html",
    #"export -o "$HOME/$H.json""#, #"export -o "$HOME/$H.json""#, "config", "config --format json",
    "config keys", "config keys --format json", "config path", "config themes",
    "config themes --color always", "config themes --format json", "config init",
    #"screen --theme "$H" < <(printf Q)"#, #"screen --filter "$H" < <(printf Q)"#,
    #"screen --record "$HOME/$H.jsonl" < <(printf jQ)"#, #"replay --frames "$HOME/$H.jsonl""#,
    #"replay --keys "$HOME/$H.jsonl""#, #"replay --dump-state --dump-texts "$HOME/$H.jsonl""#,
    #"replay --frames "$HOME/$H.keys""#, #"replay "$HOME/none$H""#,
    #"mcp < <(printf '{"jsonrpc":"2.0","id":"%s","method":"%s"}\n' "$L" "$L")"#,
    #"mcp --filter "$H" < <(printf x)"#,
    #"export --format obsidian -o "$HOME/v$H/"; find "$HOME/v$H" -type f | wc -l"#,
    #"play --speed max "$HOME/$H.keys""#, #"play "$HOME/none$H""#, #"demo "$HOME/none$H""#,
    #"help "$H""#,
    #""$H""#, "seal --yes 7<$HOME/new", "lock", "add locked",
    "unlock 7<$HOME/new", "passphrase --yes 7<$HOME/new 9<$HOME/new", "unseal --yes 7<$HOME/new",
  ]

  @Test("no command sends them to a terminal as they are")
  func everyCommand() throws {
    let names = Set(Self.lines.compactMap { $0.split(separator: " ").first.map(String.init) })
    #expect(Set(Daybook.commandNames).isSubset(of: names))
    let program = try Program()
    try Data(Self.name.utf8).write(to: program.home.appending(path: "name"))
    let runs = Self.lines.map { line in
      "printf '\\n@@%s\\n' \(Self.quoted(line)); timeout --foreground 60 $DAYBOOK \(line)"
    }
    try Data((Self.setup + "\n" + runs.joined(separator: "\n")).utf8)
      .write(to: program.home.appending(path: "runs.sh"))
    let result = try program.shell(
      """
      # The terminal's input neither ends nor has a key.
      mkfifo $HOME/quiet; exec 8<>$HOME/quiet
      DAYBOOK=\(Program.binary.path) script -qec 'exec 8<&-; bash $HOME/runs.sh' /dev/null <&8
      """)
    let parts = result.output.replacing("\r\n", with: "\n").components(separatedBy: "\n@@")
      .dropFirst()
    #expect(parts.count == Self.lines.count)
    for part in parts {
      let line = part.prefix { !$0.isNewline }
      let shown = part.dropFirst(line.count)
      #expect(shown.count > 1 || Self.quiet.contains(String(line)), "\(line) prints nothing")
      for harm in Self.harmful {
        #expect(
          !shown.unicodeScalars.contains(harm.unicodeScalars),
          "\(line): \(harm.debugDescription)")
      }
    }
  }

  /// The command lines that print nothing.
  private static let quiet: Set = [
    #"export -o "$HOME/$H.json""#, "links 1", #"file 1 -o "$HOME/f$H""#,
  ]

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: #"'\''"#) + "'"
  }

  /// A hostile journal, templates, themes, settings, key files and imports.
  private static let setup = #"""
    H=$(cat $HOME/name; printf x); H=${H%x}
    C=$HOME/.config/daybook; mkdir -p $C/templates $C/themes
    touch "$C/templates/$H.md"; printf 'x = "%s"\n' y > "$C/themes/$H.toml"
    L=${H//$'\n'/}; L=${L//$'\e'/\\u001b}; L=${L//$'\a'/\\u0007}
    printf 'x%s = 1\nbrowser = "%s"\neditor = "%s"\ntheme = "%s"\n"%s" = 1\n' \
      a "$L" "$L" "$L" "$L" > $C/config.toml
    printf '[seal]\nkeep = "0"\n[views]\n"%s" = "%s"\n[templates]\n"%s" = "%s"\n[keys]\n"%s" = "%s"\n' \
      "$L" "$L" "$L" "$L" "$L" "$L" >> $C/config.toml
    printf '?q' > "$HOME/$H.keys"; printf '# %s\n' "$H" > "$HOME/$H.md"
    printf 'pass phrase of a test\n' > $HOME/new
    export DAYBOOK_PASSPHRASE_FD=7 DAYBOOK_NEW_PASSPHRASE_FD=9 DAYBOOK_JOURNAL="$HOME/j$H.sqlite" PAGER=cat
    $DAYBOOK add "one $H #t"; $DAYBOOK add two; $DAYBOOK add three
    """#
}
