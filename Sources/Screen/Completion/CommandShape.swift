/// What the words of a command line are, for completion.
struct CommandShape: Equatable {
  /// The options and what their values are; `nil` for an option without one.
  var options: [(name: String, value: CompletionContext?)] = []
  /// What stands in the places of the arguments; the last one repeats.
  var arguments: [CompletionContext] = []

  static func == (left: CommandShape, right: CommandShape) -> Bool {
    left.arguments == right.arguments && left.options.elementsEqual(right.options, by: ==)
  }

  /// Whether everything behind the command's name is one argument.
  var takesRest: Bool { arguments.first == .path }

  /// Whether names of files stand in it.
  var takesFiles: Bool {
    arguments.contains(.file) || options.contains { $0.value == .file }
  }

  /// What the argument in a place is, counted from 0.
  func argument(_ place: Int) -> CompletionContext {
    guard let last = arguments.last else { return .nothing }
    return place < arguments.count ? arguments[place] : last
  }

  /// The option of a name, which begins with its hyphens.
  func option(_ name: String) -> (name: String, value: CompletionContext?)? {
    options.first { $0.name == name }
  }
}

extension CommandShape {
  /// The shape of a command by its name; a command that is not here has no arguments to complete.
  static func of(_ command: String) -> CommandShape { table[command] ?? CommandShape() }

  private static let sections = choice(of: "section")
  private static let sorts = choice(of: "sort")

  /// The choices of a command whose arguments are actions: `newest` of `sort-newest`.
  private static func choice(of command: String) -> CompletionContext {
    let start = command + "-"
    return .choice(
      Action.allCases.map(\.rawValue).filter { $0.hasPrefix(start) }
        .map { String($0.dropFirst(start.count)) })
  }

  private static let importFormats = CompletionContext.choice(
    ["daybook", "jrnl", "jrnl-text", "tui-journal", "dayone", "markdown", "kaydet"])
  private static let exportFormats = CompletionContext.choice(
    ["json", "jsonl", "jrnl", "jrnl-text", "tui-journal", "dayone", "markdown", "csv", "html"])

  private static let textOrJSON = CompletionContext.choice(["text", "json"])

  /// Commands about entries by number, or by `--where`; what else they take is more to be completed.
  private static func onEntries(
    _ options: [(name: String, value: CompletionContext?)] = [],
    _ argument: CompletionContext = .entry
  ) -> CommandShape {
    CommandShape(options: [("--where", .query)] + options, arguments: [argument])
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
      options: [
        ("--date", .date), ("--star", nil), ("--tag", .tag), ("--template", .template),
        ("--format", textOrJSON),
      ],
      arguments: [.text]),
    "list": list([
      ("--offset", .nothing), ("--format", .choice(["text", "json", "jsonl", "csv", "markdown"])),
    ]),
    "show": CommandShape(options: [("--format", textOrJSON)], arguments: [.entry]),
    "edit": CommandShape(arguments: [.entry, .text]),
    "delete": onEntries(), "restore": onEntries(), "star": onEntries(), "unstar": onEntries(),
    "tag": onEntries([("--tag", .tag)], .entryOrTag),
    "untag": onEntries([("--tag", .tag)], .entryOrTag),
    "redate": onEntries([("--date", .date)], .entryOrDate),
    "purge": CommandShape(options: [("--older", .date), ("--yes", nil)]),
    "history": CommandShape(
      options: [("--diff", nil), ("--restore", .nothing)], arguments: [.entry]),
    "tags": CommandShape(
      options: [("--rename", .tag), ("--format", textOrJSON)], arguments: [.tag]),
    "stats": CommandShape(
      options: [("--year", .nothing), ("--format", .choice(["text", "json", "svg"]))],
      arguments: [.query]),
    "import": CommandShape(
      options: [
        ("--from", importFormats), ("--dry-run", nil), ("--strict", nil), ("--lossy", nil),
      ], arguments: [.file, .nothing]),
    "export": CommandShape(
      options: [
        ("--format", exportFormats), ("--output", .file), ("--force", nil), ("--id", .entry),
      ],
      arguments: [.file, .query]),
    "backup": CommandShape(
      options: [("--force", nil), ("--restore", nil), ("--yes", nil)], arguments: [.file, .nothing]),
    "doctor": CommandShape(options: [("--fix", nil), ("--salvage", .file)]),
    "config": CommandShape(
      options: [("--format", textOrJSON)],
      arguments: [.choice(["show", "path", "keys", "themes"]), .nothing]),
    "onthisday": CommandShape(arguments: [.date, .nothing]),
    "goto": CommandShape(arguments: [.date, .nothing]),
    "filter": CommandShape(arguments: [.query]), "search": CommandShape(arguments: [.query]),
    "view": CommandShape(arguments: [.viewOrVerb, .view, .nothing]),
    "open": CommandShape(arguments: [.path]),
    "set": CommandShape(arguments: [.setting, .settingValue]),
    "theme": CommandShape(arguments: [.theme, .nothing]),
    "sort": CommandShape(arguments: [sorts, .nothing]),
    "section": CommandShape(arguments: [sections, .nothing]),
  ]
}
