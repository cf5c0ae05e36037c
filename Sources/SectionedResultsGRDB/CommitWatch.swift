// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import GRDBSQLite
import SectionedResults

/// Learns of commits on any thread: the positions in the log at which commits ended.
///
/// Triggers cannot know where a transaction begins. Every state that was seen from outside a
/// transaction ends one: after each commit of this process's writer, and at each read.
///
/// `@unchecked`, because the lock guards all mutable properties.
final class CommitWatch: TransactionObserver, @unchecked Sendable {
  private let lock = NSLock()
  private var ends: [StoreStamp] = []
  private let wakeUp: @Sendable () -> Void

  init(wakeUp: @escaping @Sendable () -> Void) {
    self.wakeUp = wakeUp
  }

  /// Notes the position of a committed state.
  ///
  /// - Returns: whether it was unknown and is the newest one.
  @discardableResult
  func note(_ stamp: StoreStamp) -> Bool {
    lock.withLock {
      let place = ends.lastIndex { $0 <= stamp }.map { $0 + 1 } ?? 0
      if place > 0, ends[place - 1] == stamp { return false }
      ends.insert(stamp, at: place)
      return place == ends.count - 1
    }
  }

  /// The ends of the commits after one position up to another, which is the last; among them ends that a file
  /// had before it was restored.
  func ends(after start: StoreStamp, upTo end: StoreStamp) -> [StoreStamp] {
    lock.withLock {
      let first = ends.lastIndex { $0 <= start }.map { $0 + 1 } ?? 0
      return ends[first...].filter { $0 < end } + [end]
    }
  }

  /// Drops the positions before one.
  func forget(before sequence: Int64) {
    lock.withLock { ends.removeAll { $0.sequence < sequence } }
  }

  /// Notes the state of a connection, and wakes the owner if it is new, or earlier than one that was seen
  /// before, since the file was restored.
  ///
  /// - Returns: the state.
  @discardableResult
  func look(_ db: Database, after last: StoreStamp? = nil) throws -> StoreStamp {
    let stamp = try ChangeLog.stamp(db)
    let isNew = note(stamp)
    if isNew || last.map({ stamp < $0 }) == true { wakeUp() }
    return stamp
  }

  /// Wakes the owner.
  func wake() { wakeUp() }

  // Every commit is looked at: the position is one row, events would be one call per row.
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidRollback(_ db: Database) {}

  func databaseDidCommit(_ db: Database) {
    // A commit whose position cannot be read is noticed by the next check, with the one after it.
    do { try look(db) } catch { wakeUp() }
  }
}

extension Database {
  /// Whether another file has the name of the open one, or none has: SQLite then refuses to write, and
  /// reads what nobody else sees.
  var isReplaced: Bool {
    var isMoved: CInt = 0
    // A database without a file leaves the answer as it is.
    sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &isMoved)
    return isMoved != 0
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
