import Journal
import Testing

@testable import JournalFormats

/// What HTML has and Markdown has not, over every format with texts in HTML.
struct HTMLRemarkTests {
  /// A file of each format with a text in HTML, which stands for `HTML`.
  private static let samples: [(format: String, path: String, content: String)] = [
    (
      "evernote", "a.enex",
      "<en-export><note><title>T</title><content><![CDATA[<en-note>HTML</en-note>]]></content>"
        + "<created>20240105T100000Z</created></note></en-export>"
    ),
    (
      "wordpress", "a.xml",
      "<rss xmlns:wp=\"http://wordpress.org/export/1.2/\"><channel><item><title>T</title>"
        + "<content:encoded><![CDATA[HTML]]></content:encoded>"
        + "<wp:post_date>2024-01-05 10:00:00</wp:post_date></item></channel></rss>"
    ),
    (
      "blogger", "feed.atom",
      "<feed><id>tag:blogger.com,1999:blog-1</id><entry><title>T</title>"
        + "<published>2024-01-05T10:00:00Z</published><content type=\"html\"><![CDATA[HTML]]>"
        + "</content></entry></feed>"
    ),
    (
      "mastodon", "outbox.json",
      #"{"@context":"https://www.w3.org/ns/activitystreams","orderedItems":[{"type":"Create","#
        + #""object":{"id":"1","published":"2024-01-05T10:00:00Z","content":"HTML"}}]}"#
    ),
    (
      "apple-journal", "2024-01-05_T.html",
      "<html><head><style>p.p1 {margin: 0}</style></head><body>"
        + "<div class=\"pageHeader\">2024</div><div class=\"title\">T</div>HTML</body></html>"
    ),
    (
      "standard-notes", "Standard Notes Backup and Import File.txt",
      #"{"version":"004","items":[{"uuid":"8361561d-ca80-4a53-a738-a32e293a44ff","#
        + #""content_type":"Note","created_at":"2024-01-05T10:00:00.000Z","#
        + #""content":{"title":"T","noteType":"rich-text","text":"HTML"}}]}"#
    ),
    (
      "joplin", "8361561dca804a53a738a32e293a44ff.md",
      "T\n\nHTML\n\nid: 8361561dca804a53a738a32e293a44ff\ncreated_time: 2024-01-05T10:00:00.000Z\n"
        + "markup_language: 2\ntype_: 1"
    ),
    (
      "journey", "1704448800000-3fa1b2c3d4e5f607.json",
      #"{"date_journal":1704448800000,"timezone":"","type":"html","text":"HTML"}"#
    ),
    (
      "mini-diary", "a.json",
      #"{"metadata":{"application":"Mini Diarium"},"entries":[{"date":"2024-01-05","#
        + #""title":"T","text":"HTML"}]}"#
    ),
    ("diarium", "a.json", #"[{"date":"2024-01-05T10:00:00","heading":"T","html":"HTML"}]"#),
  ]

  @Test(
    "a picture in a text, and markup that is dropped, are said", arguments: samples.map(\.format))
  func remarks(name: String) throws {
    let sample = try #require(Self.samples.first { $0.format == name })
    let format = try #require(ImportFormat(rawValue: name))
    let picture = "<p>a <img src='data:image/png;base64,iVBORw0KGgo='> b</p>"
    let deep = String(repeating: "<b><i>", count: 2_000) + "x"
    let rows = [
      (picture, "a picture inside the page is left out"),
      (deep, "HTML nested too deeply, read without its markup"),
    ]
    for (html, remark) in rows {
      let text = sample.content.replacing("HTML", with: html)
      let zip = Archives.zip([(name: sample.path, text: text)])
      let source = try format.source(.directory(ArchiveDirectory(zip)), options: options())
      let read = entries(source)
      #expect(read.count == 1)
      #expect(read.first?.remarks.contains(remark) == true, "\(remark): \(read)")
    }
  }
}
