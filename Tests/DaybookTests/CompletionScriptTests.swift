import Foundation
import Testing

/// The completion scripts, in their shells.
@Suite(.waiting)
struct CompletionScriptTests {
  private let program: Program
  private var data: String { program.home.appending(path: ".local/share").path }

  init() throws {
    program = try Program()
  }

  /// Bash's completions for a command line, whose words are split as bash would do.
  private func offered(_ words: [String]) throws -> [String] {
    let list = words.map { "'\($0.replacing("'", with: #"'\''"#))'" }.joined(separator: " ")
    let script = """
      PATH=\(Program.binary.deletingLastPathComponent().path):$PATH; unset -f daybook
      source <(daybook --generate-completion-script bash)
      COMP_WORDS=(\(list)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE="${COMP_WORDS[*]}"
      COMP_POINT=${#COMP_LINE}
      _daybook daybook "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let result = try program.shell(script)
    #expect(result.errors == "")
    return result.output.split(separator: "\n").map(String.init)
  }

  private func fill() throws {
    for text in ["one #home", "two #home #work/api", "three @anna"] {
      _ = try program.run(["add", text])
    }
    _ = try program.run(["delete", "3"])
  }

  @Test("bash completes commands, options, formats, tags, fields, dates and entries")
  func bash() throws {
    try fill()
    #expect(try offered(["daybook", "do"]) == ["doctor"])
    #expect(try offered(["daybook", "list", "--form"]) == ["--format"])
    #expect(try offered(["daybook", "list", "--format", "js"]) == ["json", "jsonl"])
    #expect(try offered(["daybook", "tag", "1", "--tag", "h"]) == ["home"])
    #expect(try offered(["daybook", "list", "#"]) == ["#home", "#work/api"])
    #expect(try offered(["daybook", "list", "'#w"]) == ["#work/api"])
    #expect(try offered(["daybook", "list", "is", ":", "st"]) == ["starred"])
    #expect(try offered(["daybook", "redate", "1", "--date", "yes"]) == ["yesterday"])
    #expect(try offered(["daybook", "show", ""]) == ["2", "1"])
    #expect(try offered(["daybook", "restore", ""]) == ["3"])
    #expect(try offered(["daybook", "stats", "#w"]) == ["#work/api"])
    #expect(try offered(["daybook", "stats", "--field", ""]) == [])
    #expect(try offered(["daybook", "list", "--sort", "ti"]) == ["title"])
    _ = try program.run(["add", "run:: 5 km, rest:: 2 h, tag:: x, Größe:: 2"])
    #expect(try offered(["daybook", "stats", "--field", "r"]).sorted() == ["rest", "run"])
    #expect(try offered(["daybook", "stats", "--field", "ta"]) == ["tag"])
    for command in ["list", "export"] {
      #expect(try offered(["daybook", command, "--csv-field", "Gr"]) == ["Größe"])
    }
    #expect(try offered(["daybook", "list", "--sort", "r"]).sorted() == ["rest", "run"])
    #expect(try offered(["daybook", "list", "--section", "m"]) == ["month"])
    #expect(try offered(["daybook", "list", "--section", "ta"]) == ["tag"])
    #expect(try offered(["daybook", "list", "--section", "f"]) == ["field:tag"])
    #expect(try offered(["daybook", "show", "2"]) == ["2"])
  }

  @Test("another journal's entries are offered for --journal, and none is ever made")
  func journals() throws {
    let other = program.home.appending(path: "other.json").path
    _ = try program.run(["--journal", other, "add", "elsewhere #away"])
    #expect(try offered(["daybook", "--journal", other, "list", "#"]) == ["#away"])
    #expect(try offered(["daybook", "list", "--journal", other, "#"]) == ["#away"])
    #expect(try offered(["daybook", "list", "#"]) == [])
    #expect(try offered(["daybook", "--journal", other + "x", "show", ""]) == [])
    #expect(!FileManager.default.fileExists(atPath: data))
    #expect(!FileManager.default.fileExists(atPath: other + "x"))
  }

  @Test("zsh and fish are told titles and counts", arguments: [("zsh", ":"), ("fish", "\t")])
  func descriptions(shell: String, separator: String) throws {
    try fill()
    let environment = ["SAP_SHELL": shell, "SAP_SHELL_VERSION": "5"]
    let query = try program.run(
      ["---completion", "list", "--", "positional@0", "2", "5", "daybook", "list", "#"],
      extra: environment)
    #expect(query.output.contains("#home\(separator)2\n"))
    let entries = try program.run(
      ["---completion", "show", "--", "positional@0", "2", "0", "daybook", "show", ""],
      extra: environment)
    #expect(entries.output.contains("2\(separator)two #home #work/api\n"))
    let field = try program.run(
      ["---completion", "list", "--", "positional@0", "2", "5", "daybook", "list", "is:st"],
      extra: environment)
    #expect(field.output.contains(shell == "zsh" ? "is\\:starred" : "is:starred"))
  }

  @Test("the scripts are what their shells can read", arguments: ["bash", "zsh", "fish"])
  func syntax(shell: String) throws {
    let result = try program.shell(
      """
      daybook --generate-completion-script \(shell) > $HOME/script || exit
      \(shell) -n $HOME/script
      """)
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.errors == "")
  }

  // MARK: - Names that others have chosen

  /// A name that a shell would run, split or expand, were it not quoted.
  private static let hostile = "n $(touch $HOME.pwned) `touch $HOME.pwned` " + odd
  /// A name that has to be quoted.
  private static let odd = "n it's \"a\" *.md {b,c} d\\e f:g ;&|<>!"

  /// Makes templates and themes of these names.
  private func makeFiles(_ names: [String]) throws {
    for (directory, ending) in [("templates", "md"), ("themes", "toml")] {
      let path = program.home.appending(path: ".config/daybook/\(directory)")
      try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
      for name in names {
        try Data("text".utf8).write(to: path.appending(path: "\(name).\(ending)"))
      }
    }
  }

  private var isRun: Bool {
    FileManager.default.fileExists(atPath: program.home.path + ".pwned")
  }

  @Test("bash expands no candidate, and leaves out what it would not insert as it is")
  func bashExpandsNothing() throws {
    let names = [Self.odd, "-x", "plain"]
    let omitted = [
      "~root", "two\nlines", "esc\u{1B}[31m", "turned\u{202E}", "mark\u{061C}", "$HOME",
    ]
    // With a combining mark the signs are other characters for Swift, but not for a shell.
    let mark = "\u{301}"
    let marked = ["n`\(mark);touch $HOME.pwned;`\(mark)", "n$\(mark)(touch $HOME.pwned)"]
    let quoting = "n'\(mark);touch $HOME.pwned;'\(mark)"
    try makeFiles(names + omitted + [Self.hostile, quoting] + marked)
    #expect(try offered(["daybook", "add", "--template", ""]).sorted() == names.sorted())
    let themes = try offered(["daybook", "screen", "--theme", ""])
    #expect(themes.count > names.count && Set(names).isSubset(of: themes))
    #expect(themes.allSatisfy { !$0.contains(/^~|[$\e`\u{202E}\u{061C}]|lines/) })
    #expect(try offered(["daybook", "add", "--template", #"n\ it"#]) == [Self.odd])
    #expect(try offered(["daybook", "screen", "--theme", "pl"]) == ["plain"])
    #expect(!isRun)
  }

  @Test(
    "Tab inserts a name so that the shell reads the same name again",
    arguments: [
      (
        "bash", "bash --norc --noprofile -i",
        "source <(daybook --generate-completion-script bash)"
      ),
      (
        "zsh", "zsh -f -i",
        "autoload -Uz compinit; compinit -D; source <(daybook --generate-completion-script zsh)"
      ),
      ("fish", "fish --no-config -i", "daybook --generate-completion-script fish | source"),
    ])
  func tab(shell: String, command: String, setup: String) throws {
    let name = shell == "bash" ? Self.odd : Self.hostile
    try makeFiles([name])
    let directory = Program.binary.deletingLastPathComponent().path
    let session = try TerminalSession(
      program, command: "env PATH=\(directory):/usr/bin:/bin PS1=% \(command)", columns: 200)
    try session.type("\(setup); echo re''ady", "Enter")
    try session.wait("the script") { $0.contains("\nready") }
    try session.type("daybook add --template n", "Tab")
    try session.wait("the candidate") { $0.contains(#"\e\ f"#) }
    try session.type("C-a", "printf '[%s]\\n' ", "Enter")
    let screen = try session.wait("its words") { $0.contains("\n[add]") }
    #expect(screen.contains("\n[\(name)]\n"), "\(screen)")
    #expect(!isRun)
  }
}
