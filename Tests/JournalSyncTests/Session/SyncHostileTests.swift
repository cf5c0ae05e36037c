import Foundation
import Journal
import JournalFormats
import JournalStore
import JournalSync
import TestSupport
import Testing

/// A remote whose files a stranger writes: what cannot be used is named and left alone, the rest is
/// taken over, and the own journal loses nothing.
///
/// `SYNC_MUTATIONS` sets the number of mutated trees, `SYNC_FILES` that of the files of a large one.
struct SyncHostileTests {
  private static func setting(_ name: String, _ standard: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? standard
  }

  /// Two devices at rest, with an open conflict.
  private static func makeRig() throws -> SyncRig {
    try SyncTemplates.rig("hostile") { try madeRig() }
  }

  private static func madeRig() throws -> SyncRig {
    let rig = try SyncRig(["sqlite", "json"])
    let texts = ["one", "two lines\nof text\n", "---\nthree\n---\n", "four #tag", "five"]
    let entries = try texts.map { try rig.add(0, $0) }
    try rig.settle()
    for (index, device) in rig.devices.enumerated() {
      let number = try #require(try device.entry(entries[0].uuid)).number
      _ = try device.store.edit(number, text: "text of \(index)")
    }
    try rig.settle()
    return rig
  }

  /// Commits changes together with a good new entry, and checks what synchronisation makes of them.
  ///
  /// - Returns: the report of the first device.
  @discardableResult
  private static func check(
    _ rig: SyncRig, _ changes: [([UInt8], PlainGit.Change)], _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> SyncReport {
    // The removal of a file in the trash is a purge, whoever made it.
    let before = try rig.devices.map { device in
      try WordLedger.words(of: device).filter { try device.entry($0.key)?.deleted == nil }
    }
    let good = Entry(
      uuid: EntryUUID.make(), created: Moment(seconds: 1_790_000_000, offset: 0),
      modified: Moment(seconds: 1_790_000_000, offset: 0), day: try #require(Day("2026-09-21")),
      text: "good", starred: false)
    try PlainGit(rig.scratch).commit(
      bytes: changes + [(Array(SyncPath(good).text.utf8), .write(SyncFile.encode(good)))])
    let report = try rig.sync(0)
    try rig.settle(sourceLocation: sourceLocation)
    for (index, device) in rig.devices.enumerated() {
      let found = try device.entry(good.uuid)
      #expect(found?.text == "good", comment, sourceLocation: sourceLocation)
      WordLedger().checkSync(
        from: before[index], to: try WordLedger.words(of: device), comment,
        sourceLocation: sourceLocation)
      #expect(try device.store.check() == [], comment, sourceLocation: sourceLocation)
    }
    #expect(try rig.contents(0) == rig.contents(1), comment, sourceLocation: sourceLocation)
    return report
  }

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  // MARK: Names

  @Test("names that no program of good will makes are named and left alone")
  func names() throws {
    let rig = try Self.makeRig()
    let uuid = EntryUUID.make()
    let names: [[UInt8]] = [
      Self.bytes("2026/11/21/\u{202E}\(uuid).md"), Self.bytes("a\u{1B}[2J.md"),
      Self.bytes("line\nend.md"), [0xFF, 0xFE] + Self.bytes(".md"),
      Self.bytes("conflicts/\(uuid).md"), Self.bytes("conflicts/x/y/z.md"),
      Self.bytes(String(repeating: "d/", count: 600) + "deep.md"),
      Self.bytes(String(repeating: "n", count: 300) + ".md"),
      Self.bytes("2026/02/30/\(uuid).md"), Self.bytes("0000/00/00/\(uuid).md"),
      Self.bytes("CON.md"), Self.bytes("git~1.md"), Self.bytes(" .md"), Self.bytes("no date.md"),
    ]
    let report = try Self.check(rig, names.map { ($0, .text("no date")) }, "names")
    #expect(report.skippedCount == names.count, "\(report.skipped)")
    for skipped in report.skipped {
      let isClean = skipped.path.unicodeScalars.allSatisfy {
        $0.value >= 0x20 && $0.value != 0x202E
      }
      #expect(isClean && !skipped.reason.isEmpty)
    }
    #expect(try rig.contents(0).count == 6)
  }

  @Test("hidden files, other formats and programs' directories are nobody's entries, in silence")
  func others() throws {
    let rig = try Self.makeRig()
    let names = [
      ".obsidian/app.json", ".obsidian/note.md", "README.md", "photo.jpg", ".gitattributes",
      "LICENSE", "2026/11/21/photo.png", "notes.txt",
    ]
    let report = try Self.check(
      rig, names.map { (Self.bytes($0), .text("2026-11-21 text")) }, "others")
    #expect(report.skippedCount == 0 && report.received == 1)
  }

  @Test(
    "links and submodules in the place of files change nothing, also when they go",
    arguments: ["120000", "160000"])
  func kinds(mode: String) throws {
    let rig = try Self.makeRig()
    let before = try Set(rig.contents(0))
    let git = PlainGit(rig.scratch)
    let paths = try git.files().keys.filter { $0 != "daybook.json" }.sorted()
    let head = try #require(try git.head())
    let changes = paths.map { path -> ([UInt8], PlainGit.Change) in
      let isLink = mode == "120000"
      return (
        Self.bytes(path), isLink ? .mode(mode, Self.bytes("/etc/passwd")) : .submodule(head)
      )
    }
    let report = try Self.check(rig, changes, "\(mode)")
    #expect(Set(report.skipped.map(\.path)) == Set(paths))
    #expect(try before.isSubset(of: rig.contents(0)))
    try Self.check(rig, paths.map { (Self.bytes($0), .delete) }, "\(mode) removed")
    #expect(try before.subtracting(rig.contents(1)).count <= 1)
    #expect(try PlainGit(rig.scratch).files() == rig.files(0))
  }

  @Test("directories in the place of files move the entries to the trash, and their files return")
  func directories() throws {
    let rig = try Self.makeRig()
    let paths = try PlainGit(rig.scratch).files().keys.filter { $0.hasPrefix("20") }
    try Self.check(
      rig,
      paths.map { (Self.bytes($0), .delete) }
        + paths.map { (Self.bytes($0 + "/in.md"), .text("no date")) }, "directories")
    #expect(try rig.devices[1].store.numbers(matching: .flag(.deleted)).count == paths.count)
    #expect(try PlainGit(rig.scratch).files() == rig.files(0))
  }

  @Test("an executable file is a file like any other")
  func executable() throws {
    let rig = try Self.makeRig()
    let files = try PlainGit(rig.scratch).files()
    try Self.check(
      rig, files.map { (Self.bytes($0.key), .mode("100755", Self.bytes($0.value))) }, "executable")
    #expect(try rig.contents(1).count == 6)
  }

  // MARK: Contents

  @Test(
    "files that are no entries are named, and the entries stay as they are",
    arguments: [
      "", "\u{0}", "text with a NUL \u{0}", "---\nuuid: x\n---\n\ntext",
      "---\nuuid: 01890a5d-ac96-774b-bcce-b302099a8057\ncreated: 2026-11-21T09:15:00+01:00\n---\n\nx",
      "---\ncreated: 99999-99-99\n---\n\ntext", "---\nday: 0000-00-00\n---\n\ntext",
      "---\ndeleted: never\n---\n\ntext", "---\nmodified: 1\n", "---\n---\n", "---\n\n\n",
      "---\ncreated: \"@99999999999999999999 0\"\n---\n\nx",
      "---\ncreated: [1, 2\n---\n\nx", "---\nx: &a [*a, *a]\n---\n\n", "\u{FEFF}",
    ])
  func contents(text: String) throws {
    let rig = try Self.makeRig()
    let paths = try PlainGit(rig.scratch).files().keys.filter { $0.hasPrefix("20") }
    try Self.check(rig, paths.map { (Self.bytes($0), .text(text)) }, "\(text)")
    #expect(try rig.contents(0).count == 6)
  }

  @Test("a blob over the limit, a giant header and a giant line are named or read, never held")
  func giants() throws {
    let rig = try Self.makeRig()
    let day = "2026/11/21"
    let path = { () in "\(day)/\(EntryUUID.make()).md" }
    let huge = path()
    let header = "---\n" + String(repeating: "key: value\n", count: 50_000) + "---\n\ntext"
    let value = "---\nuuid: " + String(repeating: "x", count: 2_000_000) + "\n---\n\ntext"
    let report = try Self.check(
      rig,
      [
        (Self.bytes(huge), .write([UInt8](repeating: 0x61, count: SyncFile.sizeLimit + 1))),
        (Self.bytes(path()), .text(header)), (Self.bytes(path()), .text(value)),
        (
          Self.bytes("conflicts/\(EntryUUID.make())/\(String(repeating: "a", count: 64)).md"),
          .write([UInt8](repeating: 0x61, count: Entry.textByteLimit + 1))
        ),
      ], "giants")
    #expect(report.skipped.contains { $0.path == huge && $0.reason.contains("too large") })
  }

  @Test("a tree of many files that are no entries is listed in bounded space")
  func manyFiles() throws {
    let rig = try Self.makeRig()
    let count = Self.setting("SYNC_FILES", 400)
    let changes = (0..<count).map { index -> ([UInt8], PlainGit.Change) in
      let path = index % 2 == 0 ? "many/\(index).md" : "2026/10/10/\(EntryUUID.make()).md"
      return (Self.bytes(path), .write([0xFF]))
    }
    let report = try Self.check(rig, changes, "many files")
    #expect(report.skippedCount == count && report.skipped.count == SyncReport.mostSkipped)
  }

  // MARK: Fuzzer

  @Test("mutated files, names and kinds of files")
  func mutations() throws {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    var rig = try Self.makeRig()
    for round in 0..<Self.setting("SYNC_MUTATIONS", 4) {
      if round % 10 == 9 { rig = try Self.makeRig() }
      let files = try PlainGit(rig.scratch).files().filter { $0.key != "daybook.json" }
        .sorted { $0.key < $1.key }
      var changes: [([UInt8], PlainGit.Change)] = []
      var names: [String] = []
      for _ in 0...random.below(4) {
        guard let (path, text) = files.randomElement(using: &random) else { continue }
        let name = random.chance(percent: 25) ? Self.mutatedName(path, files, &random) : path
        let change = Self.mutated(Self.bytes(text), files.map(\.key), &random)
        names.append("\(name): \(change)")
        changes.append((Self.bytes(name), change))
      }
      try Self.check(
        rig, changes, "seed \(SeededGenerator.runSeed), round \(round): \(names)")
    }
  }

  private static func mutatedName(
    _ path: String, _ files: [(key: String, value: String)], _ random: inout SeededGenerator
  ) -> String {
    switch random.below(6) {
    case 0: return path.uppercased()
    case 1: return "Other/" + (path.split(separator: "/").last.map(String.init) ?? path)
    case 2: return "2019/01/01/" + (path.split(separator: "/").last.map(String.init) ?? path)
    case 3: return path + ".markdown"
    case 4: return "Note 2026-11-\(10 + random.below(20)).md"
    default:
      var characters = Array(path)
      characters[random.below(characters.count)] = "0"
      return String(characters)
    }
  }

  /// A file with some bytes, lines, or its kind changed.
  private static func mutated(
    _ bytes: [UInt8], _ names: [String], _ random: inout SeededGenerator
  ) -> PlainGit.Change {
    var bytes = bytes
    switch random.below(12) {
    case 0: return .delete
    case 1: return .mode("120000", bytes)
    case 2: return .submodule("1234567890123456789012345678901234567890")
    case 3: return .mode("100755", bytes)
    case 4: bytes.removeLast(random.below(bytes.count + 1))
    case 5: bytes.removeFirst(random.below(bytes.count + 1))
    case 6:
      let line = bytes.split(separator: 0x0A).randomElement(using: &random) ?? []
      bytes.insert(contentsOf: line + [0x0A], at: min(bytes.count, 4))
    case 7:
      let words = [
        "uuid: \(EntryUUID.make())", "deleted: 2026-11-21", "created: 0001-01-01", "tags: x",
      ]
      bytes.insert(
        contentsOf: "\(words[random.below(words.count)])\n".utf8, at: min(bytes.count, 4))
    case 8:
      bytes = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).shuffled(
        using: &random
      )
      .joined(separator: [0x0A]).map(\.self)
    default:
      for _ in 0...random.below(4) where !bytes.isEmpty {
        bytes[random.below(bytes.count)] = UInt8(random.below(256))
      }
    }
    return .write(bytes)
  }
}
