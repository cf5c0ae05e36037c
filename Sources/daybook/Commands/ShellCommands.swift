import ArgumentParser
import Journal
import Screen

extension CommandCatalog {
  /// The commands of this program by their names, which is all that reading a line needs.
  static let ofProgram = CommandCatalog(
    shell: Daybook.commandTypes.filter { $0 is any JournalCommand.Type }
      .compactMap { $0.configuration.commandName }.map { ShellCommand($0) })

  /// The same with their options and arguments, for completion.
  ///
  /// The argument parser describes them, which takes some milliseconds: they are read at the first Tab.
  static let withArguments = CommandCatalog(shell: ShellCommand.described())
}

extension ShellCommand {
  /// The commands that run on the screen, from the description that the argument parser gives of itself.
  fileprivate static func described() -> [ShellCommand] {
    let dump = try? JSONValue(Array(Daybook._dumpHelp().utf8))
    let names = Set(
      Daybook.commandTypes.filter { $0 is any JournalCommand.Type }
        .compactMap { $0.configuration.commandName })
    return (dump?["command"]?["subcommands"]?.array ?? []).compactMap { command in
      guard let name = command["commandName"]?.string, names.contains(name) else { return nil }
      let arguments = (command["arguments"]?.array ?? []).compactMap(Argument.init(described:))
      return ShellCommand(name, arguments: arguments)
    }
  }
}

extension ShellCommand.Argument {
  /// The options that every command has, which are the program's own on the screen.
  private static let global: Set = ["--journal", "--read-only", "--color", "--version", "--help"]

  fileprivate init?(described argument: JSONValue) {
    let names = (argument["names"]?.array ?? []).compactMap { name in
      name["name"]?.string.map { name["kind"]?.string == "long" ? "--\($0)" : "-\($0)" }
    }
    guard Self.global.isDisjoint(with: names) else { return nil }
    self.init(
      names: names, valueName: argument["valueName"]?.string ?? "",
      values: (argument["allValues"]?.array ?? []).compactMap(\.string),
      isFlag: argument["kind"]?.string == "flag")
  }
}
