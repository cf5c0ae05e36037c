import Journal
import Testing

@testable import JournalFormats

struct WordPressTests {
  @Test("an export is read whole: the blog's own day and offset, drafts, tags, what is left out")
  func fixtureFile() throws {
    let bytes = try fixture("wordpress.xml")
    #expect(WordPressSource.recognises(bytes, path: nil))
    #expect(!BloggerSource.recognises(bytes, path: nil))
    let all = items(WordPressSource(ByteStream(bytes), options: options()))
    let read = all.compactMap { item in
      if case .entry(let entry, _) = item { entry } else { nil }
    }
    #expect(
      read.map(\.text) == [
        "Lake & sun\n\nWalked to the **lake**.\n\n- bread",
        "First line\nsecond line\n\n![boat](https://example.org/a.jpg) The boat",
      ])
    #expect(
      read.map(\.created) == [
        try moment("2024-01-06T00:30:00+02:00"), try moment("2024-01-08T09:15:00+01:00"),
      ])
    #expect(read.map(\.day) == [try day("2024-01-06"), try day("2024-01-08")])
    #expect(read[0].modified == (try moment("2024-01-07T10:00:00+02:00")))
    #expect(read.map(\.tags) == [["Trips", "sea side"], []])
    #expect(read.map(\.starred) == [true, false])
    #expect(read.map(\.fields) == [[], [ImportedField(name: "status", value: "draft")]])
    #expect(read.map(\.unkept) == [["comment"], []])
    #expect(
      all.filter { if case .entry = $0 { false } else { true } } == [
        .passedBy("of type \"page\" left out", ImportPlace(line: 37)),
        .passedBy("in trash left out", ImportPlace(line: 41)),
        .problem(entry: "has no date", ImportPlace(line: 45)),
      ])
  }

  @Test("line ends of the classic editor are paragraphs and line breaks, but not in code and lists")
  func paragraphs() throws {
    let text = "a\nb\n\n<ul>\n<li>c</li>\n</ul>\n<pre>d\n\ne</pre>\nf <b>g\nh</b>\n\n\ni"
    #expect(
      try HTMLText.markdown(WordPressText.html(text))
        == "a\nb\n\n- c\n\n```\nd\n\ne\n```\n\nf **g**\n**h**\n\ni")
  }
}
