import Dispatch
import GRDB
import Synchronization

/// Lists that GRDB's `ValueObservation` reads after each commit, and the standard library's
/// `CollectionDifference` of each before and after.
final class ObservedLists: Sendable {
  private struct State {
    var lists: [[FeedItem]?]
    /// The number of changes of the last difference.
    var changes = 0
    var failure: (any Error)?
  }

  private let state: Mutex<State>
  private let arrived = DispatchSemaphore(value: 0)
  private let target = DispatchQueue(label: "observation")

  init(count: Int) {
    state = Mutex(State(lists: Array(repeating: nil, count: count)))
  }

  /// Starts to observe a list, which is empty until its first value.
  func observe(_ list: Int, _ sql: ListSQL, in queue: DatabaseQueue) -> AnyDatabaseCancellable {
    state.withLock { $0.lists[list] = nil }
    let observation = ValueObservation.tracking { db in try sql.rows(db) }
    return observation.start(
      in: queue, scheduling: .async(onQueue: target), onError: { self.fail($0) },
      onChange: { self.take($0, list) })
  }

  /// Waits for the next value of each of some lists: also those whose rows did not change have one.
  ///
  /// - Returns: the number of changes of the last difference.
  @discardableResult
  func wait(for count: Int) throws -> Int {
    for _ in 0..<count { arrived.wait() }
    let (changes, failure) = state.withLock { ($0.changes, $0.failure) }
    if let failure { throw failure }
    return changes
  }

  /// The rows of a list.
  subscript(list: Int) -> [FeedItem] { state.withLock { $0.lists[list] ?? [] } }

  private func fail(_ error: any Error) {
    state.withLock { $0.failure = error }
    arrived.signal()
  }

  private func take(_ rows: [FeedItem], _ list: Int) {
    state.withLock { state in
      // A difference from an empty list takes the standard library a time quadratic in the rows; a
      // program would reload its list.
      if let old = state.lists[list] { state.changes = rows.difference(from: old).count }
      state.lists[list] = rows
    }
    arrived.signal()
  }
}

/// The whole list by ``ObservedLists``.
final class ObservationContender: FeedContender {
  private let queue: DatabaseQueue
  private let lists = ObservedLists(count: 1)
  private var token: AnyDatabaseCancellable?

  init(_ queue: DatabaseQueue) {
    self.queue = queue
  }

  func fetch() throws {
    token?.cancel()
    token = lists.observe(0, ListSQL(), in: queue)
    try lists.wait(for: 1)
  }

  func screen() -> [FeedItem] { Array(lists[0].prefix(Self.screenful)) }

  func commit(_ writes: [FeedWrite]) throws {
    try queue.write { try FeedTable.apply(writes, $0) }
    let changes = try lists.wait(for: 1)
    guard changes >= writes.count else {
      throw BenchError("a difference of \(changes) for \(writes.count) writes")
    }
  }

  func forget() {}

  func rows() -> [FeedItem] { lists[0] }
}

/// The list is read again after each commit, without a difference.
final class RequeryContender: FeedContender {
  private let queue: DatabaseQueue
  private var list: [FeedItem] = []

  init(_ queue: DatabaseQueue) {
    self.queue = queue
  }

  func fetch() throws {
    list = try queue.read(ListSQL().rows)
  }

  func screen() -> [FeedItem] { Array(list.prefix(Self.screenful)) }

  func commit(_ writes: [FeedWrite]) throws {
    try queue.write { try FeedTable.apply(writes, $0) }
    try fetch()
  }

  func forget() {}

  func rows() -> [FeedItem] { list }
}
