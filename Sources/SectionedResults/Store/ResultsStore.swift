// SPDX-License-Identifier: MIT

/// A position in a store's change log; it includes the commit with its number.
public struct StoreStamp: Hashable, Comparable, Sendable {
  /// The sequence number of the last commit included; 0 before the first.
  public var sequence: Int64
  /// A number that the store chose at random for the commit; 0 in a store that cannot be restored.
  ///
  /// A file that is restored from a backup and changed again has the same sequence numbers as before, with
  /// other tokens. Its store throws `ResultsError.historyLost` for a stamp whose token its log does not
  /// have, so that lists and caches read again.
  public var token: Int64

  /// Makes a stamp from a sequence number and its token.
  public init(sequence: Int64, token: Int64 = 0) {
    self.sequence = sequence
    self.token = token
  }

  /// Whether the left stamp is older; tokens decide between equal numbers.
  public static func < (lhs: StoreStamp, rhs: StoreStamp) -> Bool {
    (lhs.sequence, lhs.token) < (rhs.sequence, rhs.token)
  }
}

/// A source of rows: SQLite, memory or a file.
///
/// A store answers inside ``read(_:)`` from one consistent state, and keeps a change log with every
/// commit after a stamp, from any process. A controller and its store belong to one thread (rule
/// 53).
public protocol ResultsStore<Row>: AnyObject {
  /// The rows this store holds.
  associatedtype Row: ResultsRow

  /// Runs `body` on one consistent state of the store.
  ///
  /// - Throws: the error of the store's medium or of `body`.
  func read<Value>(_ body: (any ResultsSnapshot<Row>) throws -> Value) throws -> Value

  /// The listeners to commits: a stored property of the store, which calls
  /// ``CommitObservers/notify()`` after each commit: at once for the store's own commits, and for those
  /// of another process as soon as they are noticed.
  var commitObservers: CommitObservers<Row> { get }
}

/// One consistent state of a store.
public protocol ResultsSnapshot<Row> {
  /// The rows of the store.
  associatedtype Row: ResultsRow

  /// The last commit that this state includes.
  ///
  /// - Throws: the error of the store's medium.
  func stamp() throws -> StoreStamp

  /// The shape of a request's results without its limit and offset: groups of adjacent rows in
  /// order.
  ///
  /// A controller loads one group at a time. A group never spans two sections; a section may have
  /// many groups. Empty groups are omitted. A store that maintains counts answers without reading
  /// rows. A group without keys must not begin inside a run of equal sort values, since its bound
  /// could not separate its rows from those before.
  ///
  /// - Throws: the error of the store's medium.
  func outline(of request: ResultsRequest<Row>) throws -> [OutlineGroup<Row.ID>]

  /// The shape of a long group, as ``outline(of:)`` answers for the whole list.
  ///
  /// A controller asks when it first needs a row of a group without keys, so that ``outline(of:)`` need not
  /// divide groups that nobody looks at. The range begins at the group's bound.
  ///
  /// Optional: `nil`, the default, lets the controller read the keys of the whole group.
  ///
  /// - Parameters:
  ///   - request: the request of the list.
  ///   - range: the range of the group.
  ///   - count: the number of rows in the group when it was counted.
  /// - Throws: the error of the store's medium.
  func outline(
    of request: ResultsRequest<Row>, in range: ResultsKeyRange, count: Int
  ) throws -> [OutlineGroup<Row.ID>]?

  /// The keys of the rows in a range of a request, in order, without limit and offset.
  ///
  /// - Throws: the error of the store's medium.
  func keys(of request: ResultsRequest<Row>, in range: ResultsKeyRange) throws -> [ResultsKey<
    Row.ID
  >]

  /// The number of keys to read from a long group when one of its rows is written.
  ///
  /// `nil`, the default, if reading a whole group is as fast.
  var excerptSize: Int? { get }

  /// The keys of the first rows in a range, in order, at most `limit` of them.
  ///
  /// Called only for a store with an ``excerptSize``; `nil` for a request whose groups can only be
  /// read whole.
  ///
  /// - Throws: the error of the store's medium.
  func keys(
    of request: ResultsRequest<Row>, in range: ResultsKeyRange, limit: Int
  ) throws -> [ResultsKey<Row.ID>]?

  /// The number of rows in a range, without limit and offset.
  ///
  /// - Throws: the error of the store's medium.
  func count(of request: ResultsRequest<Row>, in range: ResultsKeyRange) throws -> Int

  /// The rows with these identities, in any order, without those that do not exist or do not match
  /// the request's filter.
  ///
  /// - Throws: the error of the store's medium.
  func rows(of request: ResultsRequest<Row>, ids: [Row.ID]) throws -> [Row]

  /// How often each value occurs in the request's ``ResultsRequest/aggregatedFields``, section by
  /// section, without limit and offset; also `null`, so that the counts add up to the rows.
  ///
  /// Optional: `nil`, the default, lets the controller read the rows instead.
  ///
  /// - Throws: the error of the store's medium.
  func valueCounts(of request: ResultsRequest<Row>) throws -> [ResultsValueCount]?

  /// The commits after a stamp, oldest first, each as the net effect on the request's rows.
  ///
  /// A row that does not match the request's filter counts as absent (rule 42). Commits that
  /// changed none of its rows may be omitted. A request that reads other tables must also report
  /// the rows whose value changed through them (rule 43).
  ///
  /// - Throws: `ResultsError.historyLost` when the log no longer contains the commits after the
  ///   stamp.
  func commits(
    after stamp: StoreStamp, for request: ResultsRequest<Row>
  ) throws -> [StoreCommit<Row>]
}

/// Adjacent rows of a request that are loaded together.
public struct OutlineGroup<ID: ResultsID>: Sendable {
  /// The identity of the section of all rows in the group.
  public var section: String
  /// The start of the group: sort values, or a prefix of them.
  ///
  /// No row of the group is before it, and all rows of earlier groups are.
  public var bound: [SortValue]
  /// The number of rows in the group, at least 1.
  public var count: Int
  /// The rows' keys in order, if the store has read them anyway.
  public var keys: [ResultsKey<ID>]?

  /// Makes a group from its parts.
  public init(section: String, bound: [SortValue], count: Int, keys: [ResultsKey<ID>]? = nil) {
    self.section = section
    self.bound = bound
    self.count = count
    self.keys = keys
  }
}

/// A half-open range in a request's order.
///
/// Bounds are sort values or a prefix of them, as in ``OutlineGroup/bound``; a row is in the range
/// if it compares equal to or after `lower`, and before `upper`.
public struct ResultsKeyRange: Equatable, Sendable {
  /// The inclusive lower bound; `nil` for the beginning.
  public var lower: [SortValue]?
  /// The exclusive upper bound; `nil` for the end.
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

/// A written row before and after its transaction; `nil` if it was not among the request's rows.
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

/// Keeps an observation of a store or a controller alive.
public final class ResultsObservation {
  private var onCancel: (() -> Void)?
  private let endsWithToken: Bool

  /// Makes a token that runs `onCancel` once: when it is cancelled, or when it is released, unless the
  /// observation does not end with its token.
  public init(endsWithToken: Bool = true, onCancel: @escaping () -> Void) {
    self.endsWithToken = endsWithToken
    self.onCancel = onCancel
  }

  deinit { if endsWithToken { cancel() } }

  /// Ends the observation.
  public func cancel() {
    onCancel?()
    onCancel = nil
  }
}

// Optional for a store: dividing a long group, counting values, and reading parts of a long group.

extension ResultsSnapshot {
  /// By default, groups are not divided.
  public func outline(
    of request: ResultsRequest<Row>, in range: ResultsKeyRange, count: Int
  ) throws -> [OutlineGroup<Row.ID>]? { nil }

  /// By default, values are not counted.
  public func valueCounts(of request: ResultsRequest<Row>) throws -> [ResultsValueCount]? { nil }

  /// By default, groups are read whole.
  public var excerptSize: Int? { nil }

  /// By default, all keys are read, and those after the limit are dropped.
  public func keys(
    of request: ResultsRequest<Row>, in range: ResultsKeyRange, limit: Int
  ) throws -> [ResultsKey<Row.ID>]? {
    Array(try keys(of: request, in: range).prefix(limit))
  }

  /// By default, all keys are read and counted.
  public func count(of request: ResultsRequest<Row>, in range: ResultsKeyRange) throws -> Int {
    try keys(of: request, in: range).count
  }
}
