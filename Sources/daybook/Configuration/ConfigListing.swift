import Journal
import Screen

/// The settings for `daybook config show`: values and their sources.
struct ConfigListing {
  /// A setting.
  struct Line: Equatable {
    /// The key, with its table: `views.work`.
    var key: [String]
    /// The value as TOML; nil if it is not set.
    var value: String?
    /// Its source.
    var origin: ConfigOrigin
    /// Its purpose.
    var about: String
  }

  private let path: String?
  private let templates: TemplateLibrary
  /// The settings, in the order of the keys.
  let lines: [Line]

  /// Collects the settings for a command with these options.
  ///
  /// - Throws: `StoreError` when no journal can be determined.
  init(_ configuration: Configuration, _ options: GlobalOptions) throws {
    path = configuration.path
    templates = configuration.templates
    var lines = SettingKey.all.map { key in
      Line(
        key: [key.name], value: key.shown(configuration.settings),
        origin: configuration.origin(of: key.name), about: key.about)
    }
    for index in lines.indices {
      switch lines[index].key {
      case ["journal"]: try lines[index].takeJournal(options)
      case ["editor"]: lines[index].takeEditor(configuration.settings)
      default: break
      }
    }
    lines += configuration.settings.views.map { view in
      Line(
        key: ["views", view.name], value: TOMLText.quoted(view.query),
        origin: configuration.origin(of: "views.\(view.name)"), about: "")
    }
    lines += Self.templates(configuration) + Self.keys(configuration)
    self.lines = lines
  }

  /// Rules for all journals first, then those of each journal together.
  private static func templates(_ configuration: Configuration) -> [Line] {
    let rules = configuration.settings.templates
    let known = configuration.templates.names
    var journals: [String?] = [nil]
    for rule in rules where !journals.contains(rule.journal) { journals.append(rule.journal) }
    return journals.flatMap { journal in rules.filter { $0.journal == journal } }.map { rule in
      let isThere = rule.name.isEmpty || known.contains(rule.name)
      return Line(
        key: rule.path, value: TOMLText.quoted(rule.name),
        origin: configuration.origin(of: rule.path.joined(separator: ".")),
        about: isThere ? "" : "there is no \(TemplateLibrary.file(rule.name))")
    }
  }

  /// The keys of each table are adjacent, since TOML allows a table only once.
  private static func keys(_ configuration: Configuration) -> [Line] {
    let changes = configuration.keyChanges
    let tables = [nil] + KeyContext.allCases.map { $0 }
    return tables.flatMap { context in changes.filter { $0.context == context } }.map { change in
      Line(
        key: change.path, value: TOMLText.quoted(change.action?.rawValue ?? ""),
        origin: configuration.origin(of: change.path.joined(separator: ".")), about: "")
    }
  }

  /// Valid TOML, with the source of each value after it.
  var toml: String {
    var text = path.map { "# \($0)" } ?? "# no directory for config.toml"
    var table: [String] = []
    for line in lines {
      let around = Array(line.key.dropLast())
      if around != table {
        table = around
        text += "\n\n[\(table.map(TOMLText.key).joined(separator: "."))]"
      }
      text += "\n" + line.toml
    }
    let names = templates.names
    if let directory = templates.directory, !names.isEmpty {
      // A name may have a line end, which would end the comment.
      text += "\n\n# templates in \(Sanitizing.line(directory)): "
      text += names.map(Sanitizing.line).joined(separator: ", ")
    }
    return text
  }

  /// `{"theme":{"value":"calm","from":"default"},...}`; values as in TOML, without quotes.
  var json: String {
    let members = lines.map { line in
      let inside = JSONLine.object([("value", line.plain), ("from", line.origin.description)])
      return "\(JSONLine.quoted(line.key.joined(separator: "."))):\(inside)"
    }
    let names = templates.names
    let files =
      names.isEmpty
      ? []
      : [
        "\"templates\":"
          + JSONLine.object([
            ("value", names.joined(separator: ", ")), ("from", templates.directory),
          ])
      ]
    return "{\n\((members + files).joined(separator: ",\n"))\n}"
  }
}

extension ConfigListing.Line {
  /// The value without quotes.
  fileprivate var plain: String? {
    guard let value, let item = try? ConfigDocument("x = \(value)", file: "").items.first else {
      return value
    }
    if case .text(let text) = item.value { return text }
    return value
  }

  fileprivate var toml: String {
    let name = TOMLText.key(key.last ?? "")
    let comment = [origin.description, about].filter { !$0.isEmpty }.joined(separator: "; ")
    guard let value else { return "# \(name) =  # \(comment)" }
    return "\(name) = \(value)  # \(comment)"
  }

  fileprivate mutating func takeJournal(_ options: GlobalOptions) throws {
    value = TOMLText.quoted(try JournalLookup.location(options.journal).path)
    if options.journal != nil {
      origin = .option("--journal")
    } else if Places.variable("DAYBOOK_JOURNAL") != nil {
      origin = .environment("DAYBOOK_JOURNAL")
    }
  }

  fileprivate mutating func takeEditor(_ settings: Settings) {
    value = TOMLText.quoted(EditorProcess.command(setting: settings.editor))
    guard origin == .standard else { return }
    let variable = ["VISUAL", "EDITOR"].first { Places.variable($0) != nil }
    if let variable { origin = .environment(variable) }
  }
}

/// The bindings for `daybook config keys`.
///
/// They are in code and not in a file beside the themes, since each action has its own help and a
/// missing one is then a compiler error; the output can be pasted into a configuration to change
/// it.
struct KeyListing {
  private let table: KeyTable

  init(_ table: KeyTable) {
    self.table = table
  }

  /// A table for each context, with each binding and its help.
  var toml: String {
    KeyContext.allCases.map { context in
      let lines = bindings(in: context).map { binding in
        "\(TOMLText.quoted(notation(binding))) = \(TOMLText.quoted(binding.action.rawValue))"
          + "  # \(binding.action.help)"
      }
      return (["[keys.\(context.name)]"] + lines).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// A list of objects with `context`, `keys`, `action` and `help`.
  var json: String {
    JSONLine.list(
      KeyContext.allCases.flatMap { context in
        bindings(in: context).map { binding in
          JSONLine.object([
            ("context", context.name), ("keys", notation(binding)),
            ("action", binding.action.rawValue), ("help", binding.action.help),
          ])
        }
      })
  }

  private func bindings(in context: KeyContext) -> [Binding] {
    table.bindings.filter { $0.contexts.contains(context) }
  }

  /// The sequence with spaces written as a word, since blanks are easily overlooked.
  private func notation(_ binding: Binding) -> String {
    binding.sequence.keys.map { $0 == " " ? "<Space>" : $0 }.joined()
  }
}

/// Small JSON objects with their members in order.
enum JSONLine {
  /// A text in quotes.
  static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONText.append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// An object with string values.
  static func object(_ members: [(name: String, text: String?)]) -> String {
    let inside = members.map { "\(quoted($0.name)):\($0.text.map(quoted) ?? "null")" }
    return "{\(inside.joined(separator: ","))}"
  }

  /// A list, one element per line.
  static func list(_ elements: [String]) -> String {
    elements.isEmpty ? "[]" : "[\n\(elements.joined(separator: ",\n"))\n]"
  }
}
