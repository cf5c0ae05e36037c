import Journal
import JournalStore
import Testing

@testable import daybook

/// The bytes of an entry that waits for a locked journal: anybody can make them.
@Suite("Bytes of an entry added while locked")
struct LockedEntryTests {
  private static let uuid = "0198aaaa-2222-7333-8444-555566667777"
  /// Seconds and offset of creation and of the last change, day, star.
  private static let usual = ["1794000000", "3600", "1794000060", "-3600", "20763", "1"]

  /// A file's bytes with some fields replaced, by their index.
  static func bytes(
    uuid: String = uuid, _ changes: [Int: String] = [:], journal: String? = nil,
    text: String = "text"
  ) -> [UInt8] {
    let fields = usual.enumerated().map { changes[$0.offset] ?? $0.element }
    let line = ([uuid] + fields + (journal.map { [$0] } ?? [])).joined(separator: " ")
    return Array("\(line)\n\(text)".utf8)
  }

  /// Bytes that are no entry which a journal can store.
  static let invalid: [[UInt8]] =
    ["9223372036854775807", "-9223372036854775808", "2932897", "-719163", "x", ""].map {
      bytes([4: $0])
    }
    + [0, 2].flatMap { field in
      ["9223372036854775807", "-9223372036854775808", "253402387200", "-62135683201"].map {
        bytes([field: $0])
      }
    }
    + [1, 3].flatMap { field in
      ["9223372036854775807", "-9223372036854775808", "86400", "-86400"].map { bytes([field: $0]) }
    }
    + ["2", "-1", "99999999999999999999"].map { bytes([5: $0]) }
    + ["", "X", uuid.uppercased(), uuid + "0"].map { bytes(uuid: $0) }
    + ["", " \n ", "a\u{0}b"].map { bytes(text: $0) }
    + [[], Array("text".utf8), [0x0A], Array(uuid.utf8) + [0x0A, 0x61]]
    + [bytes() + [0xFF], [0xFF] + bytes()]

  @Test("values that no journal stores are refused, the extreme ones that it does are read")
  func values() throws {
    for bytes in Self.invalid {
      #expect(LockedEntry(bytes) == nil, "\(String(decoding: bytes, as: UTF8.self))")
    }
    for changes in [[4: "2932896"], [4: "-719162"], [1: "86340"], [3: "-86340"]] {
      #expect(LockedEntry(Self.bytes(changes)) != nil, "\(changes)")
    }
  }

  @Test(
    "an entry comes back as it was, with the path of its journal",
    arguments: [
      "/home/a/journal.sqlite", "/a b/ c\n\\n.sqlite", "/\u{E9}",
    ])
  func roundTrip(path: String) throws {
    let read = try #require(LockedEntry(Self.bytes()))
    #expect(read.journal == nil && read.entry.starred && read.entry.text == "text")
    let back = try #require(LockedEntry(LockedEntry(read.entry, to: path).bytes))
    #expect(back.entry == read.entry)
    #expect(back.journal == path)
  }
}
