/// The section about one command.
struct CommandSection {
  private let command: CommandDescription
  private let arguments: [ArgumentDescription]

  /// Takes a command, without the options that are described elsewhere.
  init(_ command: CommandDescription, without shared: [ArgumentDescription]) {
    self.command = command
    arguments = (command.arguments ?? []).filter { argument in
      argument.shouldDisplay && !shared.contains(argument)
        && !argument.written.contains { ["--help", "--version"].contains($0) }
    }
  }

  var lines: [String] {
    let intro = [command.abstract ?? "", command.explanation].filter { !$0.isEmpty }
    return [".SS \(Roff.plain(command.commandName))", synopsis, ".PP"]
      + Roff.paragraphs(intro.joined(separator: "\n\n"))
      + arguments.filter { $0.abstract != nil }.flatMap { CommandSection.item($0) }
  }

  private var synopsis: String {
    let parts = arguments.map { argument in
      let value = Roff.italic(CommandSection.value(argument))
      let name = argument.written.last.map(Roff.bold)
      let word =
        switch argument.kind {
        case "positional": value
        case "flag": name ?? ""
        default: "\(name ?? "") \(value)"
        }
      let repeated = argument.isRepeating ? "\(word)..." : word
      return argument.isOptional ? "[\(repeated)]" : repeated
    }
    return (["\\fBdaybook \(Roff.plain(command.commandName))\\fR"] + parts).joined(separator: " ")
  }

  /// An option with its description and its values.
  static func item(_ argument: ArgumentDescription) -> [String] {
    let value = Roff.italic(value(argument))
    let names = argument.written.map { name in
      argument.kind == "flag" ? Roff.bold(name) : "\(Roff.bold(name)) \(value)"
    }
    let term = names.isEmpty ? value : names.joined(separator: ", ")
    var text = argument.abstract ?? ""
    if let values = argument.allValues, !values.isEmpty {
      let named = values.map { $0 == argument.defaultValue ? "\($0) (default)" : $0 }
      text += " One of \(named.joined(separator: ", "))."
    }
    return Roff.item(term, text)
  }

  private static func value(_ argument: ArgumentDescription) -> String {
    argument.valueName ?? argument.names?.first?.name ?? "value"
  }
}

/// A command in the argument parser's dump.
struct CommandDescription: Decodable {
  /// The whole dump.
  struct Document: Decodable {
    var command: CommandDescription
  }

  var commandName: String
  var abstract: String?
  var discussion: String?
  var arguments: [ArgumentDescription]?
  var subcommands: [CommandDescription]?
  var shouldDisplay: Bool?

  /// The discussion without its examples.
  var explanation: String {
    guard let discussion else { return "" }
    let lines = discussion.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.prefix { !Self.examplesBegin($0) }.joined(separator: "\n")
  }

  /// The examples, one command line each.
  var examples: [String] {
    guard let discussion else { return [] }
    let lines = discussion.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { !Self.examplesBegin($0) }.dropFirst().map {
      String($0.drop { $0 == " " })
    }
    .filter { !$0.isEmpty }
  }

  private static func examplesBegin(_ line: Substring) -> Bool {
    line == "Examples:" || line == "Example:"
  }
}

/// An option, a flag or an argument of a command.
struct ArgumentDescription: Decodable, Hashable {
  /// A spelling of it.
  struct Name: Decodable, Hashable {
    var kind: String
    var name: String

    /// The name with its hyphens.
    var written: String { kind == "long" ? "--\(name)" : "-\(name)" }
  }

  var kind: String
  var names: [Name]?
  var valueName: String?
  var abstract: String?
  var isOptional: Bool
  var isRepeating: Bool
  var shouldDisplay: Bool
  var allValues: [String]?
  var defaultValue: String?

  /// The names with hyphens, the short ones first.
  var written: [String] {
    (names ?? []).sorted { $0.kind > $1.kind }.map(\.written)
  }
}
