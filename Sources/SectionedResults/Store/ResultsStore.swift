// SPDX-License-Identifier: MIT

/// A position in a store's change log: commits up to and with this one are known.
public struct StoreStamp: Hashable, Comparable, Sendable {
  /// The sequence number of the last change included; 0 before the first.
  public var sequence: Int64

  /// Makes a stamp from a sequence number.
  public init(sequence: Int64) {
    self.sequence = sequence
  }

  /// Whether the left stamp is the older one.
  public static func < (lhs: StoreStamp, rhs: StoreStamp) -> Bool {
    lhs.sequence < rhs.sequence
  }
}

/// Where rows come from, be it SQLite, memory or a file.
///
/// A store answers inside ``read(_:)`` from one consistent state, and keeps a change log from which
/// each commit since a stamp can be told, whichever process made it. A controller and its store
/// belong to one thread (rule 53).
public protocol ResultsStore<Row>: AnyObject {
  /// The rows this store holds.
  associatedtype Row: ResultsRow

  /// Runs `body` on one consistent state of the store.
  ///
  /// - Throws: what the store's medium or `body` throws.
  func read<Value>(_ body: (any ResultsSnapshot<Row>) throws -> Value) throws -> Value

  /// Asks to be told after each commit, our own at once, another process's when it is noticed.
  ///
  /// The observer is called outside any transaction and may read and write.
  ///
  /// - Returns: a token; the observation ends when it is cancelled or released.
  func observeCommits(_ observer: @escaping () -> Void) -> CommitObservation
}

/// One consistent state of a store.
public protocol ResultsSnapshot<Row> {
  /// The rows of the store.
  associatedtype Row: ResultsRow

  /// The last change this state includes.
  ///
  /// - Throws: what the store's medium throws.
  func stamp() throws -> StoreStamp

  /// The shape of a request's results without its limit and offset: groups of neighbours in order.
  ///
  /// Groups are what a controller loads at a time; a group never spans two sections, a section may
  /// have many groups. Empty groups are left out. A store that keeps counts as data answers without
  /// reading rows. A group without keys must not begin inside a run of equal sort values, since its
  /// bound could not tell its rows from those before.
  ///
  /// - Throws: what the store's medium throws.
  func outline(of request: FetchRequest<Row>) throws -> [OutlineGroup<Row.ID>]

  /// The keys of the rows in a range of a request's order, in order, without limit and offset.
  ///
  /// - Throws: what the store's medium throws.
  func keys(of request: FetchRequest<Row>, in range: KeyRange) throws -> [RowKey<Row.ID>]

  /// How many keys of a long group are read at a time when one of its rows is written, in rows.
  ///
  /// `nil`, the default, for a store that reads a whole group as fast.
  var excerptSize: Int? { get }

  /// The keys of the first rows in a range, in order, at most `limit` of them.
  ///
  /// Asked of a store with an ``excerptSize``; `nil` for a request that it can only read whole.
  ///
  /// - Throws: what the store's medium throws.
  func keys(
    of request: FetchRequest<Row>, in range: KeyRange, limit: Int
  ) throws -> [RowKey<Row.ID>]?

  /// How many rows there are in a range, without limit and offset.
  ///
  /// - Throws: what the store's medium throws.
  func count(of request: FetchRequest<Row>, in range: KeyRange) throws -> Int

  /// The rows with these identities, in any order; those that do not exist or do not match the
  /// request's filter are left out.
  ///
  /// - Throws: what the store's medium throws.
  func rows(of request: FetchRequest<Row>, ids: [Row.ID]) throws -> [Row]

  /// The commits after a stamp, oldest first, each as the net effect on the request's rows.
  ///
  /// A row that does not match the request's filter counts as absent (rule 42). Commits that
  /// changed none of its rows may be left out. A request that reads other tables is told of the rows
  /// whose value changed through them (rule 43).
  ///
  /// - Throws: `ResultsError.historyLost` when the log no longer reaches back to the stamp.
  func commits(
    after stamp: StoreStamp, for request: FetchRequest<Row>
  ) throws -> [StoreCommit<Row>]
}

/// Neighbours in a request's order that are loaded together.
public struct OutlineGroup<ID: Hashable & Comparable & Sendable>: Sendable {
  /// The identity of the section that all rows of the group belong to.
  public var section: String
  /// Where the group starts: sort values, or a prefix of them, that no row of the group stands before
  /// and every row of the groups before it does.
  public var bound: [SortValue]
  /// How many rows the group has, at least 1.
  public var count: Int
  /// The rows' keys in order, where the store had them at hand anyway.
  public var keys: [RowKey<ID>]?

  /// Makes a group from its parts.
  public init(section: String, bound: [SortValue], count: Int, keys: [RowKey<ID>]? = nil) {
    self.section = section
    self.bound = bound
    self.count = count
    self.keys = keys
  }
}

/// A half-open range in a request's order, from a bound up to, and without, the next one.
///
/// Bounds are sort values or a prefix of them, as in ``OutlineGroup/bound``; a row belongs to the range
/// when it compares equal to or behind `lower`, and before `upper`.
public struct KeyRange: Equatable, Sendable {
  /// The first place included; `nil` means from the beginning.
  public var lower: [SortValue]?
  /// The first place not included; `nil` means to the end.
  public var upper: [SortValue]?

  /// Makes a range from its bounds.
  public init(lower: [SortValue]?, upper: [SortValue]?) {
    self.lower = lower
    self.upper = upper
  }
}

/// One committed transaction, as its net effect on a request's rows (rule 41).
public struct StoreCommit<Row: ResultsRow>: Equatable, Sendable {
  /// The log position after this commit.
  public var stamp: StoreStamp
  /// The rows written, each at most once.
  public var changes: [RowImages<Row>]

  /// Makes a commit from its parts.
  public init(stamp: StoreStamp, changes: [RowImages<Row>]) {
    self.stamp = stamp
    self.changes = changes
  }
}

/// A written row before and after its transaction; `nil` where it was not among the request's rows.
public struct RowImages<Row: ResultsRow>: Equatable, Sendable {
  /// The row's identity.
  public var id: Row.ID
  /// The row before the transaction.
  public var before: Row?
  /// The row after the transaction.
  public var after: Row?

  /// Makes the images of one row.
  public init(id: Row.ID, before: Row?, after: Row?) {
    self.id = id
    self.before = before
    self.after = after
  }
}

/// Keeps an observation of commits alive.
public final class CommitObservation {
  private var onCancel: (() -> Void)?

  /// Makes a token that runs `onCancel` once, when it is cancelled or released.
  public init(onCancel: @escaping () -> Void) {
    self.onCancel = onCancel
  }

  deinit { cancel() }

  /// Ends the observation.
  public func cancel() {
    onCancel?()
    onCancel = nil
  }
}

// Looking into a long group without reading it whole: an ability that a store may leave out.

extension ResultsSnapshot {
  /// Without a better answer groups are read whole.
  public var excerptSize: Int? { nil }

  /// Without a better answer all keys are read, and those beyond the limit are dropped.
  public func keys(
    of request: FetchRequest<Row>, in range: KeyRange, limit: Int
  ) throws -> [RowKey<Row.ID>]? {
    Array(try keys(of: request, in: range).prefix(limit))
  }

  /// Without a better answer all keys are read and counted.
  public func count(of request: FetchRequest<Row>, in range: KeyRange) throws -> Int {
    try keys(of: request, in: range).count
  }
}

/// What can go wrong with a results controller, without a trap and without undoing a save.
public enum ResultsError: Error, Equatable, Sendable {
  /// The request has no sort key (rule 1).
  case noSortKey
  /// The limit, offset or page size is below what makes sense.
  case invalidRange(String)
  /// The sort does not keep a section together (rule 7).
  ///
  /// Names a row and a section: after a fetch the first row that comes back to a section that had
  /// ended, after a commit the written row and the section that it would split or stand apart from.
  case splitSection(row: String, section: String)
  /// A delegate follows the rows of a sectioned controller one by one, but not its sections.
  case delegateIgnoresSections
  /// Another controller uses the cache with this name (rule 20).
  case cacheInUse(String)
  /// The request cannot change while the cache with this name exists: delete it first (rule 18).
  case cacheNotDeleted(String)
  /// Something was asked before `performFetch` succeeded (rule 2).
  case notFetched
  /// The row with this identity is no longer in the store.
  case rowIsGone(String)
  /// There is no row at this path.
  case noSuchRow(RowPath)
  /// The store's change log no longer reaches back to what the controller shows; fetch again.
  case historyLost
  /// The store told something that cannot be: for example a written row it never had.
  case inconsistentStore(String)
}
