import Foundation
import Journal
import JournalFormats
import Testing

/// The rules of imports that concern a journal, over every format.
struct ImportRuleCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  private func file(_ name: String, _ text: String) throws -> String {
    let url = program.home.appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  private func texts() throws -> [String] {
    let listed = try program.run(["list", "--format", "json", "--sort", "oldest"]).output
    let root = try JSONSerialization.jsonObject(with: Data(listed.utf8)) as? [String: Any]
    let entries = root?["entries"] as? [[String: Any]] ?? []
    return entries.compactMap { $0["text"] as? String }
  }

  /// A file of a format with the same entry a number of times; `nil` for a format whose entries have
  /// identities of their own, or a file each.
  private static func equal(_ format: ImportFormat, _ count: Int) -> (name: String, text: String)? {
    let repeated: (String, String) -> String = { text, separator in
      Array(repeating: text, count: count).joined(separator: separator)
    }
    switch format.rawValue {
    case "daybook":
      return ("a.jsonl", repeated("{\"text\":\"same\",\"created\":\"2024-01-05T10:00:00Z\"}\n", ""))
    case "jrnl":
      let entry =
        "{\"title\":\"same\",\"body\":\"\",\"date\":\"2024-01-05\",\"time\":\"10:00\",\"tags\":[]}"
      return ("a.json", "{\"tags\":{},\"entries\":[\(repeated(entry, ","))]}")
    case "jrnl-text": return ("a.txt", repeated("[2024-01-05 10:00] same\n", "\n"))
    case "tui-journal":
      let entry =
        "{\"date\":\"2024-01-05T00:00:00Z\",\"title\":\"same\",\"content\":\"\",\"tags\":[]}"
      return ("a.json", "[\(repeated(entry, ","))]")
    case "dayone":
      let entry = "{\"creationDate\":\"2024-01-05T10:00:00Z\",\"text\":\"same\"}"
      return ("a.json", "{\"entries\":[\(repeated(entry, ","))]}")
    case "markdown": return ("a.md", repeated("# 2024-01-05\nsame\n", "\n"))
    case "kaydet": return ("2024-01-05.txt", repeated("10:00: same\n", ""))
    // Their entries are days, or their files have one each.
    case "vimwiki", "zim", "tiddlywiki", "roam", "rednotebook", "lifeograph": return nil
    case "org": return ("a.org", repeated("* 2024-01-05\n** 10:00 same\n", ""))
    case "evernote":
      let note =
        "<note><content>same</content><created>20240105T100000Z</created></note>"
      return ("a.enex", "<en-export>\(repeated(note, ""))</en-export>")
    case "wordpress":
      let item =
        "<item><content:encoded>same</content:encoded><wp:post_date>2024-01-05 10:00:00</wp:post_date></item>"
      return (
        "a.xml",
        "<rss xmlns:wp=\"http://wordpress.org/export/1.2/\"><channel>\(repeated(item, ""))</channel></rss>"
      )
    case "blogger":
      let post =
        "<entry><published>2024-01-05T10:00:00Z</published><content>same</content></entry>"
      return (
        "feed.atom", "<feed><id>tag:blogger.com,1999:blog-1</id>\(repeated(post, ""))</feed>"
      )
    case "twitter":
      let tweet =
        "{\"tweet\":{\"created_at\":\"Fri Jan 05 10:00:00 +0000 2024\",\"full_text\":\"same\"}}"
      return ("tweets.js", "window.YTD.tweets.part0 = [\(repeated(tweet, ","))]")
    case "mastodon":
      let post =
        "{\"type\":\"Create\",\"object\":{\"published\":\"2024-01-05T10:00:00Z\",\"content\":\"same\"}}"
      return (
        "outbox.json",
        "{\"@context\":\"https://www.w3.org/ns/activitystreams\",\"orderedItems\":[\(repeated(post, ","))]}"
      )
    case "apple-journal": return nil
    // Their entries have identities, days or files of their own.
    case "keep", "standard-notes", "joplin", "journey", "mini-diary", "bear", "almanah", "diaro":
      return nil
    case "simplenote":
      let note = "{\"content\":\"same\",\"creationDate\":\"2024-01-05T10:00:00Z\"}"
      return ("notes.json", "{\"activeNotes\":[\(repeated(note, ","))]}")
    case "diarium":
      let entry = "{\"date\":\"2024-01-05T10:00:00\",\"heading\":\"\",\"html\":\"same\"}"
      return ("a.json", "[\(repeated(entry, ","))]")
    case "daylio":
      return (
        "a.csv",
        "full_date,date,weekday,time,mood,activities,note_title,note\n"
          + repeated("2024-01-05,x,x,10:00,,,,same\n", "")
      )
    case "memos":
      let memo =
        "{\"content\":\"same\",\"visibility\":\"PRIVATE\",\"createTime\":\"2024-01-05T10:00:00Z\"}"
      return ("a.json", "{\"memos\":[\(repeated(memo, ","))]}")
    case "csv": return ("a.csv", "date,text\n" + repeated("2024-01-05 10:00,same\n", ""))
    case "jrnl-xml":
      let entry = "<entry date=\"2024-01-05T10:00:00\">same</entry>"
      return ("a.xml", "<journal><entries>\(repeated(entry, ""))</entries></journal>")
    default:
      Issue.record("no file of \(format)")
      return nil
    }
  }

  @Test(
    "equal entries of a file are as many as there are, and the same file again adds nothing",
    arguments: ImportFormat.allCases)
  func equalEntries(format: ImportFormat) throws {
    guard let (name, three) = Self.equal(format, 3) else { return }
    let path = try file(name, three)
    let dry = try program.run(["import", "--dry-run", path])
    #expect(dry.output.hasPrefix("would add 3, skip 0, fail 0;"))
    #expect(try program.run(["import", path]).output == "added 3, skipped 0, failed 0\n")
    #expect(try texts() == ["same", "same", "same"])
    #expect(try program.run(["import", path]).output == "added 0, skipped 3, failed 0\n")
    // A copy of the file adds nothing, and a fourth one is new.
    let copy = try file("copy/\(name)", three)
    #expect(try program.run(["import", path, copy]).output == "added 0, skipped 6, failed 0\n")
    let more = try file(name, try #require(Self.equal(format, 4)).text)
    #expect(try program.run(["import", more]).output == "added 1, skipped 3, failed 0\n")
    #expect(try program.run(["undo"]).output.hasPrefix("undid the import of "))
    #expect(try texts() == ["same", "same", "same"])
  }

  @Test("two notes that differ in name only are two entries")
  func namesAlone() throws {
    let note = "---\ncreated: 2024-01-05T10:00\n---\nagenda"
    let directory = ["Meeting with Anna.md", "Meeting with Bert.md"]
    for name in directory { _ = try file("vault/\(name)", note) }
    let days = ["5 Jan 2024.md", "2024-01-05.md"]
    for name in days { _ = try file("vault/\(name)", "same") }
    let path = program.home.appending(path: "vault").path
    #expect(try program.run(["import", path]).output == "added 4, skipped 0, failed 0\n")
    #expect(
      Set(try texts()) == ["Meeting with Anna\n\nagenda", "Meeting with Bert\n\nagenda", "same"])
    #expect(try program.run(["import", path]).output == "added 0, skipped 4, failed 0\n")
  }

  @Test(
    "an entry that an earlier build added without its title or at another time is not added again")
  func formerIdentities() throws {
    // As that build stored them: the text, and the time from which it derived the identity.
    let uuids = [
      EntryUUIDs.derived("agenda", "2024-01-05T10:00:00Z"),
      EntryUUIDs.derived("day", "2024-08-25T00:00:00Z"),
      EntryUUIDs.derived("```\ncode\n``` #walk", "2024-01-06T00:00:00Z"),
    ]
    let records = zip(uuids, ["agenda", "day", "code"]).map { uuid, text in
      "{\"uuid\":\"\(uuid)\",\"text\":\"\(text)\",\"created\":\"2024-01-05T10:00:00Z\"}\n"
    }
    _ = try program.run(["import", try file("old.jsonl", records.joined())])
    _ = try file("vault/Meeting with Anna.md", "---\ncreated: 2024-01-05T10:00\n---\nagenda")
    _ = try file("vault/Meeting with Bert.md", "---\ncreated: 2024-01-05T10:00\n---\nagenda")
    _ = try file("vault/2024-06-26.md", "---\ncreated: 2024-08-25\n---\nday")
    _ = try file("vault/2024-01-06.md", "---\ntags: [walk]\n---\n```\ncode\n```")
    let path = program.home.appending(path: "vault").path
    let dry = try program.run(["import", "--dry-run", path])
    #expect(dry.output.hasPrefix("would add 1, skip 3, fail 0;"))
    // The earlier build had lost one of the two meetings.
    #expect(try program.run(["import", path]).output == "added 1, skipped 3, failed 0\n")
    #expect(try program.run(["import", path]).output == "added 0, skipped 4, failed 0\n")
  }

  @Test("several files are one step; one that is not read is named, and the others go in")
  func several() throws {
    let one = try file("1.txt", "[2024-01-05 10:00] one\n")
    let two = try file("2024-01-06.md", "two")
    let bad = try file("diary.pdf", "%PDF-1.7")
    let result = try program.run(["import", one, bad, two, "nowhere"])
    #expect(result.output == "added 2, skipped 0, failed 2\n")
    #expect(result.code == 65)
    #expect(result.errors.contains("\(bad): is a PDF"))
    #expect(result.errors.contains("nowhere: No such file or directory; skipped\n"))
    #expect(try program.run(["undo"]).output == "undid the import of 2 entries\n")
    #expect(try program.run(["import", "--strict", one, bad]).code == 65)
    #expect(try texts() == [])
  }

  @Test("--formats names every format; --encoding and --zone decide")
  func options() throws {
    let listed = try program.run(["import", "--formats"])
    for format in ImportFormat.allCases {
      #expect(listed.output.contains("\(format.rawValue)  \(format.guide.files)\n"))
    }
    let path = try file("Note.md", "---\ncreated: 2024-01-06T01:00:00Z\n---\nGrÃ¼n")
    let zoned = ["import", "--zone", "America/Los_Angeles", path]
    #expect(try program.run(zoned).output == "added 1, skipped 0, failed 0\n")
    let shown = try program.run(["list", "--format", "json"]).output
    #expect(shown.contains("2024-01-05T17:00:00-08:00"))
    #expect(try program.run(["import", "--zone", "Nowhere", path]).code == 64)
    let latin = try program.run(["import", "--encoding", "latin-1", path])
    #expect(latin.output == "added 1, skipped 0, failed 0\n")
  }

  @Test("line ends of arguments and standard input become LF")
  func lineEnds() throws {
    _ = try program.run(["add", "-"], input: Array("a\r\nb\r\n".utf8))
    _ = try program.run(["add", "c\rd"])
    #expect(Set(try texts()) == ["a\nb", "c\nd"])
  }

  @Test(
    "tags stored apart are on a line of their own where the last line is no prose, and come off it")
  func tags() throws {
    _ = try program.run(["add", "```\ncode\n```"])
    _ = try program.run(["tag", "1", "--tag", "walk"])
    #expect(try texts() == ["```\ncode\n```\n\n#walk"])
    _ = try program.run(["untag", "1", "--tag", "walk"])
    #expect(try texts() == ["```\ncode\n```"])
  }
}

/// Identities as imports derive them.
private enum EntryUUIDs {
  static func derived(_ text: String, _ time: String) -> String {
    EntryUUID.derived(text: text, created: Moment(time) ?? Moment(seconds: 0, offset: 0))
  }
}
