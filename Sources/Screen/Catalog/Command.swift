import Journal

/// A parsed line of the prompt `:`.
///
/// Every command of the shell has the same name here. A command with a better form on the screen
/// has a row in ``CommandForm``, such as `show`, `edit` and `list`; every other one runs as in a
/// shell.
package enum Command: Equatable, Sendable {
  /// An action that keys have too.
  case action(Action)
  /// `add TEXT`
  case add(String)
  /// `add --template NAME`
  case addFromTemplate(String)
  /// `tag 42 home -work`, `untag home`: tags for the entries with these numbers, else for the
  /// selected.
  case tag([Int64], String)
  /// `redate 42 yesterday`
  case redate([Int64], String)
  /// `history`, with a number or for the selected entry.
  case versions(Int64?)
  /// `12`: go to this row.
  case row(Int)
  /// A line that a text answers: `version`, or a command of other programs that is not needed here.
  case remark(String)
  /// `show`, `edit`, `delete`, `star`, `unstar`, with a number or for the selected entries.
  case onEntry(Verb, Int64?)
  /// `edit 42 TEXT`: replaces the text.
  case editText(Int64, String)
  /// `goto DATE`
  case goTo(String)
  /// `sort run`, `section mood`: by a field.
  case arrange(Arrangement)
  /// `field NAME [--mean|--sum] [QUERY]`: its sums in the headers, and as a page, of the entries of a query.
  case field(String, FieldMeasure.Statistic?, query: [String])
  /// `field`: no sums in the headers.
  case noField
  /// `filter QUERY`
  case filter(String)
  /// `day [DATE]`: reads all entries of a day, or of several days; empty for the selected one.
  case day(String)
  /// `random [QUERY]`
  case random(String)
  /// `list QUERY`, `onthisday DATE`: a filter whose list is read from its top.
  case show(String)
  /// `search QUERY`
  case search(String)
  /// `stats [--year YEAR] [QUERY]`
  case statistics(String, year: Int?, field: String? = nil)
  /// `theme NAME`
  case theme(String)
  /// `view NAME`
  case view(String)
  /// `view`: lists the saved views.
  case views
  /// `view save NAME`
  case saveView(String)
  /// `view delete NAME`
  case deleteView(String)
  /// `save-file 2 PATH`: writes a file of the selected entry.
  case saveFile(Int?, String)
  /// `paste-picture`: attaches the clipboard's picture to the selected entry.
  case pastePicture
  /// `tags`: lists the tags.
  case tags
  /// `fields`: lists the fields.
  case fields
  /// `open PATH`
  case open(String)
  /// `at DATE`; empty for the present.
  case at(String)
  /// `open`: lists the journals opened recently.
  case journals
  /// `set`: lists the settings.
  case settings
  /// `set KEY?`
  case setting(String)
  /// `set KEY VALUE`
  case set(String, String)
  /// `help NAME`: of a command, else the keys whose line has the words.
  case help([String])
  /// `drafts`: lists the drafts.
  case drafts
  /// `drafts NAME`
  case draft(String)
  /// A command of the shell, with its words.
  case run([String])
  /// An empty line.
  case nothing

  /// An action on one entry.
  package enum Verb: String, CaseIterable, Sendable {
    /// Read it.
    case show
    /// Edit it in the prompt.
    case edit
    /// Move it to the trash.
    case delete
    /// Take it out of the trash.
    case restore
    case star
    /// Remove the star.
    case unstar
  }

  /// The reason that a line is no command: one line for the status line.
  package struct Failure: Error, Equatable, Sendable {
    /// The problem, and the remedy.
    package var message: String
  }
}

// MARK: - The catalog

/// A command with its own form on the screen: one row defines all of it.
///
/// Commands of the shell need no row. A line that the row does not parse runs as in a shell.
struct CommandForm: Sendable {
  let name: String
  /// The kinds of its arguments, for completion; the last one repeats.
  let arguments: [CompletionContext]
  /// Parses the rest of the line; `nil` leaves the line to the shell's command of this name.
  let parse: @Sendable (_ rest: String) throws(Command.Failure) -> Command?

  private init(
    _ name: String, _ arguments: [CompletionContext] = [],
    parse: @escaping @Sendable (String) throws(Command.Failure) -> Command?
  ) {
    (self.name, self.arguments, self.parse) = (name, arguments, parse)
  }

  private init(_ name: String, _ action: Action) {
    self.init(name) { rest in rest.isEmpty ? .action(action) : nil }
  }

  private init(_ verb: Command.Verb, _ arguments: [CompletionContext] = [.entry]) {
    self.init(verb.rawValue, arguments) { rest throws(Command.Failure) in
      try Command.onEntry(verb, rest)
    }
  }

  /// A command that lists something unless an argument follows its name.
  private init(
    _ name: String, _ arguments: [CompletionContext], page: Command,
    parse: @escaping @Sendable (String) throws(Command.Failure) -> Command?
  ) {
    self.init(name, arguments) { rest throws(Command.Failure) in
      rest.isEmpty ? page : try parse(rest)
    }
  }

  /// A command that requires a text after its name.
  private init(
    _ name: String, _ arguments: [CompletionContext], else missing: String,
    command: @escaping @Sendable (String) -> Command
  ) {
    self.init(name, arguments) { rest throws(Command.Failure) in
      guard !rest.isEmpty else { throw Command.Failure(message: "\(name): \(missing)") }
      return command(rest)
    }
  }

  static let all: [CommandForm] = [
    // Keys by name.
    CommandForm("calendar", .calendar), CommandForm("gallery", .gallery),
    CommandForm("preview", .preview),
    CommandForm("q", .quit), CommandForm("quit", .quit), CommandForm("redraw", .redraw),
    CommandForm("redo", .redo), CommandForm("trash", .trash), CommandForm("undo", .undo),
    CommandForm("version", [.nothing]) { rest in
      rest.isEmpty ? .remark("Daybook \(Release.version) of \(Release.date)") : nil
    },
    CommandForm("help", [.command]) { rest throws(Command.Failure) in
      rest.isEmpty ? .action(.help) : .help(try Command.words(rest))
    },
    // Entries.
    CommandForm("add", [.text]) { rest throws(Command.Failure) in try Command.parseAdd(rest) },
    CommandForm(.show), CommandForm(.edit, [.entry, .text]), CommandForm(.delete),
    CommandForm(.restore), CommandForm(.star), CommandForm(.unstar),
    CommandForm("tag", [.entryOrTag]) { rest throws(Command.Failure) in
      try Command.parseTags("tag", rest)
    },
    CommandForm("untag", [.entryOrTag]) { rest throws(Command.Failure) in
      try Command.parseTags("untag", rest)
    },
    CommandForm("redate", [.entryOrDate]) { rest throws(Command.Failure) in
      try Command.parseRedate(rest)
    },
    CommandForm("history", [.entry]) { rest throws(Command.Failure) in
      rest.contains("--") || rest.contains(" ")
        ? nil : .versions(try Command.number(rest, for: "history"))
    },
    CommandForm("files", [.query], page: .action(.files)) { _ in nil },
    CommandForm("save-file", [.file]) { rest throws(Command.Failure) in
      try Command.parseSaveFile(rest)
    },
    CommandForm("paste-picture", [.nothing]) { rest in rest.isEmpty ? .pastePicture : nil },
    // The list.
    CommandForm("list", [.query]) { rest throws(Command.Failure) in
      Command.hasOption(rest) ? nil : .show(rest)
    },
    CommandForm("filter", [.query]) { .filter($0) },
    CommandForm("random", [.query]) { rest in rest.hasPrefix("--") ? nil : .random(rest) },
    CommandForm("search", [.query], else: "give words to search for") { .search($0) },
    CommandForm("goto", [.date, .nothing], else: "give a date") { .goTo($0) },
    CommandForm("day", [.date, .nothing]) { .day($0) },
    CommandForm("onthisday", [.date, .nothing]) { rest in
      // A day in words, or a day without a year.
      let words = rest.split(separator: " ").joined(separator: "-")
      return .show("on:*-\(words.isEmpty ? "today" : words)")
    },
    arrangement("sort", Arrangement.order), arrangement("section", Arrangement.sections),
    CommandForm("view", [.viewOrVerb, .view, .nothing], page: .views) { Command.viewCommand($0) },
    CommandForm("tags", [.tag], page: .tags) { _ in nil },
    CommandForm("fields", [.nothing], page: .fields) { _ in nil },
    CommandForm("field", [.field, .query], page: .noField) { rest throws(Command.Failure) in
      try Command.parseField(rest)
    },
    CommandForm("stats", [.query]) { rest throws(Command.Failure) in
      try Command.parseStatistics(rest)
    },
    // Journals, files and settings.
    CommandForm("open", [.path], page: .journals) { .open(Command.unquoted($0)) },
    CommandForm("at", [.date, .nothing]) { .at(Command.unquoted($0)) },
    CommandForm("drafts", [.nothing], page: .drafts) { .draft($0) },
    CommandForm("set", [.setting, .settingValue], page: .settings) {
      rest throws(Command.Failure) in try Command.setCommand(rest)
    },
    CommandForm("theme", [.theme, .nothing], else: "give a name") { .theme($0) },
    CommandForm("export", [.file, .query]) { rest throws(Command.Failure) in
      .run(try Command.parseExport(rest))
    },
    file("import", "journal.txt"), file("backup", "copy.sqlite"), file("attach", "photo.jpg"),
  ]

  /// `sort newest` for the action `sort-newest`.
  private static func arrangement<
    Kind: ListArrangement & SendableMetatype
  >(
    _ name: String, _ arrangement: @escaping @Sendable (Kind) -> Arrangement
  ) -> CommandForm {
    let choices = Kind.allCases.map(\.rawValue)
    return CommandForm(name, [.choiceOrField(choices), .nothing]) { rest throws(Command.Failure) in
      guard let kind = Kind(typed: rest) else {
        throw Command.Failure(
          message: "\(name): one of \(choices.joined(separator: ", ")), or a field")
      }
      let wanted = arrangement(kind)
      return wanted.action.map { .action($0) } ?? .arrange(wanted)
    }
  }

  /// A command of the shell that requires a file here: the screen has no standard input.
  private static func file(_ name: String, _ example: String) -> CommandForm {
    CommandForm(name, [.file, .nothing]) { rest throws(Command.Failure) in
      guard rest.isEmpty else { return nil }
      throw Command.Failure(
        message: "\(name): give a file name, for example :\(name) \(example)")
    }
  }
}

// MARK: - Reading a line

extension Command {
  private static let vimActions: [String: Action] = [
    "q!": .quit, "qa": .quit, "qa!": .quit, "$": .last,
  ]
  private static let vimNames = ["e": Verb.edit.rawValue, "h": "help"]
  private static let vimWrites: Set = [
    "w", "w!", "wa", "wq", "wq!", "wqa", "x", "x!", "xa", "up", "update",
  ]

  /// Whether the word is a command of vim; such words work but are not completed.
  static func isFromVim(_ word: String) -> Bool {
    vimActions[word] != nil || vimWrites.contains(word) || vimNames[word] != nil
  }

  /// Parses a line.
  ///
  /// - Parameter catalog: the known commands.
  /// - Throws: ``Failure`` for an unknown word or a wrong argument.
  package init(_ line: String, in catalog: CommandCatalog) throws(Failure) {
    let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    let typed = try catalog.name(words.first.map(String.init) ?? "")
    let name = Self.vimNames[typed] ?? typed
    let rest = words.count > 1 ? String(words[1]).trimmed : ""
    if name.isEmpty {
      self = .nothing
    } else if let action = Self.vimActions[name] {
      self = .action(action)
    } else if let command = Self.fromVim(name, rest) {
      self = command
    } else if let form = CommandForm.all.first(where: { $0.name == name }),
      let command = try form.parse(rest)
    {
      self = command
    } else if catalog.isOfShell(name) {
      self = .run([name] + (try Self.words(rest)))
    } else if catalog.names.contains(name) {
      throw Failure(message: "\(name) takes no argument")
    } else {
      throw Failure(message: Self.unknown(name, catalog))
    }
  }

  private static func fromVim(_ name: String, _ rest: String) -> Command? {
    if rest.isEmpty, let row = Int(name), row >= 0 { return .row(max(1, row)) }
    guard vimWrites.contains(name) else { return nil }
    return .remark(
      rest.isEmpty
        ? "entries are saved at once; :q quits"
        : "entries are saved at once; :export \(rest) writes a copy")
  }

  static func number(_ text: String, for name: String) throws(Failure) -> Int64? {
    if text.isEmpty { return nil }
    guard let number = Int64(text), number > 0 else {
      let isFile = name == "edit" && text.contains { "./~".contains($0) }
      throw Failure(
        message: "\(name): \(text) is not the number of an entry"
          + (isFile ? "; :open \(text) opens a journal" : ""))
    }
    return number
  }

  private static func unknown(_ name: String, _ catalog: CommandCatalog) -> String {
    if catalog.shellOnly.contains(name) { return "\(name) works in a shell only: daybook \(name)" }
    let nearest = Spelling.nearest(to: name, among: catalog.names)
    return "no command \(name)" + (nearest.map { "; did you mean :\($0)?" } ?? "; ? shows the keys")
  }
}

extension String {
  /// The text without spaces at its ends.
  var trimmed: String {
    let start = drop { $0 == " " }
    let end = start.reversed().drop { $0 == " " }
    return String(String(end.reversed()))
  }
}
