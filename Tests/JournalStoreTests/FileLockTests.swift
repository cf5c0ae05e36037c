import Foundation
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
