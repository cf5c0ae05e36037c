import Foundation
import GRDB
import Journal
import JournalStore

/// Keeps the sample journals between runs, and makes working copies of them.
struct DataFolder {
  /// Where everything of the benchmark lies.
  let path: String
  private let samples: String

  /// Opens the folder; journals made with another schema are not used.
  init(path: String) throws {
    self.path = path
    let probe = "\(path)/probe-\(getpid()).sqlite"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: probe) }
    samples = "\(path)/\(try DataFolder.fingerprint(ofJournalAt: probe))"
    try FileManager.default.createDirectory(atPath: samples, withIntermediateDirectories: true)
    try? FileManager.default.removeItem(atPath: "\(path)/work")
    try FileManager.default.createDirectory(
      atPath: "\(path)/work", withIntermediateDirectories: true)
  }

  /// A journal of `count` entries that a run may change: a fresh copy.
  func copy(_ count: Int, as name: String) throws -> String {
    let copy = "\(path)/work/\(name)-\(count).sqlite"
    try? FileManager.default.removeItem(atPath: copy)
    try FileManager.default.copyItem(atPath: try sample(count), toPath: copy)
    return copy
  }

  /// A journal of `count` entries; nobody may change it.
  func sample(_ count: Int) throws -> String {
    let file = "\(samples)/\(count).sqlite"
    guard !FileManager.default.fileExists(atPath: file) else { return file }
    Console.tell("making a journal of \(count) entries, once")
    let unfinished = "\(file).unfinished"
    try? FileManager.default.removeItem(atPath: unfinished)
    try SampleJournal(count: count).write(to: unfinished)
    try FileManager.default.moveItem(atPath: unfinished, toPath: file)
    return file
  }

  /// Removes the working copies.
  func clean() {
    try? FileManager.default.removeItem(atPath: "\(path)/work")
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
