import ArgumentParser

/// `daybook config`: the settings and their origins, and their file.
struct ConfigCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show or edit the settings; show keys and themes.",
    discussion: """
      show prints every setting with its value and its origin: the default, a line of config.toml,
      the environment, or an option. keys prints all bindings. Both are TOML that can be pasted into
      config.toml. themes lists the themes; the one in use has a star. path prints the path of
      config.toml, even if the file does not exist.

      init writes a config.toml with a commented line for each setting; it replaces a file only with
      --force. edit opens the file in the editor, and creates it first if there is none. Wrong lines
      are reported afterwards, with exit code 78; all others apply. After :config edit, the screen
      follows the file at once.

      Examples:
        daybook config show
        daybook config keys | grep fold
        daybook config themes --color always
        daybook config init
        daybook config edit
      """.reflowed)

  /// The printed part of the configuration, or what to do with its file.
  enum Subject: String, CaseIterable, ExpressibleByArgument {
    case show, path, keys, themes, `init`, edit
  }

  @Argument(help: "The part to show, or what to do with the file.") var subject: Subject = .show
  @Flag(help: "With init, replace an existing file.") var force = false
  @Option(help: "The output format.") var format: AddCommand.Format = .text
  @OptionGroup var options: GlobalOptions

  func validate() throws {
    guard !force || subject == .`init` else { throw ValidationError("--force needs init") }
  }

  func run(in context: CommandContext) throws {
    let output = context.output
    let configuration = context.configuration
    let isJSON = format == .json
    switch subject {
    case .path: try printPath(configuration, output)
    case .`init`:
      try ConfigExample.write(to: configuration.path, replacing: force)
      let path = configuration.path ?? ""
      return try context.printDone(
        path, news: "wrote \(Places.abbreviated(path)); :config edit opens it",
        done: "the file is written")
    case .edit: return try edit(configuration, context)
    case .show:
      let listing = try ConfigListing(configuration, options)
      try output.line(isJSON ? listing.json : listing.toml, isSafe: isJSON)
    case .keys:
      let listing = KeyListing(configuration.keys)
      try output.line(isJSON ? listing.json : listing.toml, isSafe: isJSON)
    case .themes:
      let listing = ThemeListing(configuration, options.ink(on: output))
      try output.line(isJSON ? listing.json : listing.text, isSafe: true)
    }
    try output.flush()
  }

  /// Opens the file in the editor, and reads it again.
  ///
  /// - Throws: ``Failure`` 78 with a wrong line of the file; the others are reported before it.
  private func edit(_ configuration: Configuration, _ context: CommandContext) throws {
    let file = try ConfigEdit(configuration.path)
    if !file.exists { try ConfigExample.write(to: configuration.path, replacing: false) }
    let problems = try context.editConfiguration(configuration.path ?? "")
    guard let last = problems.last else {
      if context.isOnScreen { try context.printDone("reloaded config.toml") }
      return
    }
    for problem in problems.dropLast() { context.complain(problem.description) }
    throw Failure(.notUsable, last.description)
  }

  private func printPath(_ configuration: Configuration, _ output: Output) throws {
    guard let path = configuration.path else {
      throw Failure(.cannotCreate, "HOME is not set to an absolute path; set HOME")
    }
    if format == .json {
      try output.line("{\"path\":\(JSONLine.quoted(path))}", isSafe: true)
    } else {
      try output.line(output.isTerminal ? Sanitizing.line(path) : path)
    }
  }
}
