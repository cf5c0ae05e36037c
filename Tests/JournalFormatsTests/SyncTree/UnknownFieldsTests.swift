import Journal
import TestSupport
import Testing

@testable import JournalFormats

/// Front matter that an entry has no place for: it stays in the file.
struct UnknownFieldsTests {
  private static let uuid = "01890a5d-ac96-774b-bcce-b302099a8057"

  /// A file whose front matter also has these lines.
  private static func text(_ lines: String, first: Bool = true) -> String {
    let own = """
      uuid: \(uuid)
      created: 2026-11-21T09:15:00+01:00
      modified: 2026-11-21T09:20:00+01:00

      """
    return "---\n" + (first ? lines + own : own + lines) + "---\n\nText"
  }

  private static func read(_ text: String) throws -> SyncFile {
    try SyncFile(Array(text.utf8), uuid: uuid, day: try day("2026-11-21"), clock: paris)
  }

  private static func fields(_ lines: String) throws -> UnknownFields {
    try read(text(lines)).unknown
  }

  private static func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  static let lines = [
    "aliases: [a, b]\n",
    "aliases:\n  - a\n  - b\ncssclasses: wide\n",
    "aliases:\n- a\n- b\n",
    "# a comment\naliases: x # and one at its end\n# before the next\nrating: 5\n# after all\n",
    "list:\n  - a\n# in the middle\n  - b\n",
    "summary: |\n  one\n\n  # no comment\n  two\nnext: 1\n",
    "summary: >-\n  folded\n  text\n",
    "place: {lat: 1.5, lon: \"2\"}\n",
    "\"quoted key\": 1\nkey with spaces: 2\n日本: 語\n",
    "empty:\nflag: false\nlist: []\n",
    "a: 1\n\nb: 2\n\n",
    "id: my-note\ndate: someday\nupdated: 2026-11-21\n",
    "deep:\n  a:\n    - b: c\n      d: [e]\n",
    "only: 'it''s'\n",
    "anchor: &x 1\nalias: *x\n",
    "# only a comment\n",
  ]

  @Test(
    "lines stay byte by byte, after the entry's own, and the file is read as it is",
    arguments: lines)
  func kept(lines: String) throws {
    let plain = try Self.read(Self.text(""))
    for first in [true, false] {
      let file = try Self.read(Self.text(lines, first: first))
      #expect(file.entry.isSameState(as: plain.entry))
      #expect(Self.string(file.unknown.bytes) == lines)
      let written = file.encode()
      #expect(Self.string(written) == Self.text(lines, first: false))
      let again = try Self.read(Self.string(written))
      #expect(again.unknown == file.unknown && again.encode() == written)
      var changed = file.entry
      changed.text = "---\nother: x\n---\n"
      changed.starred = true
      let other = try Self.read(Self.string(SyncFile.encode(changed, file.unknown)))
      #expect(other.unknown == file.unknown && other.entry.isSameState(as: changed))
    }
  }

  @Test("fields that are the entry's, or become its text, do not stay beside it")
  func taken() throws {
    let file = try Self.read(
      Self.text("title: Bakery\ntags: [home]\nstarred: yes\nkeywords: [a]\nrating: 5\nbody: [x]\n"))
    #expect(file.entry.starred && file.entry.text.contains("#home"))
    #expect(file.unknown.names == ["rating"])
    let own = try Self.read(
      "---\ncreated: 2026-11-21 09:15\nUUID: \(Self.uuid)\nmodified: garbage\nx: 1\n---\n\nText")
    #expect(own.unknown.names == ["x"])
    #expect(try Self.read(Self.string(own.encode())).unknown == own.unknown)
  }

  @Test(
    "front matter in another form keeps what it means: CRLF, TOML, flow, duplicates, broken lines")
  func otherForms() throws {
    let paired = Self.text("aliases:\n  - a\n").replacing("\n", with: "\r\n")
    #expect(try Self.string(Self.read(paired).unknown.bytes) == "aliases:\n  - a\n")
    for (text, kept) in [
      (
        "+++\ndate = 2026-11-21\nmenu = \"main\"\nweight = 5\n[x]\ny = [\"a b\", \"c\"]\n+++\nText",
        "menu: main\nweight: 5\nx: {y: [\"a b\", c]}\n"
      ),
      ("---\n{created: 2026-11-21, mood: good}\n---\nText", "mood: good\n"),
      ("---\ncreated: 2026-11-21\nmood: a: b: c\n---\nText", "mood: a: b: c\n"),
      ("---\ncreated: 2026-11-21\nx: 1\nx: 2\n---\nText", "x: 1\nx: 2\n"),
    ] {
      let file = try Self.read(text)
      #expect(Self.string(file.unknown.bytes) == kept)
      let again = try Self.read(Self.string(file.encode()))
      #expect(again.unknown == file.unknown && again.entry.isSameState(as: file.entry))
    }
  }

  @Test("a note of another program keeps its fields under the name of ours")
  func foreign() throws {
    let text = "---\ndate: 2026-07-05\ntags: [trip]\nlayout: post\ncssclasses: [wide]\n---\nLake"
    let file = try SyncFile(foreign: Array(text.utf8), path: "x.md", clock: paris)
    #expect(file.unknown.names == ["layout", "cssclasses"])
    let again = try SyncFile(
      file.encode(), uuid: file.entry.uuid, day: file.entry.day, clock: paris)
    #expect(again.unknown == file.unknown && again.entry.isSameState(as: file.entry))
  }

  @Test("fields merge one by one; the sides may be exchanged, and nothing new is lost")
  func merge() throws {
    func merged(_ base: String, _ left: String, _ right: String) throws -> [String] {
      let one = try UnknownFields.merge(
        base: Self.fields(base), Self.fields(left), Self.fields(right))
      let two = try UnknownFields.merge(
        base: Self.fields(base), Self.fields(right), Self.fields(left))
      let lines = [one, two].map {
        Self.string($0.bytes).split(separator: "\n").map(String.init)
      }
      #expect(Set(lines[0]) == Set(lines[1]))
      return lines[0]
    }
    #expect(try merged("a: 1\n", "a: 1\n", "a: 2\nb: 1\n") == ["a: 2", "b: 1"])
    #expect(try merged("a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 1\nb: 3\n") == ["a: 2", "b: 3"])
    #expect(try merged("a: 1\nb: 1\n", "b: 1\n", "a: 1\nb: 1\nc: 1\n") == ["b: 1", "c: 1"])
    #expect(try merged("a: 1\n", "", "a: 2\n") == ["a: 2"])
    #expect(try merged("a: 1\n", "a: 2\n", "a: 3\n") == ["a: 3"])
    #expect(try merged("", "x: 1\n", "y: 1\n") == ["y: 1", "x: 1"])
    #expect(try merged("a: 1\n", "", "").isEmpty)
    #expect(try merged("", "x: 1\n# end\n", "y: 1\n").sorted() == ["# end", "x: 1", "y: 1"])
  }

  @Test("random lines of front matter, merged at random, come to rest when they are written")
  func fuzz() throws {
    var random = SeededGenerator(seed: SeededGenerator.runSeed &+ 41)
    let parts =
      Self.lines.flatMap { $0.split(separator: "\n").map(String.init) }
      + ["title: x", "tags: [a, {b: c}]", "body: [x, {a: b}]", "---", "...", "\t- x", "- y", "  z"]
    var kept = 0
    for _ in 0..<600 {
      func some() -> String {
        (0..<random.below(6)).map { _ in parts[random.below(parts.count)] + "\n" }.joined()
      }
      let files = (0..<3).compactMap { _ in try? Self.read(Self.text(some(), first: false)) }
      guard files.count == 3 else { continue }
      for file in files {
        // What is written is read as the same entry, and written again as it is.
        let bytes = file.encode()
        let again = try Self.read(Self.string(bytes))
        #expect(again.entry.isSameState(as: file.entry) && again.encode() == bytes)
        kept += again.unknown.isEmpty ? 0 : 1
      }
      let fields = UnknownFields.merge(
        base: files[0].unknown, files[1].unknown, files[2].unknown)
      let bytes = SyncFile.encode(files[0].entry, fields)
      let again = try Self.read(Self.string(bytes))
      #expect(again.entry.isSameState(as: files[0].entry) && again.encode() == bytes)
    }
    #expect(kept > 100)
  }
}
