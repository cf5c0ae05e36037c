import Foundation
import GRDB
import Journal
import JournalStore

/// Keeps the sample journals between runs, and makes working copies of them.
struct DataFolder {
  /// Where this run may write; gone with it.
  let work: String
  private let samples: String

  /// Opens the folder; journals made with another schema are not used.
  init(path: String) throws {
    work = "\(path)/work-\(getpid())"
    try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
    let name = try DataFolder.fingerprint(ofJournalAt: "\(work)/probe.sqlite")
    samples = "\(path)/\(name)"
    try FileManager.default.createDirectory(atPath: samples, withIntermediateDirectories: true)
    for other in try FileManager.default.contentsOfDirectory(atPath: path)
    where other != name && !DataFolder.isInUse(other) {
      try FileManager.default.removeItem(atPath: "\(path)/\(other)")
    }
  }

  /// Whether a folder belongs to a run that has not ended.
  private static func isInUse(_ folder: String) -> Bool {
    let parts = folder.split(separator: "-")
    guard parts.count == 2, parts[0] == "work", let pid = pid_t(parts[1]) else { return false }
    return kill(pid, 0) == 0
  }

  /// A journal of `count` entries that a run may change: a fresh copy.
  func copy(_ count: Int, as name: String) throws -> String {
    let copy = "\(work)/\(name)-\(count).sqlite"
    try? FileManager.default.removeItem(atPath: copy)
    try FileManager.default.copyItem(atPath: try sample(count), toPath: copy)
    return copy
  }

  /// A journal of `count` entries; nobody may change it.
  func sample(_ count: Int) throws -> String {
    let file = "\(samples)/\(count).sqlite"
    guard !FileManager.default.fileExists(atPath: file) else { return file }
    Console.tell("making a journal of \(count) entries, once")
    let unfinished = "\(work)/unfinished.sqlite"
    try? FileManager.default.removeItem(atPath: unfinished)
    try SampleJournal(count: count).write(to: unfinished)
    try FileManager.default.moveItem(atPath: unfinished, toPath: file)
    return file
  }

  /// Removes the working copies.
  func clean() {
    try? FileManager.default.removeItem(atPath: work)
  }

  /// Names a schema by a checksum over a fresh journal's definitions.
  private static func fingerprint(ofJournalAt path: String) throws -> String {
    _ = try SQLiteEntryStore.open(path, mode: .create)
    let queue = try DatabaseQueue(path: path)
    let statements = try queue.read {
      try String.fetchAll($0, sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY 1")
    }
    let sum = Entry.checksum(of: statements.joined(separator: ";"))
    return String(UInt64(bitPattern: sum), radix: 16)
  }
}
