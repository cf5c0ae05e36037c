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
      standard error, unless --yes; any answer except y or yes changes nothing. Prints the number of
      removed entries. Ends with 1 if there was nothing to remove. Without --older the age is
      purge_after of config.toml; if that is not set, the whole trash is removed.

      Examples:
        daybook purge
        daybook purge --older 30d --yes
      """.reflowed)

  static let wordOrder = WordOrder.plain

  @Option(
    help: ArgumentHelp("Only entries deleted before: 30d, 2026-11.", valueName: "when"),
    completion: .date)
  var older: String?
  @Flag(help: "Do not ask.") var yes = false
  // The fingerprint of the entries in the question that the screen has asked.
  @Option(help: .hidden) var confirmed: String?
  @OptionGroup var options: GlobalOptions

  func run(in context: CommandContext) throws {
    let count = try context.changing { store in
      let trash = try context.work("looking for entries").run { isCancelled in
        try store.cancellable(isCancelled) {
          try OldTrash(store, older: older, context.settings)
        }
      }
      guard !trash.numbers.isEmpty else {
        throw Failure(.notDone, "nothing in the trash to remove")
      }
      if !yes {
        try context.confirm(
          "Remove \(Numbers.entries(trash.numbers.count)) for good? This cannot be undone.",
          refusal: "nothing removed", advice: "--yes removes without asking",
          consent: ["--yes", "--confirmed", trash.fingerprint])
      }
      let removed = try context.bulkChange("removing", in: store) {
        try trash.remove(confirmed: yes ? confirmed : trash.fingerprint, $0)
      }
      // An editor that was closed at once may have left a copy of a text.
      let drafts = try? DraftStore.standard(for: store.path, form: DraftForm(of: store))
      drafts?.removeUnchanged()
      return removed
    }
    try context.printDone("\(count)", news: "removed \(Numbers.entries(count)) for good")
  }
}

/// The entries that a purge removes: the whole trash, or its entries deleted before a time.
struct OldTrash {
  /// The numbers of the entries, ascending.
  let numbers: [Int64]
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
    let trash = try store.numbers(matching: .flag(.deleted)).sorted()
    guard let limit else {
      numbers = trash
      return
    }
    numbers = try store.inspect { reader in
      try trash.filter { number in
        try (reader.entry(number: number)?.deleted).map { $0.seconds < limit.seconds } ?? false
      }
    }
  }

  /// Identifies the entries, so that a purge removes only those that the question named.
  var fingerprint: String { Self.fingerprint(numbers) }

  private static func fingerprint(_ numbers: [Int64]) -> String {
    let bytes = Array(numbers.map(String.init).joined(separator: " ").utf8)
    return String(Draft.fingerprint(bytes), radix: 16)
  }

  /// Removes the entries permanently.
  ///
  /// - Parameter confirmed: the fingerprint of the confirmed entries; `nil` for any.
  /// - Returns: the number of removed entries.
  /// - Throws: ``Failure`` 1 if the trash has other entries by now; the errors of the store.
  func remove(
    confirmed: String?, _ options: BulkOptions = BulkOptions()
  ) throws -> Int {
    try store.purge(deletedBefore: limit, options) { numbers in
      guard let confirmed, Self.fingerprint(numbers.sorted()) != confirmed else { return }
      throw Failure(.notDone, "the trash has changed; nothing removed; run purge again")
    }
  }

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
