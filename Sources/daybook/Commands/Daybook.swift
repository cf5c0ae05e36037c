import ArgumentParser
import Journal

/// The command line as a whole.
struct Daybook: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daybook",
    abstract: "A journal in the terminal.",
    discussion: """
      Without a command the full screen opens; ? shows its keys there.

      Examples:
        daybook
        daybook add Bought bread '#home'
        daybook add yesterday 9am: Called Anna
        daybook list '#home' since:monday
        daybook export -o journal.md
      """.reflowed,
    version: "daybook \(Release.version)" + license,
    groupedSubcommands: [
      CommandGroup(
        name: "Write",
        subcommands: [
          AddCommand.self, EditCommand.self, AttachCommand.self, TagCommand.self, UntagCommand.self,
          StarCommand.self,
          UnstarCommand.self, RedateCommand.self,
        ]),
      CommandGroup(
        name: "Read",
        subcommands: [
          ListCommand.self, ShowCommand.self, FilesCommand.self, FileCommand.self,
          RandomCommand.self, HistoryCommand.self, WatchCommand.self,
        ]),
      CommandGroup(
        name: "Tags, links and fields",
        subcommands: [
          TagsCommand.self, LinksCommand.self, FieldsCommand.self, StatsCommand.self,
        ]),
      CommandGroup(
        name: "Delete and undo",
        subcommands: [
          DeleteCommand.self, RestoreCommand.self, PurgeCommand.self, UndoCommand.self,
          RedoCommand.self, ChangesCommand.self,
        ]),
      CommandGroup(
        name: "Keep and move data",
        subcommands: [
          SyncCommand.self, BackupCommand.self, DoctorCommand.self, ImportCommand.self,
          ExportCommand.self, MCPCommand.self,
        ]),
      CommandGroup(
        name: "Seal",
        subcommands: [
          SealCommand.self, UnsealCommand.self, PassphraseCommand.self, LockCommand.self,
          UnlockCommand.self,
        ]),
      CommandGroup(
        name: "Screen and settings",
        subcommands: [
          ScreenCommand.self, ConfigCommand.self, RemindCommand.self, PlayCommand.self,
          DemoCommand.self,
          ReplayCommand.self,
        ]),
    ],
    defaultSubcommand: ScreenCommand.self)

  /// The lines of `--version` after the name and the number.
  private static let license = """

    License GPL-3.0-or-later <https://gnu.org/licenses/gpl.html>; it links GNU readline.
    The library SectionedResults is also available under the MIT License.
    This is free software; there is NO WARRANTY, to the extent permitted by law.
    """

  /// For the help and completion only; ``CommandParser`` moves global options after the command's
  /// name.
  @OptionGroup var options: GlobalOptions

  static var commandTypes: [any ParsableCommand.Type] { configuration.subcommands }

  /// The commands that do not run on the screen; all others are ``JournalCommand`` types.
  ///
  /// To find that out by a cast takes a tenth of the time to the first screen, so a test compares.
  static let shellOnly: Set = ["screen", "watch", "mcp", "play", "demo", "replay"]

  /// The names of the commands that also run on the screen.
  static var screenCommandNames: [String] {
    commandTypes.compactMap { $0.configuration.commandName }.filter { !shellOnly.contains($0) }
  }

  /// The first words of command lines.
  static let commandNames =
    configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
}

/// Options that every command takes, before or after its name.
struct GlobalOptions: ParsableArguments {
  /// When output has colours.
  enum Color: String, CaseIterable, ExpressibleByArgument {
    case auto, always, never
  }

  @Option(
    help: ArgumentHelp("Use this journal instead of the default one.", valueName: "path"),
    completion: .file())
  var journal: String?

  @Flag(help: "Open the journal read-only.")
  var readOnly = false

  @Option(help: "Use colours and attributes.")
  var color: Color = .auto

  /// The parsed values.
  var values: Values { Values(journal: journal, readOnly: readOnly, color: color) }

  /// The values of the options; without a parser, their defaults.
  struct Values: Equatable {
    var journal: String?
    var readOnly = false
    var color = Color.auto
  }
}
