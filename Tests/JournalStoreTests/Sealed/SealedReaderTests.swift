import Foundation
import Journal
import Seal
import Testing

@testable import JournalStore

/// The chapter on the file is enough to read one.
struct SealedReaderTests {
  private let directory = TemporaryDirectory(isInMemory: true)

  @Test("libsodium's cipher gives the draft's test vector, so both sides speak of the same one")
  func vector() throws {
    // draft-irtf-cfrg-xchacha-03, A.3.1.
    let sodium = try Sodium()
    let text =
      "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future,"
      + " sunscreen would be it."
    let key = Array(UInt8(0x80)...0x9F)
    let nonce = Array(UInt8(0x40)...0x57)
    let data: [UInt8] = [0x50, 0x51, 0x52, 0x53, 0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7]
    let sealed = sodium.seal(Array(text.utf8), nonce: nonce, data: data, key: key)
    #expect(sealed.prefix(8) == [0xBD, 0x6D, 0x17, 0x9D, 0x3E, 0x83, 0xD4, 0x3B])
    #expect(
      sealed.suffix(16) == [
        0xC0, 0x87, 0x59, 0x24, 0xC1, 0xC7, 0x98, 0x79, 0x47, 0xDE, 0xAF, 0xD8, 0x78, 0x0A, 0xCF,
        0x49,
      ])
    #expect(sodium.open(sealed, nonce: nonce, data: data, key: key) == Array(text.utf8))
  }

  @Test("a journal is read from its file and its passphrase, by libsodium and sqlite3 alone")
  func reader() throws {
    let path = try SealedJournal.make(in: directory)
    let store = try SQLiteEntryStore.open(path, mode: .create, clock: TickingClock().clock)
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    // More than a group of 500 pages, and then free ones.
    let long = String(repeating: "long ", count: 100_000)
    for index in 0..<6 {
      try store.add([
        NewEntry(text: "\(index) \(long)", created: moment, day: moment.localDay)
      ])
    }
    try store.delete([2, 3])
    _ = try store.purge()
    try store.edit(1, text: "Käse 三")
    store.close()
    let file = Array(try Data(contentsOf: URL(filePath: path)))
    let database = try SealedReader(file, passphrase: SealedJournal.passphrase.bytes).database()
    #expect(database.count > 500 * 4096)
    let readable = directory.file("readable.sqlite")
    try Data(database).write(to: URL(filePath: readable))
    #expect(try ForeignTool.run("PRAGMA integrity_check", on: readable) == "ok\n")
    #expect(
      try ForeignTool.run("SELECT text FROM entry WHERE number = 1", on: readable) == "Käse 三\n")
    #expect(try ForeignTool.run("SELECT count(*) FROM entry", on: readable) == "4\n")
    #expect(throws: SealedReader.Unreadable.self) {
      try SealedReader(file, passphrase: Array("wrong".utf8))
    }
  }
}
