import Journal
import Testing

@testable import JournalFormats

/// Directory journals and encrypted journals of jrnl.
struct JrnlDirectoryTests {
  private static let directory = [
    "2020/08/29.txt": "[2020-08-29 11:11:00 AM] Entry the first.\nbody\n",
    "2020/08/31.txt":
      "[2020-08-31 02:32:00 PM] A second entry. *\nmore\n\n[2020-08-31 03:00:00 PM] x\n",
    "2020/08/31.txt.bak": "[2020-08-31 02:32:00 PM] old\n",
    "2020/09/notes.txt": "[2022-03-02 9:25:00 AM] not a day\n",
    "2020/13/01.txt": "[2022-03-02 9:25:00 AM] no month\n",
  ]

  @Test("a directory journal keeps its times and stars; other files are passed by and said")
  func directory() throws {
    for format in [ImportFormat.markdown, .jrnlText] {
      let found = try items(format, Self.directory)
      let read = found.compactMap { if case .entry(let entry, _) = $0 { entry } else { nil } }
      #expect(read.map(\.text) == ["Entry the first.\nbody", "A second entry.\nmore", "x"])
      #expect(read.map(\.created.clockText) == ["11:11", "14:32", "15:00"])
      #expect(read.map(\.starred) == [false, true, false])
      #expect(
        notes(found) == [
          "2 files not read: jrnl reads only YYYY/MM/DD.txt, such as 2020/09/notes.txt",
          "left out: 1 \".bak\" file",
        ])
    }
    #expect(ImportFormat.detect(files: Self.directory.keys.sorted()) == .markdown)
  }

  @Test("the path names the day, also where the file has only times")
  func pathDay() throws {
    let read = try entries(
      .markdown,
      [
        "j/2020/08/29.txt": "[11:11] One\n\n[14:05] Two *\n",
        "j/2020/08/30.txt": "[2020-01-01 08:00] x\n",
      ])
    #expect(
      read.map(\.day) == [try day("2020-08-29"), try day("2020-08-29"), try day("2020-08-30")])
    #expect(read.map(\.created.clockText) == ["11:11", "14:05", "08:00"])
    #expect(read.map(\.starred) == [false, true, false])
  }

  @Test("day files of other programs and directories with notes are read as before")
  func others() throws {
    let diary = try entries(.markdown, ["2020/08/29.txt": "Dear diary\n"])
    #expect(diary.map(\.text) == ["Dear diary"])
    let mixed = try entries(
      .markdown,
      [
        "2020/08/29.txt": "[2020-08-29 11:11] One\n", "2020-08-30.md": "note",
        "a.txt": "[2020-08-31 10:00] Two\n",
      ])
    #expect(mixed.map(\.text) == ["note", "One", "Two"])
  }

  /// Bytes as chance gives them, always the same.
  private static let chance: [UInt8] = {
    var state: UInt64 = 88_172_645_463_325_252
    return (0..<160).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 32)
    }
  }()

  @Test(
    "encrypted journals of every jrnl are known",
    arguments: [
      chance, utf8("gAAAAABfb4gQBMqqGn_W8v-s7qCi14bX7inuCOKbsBqIUf7_ch14vTUp7lrysPFvhBp5vGijTw=="),
      utf8("gAAAAABVIHB7\n"), utf8("JRNLv3") + [0, 0x30] + utf8("eyJzYWx0IjoiYWJj"),
      utf8("JRNLv3") + [0, 0x23] + utf8("{\"salt\":\"abc\"}gAAAAABp"), utf8("JRNLv4") + [1, 2, 3],
    ])
  func encrypted(bytes: [UInt8]) {
    #expect(ImportFormat.detect(bytes, path: "journal.txt") == .encrypted)
  }

  @Test(
    "other files are not called encrypted",
    arguments: [
      utf8("gAAAAA is how a token begins, says my diary"), [0x1F, 0x8B] + chance.dropFirst(2),
      [0x89, 0x50, 0x4E, 0x47] + chance.dropFirst(4), Array(chance.dropLast()),
      [UInt8](repeating: 0, count: 160), utf8(String(repeating: "日本語の日記 ", count: 16)),
      Array(
        "caf\u{E9} cr\u{E8}me ".unicodeScalars.map { UInt8($0.value) }
          + [UInt8](repeating: 0x61, count: 20)),
    ])
  func notEncrypted(bytes: [UInt8]) {
    #expect(ImportFormat.detect(bytes) != .encrypted)
  }
}
