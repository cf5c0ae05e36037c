import Foundation
import Journal

/// Writes archives of other programs with many entries, as those programs write them.
///
/// Each format has the same entries, with two paragraphs of plain words: one file with all of them,
/// or a directory with a file for each entry or day, where its program has that.
struct ForeignArchive {
  /// The name of the format for `--from`.
  let name: String
  /// The number of entries.
  let count: Int

  /// Writes the archive below a directory, and returns its path.
  func write(in directory: String) throws -> String {
    guard let writer = ForeignArchive.writer(of: name) else { throw CocoaError(.fileNoSuchFile) }
    let path = "\(directory)/\(name)"
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let items = (0..<count).map { Item(index: $0, isLast: $0 == count - 1) }
    switch writer {
    case .file(let file, let head, let item, let separator, let tail):
      let text = head + items.map(item).joined(separator: separator) + tail
      try Data(text.utf8).write(to: URL(filePath: "\(path)/\(file)"))
      return "\(path)/\(file)"
    case .files(let file, let item):
      for (name, items) in Dictionary(grouping: items, by: { file($0) }) {
        let url = URL(filePath: "\(path)/\(name)")
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(items.map(item).joined().utf8).write(to: url)
      }
      return path
    }
  }

  /// An entry of an archive.
  struct Item {
    let index: Int
    let isLast: Bool

    /// Days of their own from 1900 on; their times differ.
    var day: Day { ForeignArchive.first.adding(days: index) }
    /// The seconds since 1970, where days are only 26 years.
    var seconds: Int { 946_684_800 + index * 8_191 }
    /// Two paragraphs; `text` ends without a line end.
    var title: String { "Morning walk \(index)" }
    var body: String {
      "We went along the river as far as the old mill and back, \(index) steps or so. "
        + "It was cold, and the ice was thin.\n\nThen coffee with Anna #walk"
    }
    var text: String { "\(title)\n\n\(body)" }
    /// `2024-01-05T10:00:00`.
    var time: String {
      let moment = Moment(seconds: Int64(seconds), offset: 0)
      let (hour, minute, second) = moment.localTime
      let digits = [hour, minute, second].map { $0 < 10 ? "0\($0)" : "\($0)" }
      return "\(moment.localDay)T\(digits.joined(separator: ":"))"
    }
    /// `20240105T100000`.
    var compact: String { time.filter { $0 != "-" && $0 != ":" } }
    var clock: String { String(time.dropFirst(11).prefix(5)) }
    var date: String { String(time.prefix(10)) }
    /// 32 digits.
    var id: String {
      let digits = String(index, radix: 16)
      return String(repeating: "a", count: 32 - digits.count) + digits
    }
    /// The text for JSON, with its quotation marks.
    func json(_ text: String) -> String {
      var bytes: [UInt8] = []
      JSONText.append(text, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    /// The text for HTML.
    var html: String {
      let parts = body.replacing("\n\n", with: "\n").split(separator: "\n")
      return parts.map { "<p>\($0)</p>" }.joined()
    }
    var weekday: String { ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][day.weekday - 1] }
    var month: String {
      let names = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(separator: " ")
      return String(names[Moment(seconds: Int64(seconds), offset: 0).localDay.month - 1])
    }
  }

  private static let first = Day("1900-01-01") ?? Moment(seconds: 0, offset: 0).localDay

  enum Writer {
    /// One file: its name, its head, each entry, what is between two, and its end.
    case file(
      String, head: String = "", (Item) -> String, separator: String = "",
      tail: String = "")
    /// The file of each entry, which may have several, and the text.
    case files((Item) -> String, (Item) -> String)
  }
}

extension ForeignArchive {
  /// The names of the formats, with a second shape after a space.
  static let names = [
    "daybook",
    "jrnl",
    "jrnl-text",
    "jrnl-xml",
    "tui-journal",
    "dayone",
    "dayone plain",
    "markdown",
    "markdown notes",
    "markdown lines",
    "org",
    "org stamps",
    "csv",
    "evernote",
    "wordpress",
    "blogger",
    "twitter",
    "mastodon",
    "apple-journal",
    "kaydet",
    "keep",
    "standard-notes",
    "simplenote",
    "joplin",
    "journey",
    "diarium",
    "daylio",
    "diaro",
    "mini-diary",
    "bear",
    "memos",
    "rednotebook",
    "lifeograph",
    "vimwiki",
    "zim",
    "tiddlywiki",
    "roam",
  ]

  /// The writer of a format; `nil` for an unknown one.
  static func writer(of name: String) -> Writer? {
    switch name {
    case "daybook":
      return .file("a.jsonl") { "{\"text\":\($0.json($0.text)),\"created\":\"\($0.time)Z\"}\n" }
    case "jrnl":
      return .file(
        "a.json", head: "{\"tags\":{},\"entries\":[",
        {
          "{\"title\":\"\($0.title)\",\"body\":\($0.json($0.body)),\"date\":\"\($0.date)\","
            + "\"time\":\"\($0.clock)\",\"tags\":[],\"starred\":false}"
        }, separator: ",", tail: "]}")
    case "jrnl-text":
      return .file("a.txt") { "[\($0.date) \($0.clock)] \($0.text)\n\n" }
    case "jrnl-xml":
      return .file(
        "a.xml", head: "<journal><entries>",
        { "<entry date=\"\($0.time)\">\($0.text)</entry>" }, tail: "</entries></journal>")
    case "tui-journal":
      return .file(
        "a.json", head: "[",
        {
          "{\"date\":\"\($0.time)Z\",\"title\":\"\($0.title)\",\"content\":\($0.json($0.body)),"
            + "\"tags\":[\"walk\"]}"
        }, separator: ",", tail: "]")
    case "dayone":
      return .file(
        "a.json", head: "{\"metadata\":{\"version\":\"1.0\"},\"entries\":[",
        { "{\"creationDate\":\"\($0.time)Z\",\"text\":\($0.json($0.text)),\"uuid\":\"\($0.id)\"}" },
        separator: ",", tail: "]}")
    case "dayone plain":
      return .file("Journal.txt") {
        let day = Moment(seconds: Int64($0.seconds), offset: 0).localDay
        return "\tDate:\t\(day.day) \($0.month) \(day.year) at \($0.clock):00 GMT\n\n\($0.text)\n\n"
      }
    case "markdown":
      return .file("journal.md") { "# \($0.day)\n\n## \($0.clock) \($0.text)\n\n" }
    case "markdown notes":
      return .files(
        { "\($0.date) \($0.title).md" },
        {
          "---\ncreated: \($0.time)Z\ntags: [walk]\n---\n\n\($0.text)\n"
        })
    case "markdown lines":
      return .file("diary.txt") { "\($0.day)\n\n\($0.text)\n\n" }
    case "org":
      return .file("journal.org") { "* \($0.day) \($0.weekday)\n** \($0.clock) \($0.text)\n" }
    case "org stamps":
      return .file("notes.org") {
        "* \($0.title)\n:PROPERTIES:\n:CREATED:  [\($0.date) \($0.weekday) \($0.clock)]\n:END:\n"
          + "\($0.body)\n"
      }
    case "csv":
      return .file("a.csv", head: "date,time,text\n") {
        "\($0.date),\($0.clock),\"\($0.text)\"\n"
      }
    case "evernote":
      return .file(
        "a.enex", head: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<en-export>",
        {
          "<note><title>\($0.title)</title><content><![CDATA[<?xml version=\"1.0\"?><en-note>"
            + "\($0.html)</en-note>]]></content><created>\($0.compact)Z</created></note>\n"
        }, tail: "</en-export>")
    case "wordpress":
      return .file(
        "a.xml", head: "<rss xmlns:wp=\"http://wordpress.org/export/1.2/\"><channel>",
        {
          "<item><title>\($0.title)</title><content:encoded><![CDATA[\($0.html)]]></content:encoded>"
            + "<wp:post_date>\($0.date) \($0.clock):00</wp:post_date></item>\n"
        }, tail: "</channel></rss>")
    case "blogger":
      return .file(
        "feed.atom", head: "<feed><id>tag:blogger.com,1999:blog-1</id>",
        {
          "<entry><title>\($0.title)</title><published>\($0.time)Z</published>"
            + "<content type=\"html\"><![CDATA[\($0.html)]]></content></entry>\n"
        }, tail: "</feed>")
    case "twitter":
      return .file(
        "tweets.js", head: "window.YTD.tweets.part0 = [",
        {
          let day = Moment(seconds: Int64($0.seconds), offset: 0).localDay
          let digits = day.day < 10 ? "0\(day.day)" : "\(day.day)"
          return
            "{\"tweet\":{\"created_at\":\"\($0.weekday) \($0.month) \(digits) \($0.clock):00 +0000 "
            + "\(day.year)\",\"id_str\":\"\($0.index)\",\"full_text\":\($0.json($0.text))}}"
        }, separator: ",\n", tail: "]")
    case "mastodon":
      return .file(
        "outbox.json",
        head: "{\"@context\":\"https://www.w3.org/ns/activitystreams\",\"orderedItems\":[",
        {
          "{\"type\":\"Create\",\"object\":{\"id\":\"\($0.index)\",\"published\":\"\($0.time)Z\","
            + "\"content\":\($0.json($0.html))}}"
        }, separator: ",\n", tail: "]}")
    case "apple-journal":
      return .files(
        { "Entries/\($0.day)_\($0.index).html" },
        {
          "<html><head><style>p.p1 {margin: 0}</style></head><body><div class=\"pageHeader\">\($0.day)</div>"
            + "<div class=\"title\">\($0.title)</div>\($0.html)</body></html>"
        })
    case "kaydet":
      return .files(
        { "\($0.day).txt" },
        { "\($0.clock): \($0.text)\n" })
    case "keep":
      return .files(
        { "Takeout/Keep/\($0.index).json" },
        {
          "{\"color\":\"DEFAULT\",\"isTrashed\":false,\"isPinned\":false,\"isArchived\":false,"
            + "\"title\":\"\($0.title)\",\"textContent\":\($0.json($0.body)),"
            + "\"userEditedTimestampUsec\":\($0.seconds)000000,"
            + "\"createdTimestampUsec\":\($0.seconds)000000}"
        })
    case "standard-notes":
      return .file(
        "Standard Notes Backup and Import File.txt", head: "{\"version\":\"004\",\"items\":[",
        {
          "{\"uuid\":\"\($0.id)\",\"content_type\":\"Note\",\"created_at\":\"\($0.time).000Z\","
            + "\"content\":{\"title\":\"\($0.title)\",\"text\":\($0.json($0.body))}}"
        }, separator: ",\n", tail: "]}")
    case "simplenote":
      return .file(
        "notes.json", head: "{\"activeNotes\":[",
        { "{\"content\":\($0.json($0.text)),\"creationDate\":\"\($0.time).000Z\"}" },
        separator: ",\n", tail: "],\"trashedNotes\":[]}")
    case "joplin":
      return .files(
        { "\($0.id).md" },
        {
          "\($0.text)\n\nid: \($0.id)\ncreated_time: \($0.time).000Z\ntype_: 1"
        })
    case "journey":
      return .files(
        { "\($0.seconds)000-3fa1b2c3d4e5f607.json" },
        {
          "{\"date_journal\":\($0.seconds)000,\"timezone\":\"\",\"type\":\"markdown\","
            + "\"text\":\($0.json($0.text))}"
        })
    case "diarium":
      return .file(
        "Diarium.json", head: "[",
        { "{\"date\":\"\($0.time)\",\"heading\":\"\($0.title)\",\"html\":\($0.json($0.html))}" },
        separator: ",\n", tail: "]")
    case "daylio":
      return .file(
        "a.csv", head: "full_date,date,weekday,time,mood,activities,note_title,note\n"
      ) { "\($0.date),x,x,\($0.clock),good,,\($0.title),\"\($0.body)\"\n" }
    case "diaro":
      return .files(
        { _ in "DiaroBackup.xml" },
        {
          ($0.index == 0 ? "<data version=\"2\"><table name=\"diaro_entries\">" : "")
            + "<r><uid>\($0.id)</uid><date>\($0.seconds)000</date><tz_offset>+01:00</tz_offset>"
            + "<title>\($0.title)</title><text>\($0.body)</text></r>\n"
            + ($0.isLast ? "</table></data>" : "")
        })
    case "mini-diary":
      return .file(
        "a.json", head: "{\"metadata\":{},\"entries\":{",
        { "\"\($0.day)\":{\"title\":\"\($0.title)\",\"text\":\($0.json($0.body))}" },
        separator: ",\n", tail: "}}")
    case "bear":
      return .files(
        { "\($0.date) \($0.index).textbundle/text.md" },
        { "\($0.text)\n" })
    case "memos":
      return .file(
        "a.json", head: "{\"memos\":[",
        {
          "{\"createTime\":\"\($0.time)Z\",\"visibility\":\"PRIVATE\",\"content\":\($0.json($0.text))}"
        }, separator: ",\n", tail: "]}")
    case "rednotebook":
      return .files(
        { "\(String("\($0.day)".prefix(7))).txt" },
        {
          "\($0.day.day):\n  text: |-\n    \($0.text.replacing("\n", with: "\n    "))\n"
        })
    case "lifeograph":
      return .file("my.diary", head: "LIFEOGRAPHDB\nV 2000\nE n\nId3078619\n\n") { item in
        let lines = item.text.split(separator: "\n", omittingEmptySubsequences: false)
        return
          "ID\(8_256_700 + item.index)\nE --_E1061196801\nEc\(item.seconds)\nEe\(item.seconds)\n"
          + lines.map { "Ep<\($0)\n" }.joined() + "\n"
      }
    case "vimwiki":
      return .files(
        { "\($0.day).wiki" },
        { "= \($0.title) =\n\n\($0.body)\n" })
    case "zim":
      return .files(
        { "Journal/\($0.day).txt" },
        {
          "Content-Type: text/x-zim-wiki\nWiki-Format: zim 0.6\n\n\($0.text)\n"
        })
    case "tiddlywiki":
      return .file(
        "tiddlers.json", head: "[",
        {
          "{\"created\":\"\($0.compact.filter { $0 != "T" })000\",\"title\":\"\($0.title)\","
            + "\"text\":\($0.json($0.body)),\"tags\":\"walk\"}"
        }, separator: ",\n", tail: "]")
    case "roam":
      return .file(
        "a.json", head: "[",
        {
          let name = DateWords.long($0.day)
          return "{\"title\":\"\(name)\",\"children\":[{\"string\":\($0.json($0.body))}]}"
        }, separator: ",\n", tail: "]")
    default: return nil
    }
  }
}

/// Dates as Roam writes them.
private enum DateWords {
  /// `January 5th, 2024`.
  static func long(_ day: Day) -> String {
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    let ending =
      switch day.day {
      case 1, 21, 31: "st"
      case 2, 22: "nd"
      case 3, 23: "rd"
      default: "th"
      }
    return "\(months[day.month - 1]) \(day.day)\(ending), \(day.year)"
  }
}
