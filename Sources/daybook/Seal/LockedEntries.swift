import Files
import Glibc
import Journal
import JournalStore
import Screen
import Seal

/// Entries that were added while a sealed journal was locked.
///
/// Each is a file, sealed to the journal's public key: it can be written without a passphrase and
/// read only with the journal's key. The next store that opens the journal for writing takes them
/// in. An entry has its uuid from the beginning, so that taking it in twice adds it once.
///
/// A backup has the id and the key of its journal, so each file also names the journal that it was
/// added to; a copy leaves it alone.
struct LockedEntries {
  private let directory: String
  private let id: [UInt8]
  /// The real path of the journal.
  private let journal: String

  /// - Throws: ``Failure`` 73 when no directory for them is known.
  init(_ header: SealedHeader, of location: JournalLocation) throws(Failure) {
    self.init(header, of: location, in: try Places.state())
  }

  /// - Parameter state: the state directory.
  init(_ header: SealedHeader, of location: JournalLocation, in state: String) {
    id = header.id
    directory = "\(state)/locked/\(Hexadecimal.text(of: id))"
    journal = DraftStore.identity(of: location)
  }

  /// The header of a journal that an entry is added to without its key: sealed, and locked.
  ///
  /// With a passphrase in a descriptor the journal is opened as usual.
  static func lockedHeader(_ location: JournalLocation) throws -> SealedHeader? {
    guard Places.variable(Unlocking.variable) == nil,
      let header = try Unlocking.header(location), header.key == nil,
      !Unlocking.takeFromKeyring(header, location)
    else { return nil }
    return header
  }

  /// Whether a journal is sealed, and its key neither known here nor in the keyring.
  static func isLocked(_ location: JournalLocation) throws -> Bool {
    guard let header = try Unlocking.header(location), header.key == nil else { return false }
    return !Unlocking.takeFromKeyring(header, location)
  }

  /// How many files there are, for any journal with the key.
  var count: Int { Directory.names(in: directory).count { !$0.contains(".new-") } }

  // MARK: Adding

  /// Seals an entry.
  ///
  /// - Parameter known: the keys that the one in the journal's file is compared with.
  /// - Returns: `false` when the journal has another key by now, or is readable; then there is no
  ///   file.
  /// - Throws: ``Failure`` 65 when the key is not the known one; ``Failure`` when it cannot be
  ///   written; `StoreError`. Then there is no file.
  func add(_ new: NewEntry, to location: JournalLocation, known: KnownKeys?) throws -> Bool {
    try exclusively {
      guard let header = try Unlocking.header(location), header.id == id else { return false }
      guard known?.trust(header, of: location) ?? .usable == .usable else {
        throw Failure(.badData, "\(location.path): \(KnownKeys.warning)")
      }
      let sealed: [UInt8]
      do throws(SealError) {
        sealed = try header.boxKey.box(LockedEntry(new, to: journal).bytes)
      } catch {
        throw StoreError(error, at: location.path)
      }
      try DraftFile.makeDirectory(directory)
      try DraftFile.write(sealed, to: "\(directory)/\(DraftName.make())-\(getpid())")
      return true
    }
  }

  /// Runs `body` while nobody else adds an entry, or replaces the journal by one with another key.
  private func exclusively<Value>(_ body: () throws -> Value) throws -> Value {
    try DraftFile.makeDirectory(Directory.of(directory))
    let lock = try FileLock(beside: directory, shownPath: journal)
    return try withExtendedLifetime(lock) { try body() }
  }

  // MARK: Reading

  /// An opened file.
  private struct Waiting {
    let path: String
    let item: LockedEntry
  }

  /// The most bytes of a file: the fields, a path, and the seal are short.
  private static let limit = TextInput.limit + 16_384

  /// The entries that wait for any journal with the key, and notes on files that are none.
  private func waiting(_ key: JournalKey) -> (found: [Waiting], problems: [String]) {
    var found: [Waiting] = []
    var problems: [String] = []
    // A name with `.new-` is that of a file that is still being written.
    for name in Directory.names(in: directory) where !name.contains(".new-") {
      let path = "\(directory)/\(name)"
      guard let bytes = DraftFile.read(path, limit: Self.limit) else {
        problems.append(
          "\(path): an entry added while the journal was locked cannot be read; it stays there")
        continue
      }
      if let item = (try? key.openBox(bytes)).flatMap(LockedEntry.init) {
        found.append(Waiting(path: path, item: item))
      } else {
        problems.append(
          "\(path): an entry added while the journal was locked is damaged; it stays there")
      }
    }
    return (found, problems)
  }

  /// Whether an entry was added to this journal, or to one that has gone if `isAsked`.
  private func isOwn(_ item: LockedEntry, isAsked: Bool) -> Bool {
    guard let home = item.journal, home != journal else { return true }
    return isAsked && !isThere(home)
  }

  /// Whether a path has a journal with the key.
  private func isThere(_ path: String) -> Bool {
    let location = JournalLocation(path: path, isExplicit: true)
    return (try? Sealing.header(of: location))?.id == id
  }

  // MARK: Taking in

  /// Adds the waiting entries to their journal, and removes their files.
  ///
  /// Entries that cannot be added keep waiting: the journal can be used all the same.
  ///
  /// - Parameter isAsked: whether a person asked for those, too, whose journal has gone.
  /// - Returns: notes for the user.
  func takeIn(_ store: any EntryStore, isAsked: Bool = false) -> [String] {
    guard let key = store.key else { return [] }
    let (found, problems) = waiting(key)
    let own = found.filter { isOwn($0.item, isAsked: isAsked) }
    let notes = shown(problems) + strangers(found.compactMap(\.item.journal), isAsked, store.path)
    guard !own.isEmpty else { return notes }
    let entries = "\(Numbers.entries(own.count)) added while the journal was locked"
    guard !store.isReadOnly else {
      return notes + ["\(entries) will be taken in when it is opened for writing"]
    }
    do {
      return try notes + added(own, to: store)
    } catch {
      return notes + ["\(entries) must wait longer: \(Failure(explaining: error).message)"]
    }
  }

  /// Limits the notes on files that are no entries: each command has them.
  private func shown(_ problems: [String]) -> [String] {
    let limit = 3
    guard problems.count > limit else { return problems }
    let more = Numbers.counted(problems.count - limit, "more file", "more files")
    return problems.prefix(limit) + [
      "\(more) in \(directory) cannot be added to the journal; move them away to discard them"
    ]
  }

  /// Notes on entries that were added to other journals with the key.
  private func strangers(_ journals: [String], _ isAsked: Bool, _ shownPath: String) -> [String] {
    let counts = Dictionary(grouping: journals.filter { $0 != journal }) { $0 }
    return counts.keys.sorted().compactMap { home in
      let isThere = isThere(home)
      guard isThere || !isAsked else { return nil }
      let count = Numbers.entries(counts[home]?.count ?? 0)
      return "\(count) added to \(home) while it was locked will be taken in there"
        + (isThere ? "" : "; it has gone: daybook unlock --journal \(shownPath) takes them in here")
    }
  }

  private func added(_ own: [Waiting], to store: any EntryStore) throws -> [String] {
    let additions = try store.addReporting(own.map(\.item.entry), as: .add)
    var notes: [String] = []
    for (index, waiting) in own.enumerated() {
      let stored = additions.entries[index]
      if try additions.isNew[index] || Self.isTaken(waiting.item.entry, as: stored, store) {
        unlink(waiting.path)
      } else {
        notes.append(
          "\(waiting.path): an entry added while the journal was locked has the identity of entry"
            + " \(stored.number); it stays there")
      }
    }
    if additions.added > 0 {
      notes.append("\(Numbers.entries(additions.added)) added while the journal was locked")
    }
    return notes
  }

  /// Whether an existing entry has, or had, the text: it was taken in before its file was removed.
  private static func isTaken(
    _ new: NewEntry, as stored: Entry, _ store: any EntryStore
  ) throws -> Bool {
    let versions = try store.inspect { try $0.versions(of: stored.number) }
    return versions.contains { $0.text.utf8.elementsEqual(new.text.utf8) }
  }
}

// MARK: - Before the key goes

extension LockedEntries {
  /// Adds all that wait for a journal which gets another key, or none.
  ///
  /// - Throws: ``Failure`` 65 when one of them cannot be opened or added: nobody could later.
  func takeInAll(_ location: JournalLocation, note: (String) -> Void) throws {
    let store = try location.open(mode: .readWrite)
    guard let key = store.key else { return }
    for line in takeIn(store, isAsked: true) { note(line) }
    guard isEmpty(key) else { throw refusal }
  }

  /// The entries that wait for a journal which is replaced by one with another key.
  ///
  /// - Throws: ``Failure`` 65 when one of them cannot be opened.
  func all(_ key: JournalKey) throws -> [NewEntry] {
    let (found, problems) = waiting(key)
    if let problem = problems.first { throw Failure(.badData, problem + Self.advice) }
    return found.filter { isOwn($0.item, isAsked: true) }.map(\.item.entry)
  }

  /// Makes an exchange of files while nothing but `taken` waits.
  ///
  /// - Parameter taken: the uuids of entries that the new file has; their files are removed.
  /// - Returns: whether it was made.
  func exchange(_ key: JournalKey, taken: Set<String> = [], _ body: () throws -> Void) throws
    -> Bool
  {
    try exclusively {
      guard isEmpty(key, except: taken) else { return false }
      try body()
      for item in waiting(key).found where taken.contains(item.item.entry.uuid) {
        unlink(item.path)
      }
      return true
    }
  }

  private func isEmpty(_ key: JournalKey, except taken: Set<String> = []) -> Bool {
    let (found, problems) = waiting(key)
    return problems.isEmpty
      && found.allSatisfy {
        !isOwn($0.item, isAsked: true) || taken.contains($0.item.entry.uuid)
      }
  }

  private static let advice = "; nobody could read it without the key: move it away to give it up"

  private var refusal: Failure {
    Failure(
      .badData,
      "\(directory): entries that were added while the journal was locked are left"
        + Self.advice)
  }
}
