extension CommandShape {
  /// The shape of a command by its name; a command that is not here has no arguments to complete.
  static func of(_ command: String) -> CommandShape { table[command] ?? CommandShape() }

  private static let sections = CompletionContext.choice(
    ["day", "week", "month", "year", "tag", "none"])
  private static let sorts = CompletionContext.choice(["newest", "oldest", "modified", "title"])

  /// Commands about entries by number, or by `--where`.
  private static func onEntries(
    _ options: [(name: String, value: CompletionContext?)] = []
  ) -> CommandShape {
    CommandShape(options: [("--where", .query)] + options, arguments: [.entry])
  }

  private static func list(
    _ options: [(name: String, value: CompletionContext?)]
  ) -> CommandShape {
    CommandShape(
      options: [("--sort", sorts), ("--section", sections), ("--limit", .nothing)] + options,
      arguments: [.query])
  }

  private static let table: [String: CommandShape] = [
    "add": CommandShape(
      options: [("--date", .date), ("--star", nil), ("--tag", .tag), ("--template", .nothing)],
      arguments: [.text]),
    "list": list([
      ("--offset", .nothing), ("--format", .choice(["text", "json", "jsonl", "csv", "markdown"])),
    ]),
    "watch": list([("--full", nil)]),
    "show": CommandShape(arguments: [.entry]),
    "edit": CommandShape(arguments: [.entry, .text]),
    "delete": onEntries(), "restore": onEntries(), "star": onEntries(), "unstar": onEntries(),
    "tag": onEntries([("--tag", .tag)]), "untag": onEntries([("--tag", .tag)]),
    "redate": onEntries([("--date", .date)]),
    "purge": CommandShape(options: [("--older", .date), ("--yes", nil)]),
    "history": CommandShape(
      options: [("--diff", nil), ("--restore", .nothing)], arguments: [.entry]),
    "tags": CommandShape(options: [("--rename", .tag)], arguments: [.tag]),
    "stats": CommandShape(options: [("--format", .choice(["text", "json", "svg"]))]),
    "import": CommandShape(options: [
      (
        "--from",
        .choice(["daybook", "jrnl", "jrnl-text", "tui-journal", "dayone", "markdown", "kaydet"])
      ), ("--dry-run", nil), ("--strict", nil), ("--lossy", nil),
    ]),
    "export": CommandShape(
      options: [
        (
          "--format",
          .choice(["json", "jsonl", "jrnl", "tui-journal", "dayone", "markdown", "csv", "html"])
        ), ("-o", .nothing), ("--force", nil),
      ], arguments: [.query]),
    "doctor": CommandShape(options: [("--fix", nil), ("--salvage", .nothing)]),
    "backup": CommandShape(options: [("--restore", .nothing)]),
    "config": CommandShape(arguments: [.choice(["show", "path", "keys", "themes"]), .nothing]),
    "goto": CommandShape(arguments: [.date, .nothing]),
    "filter": CommandShape(arguments: [.query]), "search": CommandShape(arguments: [.query]),
    "view": CommandShape(arguments: [.viewOr("save"), .view, .query]),
    "theme": CommandShape(arguments: [.theme, .nothing]),
    "set": CommandShape(arguments: [.setting, .nothing]),
    "open": CommandShape(arguments: [.journal, .nothing]),
  ]
}
