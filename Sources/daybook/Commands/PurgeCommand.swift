import ArgumentParser
import Journal
import JournalStore
import Screen

/// `daybook purge`: removes the entries in the trash permanently.
struct PurgeCommand: JournalCommand {
  static let configuration = CommandConfiguration(
    commandName: "purge", abstract: "Remove the entries in the trash permanently.",
    discussion: """
      Removes the entries with their versions and undo data; this cannot be undone. Asks first, on
      standard error, unless --yes; any answer but y or yes changes nothing. Prints the number of
      removed entries. Ends with 1 if there was nothing to remove. Without --older the age is
      purge_after of config.toml; if that is not set, the whole trash is removed.

      Examples:
        daybook purge
        daybook purge --older 30d --yes
      """.reflowed)

  static let wordOrder = WordOrder.plain(values: ["--older"])

  @Option(
    help: ArgumentHelp("Only entries deleted before: 30d, 2026-11.", valueName: "when"),
    completion: .date)
  var older: String?
  @Flag(help: "Do not ask.") var yes = false
  @OptionGroup var options: GlobalOptions

  func run(in context: CommandContext) throws {
    let count = try context.changing { store in
      let trash = try OldTrash(store, older: older, context.settings)
      guard trash.count > 0 else { throw Failure(.notDone, "nothing in the trash to remove") }
      if !yes {
        try context.confirm(
          "Remove \(Numbers.entries(trash.count)) for good? This cannot be undone.",
          refusal: "nothing removed", advice: "--yes removes without asking")
      }
      return try trash.remove()
    }
    try context.printDone("\(count)", news: "removed \(Numbers.entries(count)) for good")
  }
}

/// The entries that a purge removes: the whole trash, or its entries deleted before a time.
struct OldTrash {
  /// The number of entries.
  let count: Int
  private let store: any EntryStore
  private let limit: Moment?

  /// Counts the entries.
  ///
  /// - Parameter older: the age in words, as `--older` takes it; `nil` for the age in the settings.
  /// - Throws: ``Failure`` 65 for an invalid date, and the errors of the store.
  init(_ store: any EntryStore, older: String?, _ settings: Settings) throws {
    let age = older ?? settings.purgeAfter
    let limit = try age.map { try Self.limit($0, store.clock, settings.dayRule) }
    self.store = store
    self.limit = limit
    let trash = try store.numbers(matching: .flag(.deleted))
    guard let limit else {
      count = trash.count
      return
    }
    count = try store.inspect { reader in
      try trash.count { number in
        try (reader.entry(number: number)?.deleted).map { $0.seconds < limit.seconds } ?? false
      }
    }
  }

  /// Removes the entries permanently.
  ///
  /// - Returns: the number of removed entries.
  /// - Throws: the errors of the store.
  func remove() throws -> Int { try store.purge(deletedBefore: limit) }

  /// The limit for a day is the midnight before it, for a month or a year that of its first day.
  private static func limit(
    _ words: String, _ clock: WallClock, _ rule: DayRule
  ) throws(Failure) -> Moment {
    do {
      switch try When.parse(words, now: clock.moment(), clock: clock, rule: rule) {
      case .moment(let moment, _): return moment
      case .day(let day, _):
        return clock.moment(at: clock.seconds(ofLocal: day, hour: 0, minute: 0).seconds)
      }
    } catch {
      throw Failure(.badData, "--older: \(error)")
    }
  }
}
