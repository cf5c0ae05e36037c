import Journal
import SectionedResults

/// A journal's store: SQLite, memory or a JSON file, which its users cannot tell apart.
///
/// The operations on a journal are written once, as extensions of this protocol; a store supplies the two
/// kinds of access that everything is made of, ``inspect(_:)`` and ``change(_:_:)``. A store, like the
/// controllers over it, belongs to one thread.
package protocol EntryStore: ResultsStore where Row == EntryRow {
  /// The journal's name in messages: its path, or `:memory:`.
  var place: String { get }
  /// Whether writes are refused, because it was asked for or because the file does not allow them.
  var isReadOnly: Bool { get }
  /// The clock that dates changes.
  var clock: WallClock { get }

  /// Runs `body` on one consistent state, with whole entries and history at hand.
  ///
  /// - Throws: ``StoreError`` when the medium fails, and what `body` throws.
  func inspect<Value>(_ body: (any EntryReading) throws -> Value) throws -> Value

  /// Runs `body` in one transaction that is one change set, which one undo takes back.
  ///
  /// Nothing is kept when `body` throws, and no change set is left when it changed nothing. Observers
  /// are told after the commit, before the method returns.
  ///
  /// - Throws: ``StoreError`` when the medium fails, and what `body` throws.
  func change<Value>(
    _ kind: ChangeKind, _ body: (any EntryWriting) throws -> Value
  ) throws -> Value

  /// Runs `body`, which only reads, and gives it up when `isCancelled` says so while it does.
  ///
  /// - Returns: what `body` made, or `nil` if it was given up.
  /// - Throws: what `body` throws.
  func cancellable<Value>(
    _ isCancelled: @escaping () -> Bool, _ body: () throws -> Value
  ) throws -> Value?

  /// A descriptor that `poll` reports readable when another process may have committed.
  ///
  /// It is `nil` where no other process can, or where the system gave none: then ``refresh()`` now and
  /// then is the only way to know.
  var changeDescriptor: Int32? { get }

  /// Looks whether another process committed, and tells the observers if so.
  ///
  /// Call it when ``changeDescriptor`` is readable, and again after ``Refresh/retryAfter``.
  ///
  /// - Throws: ``StoreError`` when the journal cannot be read.
  func refresh() throws -> Refresh

  /// Writes a consistent copy of the journal into a new file that only its owner can read.
  ///
  /// The copy appears at its path when it is whole and has been read back; a full disk or a kill leaves
  /// no part of it under that name.
  ///
  /// - Parameter replacing: whether it may take the place of another file.
  /// - Throws: ``StoreError`` when the file exists or cannot be written.
  func backup(to path: String, replacing: Bool) throws

  /// Looks for damage, in file structure, derived data and texts, without changing anything.
  ///
  /// - Returns: a line for each thing that is wrong, none for a sound journal.
  func check() throws -> [String]
}

extension EntryStore {
  /// Writes a consistent copy of the journal into a file that must not exist yet.
  package func backup(to path: String) throws { try backup(to: path, replacing: false) }

  /// Runs `body` to its end: stores of a few thousand entries answer at once.
  package func cancellable<Value>(
    _ isCancelled: @escaping () -> Bool, _ body: () throws -> Value
  ) throws -> Value? {
    try body()
  }
}

/// One consistent state of a journal, entry by entry.
package protocol EntryReading {
  /// The journal's name in messages.
  var place: String { get }

  /// The entry with a number, in the trash or not.
  func entry(number: Int64) throws -> Entry?

  /// The entry with a uuid, in the trash or not.
  func entry(uuid: String) throws -> Entry?

  /// Whether there is an entry with a uuid, in the trash or not.
  func contains(uuid: String) throws -> Bool

  /// The uuids that start with, or end in, a part of a uuid, at most `limit` of them, in order.
  func uuids(matching part: String, limit: Int) throws -> [String]

  /// The numbers of the entries a query matches, ascending; without a query all outside the trash.
  func numbers(matching query: Query?) throws -> [Int64]

  /// How many entries are outside the trash.
  func count() throws -> Int

  /// Whether an entry's text is what was stored, by its checksum.
  func isIntact(number: Int64) throws -> Bool

  /// The tags in use with their counts, by key.
  func tagCounts() throws -> [TagCount]

  /// How much was written when, in the entries a query matches; without one in all outside the trash.
  func statistics(of query: Query?) throws -> Statistics

  /// The texts an entry has had, oldest first, the present one last; empty for an unknown number.
  func versions(of number: Int64) throws -> [EntryVersion]

  /// The change set the next undo would take back.
  func undoable() throws -> ChangeSet?

  /// The change set the next redo would do again.
  func redoable() throws -> ChangeSet?
}

/// The changes to a journal inside a transaction; the rules are in ``EntryStore``.
package protocol EntryWriting: EntryReading {
  /// Adds an entry under its number, or, when that is 0, under a number no entry ever had.
  ///
  /// - Returns: the number.
  func insert(_ entry: Entry) throws -> Int64

  /// Adds an entry under a number no entry ever had, unless its uuid is there: the way for very many.
  ///
  /// - Returns: whether it was added.
  func insertNew(_ entry: Entry) throws -> Bool

  /// Replaces all fields of the entry that has this one's number; `old` is what stands there now.
  func update(_ entry: Entry, from old: Entry) throws

  /// Takes an entry's text for what was meant, though its checksum says otherwise.
  func confirm(_ entry: Entry) throws

  /// Removes an entry for good, leaving its before image in the change log.
  func remove(_ entry: Entry) throws

  /// Removes what the change log still holds of entries that are gone, so that no undo brings
  /// them back.
  func forget(_ numbers: [Int64]) throws

  /// Hands over the entries a change set touched, each before and after it, one at a time.
  ///
  /// A step may have touched a million whole entries, so they are never held together. What `body`
  /// writes meanwhile makes no difference to what is handed over.
  func forEachImage(
    of set: ChangeSet.ID, _ body: (EntryImages) throws -> Void
  ) throws

  /// The undo that last took back a change set.
  func undo(of set: ChangeSet.ID) throws -> ChangeSet.ID?

  /// Notes that the present change set takes back, or does again, another one.
  func mark(_ set: ChangeSet.ID, undone: Bool) throws
}

extension EntryReading {
  /// A store without a checksum beside the text has nothing to compare: what was changed outside is taken in.
  package func isIntact(number: Int64) throws -> Bool { true }
}

extension EntryWriting {
  /// Does nothing where there is no checksum.
  package func confirm(_ entry: Entry) throws {}
}

extension EntryStore {
  /// The store as results controllers take it.
  ///
  /// Swift does not turn an `any EntryStore` into an `any ResultsStore<EntryRow>` by itself.
  package var results: any ResultsStore<EntryRow> { self }

  /// Makes a controller over the store; nothing is read before its first fetch.
  ///
  /// - Throws: what the controller's initialiser throws.
  package func controller(
    for request: FetchRequest<EntryRow>
  ) throws -> ResultsController<EntryRow> {
    try ResultsController(request: request, store: self)
  }
}

/// The observers of a store's commits, in the order they came.
final class CommitObservers {
  private var next = 0
  private var observers: [(id: Int, call: () -> Void)] = []

  /// Adds an observer for as long as the token lives.
  func add(_ observer: @escaping () -> Void) -> CommitObservation {
    let id = next
    next += 1
    observers.append((id, observer))
    return CommitObservation { [weak self] in
      self?.observers.removeAll { $0.id == id }
    }
  }

  /// Calls every observer that was there when the commit happened and has not been cancelled since.
  func notify() {
    for observer in observers where observers.contains(where: { $0.id == observer.id }) {
      observer.call()
    }
  }
}

/// The outcome of looking for commits of other processes.
package struct Refresh: Hashable, Sendable {
  /// Whether the journal's file is still the one that was opened.
  package enum Place: Hashable, Sendable {
    /// It is.
    case same
    /// Another file stands there; writes are refused, open it again.
    case replaced
    /// It is gone; writes are refused.
    case removed
  }

  /// Whether another process had committed; observers have been told then.
  package var changed: Bool
  /// When to look again, in milliseconds, because a commit seemed under way; `nil` for not before the
  /// descriptor is readable again.
  package var retryAfter: Int?
  /// Whether the journal's file is still there.
  package var place: Place

  /// Makes an outcome.
  package init(changed: Bool = false, retryAfter: Int? = nil, place: Place = .same) {
    self.changed = changed
    self.retryAfter = retryAfter
    self.place = place
  }
}

/// How many entries outside the trash carry a tag.
package struct TagCount: Hashable, Sendable {
  /// The folded tag, by which tags are compared.
  package var key: String
  /// The tag as its earliest entry typed it.
  package var tag: String
  /// The number of entries.
  package var count: Int

  /// Makes a count.
  package init(key: String, tag: String, count: Int) {
    self.key = key
    self.tag = tag
    self.count = count
  }
}
