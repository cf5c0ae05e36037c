import Foundation
import Glibc
import Journal
import Seal
import Testing

@testable import JournalStore

/// Sealing, unsealing and passphrases of whole journals.
@Suite("Sealing")
struct SealingTests {
  private let directory = TemporaryDirectory(isInMemory: true)
  private let ticking = TickingClock()

  private var path: String { directory.file("j.sqlite") }
  private var location: JournalLocation { JournalLocation(path: path, isExplicit: true) }

  private func open(_ mode: OpenMode = .readWrite) throws -> SQLiteEntryStore {
    try SQLiteEntryStore.open(path, mode: mode, clock: ticking.clock)
  }

  private func entry(_ text: String) -> NewEntry {
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    return NewEntry(text: text, created: moment, day: moment.localDay)
  }

  private func fill() throws -> [Int64: Entry] {
    let store = try open(.create)
    defer { store.close() }
    try store.add((0..<50).map { entry("canary \($0) #tag\($0 % 3)") })
    try store.edit(3, text: "canary edited")
    try store.delete([4])
    return try Oracle(store).entries
  }

  private func seal(recovery: RecoveryKey? = nil) throws -> JournalKey {
    let key = try JournalKey.random()
    try Sealing(location).seal(with: key, slots: SealedJournal.slots(for: key, recovery: recovery))
    return key
  }

  private func contains(_ word: String, _ path: String) throws -> Bool {
    try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(word.utf8)) != nil
  }

  @Test("a sealed journal has all entries, versions and search, and no word in any file")
  func sealing() throws {
    let before = try fill()
    #expect(try contains("canary", path))
    let key = try seal()
    let store = try open()
    #expect(try Oracle(store).entries == before)
    #expect(try store.check() == [])
    #expect(try store.numbers(matching: .word("canary")).count == 49)
    try store.add([entry("canary after sealing")])
    try store.undo()
    store.close()
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
      #expect(try !contains("canary", directory.file(name)), "\(name)")
    }
    JournalKey.forget(id: key.id)
    let error = #expect(throws: StoreError.self) { try open() }
    #expect(error?.kind == .locked && error?.category == .noPermission)
    #expect(throws: StoreError.self) { try Sealing(location).unseal() }
    let header = try #require(try Sealing.header(of: location))
    try header.wrappedKey.key(passphrase: SealedJournal.passphrase).register()
    try Sealing(location).unseal()
    #expect(try Sealing.header(of: location) == nil)
    JournalKey.forget(id: key.id)
    #expect(try Oracle(open()).entries == before)
    #expect(try open().check() == [])
    #expect(try contains("canary", path))
  }

  @Test("sealing twice, and unsealing a readable journal, are refused; so are JSON and memory")
  func refused() throws {
    _ = try fill()
    #expect(throws: StoreError.self) { try Sealing(location).unseal() }
    _ = try seal()
    #expect(throws: StoreError.self) { try seal() }
    for name in ["j.json", ":memory:"] {
      #expect(throws: StoreError.self) {
        try Sealing(JournalLocation(path: name, isExplicit: true))
      }
    }
  }

  @Test("a store that was open before the sealing sees that the file was replaced")
  func openMeanwhile() throws {
    _ = try fill()
    let other = try open()
    _ = try seal()
    let works: [() throws -> Void] = [
      { try other.add([self.entry("late")]) }, { _ = try other.count() },
      { _ = try other.numbers(matching: .word("canary")) }, { _ = try Oracle(other) },
    ]
    for work in works {
      let error = #expect(throws: StoreError.self) { try work() }
      #expect(error?.kind == .replaced)
    }
  }

  @Test("a change of the passphrase writes the header only, while other stores are open")
  func passphrase() throws {
    _ = try fill()
    let recovery = try RecoveryKey.random()
    let key = try seal(recovery: recovery)
    let other = try open()
    let before = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    let new = Passphrase(Array("new one".utf8))
    try Sealing(location).change { header, key in
      try KeySlots(header, key: key, newPassphrase: new, cost: SealedJournal.cost)
    }
    let after = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(before.dropFirst(8192) == after.dropFirst(8192))
    try other.add([entry("after the change")])
    let header = try #require(try Sealing.header(of: location))
    #expect(throws: SealError.wrongSecret) {
      try header.wrappedKey.key(passphrase: SealedJournal.passphrase)
    }
    #expect(try header.wrappedKey.key(passphrase: new).id == key.id)
    #expect(try header.wrappedKey.key(recovery: recovery).id == key.id)
    #expect(try open().check() == [])
    // The other store knew the old passphrase when it was opened.
    let copy = directory.file("copy.sqlite")
    try other.backup(to: copy, replacing: false)
    let copied = try #require(
      try Sealing.header(of: JournalLocation(path: copy, isExplicit: true)))
    #expect(try copied.wrappedKey.key(passphrase: new).id == key.id)
    #expect(throws: SealError.wrongSecret) {
      try copied.wrappedKey.key(passphrase: SealedJournal.passphrase)
    }
  }

  @Test("backups, restored ones and salvaged ones stay sealed")
  func copies() throws {
    let before = try fill()
    let key = try seal()
    let store = try open()
    let copy = directory.file("copy.sqlite")
    try store.backup(to: copy, replacing: false)
    try store.add([entry("canary after the copy")])
    store.close()
    #expect(try !contains("canary", copy))
    let restoration = try Restoration(of: copy, to: location, clock: ticking.clock)
    #expect(restoration.problems == [])
    let kept = try #require(try restoration.finish())
    #expect(try Oracle(open()).entries == before)
    #expect(try !contains("canary", path) && !contains("canary", kept))
    let saved = directory.file("saved.sqlite")
    let report = try JournalDoctor(location).salvage(to: saved)
    #expect(report.saved == before.count)
    #expect(try !contains("canary", saved))
    let salvaged = try SQLiteEntryStore.open(saved, mode: .readOnly)
    #expect(try Oracle(salvaged).entries == before)
    JournalKey.forget(id: key.id)
    #expect(throws: StoreError.self) { try Restoration(of: copy, to: location) }
  }

  @Test("the doctor names a changed page, and salvage saves the rows of all others")
  func damage() throws {
    let count = try fill().count
    _ = try seal()
    var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    let page = (bytes.count / 4096 - 6) / 2
    bytes[(6 + page - 1) * 4096 + 50] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let examination = try JournalDoctor(location).examine()
    #expect(
      examination.findings.contains { $0.text.contains("page \(page) ") && $0.remedy == .salvage })
    let saved = directory.file("saved.sqlite")
    let report = try JournalDoctor(location).salvage(to: saved)
    #expect(report.saved > count / 2)
    #expect(try SQLiteEntryStore.open(saved, mode: .readOnly).check() == [])
  }

  @Test("leftovers of a killed sealing are overwritten and removed")
  func leftovers() throws {
    _ = try fill()
    let left = directory.file("j.sqlite.sealing-999999999")
    try Data("canary".utf8).write(to: URL(fileURLWithPath: left))
    let second = directory.file("second")
    #expect(link(left, second) == 0)
    Sealing.removeLeftovers(beside: path)
    #expect(access(left, F_OK) != 0)
    try Data("canary".utf8).write(to: URL(fileURLWithPath: left))
    Sealing.removeLeftovers(beside: path)
    #expect(access(left, F_OK) != 0)
    #expect(access(path, F_OK) == 0)
  }
}
