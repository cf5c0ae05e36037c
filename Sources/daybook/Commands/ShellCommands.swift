import ArgumentParser
import Journal
import Screen

extension CommandCatalog {
  /// The names of the program's commands, enough to parse a line.
  static let ofProgram = CommandCatalog(
    shell: Daybook.screenCommandNames.map { ShellCommand($0) }, shellOnly: Daybook.shellOnly)

  /// The commands with their options and arguments, for completion.
  ///
  /// The argument parser generates the description in some milliseconds, so it is read at the first
  /// Tab.
  static let withArguments = CommandCatalog(
    shell: ShellCommand.described(), shellOnly: Daybook.shellOnly)
}

extension ShellCommand {
  /// The commands that run on the screen, from the argument parser's description of itself.
  fileprivate static func described() -> [ShellCommand] {
    let dump = try? JSONValue(Array(Daybook._dumpHelp().utf8))
    let names = Set(Daybook.screenCommandNames)
    return (dump?["command"]?["subcommands"]?.array ?? []).compactMap { command in
      guard let name = command["commandName"]?.string, names.contains(name) else { return nil }
      let arguments = (command["arguments"]?.array ?? []).compactMap(Argument.init(described:))
      return ShellCommand(name, arguments: arguments)
    }
  }
}

extension ShellCommand.Argument {
  /// The global options, which belong to the program on the screen.
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
