import Journal
import Testing

@testable import Screen
@testable import daybook

/// Pieces of texts around what was found, and that no key waits for them.
struct ExcerptTests {
  private func row(_ number: Int64, _ text: String) -> EntryRow { entry(number, text).row() }

  private func entry(_ number: Int64, _ text: String) -> Entry {
    let moment = Moment(seconds: 1_795_000_000, offset: 0)
    return Entry(
      uuid: "u\(number)", number: number, created: moment, modified: moment,
      day: Day(daysSinceEpoch: 20_778), text: text)
  }

  private func piece(_ text: String, _ query: Query = .word("bread")) -> String? {
    Excerpts.excerpt(of: text, QueryHighlighter(query))?.text
  }

  @Test("a piece is one line without signs of Markdown, and begins shortly before its match")
  func pieces() {
    #expect(piece("Title\n\n- [ ] buy bread\nmore") == "buy bread")
    #expect(piece("Title\n> - **bread** today") == "**bread** today")
    #expect(piece("Title\n## The bread") == "The bread")
    #expect(piece("Title\n| x | bread | 3.20 |") == "x │ bread │ 3.20")
    #expect(piece("Title\nall the other things and a long word bread x") == "a long word bread x")
    #expect(piece("Title\n\tbread\r\nnext") == "bread")
    #expect(piece("\n\nBread\nno more") == nil, "the title is the first line with something in it")
    #expect(piece("Bread") == nil)
    #expect(piece("Title\nbr ead") == nil)
    #expect(
      piece("Title\nwhole\ngrain bread", .phrase(["whole", "grain"], prefix: false))
        == "whole grain bread")
  }

  @Test("what matches in a piece is told in its own bytes")
  func matches() throws {
    let found = try #require(
      Excerpts.excerpt(of: "日記\n- 東京で bread と Bread", QueryHighlighter(.word("bread"))))
    #expect(found.text == "東京で bread と Bread")
    let words = found.matches.map { String(decoding: Array(found.text.utf8)[$0], as: UTF8.self) }
    #expect(words == ["bread", "Bread"])
  }

  @Test("a very long text is searched at its beginning only, wherever that cuts a character")
  func longText() {
    for filler in ["x ", "日 ", "é ", "👩‍👩‍👧 "] {
      let long = "Title\n" + String(repeating: filler, count: 100_000 / filler.utf8.count + 2)
      #expect(piece(long + "bread") == nil)
      #expect(piece("Title\nbread " + long) != nil)
    }
  }

  @Test("texts are read only as long as no key waits, each once, and again when they change")
  func reading() {
    let excerpts = Excerpts()
    let texts: [Int64: String] = (1...20).reduce(into: [:]) { $0[$1] = "Title\nbread \($1)" }
    var asked: [Int64] = []
    let read = { (numbers: [Int64]) -> [Entry] in
      asked += numbers
      return numbers.map { entry($0, texts[$0] ?? "") }
    }
    let rows = texts.sorted { $0.key < $1.key }.map { row($0.key, $0.value) }
    excerpts.begin(.word("bread"))
    #expect(rows.allSatisfy { excerpts.excerpt(of: $0) == nil })
    #expect(!excerpts.read(read, unless: { true }) && asked.isEmpty, "a key waits")
    var isWaiting = false
    #expect(
      excerpts.read(
        read,
        unless: {
          defer { isWaiting = true }
          return isWaiting
        }))
    #expect((1..<20).contains(asked.count), "a key came after the first texts")
    #expect(excerpts.read(read, unless: { false }))
    #expect(asked == Array(1...20))
    excerpts.begin(.word("bread"))
    #expect(rows.allSatisfy { excerpts.excerpt(of: $0) != nil })
    #expect(!excerpts.read(read, unless: { false }) && asked.count == 20, "all are known")
    // Another text, and another query, are other pieces.
    #expect(excerpts.excerpt(of: row(1, "Title\nother bread")) == nil)
    excerpts.begin(.word("rye"))
    #expect(excerpts.excerpt(of: rows[0]) == nil)
    excerpts.begin(.tag("home"))
    #expect(excerpts.excerpt(of: rows[0]) == nil)
    #expect(!excerpts.read(read, unless: { false }) && asked.count == 20, "tags want no text")
  }

  @Test("texts that cannot be read leave rows as they are, and are not asked for again")
  func failing() {
    let excerpts = Excerpts()
    excerpts.begin(.word("bread"))
    _ = excerpts.excerpt(of: row(1, "Title\nbread"))
    #expect(!excerpts.read({ _ in throw CancellationError() }, unless: { false }))
    excerpts.begin(.word("bread"))
    #expect(excerpts.excerpt(of: row(1, "Title\nbread")) == nil)
    #expect(!excerpts.read({ _ in [entry(1, "Title\nbread")] }, unless: { false }))
  }
}
