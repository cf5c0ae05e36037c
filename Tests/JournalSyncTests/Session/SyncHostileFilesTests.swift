import Foundation
import Journal
import JournalFormats
import JournalStore
import Seal
import TestSupport
import Testing

@testable import JournalSync

/// Files of a remote that a stranger wrote: what is not the file that its name says is named and left alone.
struct SyncHostileFilesTests {
  /// Two devices, of which the second lacks a file that a text names, and the name of that file.
  private static func rig(
    _ kind: String = "sqlite", size: Int = 3_000
  ) throws -> (rig: SyncRig, entry: Entry, path: String) {
    let rig = try SyncRig([kind, kind])
    try rig.settle()
    let entry = try rig.attach(0, SyncRig.noise(size))
    try rig.sync(0)
    return (rig, entry, try #require(try rig.filePaths().first))
  }

  @Test(
    "another content is left alone and not read again, and the device that has the file sends it again",
    arguments: ["sqlite", "sealed.sqlite"])
  func replaced(kind: String) throws {
    let (rig, entry, path) = try Self.rig(kind)
    let git = PlainGit(rig.scratch)
    try git.commit([(path, .write(SyncRig.noise(4_000, seed: 9)))])
    for _ in 0..<2 {
      let report = try rig.sync(1)
      #expect(report.filesReceived == 0)
      #expect(report.skippedCount == 1, "\(report.skipped)")
      #expect(try rig.devices[1].entry(entry.uuid) != nil)
      #expect(try rig.devices[1].store.files().isEmpty)
    }
    let own = try rig.sync(0)
    #expect(own.filesSent == 1)
    #expect(own.notes.contains { $0.contains("is sent again") }, "\(own.notes)")
    let healed = try rig.sync(1)
    #expect((healed.filesReceived, healed.skippedCount) == (1, 0))
    #expect(try rig.file(1, of: entry.uuid) == SyncRig.noise(3_000))
    try rig.expectEqual()
  }

  @Test("a link, a directory and a submodule in place of a file")
  func kinds() throws {
    let changes: [(String, (String) -> [(String, PlainGit.Change)])] = [
      ("link", { [($0, .mode("120000", Array("/etc/passwd".utf8)))] }),
      ("directory", { [($0, .delete), ("\($0)/x", .text("x"))] }),
      ("submodule", { [($0, .submodule(String(repeating: "1", count: 40)))] }),
      ("nothing", { [($0, .delete)] }),
      ("all", { _ in [("files", .mode("120000", Array("/etc".utf8)))] }),
    ]
    for (name, change) in changes {
      let (rig, entry, path) = try Self.rig()
      try PlainGit(rig.scratch).commit(change(path))
      let report = try rig.sync(1)
      #expect((report.received, report.filesReceived) == (1, 0), "\(name)")
      #expect(try rig.devices[1].store.files().isEmpty, "\(name)")
      // The device that has the file sends it again.
      try rig.settle()
      #expect(try rig.file(1, of: entry.uuid) == SyncRig.noise(3_000), "\(name)")
      #expect(try rig.sync(1).isEmpty, "\(name)")
    }
  }

  @Test("odd names and files that no text names harm nothing, and stay")
  func names() throws {
    let (rig, entry, _) = try Self.rig()
    let digits = String(repeating: "ab", count: 8)
    let names = [
      "files/readme.txt", "files/ab/\(digits.uppercased()).jpg", "files/xx/\(digits).jpg",
      "files/ab/\(digits).jpg.exe", "files/ab/\(digits).", "files/ab/ab.jpg",
      "files/ab/c/\(digits)",
      "files/\(digits)",
    ]
    try PlainGit(rig.scratch).commit(names.map { ($0, .text("x")) })
    let report = try rig.sync(1)
    #expect((report.received, report.filesReceived, report.skippedCount) == (1, 1, 0))
    #expect(try rig.file(1, of: entry.uuid) == SyncRig.noise(3_000))
    try rig.settle()
    #expect(Set(names).isSubset(of: try rig.filePaths()))
  }

  @Test("two different files with the same beginning of their hashes are both kept, here and there")
  func collision() throws {
    let (one, two) = SyncHostileFilesTests.twins
    let rig = try SyncRig(["sqlite", "sqlite", "sqlite"])
    try rig.settle()
    let first = try rig.attach(0, one, named: "one.bin")
    let second = try rig.attach(1, two, named: "two.bin")
    #expect(FileLink.all(in: first.text)[0].target == FileLink.all(in: second.text)[0].target)
    try rig.sync(0)
    #expect(try rig.sync(1).notes.contains { $0.contains("two different files begin with") })
    try rig.settle()
    for device in rig.devices {
      #expect(
        try Set(device.store.files().map(\.hash))
          == Set([one, two].map(SyncHostileFilesTests.hash)))
    }
    #expect(try rig.file(0, of: first.uuid) == one)
    #expect(try rig.file(1, of: second.uuid) == two)
    #expect(try rig.filesOfRemote().count == 2)
  }

  /// Two contents of eight bytes with the same first 16 digits, found by a search of 8 billion steps.
  private static let twins: ([UInt8], [UInt8]) = (
    [0x46, 0xCD, 0x46, 0x82, 0x74, 0x24, 0x58, 0xFD],
    [0xF5, 0xEA, 0xD9, 0xA2, 0x97, 0x28, 0xE1, 0xDA]
  )

  private static func hash(_ bytes: [UInt8]) -> String {
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.hex()
  }

  // MARK: Sealed files

  @Test("no bytes of a sealed file, and no digits of its hash, are in the remote")
  func canary() throws {
    let canary = Array("zanzibarian".utf8)
    let bytes = (0..<30_000).flatMap { _ in canary }
    let rig = try SyncRig(["sealed.sqlite", "sealed.sqlite"])
    let entry = try rig.attach(0, bytes)
    try rig.expectEqual()
    #expect(try rig.file(1, of: entry.uuid) == bytes)
    let digits = FileLink.all(in: entry.text)[0].target
    for name in ["remote.git", "cache-device1", "cache-device2"] {
      let objects = Data(
        try rig.scratch.git([
          "-C", "\(rig.scratch.path)/\(name)", "cat-file", "--batch-all-objects", "--batch",
        ]))
      #expect(objects.count > bytes.count)
      for word in ["zanzibar", "ibarianz", digits, ".jpg"] {
        #expect(objects.range(of: Data(word.utf8)) == nil, "\(word) in \(name)")
      }
    }
  }

  @Test("sealed pieces that are cut, exchanged, repeated or of another file are noticed")
  func pieces() throws {
    let key = try JournalKey.random()
    let seal = FileSeal(key: key, name: "files/ab/cd")
    for size in [0, 1, 500, 262_136, 262_144, 600_000] {
      let bytes = SyncRig.noise(size)
      let sealed = try Self.sealed(bytes, seal)
      #expect(sealed.count == FileSeal.sealedSize(of: size))
      #expect(try Self.opened(sealed, seal) == bytes)
      #expect(try Self.opened(sealed, seal, step: 1_000) == bytes)
      #expect(sealed.count <= size + size / 8 + 600 + 40 * (size / 262_144 + 2))
      let whole = FileSeal.pieceSize + 40
      var broken = [
        Array(sealed.dropLast()), sealed + [0], Array(sealed.dropFirst()), [],
        Array(sealed.prefix(40)), sealed.enumerated().map { $0 == 30 ? $1 ^ 1 : $1 },
      ]
      if sealed.count > 2 * whole {
        let pieces = stride(from: 0, to: sealed.count, by: whole).map {
          Array(sealed[$0..<min($0 + whole, sealed.count)])
        }
        broken.append(pieces[1] + pieces[0] + pieces[2...].joined())
        broken.append(pieces[0] + pieces[0] + pieces[2...].joined())
        broken.append(Array(pieces[..<2].joined()))
      }
      for (place, broken) in broken.enumerated() {
        #expect(throws: SyncTreeError.self, "\(size) \(place)") { try Self.opened(broken, seal) }
      }
      #expect(throws: SyncTreeError.self) {
        try Self.opened(sealed, FileSeal(key: key, name: "files/ab/ce"))
      }
    }
  }

  private static func sealed(_ bytes: [UInt8], _ seal: FileSeal) throws -> [UInt8] {
    var place = 0
    let stream = seal.sealing(size: bytes.count) {
      defer { place = min(place + 100_000, bytes.count) }
      return Array(bytes[place..<min(place + 100_000, bytes.count)])
    }
    var sealed: [UInt8] = []
    while true {
      let next = try stream.read()
      if next.isEmpty { return sealed }
      sealed += next
    }
  }

  private static func opened(
    _ sealed: [UInt8], _ seal: FileSeal, step: Int = 300_000
  ) throws -> [UInt8] {
    var opening = try FileSeal.Opening(seal, size: sealed.count)
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: sealed.count, by: step) {
      try sealed[start..<min(start + step, sealed.count)].withUnsafeBytes {
        try opening.append($0) { bytes.append(contentsOf: $0) }
      }
    }
    guard opening.isComplete else { throw SyncTreeError.unreadable("is cut off") }
    return bytes
  }
}
