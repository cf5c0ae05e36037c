import Glibc
import Journal
import JournalStore

/// Another process that writes: adds entries and prints when each commit had returned.
enum WriterProgram {
  /// The option that starts it; the journal's path and the number of entries follow.
  static let option = "--write"

  /// A title for the entry of a round; no two of 3,782 rounds share one.
  ///
  /// It differs from the last round's in every character, so that a screen that draws only what
  /// changed must draw all of it.
  static func title(_ round: Int) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    return String(
      (0..<12).map { letters[(round * 7 + $0 * $0 * 5) % (letters.count - $0 % 2)] })
  }

  static func run(_ arguments: [String]) throws {
    guard arguments.count == 2, let rounds = Int(arguments[1]) else {
      throw BenchError("\(option) needs a journal and a number")
    }
    let store = try SQLiteEntryStore.open(arguments[0], mode: .readWrite)
    var committed: UInt64 = 0
    let observation = store.observeCommits { committed = Monotonic.now() }
    for round in 0..<rounds {
      usleep(useconds_t(40_000 + round % 7 * 3_000))
      let now = store.clock.moment()
      try store.add([NewEntry(text: title(round), created: now, day: now.localDay)])
      print(committed)
      fflush(nil)
    }
    observation.cancel()
  }
}
