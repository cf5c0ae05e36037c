import ArgumentParser
import Journal
import JournalStore

/// `daybook random`: prints any entry.
struct RandomCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "random",
    abstract: "Print any entry.",
    discussion: """
      One of all entries outside the trash, or of those that the query matches, as "show" prints it. With
      --daily it is the same one all day, of the days before today if there are any: for a greeting of
      the shell. If there is none, the exit code is 1.

      Examples:
        daybook random
        daybook random '#travel' until:1y
        daybook random --daily
      """.reflowed)

  static let wordOrder = WordOrder.text

  @Option(help: "The output format.") var format: AddCommand.Format = .text
  @Flag(help: "The same entry all day.") var daily = false
  @OptionGroup var options: GlobalOptions
  @OptionGroup var pager: PagerOptions
  @Argument(
    help: "The query; all entries by default. -term excludes.", completion: .query)
  var query: [String] = []

  func run(in context: CommandContext) throws {
    let settings = context.settings
    let parsed = query.isEmpty ? nil : try QueryWords.parsed(query, settings)
    let store = try context.store(for: .reading)
    let today = settings.dayRule.day(of: store.clock.moment())
    var random = SystemRandomNumberGenerator()
    let found =
      daily
      ? try store.entryOfDay(today, matching: parsed)
      : try store.randomEntry(matching: parsed, using: &random)
    guard let number = found else { throw Failure(.notDone, "no entries match") }
    try context.paging(pager) {
      try ShowCommand.show([number], of: store, as: format, on: context.output)
    }
  }
}
