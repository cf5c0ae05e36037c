import Foundation
import GRDB
import TestSupport

/// A database file in a directory that is removed with this value.
final class TemporaryDatabase {
  let path: String
  private let directory: URL

  /// Makes a directory, in memory where the system has one there.
  init() {
    let memory = URL(fileURLWithPath: "/dev/shm")
    let parent =
      FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
    directory = parent.appending(path: "results-grdb-\(UUID().uuidString)")
    path = directory.appending(path: "db.sqlite").path
    // A directory that cannot be made makes opening the database fail.
    try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  func queue(_ setUp: String = "") throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    if !setUp.isEmpty { configuration.prepareDatabase { try $0.execute(sql: setUp) } }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  func pool() throws -> DatabasePool { try DatabasePool(path: path) }

  /// Runs SQL in another process, by the program `sqlite3`; statements that fail are skipped.
  func sqlite3(_ sql: String) throws {
    try run("/usr/bin/env", ["sqlite3", "-cmd", ".timeout 10000", path, sql])
  }

  /// Runs SQL in another process, by Python's module `sqlite3`.
  func python(_ sql: String) throws {
    let script = """
      import sqlite3, sys
      connection = sqlite3.connect(sys.argv[1], timeout=10)
      connection.executescript(sys.argv[2])
      connection.commit()
      """
    try run("/usr/bin/env", ["python3", "-c", script, path, sql])
  }

  /// Runs statements as one transaction in another process, by either program.
  ///
  /// - Parameter preparation: what comes before the transaction, with its semicolons.
  func commitElsewhere(
    _ statements: [String], after preparation: String = "", _ random: inout SeededGenerator
  ) throws {
    let sql = "\(preparation)BEGIN IMMEDIATE; \(statements.joined(separator: "; ")); COMMIT;"
    try random.chance(0.5) ? sqlite3(sql) : python(sql)
  }

  private func run(_ program: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus == 127 { throw CocoaError(.fileNoSuchFile) }
  }
}

extension DatabaseWriter {
  /// Runs statements as one transaction.
  func commit(_ statements: [String]) throws { try write { try $0.run(statements) } }
}

extension Database {
  /// Runs statements; one that a constraint refuses is undone, and the next one runs.
  func run(_ statements: [String]) throws {
    for sql in statements {
      do {
        try execute(sql: sql)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {}
    }
  }
}

/// What a body fails with, in words; empty if it does not.
func reason(_ body: () throws -> Void) -> String {
  do {
    try body()
    return ""
  } catch {
    return "\(error)"
  }
}
