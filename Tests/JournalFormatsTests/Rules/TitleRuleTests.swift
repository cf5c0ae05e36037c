import Journal
import Testing

@testable import JournalFormats

/// Titles that are dates.
struct TitleRuleTests {
  /// Where the sample of a format gets a title: a text and what replaces it.
  private static let places: [String: (text: String, titled: String)] = [
    "evernote": ("<note>", "<note><title>TITLE</title>"),
    "wordpress": ("<item>", "<item><title>TITLE</title>"),
    "blogger": ("<entry>", "<entry><title>TITLE</title>"),
    "apple-journal": ("class=\"title\">", "class=\"title\">TITLE"),
    "keep": ("\"title\":\"\"", "\"title\":\"TITLE\""),
    "standard-notes": ("\"title\":\"\"", "\"title\":\"TITLE\""),
    "jrnl": ("\"title\":\"\"", "\"title\":\"TITLE\""),
    "tui-journal": ("\"title\":\"\"", "\"title\":\"TITLE\""),
    "mini-diary": ("\"title\":\"\"", "\"title\":\"TITLE\""),
    "diarium": ("\"heading\":\"\"", "\"heading\":\"TITLE\""),
    "journey": ("\"type\"", "\"title\":\"TITLE\",\"type\""),
    "daylio": (",,,,\"one", ",,,\"TITLE\",\"one"),
    "diaro": ("<text>", "<title>TITLE</title><text>"),
    "joplin": ("\n\none", "TITLE\n\none"),
    "tiddlywiki": ("5th January 2024", "TITLE"),
    "markdown": ("one", "---\ntitle: TITLE\n---\none"),
    "csv": ("date,text\n2024-01-05", "date,title,text\n2024-01-05,\"TITLE\""),
    "bear": ("one", "# TITLE\none"),
  ]

  @Test(
    "a title that is another day is the title, or the day of the entry, and never lost",
    arguments: places.keys.sorted(), ["2024-02-02", "February 2, 2024"])
  func otherDays(format: String, title: String) throws {
    let (plain, titled) = try #require(Self.places[format])
    let kind = try #require(ImportFormat(rawValue: format))
    let sample = try FormatSample.of(kind)
    let text = sample.text()
    #expect(text.contains(plain), "\(text)")
    let bytes = utf8(text.replacing(plain, with: titled.replacing("TITLE", with: title)))
    let entries = try sample.items(kind, bytes).compactMap { item in
      if case .entry(let entry, _) = item { try entry.entry() } else { nil }
    }
    let entry = try #require(entries.first)
    let first = entry.text.split(separator: "\n").first.map {
      String($0.drop { "# ".contains($0) })
    }
    let other = try day("2024-02-02")
    #expect(
      first == title || entry.day == other, "\(entry.day): \(entry.text)")
    #expect(entry.text.contains("one") && entry.text.contains("two"))
  }

  @Test("of a file of Org, too")
  func org() {
    let read = { (title: String) in
      summary(
        OrgSource(
          utf8("#+title: \(title)\none\n"), path: "2024-01-05.org", options: options()))
    }
    #expect(read("2024-02-02") == ["2024-01-05 00:00 | 2024-02-02⏎⏎one"])
    #expect(read("2024-01-05") == ["2024-01-05 00:00 | one"])
  }

  @Test("an entry that an earlier build imported without such a title is known")
  func former() throws {
    let format = try #require(ImportFormat(rawValue: "evernote"))
    let sample = try FormatSample.of(format)
    let plain = try #require(sample.items(format, utf8(sample.text())).first)
    let titled = try #require(
      sample.items(
        format,
        utf8(sample.text().replacing("<note>", with: "<note><title>2024-02-02</title>"))
      ).first)
    guard case .entry(let old, _) = plain, case .entry(let new, _) = titled else {
      return #expect(Bool(false))
    }
    #expect(new.text == "2024-02-02\n\n\(old.text)")
    #expect(new.formerUUID == (try old.entry().uuid))
  }

  @Test("a note whose title is a day has one identity in every zone")
  func zones() throws {
    let format = try #require(ImportFormat(rawValue: "tiddlywiki"))
    let sample = try FormatSample.of(format)
    let text = sample.text().replacing("20240105100000000", with: "20240105225959000")
    let entries = try [-8, 0, 1, 9].map { hours in
      let clock = WallClock.fixed(seconds: 1_704_000_000, offset: hours * 3600)
      guard case .entry(let entry, _)? = try sample.items(format, utf8(text), options(clock)).first
      else { throw FormatError("no entry") }
      return entry
    }
    #expect(Set(try entries.map { try $0.entry().uuid }).count == 1)
    #expect(Set(entries.map(\.day)) == [try day("2024-01-05")])
  }
}
