import ArgumentParser

/// `daybook` without a command: the full screen.
struct ScreenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "screen",
    abstract: "Open the full screen; the same as no command.",
    discussion: """
      Without a terminal on standard input its bytes are keys; without one on standard output the
      final screen is printed as text, LINES × COLUMNS or 24 × 80.

      Example:
        printf 'aBought bread #home\\rq' | daybook
      """.reflowed)

  @Flag(help: "Print every distinct screen, separated by form feeds, not only the last.")
  var frames = false

  @Option(
    help: ArgumentHelp("Show only entries that match.", valueName: "query"),
    completion: .query)
  var filter: String?

  @Option(
    help: ArgumentHelp("Use this theme instead of the configured one.", valueName: "name"),
    completion: .themes)
  var theme: String?

  @Flag(help: "Keep a prompt open: Enter saves an entry, : and / begin commands and searches.")
  var prompt = false

  @Flag(help: "Say one line for each thing that happens, for screen readers; nothing is drawn.")
  var linear = false

  @Option(
    help: ArgumentHelp(
      "Record the run in a new file, with all that is typed and shown, for daybook replay.",
      valueName: "file"),
    completion: .file(extensions: ["jsonl"]))
  var record: String?

  @OptionGroup var dump: DumpOptions
  @OptionGroup var options: GlobalOptions

  func run() throws {
    var screen = FullScreen()
    screen.journal = options.journal
    screen.readOnly = options.readOnly
    screen.color = options.color
    screen.frames = frames
    screen.configuration = try theme.map { try Configuration.ofUser.using(theme: $0) }
    screen.filter = filter ?? ""
    screen.keepsPrompt = prompt
    screen.isLinear = linear
    screen.record = record
    screen.dump = dump
    try screen.open()
  }
}
