import JournalFormats
import Testing

/// A file of a format with one entry on 5 January 2024, for the tests over every format.
///
/// The text of the entry has two lines, `one` and `two`; its line end is `⏎` in ``content``.
struct FormatSample: Sendable {
  /// How a line end of the entry is written.
  enum Kind {
    /// As it is, in a file whose encoding is recognised.
    case text
    /// Escaped.
    case json
    /// In a way of its own: the samples have LF.
    case other
  }

  var path: String
  var content: String
  var kind = Kind.other
  /// Whether the format needs a directory or an archive.
  var isDirectory = false
  /// The tables of a format that reads databases only.
  var database: DatabaseInMemory?
  /// A file with the instant 2024-01-06T01:00:00Z; `nil` for a format without instants, and for
  /// Daybook's, whose offset is its own.
  var instant: (path: String, content: String)?

  /// The sample of each format by its name; add a line for a format.
  static let all: [String: FormatSample] = [
    "daybook": FormatSample(
      path: "a.json", content: #"[{"text":"one⏎two","created":"2024-01-05"}]"#, kind: .json),
    "jrnl": FormatSample(
      path: "a.json",
      content: """
        {"tags":{},"entries":[{"title":"","body":"one⏎two","date":"2024-01-05",\
        "time":"10:00","tags":[],"starred":false}]}
        """, kind: .json),
    "jrnl-text": FormatSample(
      path: "a.txt", content: "[2024-01-05 10:00] one⏎two⏎", kind: .text),
    // Its date is a day, which its program shows in UTC.
    "tui-journal": FormatSample(
      path: "a.json",
      content: #"[{"date":"2024-01-05T00:00:00Z","title":"","content":"one⏎two","tags":[]}]"#,
      kind: .json),
    "dayone": FormatSample(
      path: "Journal.json",
      content: #"{"entries":[{"creationDate":"2024-01-05T10:00:00Z","text":"one⏎two"}]}"#,
      kind: .json,
      instant: (
        "a.json", #"{"entries":[{"creationDate":"2024-01-06T01:00:00Z","text":"x"}]}"#
      )),
    "markdown": FormatSample(
      path: "2024-01-05.md", content: "one⏎two⏎", kind: .text,
      instant: ("Evening.md", "---\ncreated: 2024-01-06 01:00:00Z\n---\nx")),
    "evernote": FormatSample(
      path: "a.enex", content: evernote("20240105T100000Z"),
      instant: ("a.enex", evernote("20240106T010000Z"))),
    "wordpress": FormatSample(
      path: "a.xml", content: wordpress("<wp:post_date>2024-01-05 10:00:00</wp:post_date>"),
      instant: (
        "a.xml", wordpress("<wp:post_date_gmt>2024-01-06 01:00:00</wp:post_date_gmt>")
      )),
    "blogger": FormatSample(
      path: "feed.atom", content: blogger("2024-01-05T10:00:00Z"),
      instant: ("feed.atom", blogger("2024-01-06T01:00:00Z"))),
    "twitter": FormatSample(
      path: "tweets.js", content: twitter("Fri Jan 05 10:00:00 +0000 2024"), kind: .json,
      instant: ("tweets.js", twitter("Sat Jan 06 01:00:00 +0000 2024"))),
    "mastodon": FormatSample(
      path: "outbox.json", content: mastodon("2024-01-05T10:00:00Z"),
      instant: ("outbox.json", mastodon("2024-01-06T01:00:00Z"))),
    "apple-journal": FormatSample(
      path: "2024-01-05_one.html",
      content: """
        <html><body><div class="pageHeader">Friday, 5 January 2024</div>\
        <div class="title"></div><p>one<br>two</p></body></html>
        """),
    "jrnl-xml": FormatSample(
      path: "a.xml",
      content: """
        <journal><entries><entry date="2024-01-05T10:00:00">one⏎two</entry></entries></journal>
        """),
    "kaydet": FormatSample(path: "2024-01-05.txt", content: "10:00: one⏎two⏎", kind: .text),
    "keep": FormatSample(
      path: "a.json", content: keep(1_704_445_200), kind: .json,
      instant: ("a.json", keep(1_704_502_800))),
    "standard-notes": FormatSample(
      path: "Standard Notes Backup and Import File.txt",
      content: standardNotes("2024-01-05T10:00:00.000Z"), kind: .json,
      instant: ("a.txt", standardNotes("2024-01-06T01:00:00.000Z"))),
    "simplenote": FormatSample(
      path: "notes.json", content: simplenote("2024-01-05T10:00:00.000Z"), kind: .json,
      instant: ("notes.json", simplenote("2024-01-06T01:00:00.000Z"))),
    "joplin": FormatSample(
      path: "4891829cefc94f64a6f3978d0e89e07c.md",
      content: """


        one
        two

        id: 4891829cefc94f64a6f3978d0e89e07c
        created_time: 2024-01-05T10:00:00.000Z
        type_: 1
        """, isDirectory: true),
    "journey": FormatSample(
      path: "1704445200000-3fa1b2c3d4e5f607.json", content: journey(1_704_445_200), kind: .json,
      instant: ("1704502800000-3fa1b2c3d4e5f607.json", journey(1_704_502_800))),
    // Its times have no zone.
    "diarium": FormatSample(
      path: "Diarium.json",
      content: #"[{"date":"2024-01-05T10:00:00","heading":"","html":"<p>one<br>two</p>"}]"#),
    "daylio": FormatSample(
      path: "a.csv",
      content: """
        full_date,date,weekday,time,mood,activities,note_title,note⏎\
        2024-01-05,x,x,10:00,,,,"one⏎two"⏎
        """, kind: .text),
    "diaro": FormatSample(
      path: "DiaroBackup.xml",
      content: """
        <data version="2"><table name="diaro_entries"><r><uid>1</uid><date>1704445200000</date>\
        <tz_offset>+01:00</tz_offset><text>one⏎two</text></r></table></data>
        """, isDirectory: true),
    "mini-diary": FormatSample(
      path: "a.json",
      content: #"{"metadata":{},"entries":{"2024-01-05":{"title":"","text":"one⏎two"}}}"#,
      kind: .json),
    "bear": FormatSample(
      path: "2024-01-05.textbundle/text.md", content: "one⏎two⏎", isDirectory: true),
    "memos": FormatSample(
      path: "a.json", content: memos("2024-01-05T10:00:00Z"), kind: .json,
      instant: ("a.json", memos("2024-01-06T01:00:00Z"))),
    "almanah": FormatSample(
      path: "diary.db", content: "",
      database: DatabaseInMemory([
        "entries": [
          [
            "year": .integer(2024), "month": .integer(1), "day": .integer(5),
            "content": .text("one\ntwo"),
          ]
        ]
      ])),
    "org": FormatSample(
      path: "journal.org", content: "* 2024-01-05⏎** 10:00 one⏎two⏎", kind: .text),
    "vimwiki": FormatSample(path: "2024-01-05.wiki", content: "one⏎two⏎", kind: .text),
    "zim": FormatSample(
      path: "2024-01-05.txt",
      content: "Content-Type: text/x-zim-wiki⏎Wiki-Format: zim 0.6⏎⏎one⏎two⏎", kind: .text),
    "tiddlywiki": FormatSample(
      path: "a.tid", content: "created: 20240105100000000⏎title: 5th January 2024⏎⏎one⏎two⏎"),
    "roam": FormatSample(
      path: "a.json",
      content: #"[{"title":"January 5th, 2024","children":[{"string":"one⏎two"}]}]"#, kind: .json),
    "rednotebook": FormatSample(
      path: "2024-01.txt", content: "5:⏎  text: |-⏎    one⏎    two⏎"),
    "lifeograph": FormatSample(
      path: "my.diary",
      content: """
        LIFEOGRAPHDB
        V 2000
        E n
        Id3078619

        ID8256700
        E --_E1061196801
        Ec1704445200
        Ee1704445300
        Ep<one
        Ep<two

        """),
    "csv": FormatSample(
      path: "a.csv", content: "date,text⏎2024-01-05,\"one⏎two\"⏎", kind: .text,
      instant: ("a.csv", "date,text\n2024-01-06T01:00:00Z,x\n")),
  ]

  private static func keep(_ seconds: Int) -> String {
    """
    {"color":"DEFAULT","isTrashed":false,"isPinned":false,"isArchived":false,"title":"",\
    "textContent":"one⏎two","userEditedTimestampUsec":\(seconds)000000,\
    "createdTimestampUsec":\(seconds)000000}
    """
  }

  private static func standardNotes(_ date: String) -> String {
    """
    {"version":"004","items":[{"uuid":"n","content_type":"Note","created_at":"\(date)",\
    "content":{"title":"","text":"one⏎two"}}]}
    """
  }

  private static func simplenote(_ date: String) -> String {
    #"{"activeNotes":[{"content":"one⏎two","creationDate":"\#(date)"}],"trashedNotes":[]}"#
  }

  private static func journey(_ seconds: Int) -> String {
    #"{"date_journal":\#(seconds)000,"timezone":"","type":"markdown","text":"one⏎two"}"#
  }

  private static func memos(_ date: String) -> String {
    #"{"memos":[{"createTime":"\#(date)","visibility":"PRIVATE","content":"one⏎two"}]}"#
  }

  private static func evernote(_ date: String) -> String {
    """
    <en-export><note><content><![CDATA[<en-note><div>one</div><div>two</div></en-note>]]>\
    </content><created>\(date)</created></note></en-export>
    """
  }

  private static func wordpress(_ date: String) -> String {
    """
    <rss xmlns:wp="http://wordpress.org/export/1.2/"><channel><item>\
    <content:encoded>one&lt;br&gt;two</content:encoded>\(date)</item></channel></rss>
    """
  }

  private static func blogger(_ date: String) -> String {
    """
    <feed><id>tag:blogger.com,1999:blog-1</id><entry><published>\(date)</published>\
    <content type="html">one&lt;br&gt;two</content></entry></feed>
    """
  }

  private static func twitter(_ date: String) -> String {
    #"window.YTD.tweets.part0 = [{"tweet":{"created_at":"\#(date)","full_text":"one⏎two"}}]"#
  }

  private static func mastodon(_ date: String) -> String {
    """
    {"@context":"https://www.w3.org/ns/activitystreams","orderedItems":[{"type":"Create",\
    "object":{"published":"\(date)","content":"<p>one<br>two</p>"}}]}
    """
  }

  /// The sample of a format; a format without one fails the test.
  static func of(_ format: ImportFormat) throws -> FormatSample {
    try #require(all[format.rawValue], "FormatSample.all has no line for \(format)")
  }

  /// The content with a line end.
  func text(lineEnd: String = "\n") -> String {
    switch kind {
    case .text: content.replacing("⏎", with: lineEnd)
    case .json:
      content.replacing(
        "⏎", with: lineEnd.unicodeScalars.map { $0 == "\r" ? "\\r" : "\\n" }.joined())
    case .other: content.replacing("⏎", with: "\n")
    }
  }

  /// The input of some bytes under the path of the sample.
  func input(_ bytes: [UInt8]) -> ImportInput {
    isDirectory ? .directory(DirectoryInMemory(bytes: [path: bytes])) : .file(ByteStream(bytes))
  }

  /// The source of some bytes under the path of the sample, or of its database.
  func source(
    _ format: ImportFormat, _ bytes: [UInt8], _ options: ImportOptions = options()
  ) throws -> any EntrySource {
    if let database { return try format.source(database, options: options) }
    var options = options
    options.name = path
    return try format.source(input(bytes), options: options)
  }

  /// The items of some bytes under the path of the sample.
  func items(
    _ format: ImportFormat, _ bytes: [UInt8], _ options: ImportOptions = options()
  ) throws -> [ImportItem] {
    var source = try source(format, bytes, options)
    var items: [ImportItem] = []
    while let item = try source.next() { items.append(item) }
    return items
  }
}

extension FormatSample {
  /// Further files of formats, in `Fixtures`, for the tests with changed bytes.
  static let fixtures: [String: [String]] = [
    "keep": ["keep/Takeout/Keep/Shopping.json"],
    "standard-notes": ["standardnotes/Standard Notes Backup and Import File.txt"],
    "simplenote": ["simplenote/source/notes.json"],
    "joplin": ["joplin-raw/4891829cefc94f64a6f3978d0e89e07c.md"],
    "journey": ["journey/1704445200000-3fa1b2c3d4e5f607.json"],
    "diarium": ["diarium/Diarium.json"],
    "daylio": ["daylio/daylio_export_2024_01_10.csv"],
    "mini-diary": ["minidiary/mini-diary.json"],
    "csv": ["csv/own.csv"],
  ]
}
