import Foundation
import GRDB
import Journal
import TestSupport
import Testing

@testable import JournalStore

/// Files that an import adds piece by piece.
@Suite("Streamed files")
struct StreamedFileTests {
  private let directory = TemporaryDirectory(isInMemory: true)
  private static let kinds = [StoreKind.sqlite, .sealed, .memory]
  private static let piece = FileContent.pieceSize

  private func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// Returns bytes in parts of some size.
  private func parts(_ bytes: [UInt8], _ size: Int) -> () throws -> [UInt8] {
    var rest = bytes[...]
    return {
      defer { rest = rest.dropFirst(size) }
      return Array(rest.prefix(size))
    }
  }

  private func add(
    _ bytes: [UInt8], _ name: String, in parts: Int, to store: any EntryStore
  ) throws -> StoredFile {
    try store.importing { journal in
      let file = try journal.addFile(named: name, self.parts(bytes, parts))
      let target = try journal.target(of: file)
      let moment = Moment(seconds: 1_790_000_000, offset: 0)
      let text = "[f](file:\(target))"
      try journal.add(NewEntry(text: text, created: moment, day: moment.localDay).entry)
      return file
    }
  }

  private func read(_ file: StoredFile, _ store: any EntryStore) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try store.readFile(file) { bytes += $0 }
    return bytes
  }

  @Test("bytes in parts of any size come out, with hash, size, type and pixels", arguments: kinds)
  func roundTrip(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let sizes = [0, 1, Self.piece - 1, Self.piece, Self.piece + 1, 3 * Self.piece]
    for (index, size) in sizes.enumerated() {
      for parts in [1 << 16, Self.piece, 1 << 20] {
        let bytes = bytes(size, seed: UInt64(index))
        let file = try add(bytes, "\(size).pdf", in: parts, to: store)
        #expect(file.size == size)
        #expect(file.type == "application/pdf")
        #expect(try read(file, store) == bytes)
        #expect(try store.inspect { try $0.file(file.hash) } == file)
      }
    }
    #expect(try store.files().count == sizes.count)
    let header: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + "IHDR".utf8
      + [0, 0, 0x0F, 0xC0, 0, 0, 0x0B, 0xD0, 8, 2, 0, 0, 0]
    let picture = try add(header + bytes(600_000), "x", in: 7, to: store)
    #expect(picture.type == "image/png")
    #expect(picture.pixels == PixelSize(width: 4_032, height: 3_024))
    #expect(try store.check() == [])
  }

  @Test("a file that fails in the middle leaves nothing, and the import goes on", arguments: kinds)
  func failing(kind: StoreKind) throws {
    struct Broken: Error {}
    let store = try kind.make(in: directory)
    let good = bytes(700_000)
    try store.importing { journal in
      var count = 0
      #expect(throws: Broken.self) {
        _ = try journal.addFile(named: "bad") {
          count += 1
          if count == 3 { throw Broken() }
          return good
        }
      }
      let file = try journal.addFile(named: "good", parts(good, 1 << 16))
      let moment = Moment(seconds: 1_790_000_000, offset: 0)
      let text = "[f](file:\(file.hash))"
      try journal.add(NewEntry(text: text, created: moment, day: moment.localDay).entry)
    }
    #expect(try store.files().map(\.name) == ["good"])
    #expect(try read(store.files()[0], store) == good)
    #expect(try store.check() == [])
  }

  @Test("a content that is there keeps its name, and damaged pieces are whole again")
  func known() throws {
    let path = directory.file("journal.sqlite")
    let store = try StoreKind.sqlite.make(in: directory)
    let bytes = bytes(600_000)
    let first = try add(bytes, "first.pdf", in: 1 << 16, to: store)
    try DatabaseQueue(path: path).write { db in
      try db.execute(sql: "UPDATE file_piece SET bytes = x'00' WHERE id % 4096 = 1")
    }
    #expect(throws: StoreError.self) { _ = try read(first, store) }
    let second = try add(bytes, "second.pdf", in: 1 << 16, to: store)
    #expect(second == first)
    #expect(try store.files() == [first])
    #expect(try read(first, store) == bytes)
    #expect(try store.check() == [])
  }

  @Test(
    "a file that arrives for a text is kept if its hash begins as the text says", arguments: kinds)
  func arriving(kind: StoreKind) throws {
    let store = try kind.make(in: directory)
    let bytes = bytes(600_000)
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.update($0) }
    let target = String(hash.hex().prefix(16))
    let moment = Moment(seconds: 1_790_000_000, offset: 0)
    let entry = try store.add([
      NewEntry(text: "![a sea](file:\(target).jpg)", created: moment, day: moment.localDay)
    ])[0]
    #expect(try store.inspect { try $0.namedTargets() } == [target: false])
    #expect(try store.inspect { try $0.link(naming: target)?.name } == "a sea.jpg")
    let sets = try store.inspect { try $0.changeSets(latest: 9, before: nil) }
    for isRight in [false, true] {
      let file = try store.receivingFiles { journal in
        let file = try journal.beginFile(named: "a sea.jpg")
        for start in stride(from: 0, to: bytes.count, by: 70_000) {
          try bytes[start..<min(start + 70_000, bytes.count)].withUnsafeBytes(file.append)
        }
        return try file.finish(beginningWith: isRight ? target : "0123456789abcdef")
      }
      #expect((file != nil) == isRight)
      #expect(try store.files().count == (isRight ? 1 : 0))
      #expect(try store.check() == [])
    }
    #expect(try store.inspect { try $0.namedTargets() } == [target: true])
    #expect(try read(store.files()[0], store) == bytes)
    // Nobody can undo what arrived.
    #expect(try store.inspect { try $0.changeSets(latest: 9, before: nil) } == sets)
    #expect(try store.entries([entry.number]).first?.text == entry.text)
  }
}
