import Journal
import Testing

@testable import JournalFormats

struct KaydetTests {
  private static func source(_ text: String, path: String = "2026-11-21.txt") -> KaydetSource {
    KaydetSource(utf8(text), path: path, options: options())
  }

  @Test("lines of every age are entries, with the lines that follow them")
  func reads() throws {
    let text = """
      09:15 [41]: Bought bread time:20m #home
      and milk

      also eggs
      10:00: older
      ABCDEFGHIJKLMNOPQRSTUV:11:30: [work,big-plan] oldest | status:done | #release
      12:00 [42]: [Not tags] kept
      """
    let read = entries(Self.source(text))
    #expect(
      read.map(tagged) == [
        "Bought bread time:20m #home\nand milk\n\nalso eggs", "older",
        "oldest | status:done | #release #work #big-plan", "[Not tags] kept",
      ])
    #expect(read.map(\.unkept) == [["id"], [], ["id"], ["id"]])
    #expect(read[0].created == (try moment("2026-11-21T09:15:00+01:00")))
    #expect(read.map(\.day) == Array(repeating: try day("2026-11-21"), count: 4))
  }

  @Test("the title above a day is none of its entries, and tells that the file is kaydet's")
  func title() {
    let text = "2026/11/21/ - Saturday\n---------------------\n18:53 [1]: hello\n--- a line\n"
    #expect(entries(Self.source(text)).map(\.text) == ["hello\n--- a line"])
    #expect(JournalFormatsTests.problems(Self.source(text)).isEmpty)
    #expect(KaydetSource.recognises(utf8(text)))
    #expect(!KaydetSource.recognises(utf8("---\ntitle: x\n---\nnote")))
  }

  @Test("what cannot be read is named with its line")
  func problems() {
    #expect(
      JournalFormatsTests.problems(Self.source("\nstray\n09:15: a\n25:00: x\n10:00:\n")) == [
        "2: text before the first entry; an entry begins with 14:25 [42]: and a text",
        "5: has no text",
      ])
    #expect(
      JournalFormatsTests.problems(Self.source("09:15: a", path: "notes.txt"))
        == ["1: has no date in its name; use a name such as 2024-01-05.txt"])
    #expect(items(Self.source("")).isEmpty)
  }
}
