import Journal

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
