import ArgumentParser
import Screen

/// The help of the program as a whole: its commands in groups, one per line.
///
/// The parser's own list gives a third of the width to the names, so that most lines wrap. Names,
/// groups and texts come from the definitions of the commands.
struct ProgramHelp {
  /// The width of the lines, in columns.
  let columns: Int

  /// The text, without a line end after the last line.
  var text: String {
    let configuration = Daybook.configuration
    let blocks =
      [configuration.abstract, "USAGE: daybook [<options>] [<command>] [<arguments>]"]
      + configuration.groupedSubcommands.map(lines) + [options]
      + configuration.discussion.split(separator: "\n\n").map(String.init) + [Self.advice]
    // A block of several lines is a list, which is as wide as it is.
    return blocks.map { $0.contains("\n") ? $0 : indented($0, by: 0) }.joined(separator: "\n\n")
  }

  private static let advice =
    "See \"daybook COMMAND --help\" for one command and \"man daybook\" for everything."

  /// The name of a group, then its commands.
  private func lines(_ group: CommandGroup) -> String {
    let lines = group.subcommands.map { type in
      let name = "  \(type.configuration.commandName ?? "")"
      let gap = String(repeating: " ", count: max(2, Self.margin - name.count))
      return name + gap + indented(type.configuration.abstract, by: Self.margin)
    }
    return ([group.name.uppercased() + ":"] + lines).joined(separator: "\n")
  }

  /// The column of the commands' texts.
  private static let margin = 11

  /// A text in lines of the width; all but the first begin with spaces.
  private func indented(_ text: String, by margin: Int) -> String {
    text.wrapped(columns: max(1, columns - margin))
      .joined(separator: "\n" + String(repeating: " ", count: margin))
  }

  /// The parser's list of global options.
  private var options: String {
    let blocks = Daybook.helpMessage(columns: columns).split(separator: "\n\n").map(String.init)
    return blocks.first { $0.hasPrefix("OPTIONS:\n") } ?? ""
  }
}
