import JournalApp

/// The manual page: commands from their definitions, keys from the table of keys, the rest from here.
struct ManualPage {
  let root: CommandDescription

  /// The page as `man` reads it.
  var text: String {
    let sections = [
      heading, name, synopsis, description, commands, queries, dates, keys, files, environment,
      exitStatus, examples,
    ]
    return sections.joined().joined(separator: "\n") + "\n"
  }

  private var visibleCommands: [CommandDescription] {
    (root.subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
  }

  private var heading: [String] {
    [
      ".\\\" Made from the definitions of the commands and keys: make man.",
      ".TH DAYBOOK 1 2026-11-21 \"daybook 0.1.0\" \"User Commands\"", ".nh", ".ad l",
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

  /// The options that all commands have, in the order of the first one.
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

  private var queries: [String] {
    [".SH QUERIES"] + Roff.paragraphs(StaticText.queries) + table(StaticText.terms)
  }

  private var dates: [String] { [".SH DATES"] + Roff.paragraphs(StaticText.dates) }

  private var keys: [String] {
    [".SH KEYS"] + Roff.paragraphs(StaticText.keys)
      + KeyTable.standard.help().flatMap {
        Roff.item(Roff.bold($0.keys), "\($0.text) (\($0.places))")
      }
  }

  private var files: [String] { [".SH FILES"] + table(StaticText.files, isPath: true) }

  private var environment: [String] { [".SH ENVIRONMENT"] + table(StaticText.environment) }

  private var exitStatus: [String] { [".SH EXIT STATUS"] + table(StaticText.exitStatus) }

  private func table(_ rows: [(String, String)], isPath: Bool = false) -> [String] {
    rows.flatMap { term, text in
      Roff.item(isPath ? Roff.italic(term) : Roff.bold(term), text)
    }
  }
}
