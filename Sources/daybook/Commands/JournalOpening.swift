import Journal
import JournalStore

/// Finds the journal that a command is about, and opens it.
enum JournalOpening {
  /// What a command is going to do.
  enum Access {
    /// Only read, and end.
    case reading
    /// Only read, for as long as others write: also a usual journal that nobody wrote to yet.
    case following
    /// Write, and make a journal that is not there yet.
    case writing
  }

  /// Opens the journal named by `--journal`, else by `DAYBOOK_JOURNAL`, else by `config.toml`, else
  /// the usual one, and says on standard error what there is to say about it.
  ///
  /// - Throws: `StoreError`.
  static func store(
    _ options: GlobalOptions, for access: Access
  ) throws -> any EntryStore {
    let (store, notes) = try opened(options, for: access)
    for note in notes { Console.complain(note) }
    return store
  }

  /// Opens the journal and hands over what there is to say about it.
  ///
  /// - Throws: `StoreError`.
  static func opened(
    _ options: GlobalOptions, for access: Access
  ) throws -> (store: any EntryStore, notes: [String]) {
    try opened(options.journal, readOnly: options.readOnly, for: access)
  }

  /// The same, with the options apart.
  ///
  /// - Parameter attendant: who is told when the journal has to be brought up to date; `nil` tells it on
  ///   standard error.
  static func opened(
    _ journal: String?, readOnly: Bool, for access: Access, clock: WallClock = .system,
    attendant: UpgradeObserver? = nil
  ) throws -> (store: any EntryStore, notes: [String]) {
    // A script whose variable is empty must not write into the usual journal.
    if journal?.isEmpty == true {
      throw Failure(.usage, "--journal: the path is empty; name a file, or leave the option out")
    }
    let location = try location(journal)
    let mode = mode(readOnly: readOnly, access, location)
    let store =
      if let attendant {
        try location.open(mode: mode, clock: clock, observer: attendant)
      } else {
        try attended { try location.open(mode: mode, clock: clock, observer: $0) }
      }
    let notes = (store as? SQLiteEntryStore)?.notes ?? (store as? JSONEntryStore)?.notes
    return (store, notes ?? [])
  }

  /// Opens while a line on standard error tells of what takes long, and ^C gives it up.
  private static func attended(
    _ open: (UpgradeObserver) throws -> any EntryStore
  ) throws -> any EntryStore {
    var work: LongWork?
    let attendant = UpgradeObserver { kind in
      let begun = LongWork(
        words(for: kind), outcome: "the journal is as it was", for: ShellObserver())
      work = begun
      return begun.isCancelled
    }
    do {
      defer { work?.end() }
      return try open(attendant)
    } catch {
      throw work?.failure ?? error
    }
  }

  /// What takes long, in words.
  static func words(for work: UpgradeObserver.Work) -> String {
    switch work {
    case .upgrade: "bringing the journal up to date"
    case .searchIndex: "making the search index anew"
    }
  }

  /// Where the journal is that an option names, or nobody.
  ///
  /// - Throws: `StoreError` when nothing leads to one.
  static func location(_ option: String?) throws -> JournalLocation {
    var variables = Places.journalVariables()
    if variables["DAYBOOK_JOURNAL"] == nil {
      variables["DAYBOOK_JOURNAL"] = Configuration.ofUser.settings.journal
    }
    return try JournalLocation.resolve(option: option, environment: variables)
  }

  private static func mode(
    readOnly: Bool, _ access: Access, _ location: JournalLocation
  ) -> OpenMode {
    if readOnly { return .readOnly }
    return switch access {
    case .reading: .readWrite
    case .following: location.isExplicit ? .readWrite : .create
    case .writing: .create
    }
  }
}
