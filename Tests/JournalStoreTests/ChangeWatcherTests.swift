import Foundation
import Synchronization
import Testing

@testable import JournalStore

/// What other processes write beside a journal, and to it.
@Suite("Change watcher", .timeLimit(.minutes(1)))
struct ChangeWatcherTests {
  private let directory = TemporaryDirectory()

  @Test("a file beside the journal that is always written neither counts nor keeps it busy")
  func busyNeighbour() throws {
    let journal = directory.file("journal.sqlite")
    try Data().write(to: URL(filePath: journal))
    let watcher = try #require(ChangeWatcher(watching: journal))
    let neighbour = Neighbour(directory.file("other.log"))
    defer { neighbour.isOver.store(true, ordering: .relaxed) }
    for _ in 0..<200 { #expect(!watcher.takeEvents()) }
    try Data("changed".utf8).write(to: URL(filePath: journal))
    #expect(watcher.takeEvents())
  }
}

/// A thread that writes to a file without a pause.
private final class Neighbour: Sendable {
  let isOver = Atomic(false)

  init(_ path: String) {
    Thread { [self] in
      guard let file = fopen(path, "w") else { return }
      setbuf(file, nil)
      while !isOver.load(ordering: .relaxed) { fputs("x", file) }
      fclose(file)
    }.start()
  }
}
