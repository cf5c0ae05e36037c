import Foundation
import Journal
import TestSupport
import Testing

@testable import JournalFormats

/// The notes of a vault of Obsidian: their names, their links, and the way back.
struct VaultTests {
  private static func entry(_ text: String, _ day: String, _ uuid: Int = 1) throws -> Entry {
    let created = try moment("\(day)T09:15:00+01:00")
    let digits = String(uuid)
    let zeros = String(repeating: "0", count: 12 - digits.count)
    return Entry(
      uuid: "01890a5d-ac96-774b-bcce-\(zeros)\(digits)", created: created, modified: created,
      day: created.localDay, text: text)
  }

  private static func names(_ entries: [Entry], others: [String] = []) -> VaultNames {
    var names = VaultNames(others: others)
    for entry in entries { names.add(entry) }
    return names
  }

  /// The paths of notes with these texts, a day each.
  private static func paths(_ texts: [String], others: [String] = []) throws -> [String] {
    let entries = try texts.enumerated().map { index, text in
      try entry(text, "2026-01-\(index < 9 ? "0" : "")\(index + 1)", index + 1)
    }
    let names = names(entries, others: others)
    return entries.map { names.path(of: $0)?.text ?? "" }
  }

  private static func note(_ bytes: [UInt8]) throws -> VaultNote { try #require(VaultNote(bytes)) }

  @Test("a note is named by its title, without what a file or a link cannot have")
  func namesOfNotes() throws {
    let rows = [
      ("Potato soup: a recipe\ntext", "Potato soup a recipe"), ("# **Walk** [far](x)", "Walk far"),
      ("Bought bread #home #work/api", "Bought bread"), ("#home", "home"),
      ("What #happened then", "What happened then"),
      ("a/b\\c*d?e\"f<g>h|i#j^k[l]m", "a b c d e f g h i j k l m"),
      ("...", "2026-01-07"), (".hidden. ", "hidden"), ("con", "con_"), ("LPT1.txt", "LPT1.txt_"),
      ("桜の花 🌸", "桜の花 🌸"), ("a\u{202E}b\u{7}c", "a b c"), ("\u{301}x", "\u{301}x"),
      ("- [ ] bread", "bread"), ("---", "2026-01-15"), ("!?", "2026-01-16"),
      ("2020-05-05", "2026-01-17"), ("2020-05-05 Tuesday", "2026-01-18"),
      ("2026-01-19", "2026-01-19"), ("2020-05-05 walk", "2020-05-05 walk"),
    ]
    #expect(try Self.paths(rows.map(\.0)) == rows.map { "2026/\($0.1).md" })
  }

  @Test("names are cut between characters, and none is longer than a file system takes")
  func longNames() throws {
    let texts = [
      String(repeating: "a", count: 500), String(repeating: "桜", count: 500),
      String(repeating: "👩‍👩‍👧", count: 100), String(repeating: "桜", count: 499),
      "x" + String(repeating: "\u{301}", count: 400),
    ]
    let paths = try Self.paths(texts)
    #expect(Set(paths).count == texts.count)
    for path in paths {
      let name = try #require(path.split(separator: "/").last)
      #expect(name.utf8.count <= 143 && name.utf8.count > 10, "\(name)")
    }
    #expect(paths[1].contains("桜.md") && paths[2].contains("👩‍👩‍👧.md"))
  }

  @Test(
    "a name is given once in a vault, without case, to the oldest entry, and never another's file")
  func clashes() throws {
    #expect(
      try Self.paths(
        ["Bread", "bread", "BREAD #x", "Bread", "é", "e\u{301}", "mine"],
        others: ["2026/Mine.md"]) == [
          "2026/Bread.md", "2026/bread 2026-01-02.md", "2026/BREAD 2026-01-03.md",
          "2026/Bread 2026-01-04.md", "2026/é.md", "2026/e\u{301} 2026-01-06.md",
          "2026/mine 2026-01-07.md",
        ])
    // Three on a day; years are directories, and a name is the vault's.
    let entries = try [
      ("Bread", "2025-12-31"), ("Bread", "2026-01-01"), ("Bread", "2026-01-01"),
      ("Bread", "2026-01-01"),
    ].enumerated().map { try Self.entry($1.0, $1.1, $0) }
    let names = Self.names(entries)
    #expect(
      entries.map { names.path(of: $0)?.text } == [
        "2025/Bread.md", "2026/Bread 2026-01-01.md", "2026/Bread 2026-01-01 2.md",
        "2026/Bread 2026-01-01 3.md",
      ])
  }

  @Test("many equal titles of one day have names at once")
  func manyEqual() throws {
    let entries = try (0..<20_000).map { try Self.entry("Untitled", "2026-01-01", $0) }
    let names = Self.names(entries)
    #expect(Set(entries.map { names.path(of: $0)?.text }).count == entries.count)
    #expect(names.path(of: entries[19_999])?.stem == "Untitled 2026-01-01 19999")
  }

  @Test("a note has properties that Obsidian reads, and the text as it is")
  func properties() throws {
    var entry = try Self.entry("Soup: \"a\" #home @anna #a/b\n\ntext  \n", "2026-01-05")
    entry.starred = true
    let text = String(decoding: VaultNote.encode(entry, Self.names([entry])), as: UTF8.self)
    #expect(
      text.replacing(/sum=-?\d+/, with: "sum=N") == """
        ---
        created: 2026-01-05T09:15:00
        tags:
          - "home"
          - "a/b"
        aliases:
          - "Soup: \\"a\\" #home @anna"
          - "Soup: \\"a\\" #home @anna #a/b"
        daybook: "created=2026-01-05T09:15:00+01:00 uuid=\(entry.uuid) starred sum=N"
        ---
        Soup: "a" #home @anna #a/b

        text\u{20}\u{20}


        """)
  }

  @Test("links name the file of the note that is meant, and not in code")
  func links() throws {
    let entries = try [
      ("Soup: a recipe", "2026-01-01"), ("Bread", "2026-01-02"), ("bread", "2026-01-04"),
      (
        """
        [[Soup: a recipe]] [[soup: A recipe]] [[Soup: a recipe|the soup]] [[Bread]] [[none]] [[x
        `[[Soup: a recipe]]` and [[Soup: a recipe]] `x`
        ```
        [[Soup: a recipe]]
        ```
        """, "2026-01-03"
      ),
      ("later [[bread]] [[Bread|b]]", "2026-01-05"),
      ("[[Soup a recipe|Soup: a recipe]] [[Soup: a recipe]]", "2026-01-06"),
      (
        """
        [[Soup: a recipe#Salt]] [[ Soup: a recipe # Salt ]] [[Soup: a recipe#Salt|salt]] ![[Soup: a recipe]]
        | [[Soup: a recipe]] | [[Soup: a recipe\\|soup]] | `[[Soup: a recipe]]` |
        |---|---|---|
        | [[Soup: a recipe#Salt]] | [[Bread]] | |

        [[Soup: a recipe|Soup: a recipe]] | [[Soup: a recipe]]
        """, "2026-01-07"
      ),
    ].enumerated().map { try Self.entry($1.0, $1.1, $0) }
    let names = Self.names(entries)
    var texts: [String] = []
    for entry in entries {
      let bytes = VaultNote.encode(entry, names)
      #expect(try Self.note(bytes).entry.text == entry.text)
      texts.append(String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n---\n")[1])
    }
    #expect(
      texts[3] == """
        [[Soup a recipe|Soup: a recipe]] [[Soup a recipe|soup: A recipe]] [[Soup a recipe|the soup]] \
        [[Bread]] [[none]] [[x
        `[[Soup: a recipe]]` and [[Soup a recipe|Soup: a recipe]] `x`
        ```
        [[Soup: a recipe]]
        ```

        """)
    #expect(texts[4] == "later [[bread 2026-01-04|bread]] [[Bread|b]]\n")
    // It could not be told which of the two was written so.
    #expect(texts[5] == "[[Soup a recipe|Soup: a recipe]] [[Soup: a recipe]]\n")
    #expect(
      texts[6] == """
        [[Soup a recipe#Salt|Soup: a recipe#Salt]] [[ Soup: a recipe # Salt ]] \
        [[Soup a recipe#Salt|salt]] ![[Soup: a recipe]]
        | [[Soup a recipe\\|Soup: a recipe]] | [[Soup a recipe\\|soup]] | `[[Soup: a recipe]]` |
        |---|---|---|
        | [[Soup a recipe#Salt\\|Soup: a recipe#Salt]] | [[bread 2026-01-04\\|Bread]] | |

        [[Soup: a recipe|Soup: a recipe]] | [[Soup a recipe|Soup: a recipe]]

        """)
  }

  @Test(
    "random entries come back byte by byte, by the import of Markdown",
    arguments: SeededGenerator.seeds(3))
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var entries = (0..<400).map { _ in RandomEntry.make(&random) }
    for index in entries.indices {
      entries[index].uuid = "01890a5d-ac96-774b-bcce-\(100_000_000_000 + index)"
      // Links to other titles, as they are and in another spelling.
      guard let other = entries.randomElement(using: &random) else { continue }
      let title = random.chance(percent: 50) ? other.title : other.title.uppercased()
      let named = random.chance(percent: 80) ? title : "\(title)#Salt"
      let words = ["", "|words", "\\|words", "|\(title)", " | \(title) "][random.below(5)]
      let link = "[[\(named)\(words)]]"
      if random.chance(percent: 60) { entries[index].text += " \(link)" }
      if random.chance(percent: 20) { entries[index].text += "\n[[Bought bread]] \(link)" }
      if random.chance(percent: 20) {
        entries[index].text += "\n| \(link) | x |\n|---|---|\n| \(link) |"
      }
    }
    let names = Self.names(entries)
    var paths: Set<String> = []
    for entry in entries {
      let path = try #require(names.path(of: entry)).text
      #expect(paths.insert(path.lowercased()).inserted, "\(seed): \(path)")
      let bytes = VaultNote.encode(entry, names)
      #expect(try Self.note(bytes).isUntouched, "\(seed): \(entry.text.debugDescription)")
      let source = MarkdownSource(bytes, path: path, options: options())
      let found = try JournalFormatsTests.entries(source).map { try $0.entry() }
      #expect(found.count == 1)
      var expected = entry
      expected.number = 0
      #expect(found.first == expected, "\(seed): \(entry.text.debugDescription)")
      #expect(found.first?.text.isSame(as: entry.text) == true, "\(seed)")
    }
  }

  @Test("what somebody changed in a note is known, and comes with an import")
  func changedNotes() throws {
    let entry = try Self.entry("Walk #home", "2026-01-05")
    let bytes = VaultNote.encode(entry, Self.names([entry]))
    let text = String(decoding: bytes, as: UTF8.self)
    let changes: [(String, String)] = [
      (text.replacing("Walk #home\n", with: "Walk #home by the sea\n"), "Walk #home by the sea"),
      (text.replacing("  - \"home\"\n", with: "  - home\n  - lake\n"), "Walk #home #lake"),
      (text.replacing("tags:", with: "rating: 5\ntags:"), "Walk #home\n\nrating:: 5"),
      (text.replacing("\n", with: "\r\n"), "Walk #home"), (String(text.dropLast()), "Walk #home"),
    ]
    for (changed, result) in changes {
      let note = try Self.note(utf8(changed))
      #expect(!note.isUntouched, "\(changed)")
      let found = try note.entry.entry()
      #expect(found.text == result && found.uuid == entry.uuid)
    }
    #expect(try Self.note(bytes).isUntouched)
  }

  @Test("other notes are none of ours")
  func foreign() throws {
    let entry = try Self.entry("Walk", "2026-01-05")
    let text = String(decoding: VaultNote.encode(entry, Self.names([entry])), as: UTF8.self)
    for other in [
      "", "---\n", "---\ntags: [a]\n---\nx", "text", text.replacing("daybook:", with: "daybooks:"),
      text.replacing("daybook: \"", with: "daybook: "), "\n" + text,
      text.replacing("created=", with: "made="), String(text.prefix(60)),
    ] {
      #expect(VaultNote(utf8(other)) == nil, "\(other)")
    }
  }
}
