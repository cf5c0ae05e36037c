import ArgumentParser
import Journal
import JournalStore
import SectionedResults

extension ListOrder: ExpressibleByArgument {}
extension Sectioning: ExpressibleByArgument {}

/// `daybook list`: entries by section.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Print entries by section.",
    discussion: """
      As text: the title of each section, then a line an entry: number, time, star, title.

      Examples:
        daybook list --limit 10
        daybook list --section month --sort oldest
        daybook list --format jsonl | grep bread
      """)

  /// What is printed.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, jsonl
  }

  @Option(help: "Print at most so many entries.") var limit: Int?
  @Option(help: "Leave out so many entries at the beginning.") var offset = 0
  @Option(help: "The order.") var sort: ListOrder = .newest
  @Option(help: "What sections are made by.") var section: Sectioning = .day
  @Option(help: "What to print.") var format: Format = .text
  @OptionGroup var options: GlobalOptions
  @Argument(help: "Which entries; all without a query.") var query: [String] = []

  func validate() throws {
    guard limit ?? 0 >= 0, offset >= 0 else {
      throw ValidationError("--limit and --offset must not be negative")
    }
  }

  func run() throws {
    let query = try parsedQuery()
    let store = try JournalOpening.store(options, for: .reading)
    let request = FetchRequest<EntryRow>.entries(
      query: query, order: sort, sectioning: section, limit: limit, offset: offset)
    let output = Output()
    switch format {
    case .text: try TextListing(output, section).write(request, store)
    case .json: try JSONListing(output, isDocument: true).write(request, store)
    case .jsonl: try JSONListing(output, isDocument: false).write(request, store)
    }
    try output.flush()
  }

  private func parsedQuery() throws(Failure) -> Query? {
    guard !query.isEmpty else { return nil }
    let clock = WallClock.system
    do {
      return try Query.parse(arguments: query, now: clock.moment(), clock: clock, rule: DayRule())
    } catch {
      throw Failure(.usage, "query: \(error)")
    }
  }
}
