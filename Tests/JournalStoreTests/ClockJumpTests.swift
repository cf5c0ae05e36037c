import Foundation
import Journal
import SectionedResults
import Synchronization
import TestSupport
import Testing

@testable import JournalStore

/// Clocks that jump, back over years or ahead, and zones that change: the order of changes is that of
/// their commits, and nothing is lost.
struct ClockJumpTests {
  /// A clock that a test sets.
  private final class SetClock: Sendable {
    let now = Mutex<(seconds: Int64, offset: Int)>((1_795_000_000, 0))

    var clock: WallClock {
      WallClock(now: { self.now.withLock(\.seconds) }, offset: { _ in self.now.withLock(\.offset) })
    }
  }

  @Test("entries, undo and lists are right whatever the clock does", arguments: ["sqlite", "json"])
  func jumps(kind: String) throws {
    let directory = TemporaryDirectory(isInMemory: true)
    let (path, set) = (directory.file("j.\(kind)"), SetClock())
    let store: any EntryStore =
      kind == "sqlite"
      ? try SQLiteEntryStore.open(path, mode: .create, clock: set.clock)
      : try JSONEntryStore.open(path, mode: .create, clock: set.clock)
    let followed = try Followed(store, .entries())
    var random = SeededGenerator(seed: 9)
    var texts: [String] = []
    for round in 0..<200 {
      // Whole years, seconds and zones, also back before 1970.
      set.now.withLock {
        $0 = (Int64(random.below(4_000_000_000)) - 500_000_000, (random.below(27) - 13) * 3_600)
      }
      if round % 4 == 3 {
        let step = try #require(try store.pendingSteps().undo, "round \(round)")
        #expect(step.title == texts[texts.count - 1], "the newest commit is undone first")
        _ = try store.undo()
        texts.removeLast()
      } else {
        let moment = store.clock.moment()
        try store.add([NewEntry(text: "text \(round)", created: moment, day: moment.localDay)])
        texts.append("text \(round)")
      }
      #expect(
        try store.entries(store.numbers(matching: nil)).map(\.text).sorted() == texts.sorted())
      #expect(followed.list.rowCount == texts.count && followed.failures.isEmpty)
    }
    #expect(try store.check() == [])
    let fresh = try EntryResults(store, .entries())
    try fresh.fetch()
    #expect(fresh.list.sectionKeys == followed.host.list.sectionKeys)
    #expect(fresh.list.sectionKeys == fresh.list.sectionKeys.sorted(by: >))
  }
}
