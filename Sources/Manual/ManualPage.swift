import Foundation
import Screen

/// The manual page: commands from their definitions, keys from the key table, queries and dates from
/// the manual's chapter, the rest from this module.
struct ManualPage {
  let root: CommandDescription
  /// The chapter about queries and dates.
  let queries: ManualChapter

  /// The page in the format of `man`.
  var text: String {
    let sections = [
      heading, name, synopsis, description, commands, language, keys, files, environment,
      exitStatus, examples, license, [".SH SEE ALSO", Self.references(without: "daybook.1")],
    ]
    return sections.joined().joined(separator: "\n") + "\n"
  }

  private var visibleCommands: [CommandDescription] {
    (root.subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
  }

  private var heading: [String] {
    [
      ".\\\" Made from the definitions of the commands and keys: make man.",
      Roff.title("DAYBOOK", "1", volume: "User Commands"), ".nh", ".ad l",
    ]
  }

  private var name: [String] { [".SH NAME", "daybook \\- a journal in the terminal"] }

  private var synopsis: [String] {
    [
      ".SH SYNOPSIS", "\\fBdaybook\\fR [\\fIoptions\\fR] [\\fIcommand\\fR] [\\fIarguments\\fR]",
    ]
  }

  private var description: [String] {
    [".SH DESCRIPTION"] + Roff.paragraphs(StaticText.description)
  }

  // MARK: - Commands

  private var commands: [String] {
    let shared = sharedArguments
    let rest = visibleCommands.flatMap { CommandSection($0, without: shared).lines }
    return [".SH OPTIONS"] + Roff.paragraphs("Every command takes these, before or after its name:")
      + shared.flatMap { CommandSection.item($0) } + [".SH COMMANDS"] + rest
  }

  /// The options of all commands, in the order of the first one.
  private var sharedArguments: [ArgumentDescription] {
    let all = visibleCommands.map { Set($0.arguments ?? []) }
    let shared = all.dropFirst().reduce(all.first ?? []) { $0.intersection($1) }
    return (visibleCommands.first?.arguments ?? []).filter { shared.contains($0) }
  }

  private var examples: [String] {
    [".SH EXAMPLES"]
      + visibleCommands.filter { !$0.examples.isEmpty }.flatMap { command in
        Roff.item(Roff.bold(command.commandName), command.abstract ?? "")
          + [".sp", ".nf"] + command.examples.map(Roff.line) + [".fi"]
      }
  }

  // MARK: - Language and keys

  /// Queries and dates.
  private var language: [String] {
    queries.parts.flatMap { part in
      let title = part.title == "Queries and dates" ? "Queries" : part.title
      return [".SH \(Roff.plain(title.uppercased()))"] + part.lines
    }
  }

  /// The manual pages other than one, for the end of that page.
  static func references(without name: String) -> String {
    let names = ["daybook.1"] + ReferencePage.allCases.map(\.rawValue)
    return names.filter { $0 != name }.map { name in
      "\(Roff.bold(String(name.dropLast(2))))(\(name.suffix(1)))"
    }.joined(separator: ", ")
  }

  private var keys: [String] {
    [".SH KEYS"] + Roff.paragraphs(StaticText.keys)
      + KeyTable.standard.help().flatMap {
        Roff.item(Roff.bold($0.keys), "\($0.text) (\($0.places))")
      }
  }

  private var files: [String] { [".SH FILES"] + table(StaticText.files, isPath: true) }

  private var environment: [String] { [".SH ENVIRONMENT"] + table(StaticText.environment) }

  private var exitStatus: [String] { [".SH EXIT STATUS"] + table(StaticText.exitStatus) }

  private var license: [String] { [".SH LICENSE"] + Roff.paragraphs(StaticText.license) }

  private func table(_ rows: [(String, String)], isPath: Bool = false) -> [String] {
    rows.flatMap { term, text in
      Roff.item(isPath ? Roff.italic(term) : Roff.bold(term), text)
    }
  }
}

/// The table of keys in `Resources/manual/keys.md`.
enum KeyChapter {
  private static let heading = "| keys | action | where |"

  /// Replaces the rows of the table with those of the key table; the rest of the text is unchanged.
  static func updated(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let start = lines.firstIndex(of: heading) else { return text }
    let rows = KeyTable.standard.help().map { line in
      "| `\(line.keys.replacing("|", with: "\\|"))` | \(line.text) | \(line.places) |"
    }
    let rest = lines[start...].drop { $0.hasPrefix("| ") }
    return (lines[..<start] + [heading, "| --- | --- | --- |"] + rows + rest).joined(
      separator: "\n")
  }
}

/// Makes the manual pages.
///
/// The page of the program comes from `daybook --experimental-dump-help` on standard input and the
/// chapters in a directory, by default `Resources/manual`. `--page NAME` makes another page, from
/// chapters alone. `--keys` copies the chapter about keys, with a current table, from standard input
/// to standard output.
@main
enum Main {
  static func main() throws {
    var words = CommandLine.arguments.dropFirst()
    let option = words.first?.hasPrefix("--") == true ? words.removeFirst() : nil
    let page = option == "--page" ? words.popFirst().flatMap(ReferencePage.init) : nil
    guard option == nil || option == "--keys" || page != nil else {
      let names = ReferencePage.allCases.map(\.rawValue).joined(separator: "|")
      FileHandle.standardError.write(
        Data("usage: daybook-manual [--page \(names) | --keys] [DIRECTORY]\n".utf8))
      exit(64)
    }
    let directory = URL(filePath: words.first ?? "Resources/manual")
    let text =
      if let page {
        try page.text(from: directory)
      } else if option == "--keys" {
        KeyChapter.updated(String(decoding: try input(), as: UTF8.self))
      } else {
        ManualPage(
          root: try JSONDecoder().decode(CommandDescription.Document.self, from: input()).command,
          queries: try ManualChapter("queries", in: directory)
        ).text
      }
    try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  private static func input() throws -> Data {
    try FileHandle.standardInput.readToEnd() ?? Data()
  }
}

/// The parts of the manual other than commands and keys.
enum StaticText {
  static let description = """
    Daybook keeps a journal: entries sectioned by day, in a full-screen list that shows the writes of \
    all processes at once, and written in a prompt. Without a command it opens the screen; ? shows its \
    keys. When standard input is not a terminal, its bytes are keys; when standard output is not a \
    terminal, the final screen is printed as text.

    An entry has a number, a permanent UUID, a day, and a text, which contains its #tags and @names. \
    All changes of a command are one step, and undo reverts the last step of any process. Data goes to \
    standard output, one-line messages to standard error.
    """

  static let keys = """
    All can be changed under [keys] of config.toml; daybook config keys prints them in that form. In \
    the prompt the keys are those of readline(3) and of ~/.inputrc; Alt-Enter makes a new line.
    """

  static let files = [
    ("$XDG_DATA_HOME/daybook/journal.sqlite", "The journal; by default in ~/.local/share."),
    ("$XDG_CONFIG_HOME/daybook/config.toml", "The configuration; by default in ~/.config."),
    (
      "$XDG_STATE_HOME/daybook/drafts/",
      "Unsaved texts; by default in ~/.local/state."
    ),
    ("$XDG_STATE_HOME/daybook/history", "The commands typed after : on the screen."),
    (
      "FILE-journal, FILE.lock",
      "Beside an SQLite and a JSON journal: needed by a writer; do not delete them."
    ),
  ]

  static let environment = [
    ("DAYBOOK_JOURNAL", "The journal to use without --journal."),
    ("DAYBOOK_PASSPHRASE_FD", "A descriptor with the passphrase of a sealed journal."),
    ("DAYBOOK_NEW_PASSPHRASE_FD", "The same with the new one, for passphrase."),
    ("XDG_DATA_HOME, XDG_CONFIG_HOME, XDG_STATE_HOME", "The directories of the files above."),
    ("VISUAL, EDITOR", "The editor for longer texts, if config.toml has none."),
    ("DAYBOOK_PAGER, PAGER", "The pager of long lists; empty or cat for none, less without one."),
    ("LESS", "The options of less; FRX without it."),
    ("NO_COLOR", "Any value leaves only bold, dim, underline and reverse."),
    ("LC_ALL, LC_TIME, LANG", "Names of months and weekdays, and the encoding of text."),
    ("TZ", "The time zone of new entries."),
    (
      "DAYBOOK_LOG, DAYBOOK_LOG_LEVEL",
      "A file for a debug log, and info, debug or text: how much it has."
    ),
    ("LINES, COLUMNS", "The size of the screen that is printed without a terminal."),
    ("INPUTRC", "The configuration of readline."),
  ]

  static let license = """
    Daybook is free software under the GNU General Public License, version 3 or later, since it links \
    GNU readline. There is no warranty.
    """

  static let exitStatus = [
    ("0", "Done."), ("1", "Not done, nothing changed: nothing found, nothing to save."),
    ("64", "Wrong usage."), ("65", "Bad data; something is wrong with the journal."),
    ("66", "Input missing."),
    ("69", "No usable terminal; for sync, no git or no answer from the remote."),
    ("73", "Cannot create a file."), ("74", "Reading or writing failed, or the disk is full."),
    ("75", "Another program holds the journal; try again."), ("77", "Not permitted."),
    ("78", "The journal or the configuration is not usable."), ("128+n", "Ended by signal n."),
  ]
}
