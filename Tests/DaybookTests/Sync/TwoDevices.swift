import Foundation
import Journal
import JournalStore
import Testing

/// Two devices, `a` and `b`, in one directory, with a remote between them.
///
/// Both have changes that the other lacks, one of them in conflict, and a purge. Those of `a` are in
/// the remote.
final class TwoDevices {
  /// What a device uses: the directory of its journal, the cache of its repository, the remote.
  enum Part: String, CaseIterable {
    case journal, cache, remote
  }

  let program: Program
  let kind: String
  /// The directory of all parts.
  let work: URL
  private let master: URL

  init(_ kind: String) throws {
    (program, self.kind) = (try Program(), kind)
    (work, master) = (
      program.home.appending(path: "work"), program.home.appending(path: "master")
    )
    for name in ["a", "b"] {
      try FileManager.default.createDirectory(
        at: work.appending(path: name), withIntermediateDirectories: true)
    }
    try StoredJournal.add(["one", "two", "three", "four"], to: journal("a"))
    _ = try StoredJournal.open(journal("a")).delete([4])
    for name in ["a", "b"] {
      let result = try sync(name, ["--remote", directory(.remote, of: name)])
      #expect(result.code == 0, "\(result.errors)")
    }
    for (index, name) in ["a", "b"].enumerated() {
      // Two texts of one second would be stamped anew, with the time of the sync.
      let clock = WallClock(now: { 1_795_300_000 + Int64(index) * 60 }, offset: { _ in 0 })
      let store: any EntryStore =
        try kind == "json"
        ? JSONEntryStore.open(journal(name), mode: .readWrite, clock: clock)
        : SQLiteEntryStore.open(journal(name), mode: .readWrite, clock: clock)
      let numbers = Dictionary(
        uniqueKeysWithValues: try store.entries(store.numbers(matching: nil)).map {
          ($0.text, $0.number)
        })
      _ = try store.edit(#require(numbers["one"]), text: "one by \(name)")
      _ = try store.edit(
        #require(numbers[index == 0 ? "two" : "three"]), text: "changed by \(name)")
      try StoredJournal.add(["added by \(name)"], to: journal(name))
      if name == "b" { _ = try store.purge() }
    }
    #expect(try sync("a").code == 0)
    try FileManager.default.copyItem(at: work, to: master)
  }

  func journal(_ name: String) -> String { work.appending(path: "\(name)/j.\(kind)").path }

  /// The directory of a part, as a device sees it.
  func directory(_ part: Part, of name: String) -> String {
    switch part {
    case .journal: work.appending(path: name).path
    case .cache: work.appending(path: "state-\(name)").path
    case .remote: work.appending(path: "remote.git").path
    }
  }

  @discardableResult
  func sync(
    _ name: String, _ words: [String] = [], extra: [String: String] = [:]
  ) throws -> Program.Result {
    let variables = ["XDG_STATE_HOME": directory(.cache, of: name), "HOSTNAME": name]
    return try program.run(
      ["--journal", journal(name), "sync"] + words, extra: variables.merging(extra) { $1 })
  }

  /// Brings both devices and the remote back to the beginning.
  func reset() throws {
    try FileManager.default.removeItem(at: work)
    try FileManager.default.copyItem(at: master, to: work)
  }

  /// All that must be equal on both devices: entries without their numbers, and open conflicts.
  func contents(_ name: String) throws -> [String] {
    // Opening for writing rolls an interrupted transaction back.
    let store = try StoredJournal.open(journal(name))
    return try StoredJournal.entries(journal(name)).map { entry in
      let conflicts = try store.conflicts(of: entry.number)
      var entry = entry
      entry.number = 0
      return "\(entry) \(conflicts)"
    }
  }
}
