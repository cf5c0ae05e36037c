// SPDX-License-Identifier: MIT

import SectionedResults

/// Checks that a store answers as `ResultsStore` requires, by random transactions against a model.
///
/// ```swift
/// let conformance = StoreConformance<Item>(
///   requests: [
///     ResultsRequest(filter: .unread, sortKeys: [SortKey(\.feed), SortKey(\.date)], sections: \.feed)
///   ],
///   matches: { row, filter in row.matches(filter) },
///   randomRow: { Item(id: .random(in: 0..<40, using: &$0), …) })
/// try conformance.check(store) { writes in
///   try store.transaction {
///     for write in writes {
///       switch write {
///       case .put(let item): try store.put(item)
///       case .delete(let id): try store.delete(id)
///       }
///     }
///   }
/// }
/// ```
///
/// After each transaction it compares, for each request: the outline, the keys of every range between
/// its bounds and of parts of them, counts, rows by identity, counted values, and the change log from
/// several earlier stamps. A controller follows the store and must show what the model has.
public struct StoreConformance<Row: ResultsRow> {
  /// A write of a random transaction.
  public enum Write: Sendable {
    /// Insert the row, or replace the row with its identity.
    case put(Row)
    /// Delete the row if it exists.
    case delete(Row.ID)
  }

  /// The requests to compare; one that does not keep sections together is not valid.
  public var requests: [ResultsRequest<Row>]
  /// The number of transactions of one check.
  public var transactions = 200
  private let matches: (Row, Row.Filter) -> Bool
  let randomRow: (inout any RandomNumberGenerator) -> Row

  /// Makes a check.
  ///
  /// - Parameters:
  ///   - requests: the requests to compare: each order, direction, filter and section field the store
  ///     supports.
  ///   - matches: whether a row passes a filter, as the store should decide it.
  ///   - randomRow: a row with random values. Use few identities (some dozens) and few values, so that rows
  ///     are replaced, deleted and equal in sort values often.
  public init(
    requests: [ResultsRequest<Row>], matches: @escaping (Row, Row.Filter) -> Bool,
    randomRow: @escaping (inout any RandomNumberGenerator) -> Row
  ) {
    self.requests = requests
    self.matches = matches
    self.randomRow = randomRow
  }

  /// Checks a store that has no rows.
  ///
  /// - Parameters:
  ///   - store: the store to check.
  ///   - seed: the random transactions; a failure names it.
  ///   - write: runs all writes in one transaction. It may use the store, or another connection; then it
  ///     also makes the store notice the commit.
  /// - Throws: ``StoreConformanceFailure`` for the first wrong answer, or the error of the store or `write`.
  public func check(
    _ store: any ResultsStore<Row>, seed: UInt64 = 1, write: ([Write]) throws -> Void
  ) throws {
    try withoutActuallyEscaping(write) { write in
      try check(store, seed) { model, random in
        let writes = randomWrites(over: model, &random)
        return Transaction(name: "\(writes)") { model in
          for write in writes { model.apply(write) }
          try write(writes)
        }
      }
    }
  }

  /// A random transaction.
  struct Transaction {
    /// Its writes, for a failure.
    var name: String
    /// Makes it in the store and in the model.
    var run: (inout Model) throws -> Void
  }

  /// Makes transactions and compares the store with the model after each.
  func check(
    _ store: any ResultsStore<Row>, _ seed: UInt64,
    _ makeTransaction: (Model, inout any RandomNumberGenerator) -> Transaction
  ) throws {
    var random: any RandomNumberGenerator = SplitMix(state: seed)
    var model = Model(matches: matches)
    let followers = try requests.map { try Follower($0, store) }
    var states: [(stamp: StoreStamp, model: Model)] = [
      (try store.read { try $0.stamp() }, model)
    ]
    for number in 0..<transactions {
      let before = model
      let transaction = makeTransaction(model, &random)
      do {
        try transaction.run(&model)
        let stamp = try compare(store, model, states, &random)
        guard stamp > states[states.count - 1].stamp || model.rows == before.rows else {
          throw Wrong("the stamp did not grow with a commit: \(stamp.sequence)")
        }
        // An empty transaction may have a stamp of its own.
        if stamp != states[states.count - 1].stamp { states.append((stamp, model)) }
        states = Array(states.suffix(8))
        for follower in followers { try follower.compare(with: model) }
      } catch let wrong as Wrong {
        throw StoreConformanceFailure(
          seed: seed, transaction: number, writes: transaction.name, description: wrong.description)
      }
    }
  }

  private func randomWrites(
    over model: Model, _ random: inout any RandomNumberGenerator
  ) -> [Write] {
    (0..<Int.random(in: 1...6, using: &random)).map { _ in
      let row = randomRow(&random)
      let isDelete = Int.random(in: 0..<3, using: &random) == 0
      return isDelete ? .delete(row.id) : .put(row)
    }
  }
}

/// A wrong answer of a store.
public struct StoreConformanceFailure: Error, CustomStringConvertible {
  /// The seed of the check.
  public let seed: UInt64
  /// The number of transactions before the one that showed it.
  public let transaction: Int
  /// The writes of that transaction.
  public let writes: String
  private let what: String

  init(seed: UInt64, transaction: Int, writes: String, description: String) {
    self.seed = seed
    self.transaction = transaction
    self.writes = writes
    what = description
  }

  /// The request, the question, the answer and the expected one.
  public var description: String {
    "seed \(seed), transaction \(transaction): \(what)\nafter \(writes)"
  }
}
