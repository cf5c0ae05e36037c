import Screen

extension TestStore {
  /// A catalog with commands of a shell, as a program describes its own.
  static let catalog = CommandCatalog(shell: described + named, shellOnly: ["watch", "play"])

  /// Commands whose lines the screen parses itself, but for options.
  private static let named = [
    "show", "edit", "delete", "restore", "unstar", "untag", "redate", "undo", "redo", "history",
    "tags", "stats",
  ].map { ShellCommand($0) }

  private static let described = [
    command("purge", "older=when", "yes"), command("config", "", "format=text|json"),
    command("doctor", "fix", "salvage=file"), command("star", "where=query", " id"),
    command("add", "date=when", "star", "tag=tag", " text"),
    command("list", "sort=newest|oldest", "section=day|week", "limit=n", " query"),
    command("tag", "where=query", "tag=tag", " id"),
    command("import", "from=jrnl|markdown", "dry-run", " file"),
    command("export", "format=json|csv", "output=file", "force", " query"),
    command("backup", "force", "restore", "yes", " file"),
  ]

  /// A command of options `name`, of options with values `name=kind` or `name=value|value`, and of
  /// arguments ` kind`.
  private static func command(_ name: String, _ arguments: String...) -> ShellCommand {
    ShellCommand(
      name,
      arguments: arguments.filter { !$0.isEmpty }.map { argument in
        guard argument.first != " " else {
          return ShellCommand.Argument(
            names: [], valueName: String(argument.dropFirst()), values: [], isFlag: false)
        }
        let parts = argument.split(separator: "=").map(String.init)
        let values = parts.last?.split(separator: "|").map(String.init) ?? []
        return ShellCommand.Argument(
          names: ["--\(parts[0])"], valueName: parts.last ?? "",
          values: values.count > 1 ? values : [], isFlag: parts.count == 1)
      })
  }
}
