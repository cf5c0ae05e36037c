// SPDX-License-Identifier: MIT

import Foundation
import GRDB

/// Learns of commits on any thread: the positions in the log at which commits ended.
///
/// Triggers cannot know where a transaction begins. Every state that was seen from outside a
/// transaction ends one: after each commit of this process's writer, and at each read.
///
/// `@unchecked`, because the lock guards all mutable properties.
final class CommitWatch: TransactionObserver, @unchecked Sendable {
  private let lock = NSLock()
  private var ends: [Int64] = []
  private let wakeUp: @Sendable () -> Void

  init(wakeUp: @escaping @Sendable () -> Void) {
    self.wakeUp = wakeUp
  }

  /// Notes the position of a committed state.
  ///
  /// - Returns: whether it was unknown and is the newest one.
  @discardableResult
  func note(_ sequence: Int64) -> Bool {
    lock.withLock {
      let place = ends.lastIndex { $0 <= sequence }.map { $0 + 1 } ?? 0
      if place > 0, ends[place - 1] == sequence { return false }
      ends.insert(sequence, at: place)
      return place == ends.count - 1
    }
  }

  /// The ends of the commits after one position up to another, which is the last.
  func ends(after start: Int64, upTo end: Int64) -> [Int64] {
    lock.withLock {
      let first = ends.lastIndex { $0 <= start }.map { $0 + 1 } ?? 0
      return ends[first...].filter { $0 < end } + [end]
    }
  }

  /// Drops the positions before one.
  func forget(before sequence: Int64) {
    lock.withLock { ends.removeAll { $0 < sequence } }
  }

  /// Notes the state of a connection, and wakes the owner if it is new.
  func look(_ db: Database) throws {
    if note(try ChangeLog.sequence(db)) { wakeUp() }
  }

  // Every commit is looked at: the position is one row, events would be one call per row.
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidRollback(_ db: Database) {}

  func databaseDidCommit(_ db: Database) {
    // A commit whose position cannot be read is noticed by the next check, with the one after it.
    do { try look(db) } catch { wakeUp() }
  }
}

/// The positions that the open stores of this process need, so that none of them prunes another's
/// history.
///
/// `@unchecked`, because the lock guards the dictionary.
final class OpenStores: @unchecked Sendable {
  static let shared = OpenStores()

  private let lock = NSLock()
  private var positions: [String: [ObjectIdentifier: Int64]] = [:]

  func set(_ position: Int64?, of store: ObjectIdentifier, in file: String) {
    lock.withLock {
      positions[file, default: [:]][store] = position
      if positions[file]?.isEmpty == true { positions[file] = nil }
    }
  }

  /// The oldest position that an open store of a file needs.
  func oldest(in file: String) -> Int64? { lock.withLock { positions[file]?.values.min() } }

  /// A name for the file of a database; one in memory belongs to its connection.
  static func file(of writer: any DatabaseWriter) -> String {
    let path = writer.path
    guard !path.isEmpty, path != ":memory:", !path.hasPrefix("file:") else {
      return "memory \(ObjectIdentifier(writer).hashValue)"
    }
    return URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }
}
