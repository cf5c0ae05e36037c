/// A line typed after `:`, understood.
///
/// Every command of the command line goes by the same name here. What has a better form on the screen
/// has it, such as `show`, `edit` and `list`; everything else runs as it would in a shell.
package enum Command: Equatable, Sendable {
  /// What a key does too.
  case action(Action)
  /// `add TEXT`
  case add(String)
  /// `add --template NAME`
  case addFromTemplate(String)
  /// `tag 42 home -work`, `untag home`: tags for the entries with these numbers, or for the selected.
  case tag([Int64], String)
  /// `redate 42 yesterday`
  case redate([Int64], String)
  /// `history`, with a number or for the selected entry.
  case versions(Int64?)
  /// `purge [--older WHEN] [--yes]`
  case purge(older: String?, asks: Bool)
  /// `12`: go to this row.
  case row(Int)
  /// A command of other programs that needs no doing; the words say why.
  case remark(String)
  /// `show`, `edit`, `delete`, `star`, `unstar`, with a number or for the selected entries.
  case onEntry(Verb, Int64?)
  /// `goto DATE`
  case goTo(String)
  /// `filter QUERY`
  case filter(String)
  /// `list QUERY`, `onthisday DATE`: a filter whose list is read from its top.
  case show(String)
  /// `search QUERY`
  case search(String)
  /// `stats [--year YEAR] [QUERY]`
  case statistics(String, year: Int?)
  /// `theme NAME`
  case theme(String)
  /// `view NAME`
  case view(String)
  /// `view`: which there are.
  case views
  /// `view save NAME`
  case saveView(String)
  /// `view delete NAME`
  case deleteView(String)
  /// `tags`: which there are.
  case tags
  /// `open PATH`
  case open(String)
  /// `open`: where one has been.
  case journals
  /// `set`: what holds.
  case settings
  /// `set KEY?`
  case setting(String)
  /// `set KEY VALUE`
  case set(String, String)
  /// `drafts`: which there are.
  case drafts
  /// `drafts NAME`
  case draft(String)
  /// A command of the command line, with its words.
  case run([String])
  /// Nothing was typed.
  case nothing

  /// What can be done to one entry.
  package enum Verb: String, CaseIterable, Sendable {
    /// Read it.
    case show
    /// Edit it in the prompt.
    case edit
    /// Move it to the trash.
    case delete
    /// Take it out of the trash.
    case restore
    /// Star it.
    case star
    /// Take the star away.
    case unstar
  }

  /// Why a line is no command: one line for the status line.
  package struct Failure: Error, Equatable, Sendable {
    /// What is wrong and what to do.
    package var message: String
  }

  /// Every word a line can begin with, for completion and for naming the nearest.
  package static let names =
    ([
      "add", "goto", "list", "filter", "search", "theme", "view", "sort", "section", "open", "set",
      "stats", "onthisday", "drafts",
    ]
    + Verb.allCases.map(\.rawValue) + Array(actions.keys) + shell).sorted()

  private static let actions: [String: Action] = [
    "help": .help, "q": .quit, "quit": .quit, "redraw": .redraw, "undo": .undo, "redo": .redo,
    "calendar": .calendar, "trash": .trash, "preview": .preview,
  ]

  /// What users of vim type; not among ``names``, since nobody has to learn it here.
  private static let vimActions: [String: Action] = [
    "h": .help, "q!": .quit, "qa": .quit, "qa!": .quit, "$": .last,
  ]
  private static let vimWrites: Set = [
    "w", "w!", "wa", "wq", "wq!", "wqa", "x", "x!", "xa", "up", "update",
  ]

  /// What is looked through and chosen from when nothing follows the word.
  private static let pages: [String: Command] = [
    "tags": .tags, "view": .views, "open": .journals, "set": .settings,
    "drafts": .drafts,
  ]

  /// Commands that run as in a shell; `watch` and the screen itself make no sense here.
  private static let shell = [
    "tag", "untag", "redate", "purge", "history", "tags", "import", "export", "config",
    "backup", "doctor",
  ]

  /// Understands a line.
  ///
  /// - Throws: ``Failure`` for an unknown word or a wrong argument.
  package init(_ line: String) throws(Failure) {
    let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    let name = try Self.name(words.first.map(String.init) ?? "")
    let rest = words.count > 1 ? String(words[1]).trimmed : ""
    if name.isEmpty {
      self = .nothing
    } else if let action = Self.actions[name] ?? Self.vimActions[name] {
      self = .action(action)
    } else if let command = Self.fromVim(name, rest) {
      self = command
    } else if let verb = Verb(rawValue: name == "e" ? "edit" : name) {
      self = try Self.onEntry(verb, rest)
    } else if rest.isEmpty, let page = Self.pages[name] {
      self = page
    } else if name == "export" {
      self = .run(try Self.export(rest))
    } else if let command = try Self.aboutEntries(name, rest) {
      self = command
    } else if Self.shell.contains(name) {
      try Self.checkFile(name, rest)
      self = .run([name] + (try Self.words(rest)))
    } else {
      self = try Self.withText(name, rest)
    }
  }

  /// The command that a word names: itself, or the only one that begins with it.
  ///
  /// - Throws: ``Failure`` that names the candidates when several commands begin with the word.
  package static func name(_ word: String) throws(Failure) -> String {
    if vimActions[word] != nil || vimWrites.contains(word) || word == "e" { return word }
    let candidates = names.filter { $0.hasPrefix(word) }
    guard !word.isEmpty, !candidates.isEmpty, !candidates.contains(word) else { return word }
    guard candidates.count == 1 else {
      throw Failure(message: "\(word) may be \(candidates.joined(separator: ", ")); type more")
    }
    return candidates[0]
  }

  /// On the screen an export goes to a file, which stands first; options and a query may follow.
  private static func export(_ rest: String) throws(Failure) -> [String] {
    let words = try words(rest)
    guard let first = words.first else {
      throw Failure(message: "export: give a file name, for example :export journal.md")
    }
    return first.hasPrefix("-") ? ["export"] + words : ["export", "-o"] + words
  }

  private static func checkFile(_ name: String, _ rest: String) throws(Failure) {
    let example = ["import": "journal.txt", "backup": "copy.sqlite"][name]
    guard rest.isEmpty, let example else { return }
    throw Failure(message: "\(name): give a file name, for example :\(name) \(example)")
  }

  private static func fromVim(_ name: String, _ rest: String) -> Command? {
    if rest.isEmpty, let row = Int(name), row >= 0 { return .row(max(1, row)) }
    guard vimWrites.contains(name) else { return nil }
    return .remark(
      rest.isEmpty
        ? "entries are saved at once; :q quits"
        : "entries are saved at once; :export \(rest) writes a copy")
  }

  private static func onEntry(_ verb: Verb, _ rest: String) throws(Failure) -> Command {
    if verb == .edit, let space = rest.firstIndex(of: " ") {
      let text = String(rest[space...]).trimmed
      return .run([verb.rawValue, String(rest[..<space]), "--", text])
    }
    // Several entries, or a query, are for the command line's own parser.
    if verb != .edit, rest.contains(" ") || rest.hasPrefix(verb == .show ? "--" : "-") {
      return .run([verb.rawValue] + (try words(rest)))
    }
    return .onEntry(verb, try number(rest, for: verb.rawValue))
  }

  private static func withText(_ name: String, _ rest: String) throws(Failure) -> Command {
    if name == "add", let template = template(rest) { return .addFromTemplate(template) }
    // Options are for the command line's own parser; what it could not take apart is text.
    if ["add", "list"].contains(name), rest.hasPrefix("--"), let words = try? words(rest) {
      return .run([name] + words)
    }
    switch name {
    case "filter": return .filter(rest)
    case "list": return .show(rest)
    case "stats": return try statistics(rest)
    // What is typed may be a day in words, or one whose year makes no difference.
    case "onthisday":
      let words = rest.split(separator: " ").joined(separator: "-")
      return .show("on:*-\(words.isEmpty ? "today" : words)")
    case "sort", "section":
      guard let action = Action(rawValue: "\(name)-\(rest)") else {
        throw Failure(message: "\(name): \(choices(for: name))")
      }
      return .action(action)
    case "view":
      return viewCommand(rest)
    case "open": return .open(unquoted(rest))
    case "drafts": return .draft(rest)
    case "set": return try setCommand(rest)
    case "add", "goto", "search", "theme":
      guard !rest.isEmpty else { throw Failure(message: "\(name): \(missing(for: name))") }
      return named(name, rest)
    default: throw Failure(message: unknown(name))
    }
  }

  /// What the page of statistics cannot show, such as `--format json`, runs as in a shell.
  private static func statistics(_ rest: String) throws(Failure) -> Command {
    guard rest.hasPrefix("--") else { return .statistics(rest, year: nil) }
    let words = rest.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
    guard words[0] == "--year", words.count > 1 else {
      return .run(["stats"] + (try self.words(rest)))
    }
    guard let year = Int(words[1]), 1...9_999 ~= year else {
      throw Failure(message: "stats: \(words[1]) is not a year")
    }
    return .statistics(words.count > 2 ? String(words[2]).trimmed : "", year: year)
  }

  /// The template of a line without a text, which is written in the user's editor.
  private static func template(_ rest: String) -> String? {
    guard rest.hasPrefix("--template"), let words = try? words(rest) else { return nil }
    if words.count == 2, words[0] == "--template" { return words[1] }
    let start = "--template="
    return words.count == 1 && rest.hasPrefix(start) ? String(words[0].dropFirst(start.count)) : nil
  }

  private static func named(_ name: String, _ rest: String) -> Command {
    switch name {
    case "add": .add(rest)
    case "goto": .goTo(rest)
    case "search": .search(rest)
    default: .theme(rest)
    }
  }

  private static func viewCommand(_ rest: String) -> Command {
    let words = rest.split(separator: " ", maxSplits: 1)
    switch (words.first, words.count) {
    case ("save"?, 2): return .saveView(String(words[1]).trimmed)
    case ("delete"?, 2): return .deleteView(String(words[1]).trimmed)
    default: return .view(rest)
    }
  }

  /// `KEY VALUE`, `KEY=VALUE`, `KEY?` or `KEY`.
  private static func setCommand(_ rest: String) throws(Failure) -> Command {
    let end = rest.firstIndex { $0 == " " || $0 == "=" } ?? rest.endIndex
    var key = String(rest[..<end])
    var value = end < rest.endIndex ? String(rest[rest.index(after: end)...]).trimmed : ""
    if value.hasPrefix("=") { value = String(value.dropFirst()).trimmed }
    if key.hasSuffix("?"), value.isEmpty { key.removeLast() }
    guard !key.isEmpty else { throw Failure(message: "set: type a key; :set shows them") }
    guard !value.isEmpty else { return .setting(key) }
    return .set(key, unquoted(value))
  }

  /// A text without the quotation marks around it, which a file or a shell would want.
  private static func unquoted(_ text: String) -> String {
    let quotes: [Character] = ["\"", "'"]
    guard text.count > 1, let first = text.first, quotes.contains(first), text.last == first else {
      return text
    }
    return String(text.dropFirst().dropLast())
  }

  private static func missing(for name: String) -> String {
    switch name {
    case "add": "nothing to save; type a text"
    case "goto": "type a date"
    case "search": "type what to look for"
    default: "type a name"
    }
  }

  private static func choices(for name: String) -> String {
    let names = Action.allCases.map(\.rawValue).filter { $0.hasPrefix(name + "-") }
    return "one of " + names.map { String($0.dropFirst(name.count + 1)) }.joined(separator: ", ")
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

  private static func unknown(_ name: String) -> String {
    let nearest = Spelling.nearest(to: name, among: names)
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
