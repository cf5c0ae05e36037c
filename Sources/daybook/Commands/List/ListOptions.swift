import ArgumentParser
import Journal
import JournalStore
import SectionedResults

extension ListOrder: ExpressibleByArgument {}
extension Sectioning: ExpressibleByArgument {}

/// Which entries a list shows, in which order and sections.
struct ListOptions: ParsableArguments {
  @Option(help: "At most so many entries.") var limit: Int?
  @Option(help: "Leave out so many entries at the beginning.") var offset = 0
  @Option(help: "The order; newest, or as config.toml says.") var sort: ListOrder?
  @Option(help: "What sections are made by; day, or as config.toml says.")
  var section: Sectioning?
  @Argument(help: "Which entries; all without a query. -term leaves out.", completion: .query)
  var query: [String] = []

  func validate() throws {
    for (name, value) in [("--limit", limit ?? 0), ("--offset", offset)] where value < 0 {
      throw ValidationError("\(name) must not be negative: \(value)")
    }
  }

  /// The order that is asked for, else the user's usual one.
  var order: ListOrder { sort ?? Configuration.ofUser.settings.sort }
  /// The sections that are asked for, else the user's usual ones.
  var sectioning: Sectioning { section ?? Configuration.ofUser.settings.section }

  /// The list that is asked for.
  ///
  /// - Parameter pageSize: how many rows are read at once.
  /// - Throws: ``Failure`` 64 for a query that cannot be understood.
  func request(pageSize: Int = 64) throws(Failure) -> FetchRequest<EntryRow> {
    .entries(
      query: query.isEmpty ? nil : try QueryWords.parsed(query), order: order,
      sectioning: sectioning, limit: limit, offset: offset, pageSize: pageSize)
  }
}

/// Queries on the command line.
enum QueryWords {
  /// Reads a query from its words.
  ///
  /// - Throws: ``Failure`` 64 saying where it is wrong.
  static func parsed(_ words: [String]) throws(Failure) -> Query {
    let clock = WallClock.system
    do {
      return try Query.parse(
        arguments: words, now: clock.moment(), clock: clock,
        rule: Configuration.ofUser.settings.dayRule)
    } catch {
      throw Failure(.usage, "query: \(error)")
    }
  }
}
