import ArgumentParser

/// Options that every command takes, before or after its name.
struct GlobalOptions: ParsableArguments {
  /// When colours are used.
  enum Color: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
  }

  @Option(
    help: ArgumentHelp("Use this journal instead of the usual one.", valueName: "path"),
    completion: .file())
  var journal: String?

  @Flag(help: "Open the journal without any write.")
  var readOnly = false

  @Option(help: "Use colours and attributes.")
  var color: Color = .auto
}
