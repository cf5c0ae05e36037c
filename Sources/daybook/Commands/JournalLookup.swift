import Journal
import JournalStore
import Seal

/// Finds the journal of a command, and opens it.
enum JournalLookup {
  /// The command's use of the journal.
  enum Access {
    /// Reads once.
    case reading
    /// Reads and waits for commits, also in a default journal that does not exist yet.
    case following
    /// Writes; creates a journal that does not exist.
    case writing
    /// Writes, and takes in what waits for a journal with the same key that has gone.
    case unlocking
  }

  /// Opens the journal named by `--journal`, else by `DAYBOOK_JOURNAL`, else by `config.toml`, else
  /// the default one, and prints its notices on standard error.
  ///
  /// - Throws: `StoreError`.
  static func store(
    _ options: GlobalOptions, for access: Access
  ) throws -> any EntryStore {
    let (store, notes) = try opened(options, for: access)
    for note in notes { Console.complain(note) }
    return store
  }

  /// Opens the journal and returns its notices.
  ///
  /// - Throws: `StoreError`.
  static func opened(
    _ options: GlobalOptions, for access: Access
  ) throws -> (store: any EntryStore, notes: [String]) {
    try opened(options.journal, readOnly: options.readOnly, for: access)
  }

  /// Opens a journal from separate options.
  ///
  /// - Parameters:
  ///   - author: the kind of program that the change log names.
  ///   - observer: observes an upgrade of the journal.
  ///   - unlocking: how to get the key of a sealed journal.
  ///   - warning: warns of network file systems.
  static func opened(
    _ journal: String?, readOnly: Bool, for access: Access, by author: ChangeSource = .command,
    clock: WallClock = .system, observer: any WorkObserver = ShellObserver(),
    unlocking: Unlocking = .inShell, warning: NetworkWarning = .ofUser
  ) throws -> (store: any EntryStore, notes: [String]) {
    // A script with an empty variable must not write into the default journal.
    if journal?.isEmpty == true {
      throw Failure(.usage, "--journal: the path is empty; name a file, or omit the option")
    }
    let location = try location(journal)
    let seal = try unlocking.unlock(location)
    let mode = mode(readOnly: readOnly, access, location)
    let author = author == .mcp ? ChangeAuthor(.mcp, name: "mcp") : ChangeAuthor(author)
    let store = try observed(by: observer) {
      try location.open(mode: mode, clock: clock, author: author, observer: $0)
    }
    var notes = (store as? SQLiteEntryStore)?.notes ?? (store as? JSONEntryStore)?.notes ?? []
    notes += seal.map { takeIn($0, location, store, isAsked: access == .unlocking) } ?? []
    if let note = warning.note(for: store.path) { notes.append(note) }
    return (store, notes)
  }

  /// Adds the entries that wait for a sealed journal.
  ///
  /// - Returns: notes for the user.
  private static func takeIn(
    _ seal: SealedHeader, _ location: JournalLocation, _ store: any EntryStore, isAsked: Bool
  ) -> [String] {
    do {
      return try LockedEntries(seal, of: location).takeIn(store, isAsked: isAsked)
    } catch {
      return ["entries added while the journal was locked are not looked for: \(error.message)"]
    }
  }

  /// Opens with a progress line for a slow upgrade; ^C cancels.
  private static func observed(
    by observer: any WorkObserver, _ open: (UpgradeObserver) throws -> any EntryStore
  ) throws -> any EntryStore {
    var work: LongWork?
    let upgrades = UpgradeObserver { kind in
      let begun = LongWork(words(for: kind), outcome: "the journal is unchanged", for: observer)
      work = begun
      return begun.attendance
    }
    do {
      defer { work?.end() }
      return try open(upgrades)
    } catch {
      throw work?.failure ?? error
    }
  }

  /// The work in words.
  private static func words(for work: UpgradeObserver.Work) -> String {
    switch work {
    case .upgrade: "upgrading the journal"
    case .searchIndex: "rebuilding the search index"
    case .tags: "finding the tags of all entries"
    }
  }

  /// The path of the journal from the option, the environment or the configuration.
  ///
  /// - Throws: `StoreError` when options, environment and configuration give no path.
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
    case .reading, .unlocking: .readWrite
    case .following: location.isExplicit ? .readWrite : .create
    case .writing: .create
    }
  }
}
