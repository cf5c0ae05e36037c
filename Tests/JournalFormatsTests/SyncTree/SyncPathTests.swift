import Journal
import JournalFormats
import TestSupport
import Testing

/// Names of files in a sync repository, and its manifest.
struct SyncPathTests {
  private static let uuid = "01890a5d-ac96-774b-bcce-b302099a8057"
  private static let hash = String(repeating: "0a", count: 32)

  private func read(_ path: String) throws -> SyncPath? { try SyncPath(Array(path.utf8)) }

  @Test("the names of our files are read and made")
  func ours() throws {
    #expect(try read("daybook.json") == .manifest)
    let entry = SyncPath.entry(uuid: Self.uuid, day: try day("2026-11-21"))
    #expect(entry.text == "2026/11/21/\(Self.uuid).md")
    let conflict = SyncPath.conflict(uuid: Self.uuid, hash: Self.hash)
    #expect(conflict.text == "conflicts/\(Self.uuid)/\(Self.hash).md")
    for path in [entry, conflict, .manifest, .entry(uuid: Self.uuid, day: .earliest)] {
      #expect(try read(path.text) == path)
    }
  }

  @Test(
    "other Markdown files are foreign",
    arguments: [
      "note.md", "Trips/Lake.md", "a/b/c/d.markdown", "2026/11/\(uuid).md", "2026/02/30/\(uuid).md",
      "2026/11/21/\(uuid.uppercased()).md", "2026/1/21/\(uuid).md", "+2026/11/21/\(uuid).md",
      "2026/11/21/x\(uuid).md", "Trips/README.md", "日記/👩‍👩‍👧.MD", "x.md/\(uuid).md", "..a.md/b.md",
    ].filter { !$0.hasPrefix(".") })
  func foreign(_ path: String) throws {
    #expect(try read(path) == .foreign(path))
  }

  @Test(
    "other files are nobody's entries",
    arguments: [
      "x.txt", "README.md", "readme.markdown", ".obsidian/x.md", "a/.hidden.md", ".md", "a/.md",
      "LICENSE", "daybook.json.md/x", "a/daybook.json", ".gitattributes", ".gitmodules",
    ])
  func ignored(_ path: String) throws {
    #expect(try read(path) == nil)
  }

  @Test(
    "names that could harm are refused",
    arguments: [
      "", "/a.md", "a//b.md", "a/", "../a.md", "a/../b.md", "a/./b.md", ".git/x.md", "a/.GIT/b.md",
      "GIT~1/x.md", "a\n.md", "a\u{1B}[31m.md", "a\0.md", "a\u{202E}.md", "a\u{2028}.md",
      "a\u{9B}.md",
      "conflicts/x.md", "conflicts/\(uuid)/\(hash.uppercased()).md",
      "conflicts/\(uuid)/\(hash)0.md",
      "conflicts/\(uuid).md", String(repeating: "a", count: 253) + ".md",
      String(repeating: "abc/", count: 300) + "x.md",
    ])
  func refused(_ path: String) {
    #expect(throws: SyncTreeError.self) { try read(path) }
  }

  @Test("a name that is not UTF-8 is refused, and every reason is one line")
  func bytes() {
    for bytes in [[0xFF, 0x2E, 0x6D, 0x64], Array("a\nb.md".utf8), Array("..".utf8)] {
      do {
        _ = try SyncPath(bytes as [UInt8])
        Issue.record("was read: \(bytes)")
      } catch {
        #expect(!error.description.contains("\n"))
      }
    }
  }

  @Test("random names are refused, or read as what they are made of")
  func random() throws {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    let parts = [
      "2026", "11", "21", "/", "/", "/", ".md", Self.uuid, "conflicts", Self.hash, "..", ".", "é",
      "a",
      "daybook.json", "\u{7}",
    ]
    for _ in 0..<20_000 {
      let path = (0..<random.below(9)).map { _ in parts.randomElement(using: &random) ?? "" }
        .joined()
      if let read = try? read(path) { #expect(read.text.utf8.elementsEqual(path.utf8)) }
    }
  }

  @Test("a manifest comes back, and others are named")
  func manifest() throws {
    let manifest = SyncManifest(journal: Self.uuid)
    let text = "{\"format\":\"daybook-sync\",\"version\":1,\"journal\":\"\(Self.uuid)\"}\n"
    #expect(String(decoding: manifest.encode(), as: UTF8.self) == text)
    #expect(try SyncManifest(manifest.encode()) == manifest)
    let spaced =
      "{ \"journal\": \"\(Self.uuid)\", \"more\": [], \"version\": 1, \"format\": \"daybook-sync\" }"
    #expect(try SyncManifest(Array(spaced.utf8)) == manifest)
    #expect(throws: SyncTreeError.newerFormat(3)) {
      try SyncManifest(Array(text.replacing("1,", with: "3,").utf8))
    }
    let id = [UInt8](repeating: 7, count: 16)
    let sealed = SyncManifest(journal: Self.uuid, seal: .init(id: id, slots: [[1, 2], [3]]))
    #expect(try SyncManifest(sealed.encode()) == sealed)
    let sealedText = String(decoding: sealed.encode(), as: UTF8.self)
    for wrong in [
      text.replacing("1,", with: "2,"), sealedText.replacing("0102", with: "010"),
      sealedText.replacing("0707", with: ""), sealedText.replacing("[\"0102\",\"03\"]", with: "1"),
    ] {
      #expect(throws: SyncTreeError.notAJournal("has no key")) {
        try SyncManifest(Array(wrong.utf8))
      }
    }
    for wrong in [
      "", "[]", "{}", text.replacing("daybook-sync", with: "x"), text.replacing("1,", with: "0,"),
      text.replacing(Self.uuid, with: "x"), text.replacing("1,", with: "\"1\","),
      String(repeating: " ", count: 70_000) + text,
    ] {
      do {
        _ = try SyncManifest(Array(wrong.utf8))
        Issue.record("was read: \(wrong)")
      } catch {
        guard case .notAJournal = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(!error.description.contains("\n"))
      }
    }
  }

  @Test("a file that a text names has its digits and its suffix; any other name is nobody's")
  func files() throws {
    let digits = "3f2a9c1b7d5e6f70"
    let link = FileLink(target: digits, suffix: "JPG", words: "Sea", isPicture: true)
    #expect(SyncPath(link).text == "files/3f/\(digits).jpg")
    #expect(SyncPath(link) == .file(digits: digits, suffix: "jpg"))
    // Earlier versions take Markdown for an entry.
    for suffix in ["md", "Markdown", ""] {
      let note = FileLink(target: digits, suffix: suffix, words: "x", isPicture: false)
      #expect(SyncPath(note).text == "files/3f/\(digits)")
    }
    let whole = String(repeating: "a0", count: 32)
    for name in ["3f/\(digits)", "3f/\(digits).jpg", "3f/\(digits).7z", "a0/\(whole).bin"] {
      let path = try #require(try SyncPath("files/\(name)".utf8))
      #expect(path.text == "files/\(name)")
      guard case .file = path else {
        Issue.record("\(name)")
        continue
      }
    }
    for name in [
      digits, "3e/\(digits).jpg", "3f/\(digits).JPG", "3f/\(digits).", "3f/\(digits).a.b",
      "3f/\(digits.dropLast())", "a0/\(whole)0", "3F/\(digits.uppercased())", "3f/x/\(digits)",
      "3f/\(digits).\(String(repeating: "a", count: 17))", "3f/\(digits).j-g",
    ] {
      #expect(try SyncPath("files/\(name)".utf8) == nil, "\(name)")
    }
    #expect(try SyncPath("files/3f/\(digits).md".utf8) == .foreign("files/3f/\(digits).md"))
  }
}
