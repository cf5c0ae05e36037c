import ArgumentParser
import Journal
import JournalStore

/// `daybook purge`: empties the trash for good.
struct PurgeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "purge", abstract: "Remove what is in the trash for good.",
    discussion: """
      The entries go with their versions and undo data; this cannot be undone. Asks first, on
      standard error, unless --yes; any answer but y or yes leaves everything as it is. Prints how
      many entries were removed. Ends with 1 if there was nothing to remove. Without --older the age
      is purge_after of config.toml, and without that too, the whole trash goes.

      Examples:
        daybook purge
        daybook purge --older 30d --yes
      """)

  @Option(
    help: ArgumentHelp("Only what went to the trash before: 30d, 2026-11.", valueName: "when"),
    completion: .date)
  var older: String?
  @Flag(help: "Do not ask.") var yes = false
  @OptionGroup var options: GlobalOptions

  func run() throws {
    let count = try JournalOpening.changing(options) { try remove(in: $0) }
    try Console.tellDone("\(count)")
  }

  /// Removes what is old enough, once somebody has agreed.
  ///
  /// - Returns: how many entries went.
  private func remove(in store: any EntryStore) throws -> Int {
    let age = older ?? Configuration.ofUser.settings.purgeAfter
    let limit = try age.map { try Self.limit($0, store.clock) }
    let trash = try store.numbers(matching: .flag(.deleted)).filter { number in
      guard let limit else { return true }
      return try (store.entry(number).deleted?.seconds).map { $0 < limit.seconds } ?? false
    }
    guard !trash.isEmpty else { throw Failure(.notDone, "nothing to remove from the trash") }
    if !yes { try ask(trash.count) }
    return try store.purge(deletedBefore: limit)
  }

  private func ask(_ count: Int) throws(Failure) {
    let question = "Remove \(Counting.entries(count)) for good? This cannot be undone. [y/N] "
    guard Console.agrees(question) else {
      throw Failure(.notDone, "nothing removed; --yes removes without asking")
    }
  }

  /// Of a day the midnight before it, of a month or a year that of the first day.
  private static func limit(_ words: String, _ clock: WallClock) throws(Failure) -> Moment {
    let now = clock.moment()
    do {
      switch try When.parse(
        words, now: now, clock: clock, rule: Configuration.ofUser.settings.dayRule)
      {
      case .moment(let moment, _): return moment
      case .day(let day, _):
        return clock.moment(at: clock.seconds(ofLocal: day, hour: 0, minute: 0).seconds)
      }
    } catch {
      throw Failure(.badData, "--older: \(error)")
    }
  }
}
