import Journal
import Testing

@testable import JournalFormats

struct BloggerTests {
  private static func split(_ source: BloggerSource) -> ([ImportedEntry], [ImportItem]) {
    let all = items(source)
    let read = all.compactMap { item in
      if case .entry(let entry, _) = item { entry } else { nil }
    }
    return (read, all.filter { if case .entry = $0 { false } else { true } })
  }

  @Test("a backup is read whole: offsets, labels, places, drafts, what is left out")
  func fixtureFile() throws {
    let bytes = try fixture("blogger.xml")
    #expect(BloggerSource.recognises(bytes, path: nil))
    let (read, others) = Self.split(BloggerSource(ByteStream(bytes), options: options()))
    #expect(read.map(\.text) == ["At the sea\n\nWalked & swam.\nThen home.", "A draft"])
    #expect(
      read.map(\.created) == [
        try moment("2024-01-05T23:45:00-08:00"), try moment("2024-01-07T09:00:00+01:00"),
      ])
    #expect(read.map(\.day) == [try day("2024-01-05"), try day("2024-01-07")])
    #expect(read.map(\.tags) == [["trips", "two words"], []])
    #expect(
      read.map(\.fields) == [
        [ImportedField(name: "place", value: "Vienna, Austria")],
        [ImportedField(name: "status", value: "draft")],
      ])
    #expect(
      others == [
        .passedBy("of type \"template\" left out", ImportPlace(line: 4)),
        .passedBy("of type \"comment\" left out", ImportPlace(line: 17)),
      ])
  }

  @Test("the feed of Takeout has instants, and types and states of its own")
  func takeout() throws {
    let feed = """
      <?xml version='1.0' encoding='utf-8'?>
      <feed xmlns='http://www.w3.org/2005/Atom' xmlns:blogger='http://schemas.google.com/blogger/2018'>
      <id>tag:blogger.com,1999:blog-4</id><title>B</title>
      <entry><id>1</id><blogger:type>POST</blogger:type><blogger:status>LIVE</blogger:status>
      <title>Anna&amp;#39;s day</title><content type='html'>&lt;p&gt;x&lt;/p&gt;</content>
      <blogger:created>2024-01-05T01:00:00Z</blogger:created><published>2024-01-05T23:30:00Z</published>
      <category scheme='tag:blogger.com,1999:blog-4' term='trip'/><blogger:location/><blogger:trashed/></entry>
      <entry><blogger:type>PAGE</blogger:type><title>p</title></entry>
      <entry><blogger:type>POST</blogger:type><blogger:status>SOFT_TRASHED</blogger:status><title>p</title></entry>
      </feed>
      """
    #expect(BloggerSource.recognises(utf8(feed), path: nil))
    #expect(BloggerSource.recognises(files: ["Takeout/Blogger/Blogs/B/feed.atom"]))
    let (read, others) = Self.split(BloggerSource(ByteStream(utf8(feed)), options: options()))
    #expect(read.map(\.text) == ["Anna's day\n\nx"])
    #expect(read.map(\.created) == [try moment("2024-01-06T00:30:00+01:00")])
    #expect(read.map(\.day) == [try day("2024-01-06")])
    #expect(read.map(\.tags) == [["trip"]])
    #expect(others.count == 2)
  }
}
