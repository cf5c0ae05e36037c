import Files
import Foundation
import GRDB
import Glibc
import Journal
import Seal
import Testing

@testable import JournalStore

/// Sealing while other processes write, are killed, or replace the file; and after a failed sync.
@Suite("Races of sealing")
struct SealingRaceTests {
  private let directory = TemporaryDirectory(isInMemory: true)
  private let ticking = TickingClock()

  private var path: String { directory.file("j.sqlite") }
  private var location: JournalLocation { JournalLocation(path: path, isExplicit: true) }

  private func open(_ mode: OpenMode = .readWrite) throws -> SQLiteEntryStore {
    try SQLiteEntryStore.open(path, mode: mode, clock: ticking.clock)
  }

  private func add(_ text: String) throws {
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    let store = try open(.create)
    defer { store.close() }
    try store.add([NewEntry(text: text, created: moment, day: moment.localDay)])
  }

  private func fill() throws {
    for number in 0..<30 {
      try add("canary \(number) " + String(repeating: "text \(number) ", count: 200))
    }
  }

  private func entries() throws -> [Int64: Entry] {
    let store = try open()
    defer { store.close() }
    return try Oracle(store).entries
  }

  /// Seals, and runs `body` once after a step.
  ///
  /// - Returns: how often the step was reached.
  @discardableResult
  private func seal(after step: Sealing.Step, _ body: @escaping () throws -> Void) throws -> Int {
    let key = try JournalKey.random()
    return try run(after: step, body) {
      try $0.seal(with: key, slots: SealedJournal.slots(for: key))
    }
  }

  private func run<Value>(
    after step: Sealing.Step, _ body: @escaping () throws -> Void,
    _ work: (Sealing) throws -> Value
  ) throws -> Int {
    let count = Count()
    var sealing = try Sealing(location)
    sealing.reached = { reached in
      guard reached == step else { return }
      count.value += 1
      if count.value == 1 { try body() }
    }
    _ = try work(sealing)
    return count.value
  }

  private final class Count { var value = 0 }

  private var isSealed: Bool { get throws { try Sealing.header(of: location) != nil } }

  private var hasRollbackJournal: Bool {
    var status = stat()
    return stat(path + "-journal", &status) == 0 && status.st_size > 0
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Writes in place, as a writer does: the file keeps its identity.
  private func write(_ bytes: [UInt8], _ path: String) throws {
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    try #require(Descriptor.writeAll(descriptor, bytes) == 0)
  }

  /// The file and the rollback journal of a writer that is killed inside a transaction.
  private func killedWriter() throws -> (file: [UInt8], journal: [UInt8]) {
    SealedFiles.install
    let whole = try bytes(path)
    var found: (file: [UInt8], journal: [UInt8]) = ([], [])
    do {
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        try db.execute(
          sql: "PRAGMA journal_mode=TRUNCATE; PRAGMA cache_size=1; PRAGMA temp_store=MEMORY")
      }
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.inTransaction(.immediate) { db in
        try db.execute(sql: "UPDATE entry SET starred = 1 - starred")
        found = (try bytes(path), try bytes(path + "-journal"))
        return .rollback
      }
      try queue.close()
    }
    try write(whole, path)
    try #require(found.journal.first != 0 && found.journal.count > 512)
    return found
  }

  @Test("the transaction of a writer that is killed before the exchange is rolled back first")
  func killedBeforeExchange() throws {
    try fill()
    let before = try entries()
    let killed = try killedWriter()
    let attempts = try seal(after: .compared) { try write(killed.journal, path + "-journal") }
    #expect(attempts == 2)
    #expect(try isSealed && !hasRollbackJournal)
    #expect(try entries() == before)
    #expect(try open().check() == [])
  }

  @Test("the transaction of a writer that is killed before a new passphrase is rolled back first")
  func killedBeforePassphrase() throws {
    try fill()
    try seal(after: .compared) {}
    let before = try entries()
    let killed = try killedWriter()
    let new = Passphrase(Array("new one".utf8))
    func kill() throws {
      try write(killed.file, path)
      try write(killed.journal, path + "-journal")
    }
    let attempts = try run(after: .copied, kill) {
      try $0.change { try KeySlots($0, key: $1, newPassphrase: new, cost: SealedJournal.cost) }
    }
    #expect(attempts == 2)
    #expect(!hasRollbackJournal)
    #expect(try entries() == before)
    #expect(try open().check() == [])
    #expect(try Sealing.header(of: location)?.wrappedKey.key(passphrase: new) != nil)
  }

  @Test("a rollback journal that SQLite ignores is overwritten: its pages are readable")
  func coldJournal() throws {
    try fill()
    let old = [UInt8](repeating: 0, count: 512) + Array("canary".utf8)
    try seal(after: .compared) { try write(old, path + "-journal") }
    #expect(try isSealed && bytes(path + "-journal").isEmpty)
  }

  @Test("entries that are added while the journal is copied are in the sealed one")
  func writtenMeanwhile() throws {
    for step in [Sealing.Step.copied, .compared] {
      try fill()
      let before = try entries().count
      let attempts = try seal(after: step) { try add("late") }
      #expect(attempts == 2)
      #expect(try isSealed)
      #expect(try entries().count == before + 1)
      unlink(path)
    }
  }

  @Test("a writer that never pauses makes sealing give up, and nothing is changed")
  func busy() throws {
    try fill()
    let key = try JournalKey.random()
    var sealing = try Sealing(location)
    sealing.reached = { if $0 == .compared { try add("again") } }
    let error = #expect(throws: StoreError.self) {
      try sealing.seal(with: key, slots: SealedJournal.slots(for: key))
    }
    #expect(error?.kind == .busy)
    #expect(try !isSealed)
    #expect(JournalKey.registered(for: key.id) == nil)
  }

  @Test("a file that is replaced meanwhile, even by an equal one, is copied again")
  func replacedMeanwhile() throws {
    try fill()
    let before = try entries()
    let attempts = try seal(after: .compared) {
      try write(bytes(path), path + ".copy")
      try AtomicFile.rename(path + ".copy", to: path)
    }
    #expect(attempts == 2)
    #expect(try isSealed && entries() == before)
  }

  @Test("a passphrase that another process changed meanwhile is derived from again")
  func twoPassphrases() throws {
    try fill()
    try seal(after: .compared) {}
    func change(_ sealing: Sealing, _ word: String) throws {
      let new = Passphrase(Array(word.utf8))
      try sealing.change { try KeySlots($0, key: $1, newPassphrase: new, cost: SealedJournal.cost) }
    }
    func first() throws { try change(Sealing(location), "first") }
    let attempts = try run(after: .copied, first) { try change($0, "second") }
    #expect(attempts == 2)
    let header = try #require(try Sealing.header(of: location))
    #expect(try header.wrappedKey.key(passphrase: Passphrase(Array("second".utf8))).id == header.id)
    #expect(throws: SealError.wrongSecret) {
      try header.wrappedKey.key(passphrase: Passphrase(Array("first".utf8)))
    }
  }

  @Test("a directory that cannot be synced gets its old file back")
  func failedSync() throws {
    try fill()
    let before = try entries()
    let key = try JournalKey.random()
    var sealing = try Sealing(location)
    sealing.reached = { if $0 == .exchanged { throw FileError("fsync", path, code: EIO) } }
    let error = #expect(throws: StoreError.self) {
      try sealing.seal(with: key, slots: SealedJournal.slots(for: key))
    }
    #expect(error?.kind == .io)
    #expect(try !isSealed)
    #expect(try entries() == before)
    #expect(Directory.names(in: directory.path).filter { $0.contains("sealing") } == [])
    sealing.reached = { _ in }
    #expect(try sealing.seal(with: key, slots: SealedJournal.slots(for: key)))
    #expect(try entries() == before)
  }

  @Test("a file that cannot be put back after a failed sync is named, and not overwritten")
  func failedTwice() throws {
    try fill()
    let whole = try bytes(path)
    let key = try JournalKey.random()
    var sealing = try Sealing(location)
    let (staged, kept) = (path + ".sealing-\(getpid())", path + ".kept")
    sealing.reached = {
      guard $0 == .exchanged else { return }
      // Without its name the file cannot be renamed.
      try AtomicFile.rename(staged, to: kept)
      throw FileError("fsync", path, code: EIO)
    }
    let error = #expect(throws: StoreError.self) {
      try sealing.seal(with: key, slots: SealedJournal.slots(for: key))
    }
    #expect(error?.description.contains(staged) == true)
    #expect(try isSealed && bytes(kept) == whole)
  }

  // MARK: Leftovers

  @Test("a file that another process works on is no leftover, whatever its number means here")
  func lockedFile() throws {
    try fill()
    let dead = path + ".sealing-999999999"
    try seal(after: .copied) {
      #expect(link(path + ".sealing-\(getpid())", dead) == 0)
      #expect(Sealing.leftovers(beside: path) == [])
      Sealing.removeLeftovers(beside: path)
      #expect(access(dead, F_OK) == 0)
      unlink(dead)
    }
    try write(Array("canary".utf8), dead)
    for suffix in ["-journal", ".old"] { try write([1], dead + suffix) }
    let other = try StagedFile(beside: path, shownPath: path)
    #expect(rename(other.path, dead) == 0)
    Sealing.removeLeftovers(beside: path)
    for suffix in ["", "-journal", ".old"] { #expect(access(dead + suffix, F_OK) == 0) }
    other.remove()
  }

  @Test("a sealed journal that is opened for writing, by any name, loses its readable leftovers")
  func leftoversOnOpening() throws {
    try fill()
    let left = ["", "-journal", ".old"].map { path + ".sealing-999999999" + $0 }
    func leave() throws { for path in left { try write(Array("canary".utf8), path) } }
    func count() -> Int { left.count { access($0, F_OK) == 0 } }
    try leave()
    try open().close()
    #expect(count() == 3, "a readable journal is as readable as they are")
    try seal(after: .compared) {}
    #expect(count() == 0)
    try leave()
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: left[0]))
    try open(.readOnly).close()
    #expect(count() == 3, "a reader writes nothing")
    let other = TemporaryDirectory()
    #expect(symlink(path, other.file("link.sqlite")) == 0)
    try SQLiteEntryStore.open(other.file("link.sqlite"), mode: .readWrite).close()
    #expect(count() == 0)
    #expect(try #require(try handle.readToEnd()).allSatisfy { $0 == 0 })
    try leave()
    Sealing.removeLeftovers(beside: other.file("link.sqlite"))
    #expect(count() == 0)
  }

  @Test("a leftover of an earlier process with the same number does not stop a seal")
  func sameNumber() throws {
    try fill()
    let left = path + ".sealing-\(getpid())"
    try write(Array("canary".utf8), left)
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: left))
    try seal(after: .compared) {}
    #expect(try isSealed)
    #expect(try #require(try handle.readToEnd()).allSatisfy { $0 == 0 })
  }

  @Test("the doctor names leftovers of an interrupted seal, and removes them")
  func doctor() throws {
    try fill()
    let left = path + ".sealing-999999999"
    try write(Array("canary".utf8), left)
    let found = try JournalDoctor(location).examine().findings
    #expect(found.map(\.remedy) == [.repair])
    #expect(found.first?.text.hasPrefix("j.sqlite.sealing-999999999 was left by") == true)
    #expect(access(left, F_OK) == 0)
    let report = try JournalDoctor(location).repair()
    #expect(report.left.findings == [] && report.kept == nil)
    #expect(access(left, F_OK) != 0)
  }

  @Test("a readable file that cannot be overwritten is reported, and sealed all the same")
  func unwiped() throws {
    try fill()
    let key = try JournalKey.random()
    var sealing = try Sealing(location)
    let second = directory.file("second")
    sealing.reached = {
      // A file with a second name is not overwritten.
      if $0 == .exchanged { #expect(link(path + ".sealing-\(getpid())", second) == 0) }
    }
    #expect(try !sealing.seal(with: key, slots: SealedJournal.slots(for: key)))
    #expect(try isSealed)
    #expect(!Sealing.wipe(second + ".missing") && Sealing.wipe(second))
    #expect(try bytes(second).allSatisfy { $0 == 0 })
  }
}
