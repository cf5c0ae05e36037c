import Foundation
import Journal
import Synchronization
import Testing

@testable import JournalStore

/// The lock of a JSON journal goes round in the order in which it was asked for.
@Suite(.serialized)
struct FileLockTests {
  private let directory = TemporaryDirectory()

  @Test("whoever waits gets the lock before those who came later")
  func order() throws {
    let path = directory.file("j.json")
    let served = Mutex<[Int]>([])
    let finished = DispatchGroup()
    var first: FileLock? = try FileLock(beside: path, shownPath: path)
    for number in 0..<8 {
      finished.enter()
      Thread.detachNewThread {
        if let lock = try? FileLock(beside: path, shownPath: path) {
          served.withLock { $0.append(number) }
          withExtendedLifetime(lock) {}
        }
        finished.leave()
      }
      while try waiters(path + ".lock") <= number { usleep(1_000) }
    }
    #expect(first != nil)
    first = nil
    finished.wait()
    #expect(served.withLock { $0 } == Array(0..<8))
  }

  @Test("nobody's entry is lost when the lock file is removed again and again")
  func removedLockFile() throws {
    let path = directory.file("j.json")
    _ = try JSONEntryStore.open(path, mode: .create)
    let acknowledged = Mutex<Set<String>>([])
    let problems = Mutex<[String]>([])
    let writers = DispatchGroup()
    for writer in 0..<5 {
      writers.enter()
      Thread.detachNewThread {
        defer { writers.leave() }
        do {
          let store = try JSONEntryStore.open(path, mode: .readWrite)
          for round in 0..<20 {
            let moment = store.clock.moment()
            let text = "\(writer): \(round)"
            try store.add([NewEntry(text: text, created: moment, day: moment.localDay)])
            acknowledged.withLock { _ = $0.insert(text) }
          }
        } catch {
          problems.withLock { $0.append("\(error)") }
        }
      }
    }
    var removals = 0
    while writers.wait(timeout: .now() + .microseconds(200)) == .timedOut {
      if unlink(path + ".lock") == 0 { removals += 1 }
    }
    #expect(problems.withLock { $0 } == [])
    #expect(removals > 0)
    let store = try JSONEntryStore.open(path, mode: .readWrite)
    let texts = try store.entries(store.numbers(matching: nil)).map(\.text)
    #expect(texts.count == 100)
    #expect(Set(texts) == acknowledged.withLock { $0 })
    #expect(try store.check() == [])
  }

  @Test("a file that a program without the lock wrote before the rename is not overwritten")
  func foreignWrite() throws {
    let path = directory.file("j.json")
    let store = try JSONEntryStore.open(path, mode: .create)
    let moment = store.clock.moment()
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let error = #expect(throws: StoreError.self) {
      try store.change(.add) { writer in
        try (text + "\n").write(toFile: path, atomically: false, encoding: .utf8)
        return try writer.insert(
          Entry(
            uuid: EntryUUID.make(), created: moment, modified: moment, day: moment.localDay,
            text: "new"))
      }
    }
    #expect(error?.kind == .changedMeanwhile)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text + "\n")
    try store.add([NewEntry(text: "again", created: moment, day: moment.localDay)])
    #expect(try store.entries(store.numbers(matching: nil)).map(\.text) == ["again"])
  }

  /// The number of waiters for the lock of a file, from the kernel.
  private func waiters(_ path: String) throws -> Int {
    let inode = try #require(
      try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int)
    let locks = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
    return locks.split(separator: "\n").count { line in
      line.contains("->") && line.contains(":\(inode) ")
    }
  }
}
