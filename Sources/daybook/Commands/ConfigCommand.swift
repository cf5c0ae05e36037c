import ArgumentParser

/// `daybook config`: the settings and their origins.
struct ConfigCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show or edit the settings; show keys and themes.",
    discussion: """
      show prints every setting with its value and its origin: the default, a line of config.toml,
      the environment, or an option. keys prints all bindings. Both are TOML that can be pasted into
      config.toml. themes lists the themes; the one in use has a star. path prints the path of
      config.toml, even if the file does not exist.

      Examples:
        daybook config show
        daybook config keys | grep fold
        daybook config themes --color always
        ${EDITOR:-vi} "$(daybook config path)"
      """.reflowed)

  /// The printed part of the configuration.
  enum Subject: String, CaseIterable, ExpressibleByArgument {
    case show, path, keys, themes
  }

  @Argument(help: "The part to show.") var subject: Subject = .show
  @Option(help: "The output format.") var format: AddCommand.Format = .text
  @OptionGroup var options: GlobalOptions

  func run(in context: CommandContext) throws {
    let output = context.output
    let configuration = Configuration.ofUser
    let isJSON = format == .json
    switch subject {
    case .path: try printPath(configuration, output)
    case .show:
      let listing = try ConfigListing(configuration, options)
      try output.line(isJSON ? listing.json : listing.toml)
    case .keys:
      let listing = KeyListing(configuration.keys)
      try output.line(isJSON ? listing.json : listing.toml)
    case .themes:
      let listing = ThemeListing(configuration, options.ink(on: output))
      try output.line(isJSON ? listing.json : listing.text)
    }
    try output.flush()
  }

  private func printPath(_ configuration: Configuration, _ output: Output) throws {
    guard let path = configuration.path else {
      throw Failure(.cannotCreate, "HOME is not set to an absolute path; set HOME")
    }
    if format == .json {
      try output.line("{\"path\":\(JSONLine.quoted(path))}")
    } else {
      try output.line(output.isTerminal ? Sanitizing.line(path) : path)
    }
  }
}
