import Foundation
import Journal
import Testing

@testable import JournalStore

/// Whoever waits for a journal sees whether the program that locks it works.
struct LockHoldersTests {
  private let directory = TemporaryDirectory()

  @Test("a program that computes in a transaction without writing is seen to work")
  func computing() throws {
    let path = directory.file("j.sqlite")
    _ = try SQLiteEntryStore.open(path, mode: .create)
    #expect(LockHolders(of: path).work.isEmpty)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: ForeignTool.path)
    process.arguments = [
      path,
      """
      BEGIN IMMEDIATE;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n;
      """,
    ]
    try process.run()
    defer {
      // Threads of tests may block signals, and so do the programs that they start.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    let number = process.processIdentifier
    var first = LockHolders(of: path)
    while process.isRunning, first.work[number] == nil {
      usleep(1_000)
      first = LockHolders(of: path)
    }
    #expect(first.work.keys.elementsEqual([number]))
    #expect(!first.haveWorked(since: first))
    while process.isRunning, !LockHolders(of: path).haveWorked(since: first) { usleep(1_000) }
    #expect(process.isRunning)
  }

  @Test("the own locks are no reason to wait longer")
  func own() throws {
    let path = directory.file("j.sqlite")
    let store = try SQLiteEntryStore.open(path, mode: .create)
    let moment = Moment(seconds: 1_794_000_000, offset: 0)
    try store.change(.add) { writer in
      #expect(LockHolders(of: path).work.isEmpty)
      _ = try writer.insert(
        Entry(
          uuid: EntryUUID.make(), created: moment, modified: moment, day: moment.localDay,
          text: "one"))
    }
  }
}
