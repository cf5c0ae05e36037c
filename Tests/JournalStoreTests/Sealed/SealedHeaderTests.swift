import Foundation
import GRDB
import Glibc
import Journal
import Seal
import TestSupport
import Testing

@testable import JournalStore

/// The two copies of a sealed journal's header: each changed one is named, and one sound copy is
/// enough.
@Suite("Copies of a sealed header")
struct SealedHeaderTests {
  private let directory = TemporaryDirectory(isInMemory: true)
  private let path: String
  private var location: JournalLocation { JournalLocation(path: path, isExplicit: true) }

  init() throws {
    path = try SealedJournal.make(in: directory)
    let store = try SQLiteEntryStore.open(path, mode: .create)
    try store.add([Self.entry("one")])
    store.close()
  }

  private static func entry(_ text: String) -> NewEntry {
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    return NewEntry(text: text, created: moment, day: moment.localDay)
  }

  private func bytes() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func write(_ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  private func findings() throws -> [Finding] { try JournalDoctor(location).examine().findings }

  private func notes() throws -> [String] {
    let store = try SQLiteEntryStore.open(path, mode: .readOnly)
    defer { store.close() }
    return store.notes
  }

  /// Replaces the public key of a copy, as somebody without the journal's key can.
  private func forge(_ copy: Int, in bytes: [UInt8], isNewer: Bool) throws -> [UInt8] {
    var bytes = bytes
    let start = copy * 4096
    for index in 0..<32 { bytes[start + 40 + index] ^= 0x55 }
    if isNewer {
      bytes[start + 79] += 1
      bytes[start + 20] = 0
    }
    let sum = try Sodium().hash(Array(bytes[start..<(start + 4064)]), key: [])
    bytes.replaceSubrange((start + 4064)..<(start + 4096), with: sum)
    return bytes
  }

  @Test("a flipped bit anywhere in a copy is named on opening and by doctor, which mends it")
  func flipped() throws {
    let whole = try bytes()
    #expect(try findings() == [] && notes() == [])
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    for round in 0..<30 {
      let place = random.below(8192)
      var changed = whole
      changed[place] ^= 1 << UInt8(random.below(8))
      try write(changed)
      let text = "copy \(place / 4096 + 1) of its header is damaged"
      #expect(
        try findings() == [Finding(text, .repair)],
        "seed \(SeededGenerator.runSeed), round \(round), byte \(place)")
      #expect(try notes() == ["\(path): \(text); the next change replaces it"])
    }
    let report = try JournalDoctor(location).repair()
    #expect(report.left.findings == [] && report.repaired.count == 1)
    #expect(try notes() == [])
  }

  @Test("a copy that somebody without the key wrote is named, newer or not", arguments: [0, 1])
  func forged(copy: Int) throws {
    let whole = try bytes()
    for isNewer in [false, true] {
      try write(try forge(copy, in: whole, isNewer: isNewer))
      let text = "copy \(copy + 1) of its header was changed by somebody without its key"
      #expect(try findings() == [Finding(text, .repair)])
      #expect(try notes() == ["\(path): \(text); the next change replaces it"])
      let key = try #require(try Sealing.header(of: location)?.key)
      #expect(Sealing.isKey(key, of: location))
      let store = try SQLiteEntryStore.open(path, mode: .readWrite)
      try store.add([Self.entry("two")])
      store.close()
      #expect(try findings() == [] && notes() == [])
    }
  }

  @Test("nobody writes while doctor compares the pages with their map")
  func writer() throws {
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    _ = try JournalFile(existing: path)
    let other = try DatabaseQueue(path: path, configuration: configuration)
    try other.inDatabase { try $0.execute(sql: "PRAGMA journal_mode=TRUNCATE") }
    var doctor = try JournalDoctor(location)
    var refused = 0
    var written = 0
    doctor.attendance.report = { part, _, _ in
      guard part == "sealed pages" else { return }
      do {
        try other.write { try $0.execute(sql: "UPDATE entry SET starred = 1 - starred") }
        written += 1
      } catch {
        refused += 1
      }
    }
    #expect(try doctor.examine().findings == [])
    #expect(refused > 0 && written == 0)
  }
}
