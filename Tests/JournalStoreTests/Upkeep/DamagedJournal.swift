import Foundation
import Journal
import ResultsTestSupport
import Seal
import TestSupport
import Testing

@testable import JournalStore

/// A journal with a history, of which damaged copies are made.
final class DamagedJournal {
  let directory = TemporaryDirectory(isInMemory: true)
  /// The journal as it was.
  let sound: [UInt8]
  /// All its entries.
  let entries: [Int64: Entry]
  /// Whether the copies are sealed.
  let isSealed: Bool
  /// The path of the copies.
  var path: String { directory.file("j.sqlite") }
  var location: JournalLocation { JournalLocation(path: path, isExplicit: true) }

  /// Makes the journal: entries short and long, edits, deletions, stars, an undo.
  init(entries count: Int = 150, isSealed: Bool = false) throws {
    self.isSealed = isSealed
    let path = directory.file("j.sqlite")
    let store = try SQLiteEntryStore.open(
      path, mode: .create, clock: .fixed(seconds: 1_795_000_000, offset: 3600))
    var generator = SeededGenerator(seed: 11)
    try store.add(
      (0..<count).map { index in
        var entry = Samples.entry(&generator)
        entry.text = "entry \(index): " + entry.text
        if index.isMultiple(of: 20) { entry.text += String(repeating: " and on 東京", count: 900) }
        entry.uuid = EntryUUID.derived(text: entry.text, created: entry.created)
        return entry
      })
    for number in stride(from: Int64(3), to: Int64(count), by: 7) {
      let old = try store.entry(number)
      try store.change(.edit) { writer in
        var new = old
        new.text += "\nedited #later"
        try writer.update(new, from: old)
      }
    }
    try store.delete([5, 6])
    try store.setStarred(true, [8, 9])
    try store.undo()
    entries = try store.inspect { reader in
      var all: [Int64: Entry] = [:]
      for number in 1...Int64(count) { all[number] = try reader.entry(number: number) }
      return all
    }
    if isSealed {
      store.close()
      let key = try JournalKey.random()
      try Sealing(JournalLocation(path: path, isExplicit: true))
        .seal(with: key, slots: SealedJournal.slots(for: key))
    }
    sound = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Puts a copy in place, changed by `damage`, with nothing else in the directory.
  func put(_ damage: (inout [UInt8]) -> Void) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
      unlink(directory.file(name))
    }
    var bytes = sound
    damage(&bytes)
    try put(bytes)
  }

  func put(_ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    chmod(path, 0o600)
  }

  /// The contents of the directory, each file with its bytes.
  func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
      contents[name] = try Data(contentsOf: URL(fileURLWithPath: directory.file(name)))
    }
    return contents
  }

  func doctor() throws -> JournalDoctor { try JournalDoctor(location) }

  /// The entries on each page: those that a reader of pages misses when the page is empty.
  func entriesByPage() throws -> [Int: Set<Int64>] {
    let size = 4096
    var byPage: [Int: Set<Int64>] = [:]
    for page in 0..<(sound.count / size) {
      try put {
        $0.replaceSubrange((page * size)..<((page + 1) * size), with: repeatElement(0, count: size))
      }
      var found: Set<Int64> = []
      try PageScan(file: try PageFile(path, shownPath: path)).visitRows { id, values, _, _ in
        if let entry = SalvagedEntry(number: id, values), entry.isProven { found.insert(id) }
      }
      byPage[page] = Set(entries.keys).subtracting(found)
    }
    return byPage
  }
}
