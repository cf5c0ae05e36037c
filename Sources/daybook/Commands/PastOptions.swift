import ArgumentParser
import Journal
import JournalStore

/// The option of commands that read the journal also as it was.
struct PastOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The journal as it was then; a day alone means its end.", valueName: "when"),
    completion: .date)
  var at: String?

  /// The journal to read: as it is, or as it was.
  ///
  /// - Throws: ``Failure`` 65 for a date that is none or has not come yet; `StoreError` if the change log
  ///   begins later.
  func store(in context: CommandContext) throws -> any EntryStore {
    // A wrong date must not ask for a passphrase first.
    guard let at else { return try context.store(for: .reading) }
    let moment = try Dates.past(at, clock: .system, rule: context.settings.dayRule)
    let store = try context.store(for: .reading)
    let past = try Self.past(of: store, at: moment, for: context.observer)
    if let loss = past.loss { context.complain(loss) }
    return past.store
  }

  /// Reads a journal as it was, with progress; `^C` cancels.
  static func past(
    of store: any EntryStore, at moment: Moment, for observer: any WorkObserver
  ) throws -> PastJournal {
    let work = LongWork("reading the change log", outcome: "nothing was shown", for: observer)
    defer { work.end() }
    // The last step of a change would be said to save it.
    let options = BulkOptions { done, total in try work.step(min(done, max(0, total - 1)), total) }
    do {
      return try store.past(at: moment, options)
    } catch {
      throw work.failure ?? error
    }
  }
}

extension Dates {
  /// The moment of the past that a typed date names.
  ///
  /// - Throws: ``Failure`` 65 for an invalid or a future date.
  static func past(
    _ words: String, clock: WallClock, rule: DayRule
  ) throws(Failure) -> Moment {
    let now = clock.moment()
    do {
      return try When.past(words, now: now, clock: clock, rule: rule)
    } catch {
      throw Failure(.badData, "at: \(error)")
    }
  }
}
