import Journal
import Testing

@testable import JournalFormats

struct AlmanahTests {
  private static func database(_ contents: [ForeignValue]) -> DatabaseInMemory {
    let rows = contents.enumerated().map { index, content -> [String: ForeignValue] in
      [
        "year": .integer(2024), "month": .integer(1), "day": .integer(Int64(index) + 5),
        "content": content, "is_important": .integer(index == 0 ? 1 : 0),
        "edited_year": .integer(2024), "edited_month": .integer(1), "edited_day": .integer(6),
        "version": .integer(1),
      ]
    }
    return DatabaseInMemory([
      "entries": rows,
      "entry_tag": [
        ["year": .integer(2024), "month": .integer(1), "day": .integer(5), "tag": .text("sea")],
        ["year": .integer(2024), "month": .integer(2), "day": .integer(5), "tag": .text("no")],
      ],
    ])
  }

  @Test("a diary is read whole, a day for an entry")
  func reads() throws {
    let database = Self.database([
      .text("Walked to the sea"),
      .text(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <entry xmlns="http://www.gnome.org/almanah-diary/entry/2.0/">One <bold>two</bold>
        <italic>three</italic> &amp; <link uri="https://a.org/">four</link></entry>
        """),
      .blob(
        utf8("GTKTEXTBUFFERCONTENTS-0001") + [0, 0, 1, 0]
          + utf8(
            #"<text_view_markup><tags></tags><text>A <apply_tag name="bold">b</apply_tag></text></text_view_markup>"#
          )),
      .text(""),
    ])
    #expect(AlmanahSource.recognises(tables: database.tables))
    let source = AlmanahSource(database, options: options())
    let read = items(source).compactMap { item -> ImportedEntry? in
      if case .entry(let entry, _) = item { entry } else { nil }
    }
    #expect(
      read.map(\.text) == [
        "Walked to the sea", "One **two**\n*three* & [four](https://a.org/)", "A **b**",
      ])
    #expect(
      read.map(\.day) == [
        try day("2024-01-05"), try day("2024-01-06"), try day("2024-01-07"),
      ])
    #expect(read[0].created == (try moment("2024-01-05T00:00:00+01:00")))
    #expect(read[0].modified == (try moment("2024-01-06T00:00:00+01:00")))
    #expect(read.map(\.modified).dropFirst().allSatisfy { $0 == nil })
    #expect(read.map(\.starred) == [true, false, false])
    #expect(read.map(\.tags) == [["sea"], [], []])
    #expect(problems(source) == ["entry 4: has no text"])
  }

  @Test("a damaged text ends")
  func damage() {
    let text = "<?xml version=\"1.0\"?><entry>a <bold>b</bold> <link uri=\"x\">c</link></entry>"
    for bytes in damaged(utf8(text)) {
      _ = try? AlmanahText.markdown(.blob(bytes))
      _ = try? AlmanahText.markdown(.blob(utf8("GTKTEXTBUFFERCONTENTS-0001") + bytes))
    }
  }

  @Test("other databases are not recognised")
  func recognises() {
    #expect(!AlmanahSource.recognises(tables: ["entries": ["id", "date", "content"]]))
  }
}
