import Dispatch
import GRDB
import JournalStore
import Synchronization
import TestSupport

/// The alternative without a results controller: GRDB's `ValueObservation` over the rows' numbers
/// and dates of change, and the standard library's `CollectionDifference` of two values.
final class ObservationPeer: Sendable {
  /// The part of a row that shows a change; whole rows would cost more.
  private struct Shown: Hashable, Sendable, FetchableRecord {
    let number: Int64
    let modified: Int64

    init(row: Row) {
      number = row[0]
      modified = row[1]
    }
  }

  private struct State {
    var rows: [Shown] = []
    var committed: UInt64 = 0
    var delay = 0.0
    var changes = 0
  }

  private let state = Mutex(State())
  private let arrived = DispatchSemaphore(value: 0)

  /// Changes the entries with these numbers one by one.
  ///
  /// - Returns: for each, the delay from its commit to the difference, in milliseconds.
  func delays(journal: String, changing numbers: [Int64]) throws -> Samples {
    let queue = try DatabaseQueue(path: journal)
    let clock = CommitClock { now in self.state.withLock { $0.committed = now } }
    queue.add(transactionObserver: clock, extent: .databaseLifetime)
    let observation = ValueObservation.tracking { db in
      try Shown.fetchAll(
        db,
        sql: """
          SELECT number, modified FROM entry WHERE deleted IS NULL
          ORDER BY day DESC, created DESC, number DESC
          """)
    }
    let token = observation.start(
      in: queue, scheduling: .async(onQueue: DispatchQueue(label: "peer")),
      onError: { Console.tell("the peer failed: \($0)") }, onChange: take)
    arrived.wait()
    var samples = Samples()
    for (round, number) in numbers.enumerated() {
      try queue.write { db in
        try db.execute(sql: "UPDATE clock SET change_set = -1")
        try db.execute(
          sql: "UPDATE entry SET modified = modified + 1 WHERE number = ?", arguments: [number])
      }
      arrived.wait()
      let (delay, changes) = state.withLock { ($0.delay, $0.changes) }
      guard changes == 2 else { throw BenchError("the peer saw \(changes) changes for one edit") }
      if round > 0 { samples.add(delay) }
    }
    token.cancel()
    return samples
  }

  private func take(_ rows: [Shown]) {
    state.withLock { state in
      let difference = rows.difference(from: state.rows.isEmpty ? rows : state.rows)
      state.delay = Monotonic.milliseconds(since: state.committed)
      state.changes = difference.count
      state.rows = rows
    }
    arrived.signal()
  }
}

/// Reads the clock after each commit.
private final class CommitClock: TransactionObserver {
  private let note: (UInt64) -> Void

  init(note: @escaping (UInt64) -> Void) {
    self.note = note
  }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ db: Database) { note(Monotonic.now()) }
  func databaseDidRollback(_ db: Database) {}
}

/// Row 5: an edit followed by the results controller, and by a complete fetch with a comparison.
struct ObservationRow {
  let bench: Bench

  func measure() throws -> [Figure] {
    let peer = try Self.peer(bench, try bench.data.copy(bench.large, as: "peer"), bench.large)
    var list = try ChangedList(bench, .anywhere)
    let ours = try Samples.inTurn(1, rounds: bench.rounds * 8) { _ in try list.delay(of: .edit) }
    return [
      Figure(
        row: 5, name: "edit on any day, \(Bench.words(bench.large)) entries", value: ours[0].median,
        peer: ("ValueObservation + CollectionDifference", peer.median),
        goal: Goal(leastSpeedup: bench.isQuick ? nil : 1_000))
    ]
  }

  /// The peer's delays in a journal of `count` entries.
  static func peer(_ bench: Bench, _ journal: String, _ count: Int) throws -> Samples {
    var random = SeededGenerator(seed: 6)
    let numbers = (0...bench.rounds).map { _ in Int64(1 + random.below(count)) }
    return try ObservationPeer().delays(journal: journal, changing: numbers)
  }
}
