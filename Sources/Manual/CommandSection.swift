/// What the manual says of one command.
struct CommandSection {
  private let command: CommandDescription
  private let arguments: [ArgumentDescription]

  /// Takes a command, and the options that are described elsewhere.
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

  /// An option with what it does and which values it takes.
  static func item(_ argument: ArgumentDescription) -> [String] {
    let value = Roff.italic(value(argument))
    let names = argument.written.map { name in
      argument.kind == "flag" ? Roff.bold(name) : "\(Roff.bold(name)) \(value)"
    }
    let term = names.isEmpty ? value : names.joined(separator: ", ")
    var text = argument.abstract ?? ""
    if let values = argument.allValues, !values.isEmpty {
      text += " One of \(values.joined(separator: ", "))"
      text += argument.defaultValue.map { "; usually \($0)." } ?? "."
    }
    return Roff.item(term, text)
  }

  private static func value(_ argument: ArgumentDescription) -> String {
    argument.valueName ?? argument.names?.first?.name ?? "value"
  }
}
