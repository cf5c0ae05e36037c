import Foundation
import Testing

/// Imports of records that were changed in the journal and in the file, in every format that updates entries.
@Suite(.waiting)
struct ReimportSidesTests {
  private let program: Program

  init() throws { program = try Program() }

  private func path(_ name: String) -> String { "\(program.home.path)/\(name)" }

  private func write(_ text: String, to name: String) throws {
    let url = program.home.appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func text(_ number: Int) throws -> String {
    let shown = try program.run(["show", "\(number)"]).output
    return shown.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).last
      .map(String.init)?.trimmingCharacters(in: .newlines) ?? ""
  }

  private func importing(_ words: String...) throws -> String {
    let result = try program.run(["import"] + words)
    #expect(result.code == 0, "\(result.errors)")
    return result.output.trimmingCharacters(in: .newlines)
  }

  /// What writes one record in a format with its text.
  private static let writers: [String: @Sendable (String) -> (name: String, text: String)] = [
    "dayone": { text in
      let json = text.replacing("\n", with: "\\n")
      return (
        "a.json",
        """
        {"metadata": {"version": "1.0"}, "entries": [{"uuid": "0A1B2C3D4E5F60718293A4B5C6D7E8F9",
        "creationDate": "2024-01-05T10:00:00Z", "timeZone": "GMT", "text": "\(json)"}]}
        """
      )
    },
    "daybook": { text in
      let json = text.replacing("\n", with: "\\n")
      return (
        "a.json",
        "[{\"uuid\": \"01890a5d-ac96-774b-bcce-b302099a8057\", \"created\": "
          + "\"2024-01-05T10:00:00+01:00\", \"text\": \"\(json)\"}]"
      )
    },
    "markdown with a uuid": {
      ("n/2024-01-05.md", "---\nuuid: 01890a5d-ac96-774b-bcce-b302099a8057\n---\n\($0)\n")
    },
    "markdown": { ("n/2024-01-05.md", "\($0)\n") },
    "a time of a daily note": {
      ("n/2024-01-05.md", "## 10:00 Run\n\($0)\n\n## 11:00 Home\nHome\n")
    },
    "org": {
      (
        "a.org",
        """
        * Soup
        :PROPERTIES:
        :ID: 01890a5d-ac96-774b-bcce-b302099a8057
        :CREATED: [2024-01-05 Fri 10:00]
        :END:
        \($0)

        """
      )
    },
    "csv": {
      (
        "a.csv",
        "uuid,created,text\n01890a5d-ac96-774b-bcce-b302099a8057,2024-01-05 10:00,\"\($0)\"\n"
      )
    },
  ]

  private static let list =
    "one two three four five six seven eight nine ten eleven twelve\n- [ ] milk\n- [ ] bread\nend"

  @Test(
    "what was added here and what was added in the file are both in the entry, in every order",
    arguments: writers.keys.sorted())
  func bothSides(format: String) throws {
    func write(_ text: String) throws -> String {
      let writer = try #require(Self.writers[format])
      let (name, content) = writer(text)
      try self.write(content, to: name)
      return path(name.hasPrefix("n/") ? "n" : name)
    }
    let file = try write(Self.list)
    _ = try importing(file)
    let first = try text(1)
    _ = try program.run([
      "edit", "1", first.replacing("[ ] milk", with: "[x] milk") + "\nadded in daybook",
    ])
    let inFile = Self.list.replacing("[ ] bread", with: "[x] bread") + "\nadded in file"
    _ = try write(inFile)
    #expect(try importing(file).hasPrefix("added 0, updated 1"))
    let merged = first.replacing("[ ]", with: "[x]") + "\nadded in daybook\nadded in file"
    #expect(try text(1) == merged)
    // The next change of the file comes from what it had.
    _ = try write(inFile + "\nadded later")
    #expect(try importing(file).hasPrefix("added 0, updated 1"))
    #expect(try text(1) == merged + "\nadded later")
    // An undo takes the words of the file out, and the next import brings them again.
    _ = try program.run(["undo"])
    #expect(try text(1) == merged)
    _ = try program.run(["edit", "1", merged + "\nonce more here"])
    _ = try importing(file)
    #expect(try text(1).contains("once more here") && text(1).contains("added later"))
    #expect(try text(1).contains("added in daybook"))
  }

  @Test(
    "a word that the file changes again and again is the file's, as long as nobody changed it here",
    arguments: writers.keys.sorted())
  func editedAgain(format: String) throws {
    func write(_ text: String) throws -> String {
      let writer = try #require(Self.writers[format])
      let (name, content) = writer(text)
      try self.write(content, to: name)
      return path(name.hasPrefix("n/") ? "n" : name)
    }
    func file(_ word: String) throws -> String { try write(Self.list.replacing("six", with: word)) }
    _ = try importing(file("six"))
    for word in ["6", "sechs", "seis"] {
      #expect(try importing(file(word)).hasPrefix("added 0, updated 1, skipped"), "\(word)")
      #expect(try text(1).contains("five \(word) seven"))
    }
    _ = try program.run(["edit", "1", text(1) + "\nadded in daybook"])
    #expect(try importing(file("šest")).hasPrefix("added 0, updated 1, skipped"))
    // An import that was undone is no base.
    _ = try program.run(["undo"])
    #expect(try importing(file("hat")).hasPrefix("added 0, updated 1, skipped"))
    #expect(try text(1).contains("five hat seven") && text(1).hasSuffix("added in daybook"))
    // What the file has by now is what the next change of it comes from.
    _ = try program.run(["edit", "1", text(1).replacing("hat", with: "sex")])
    #expect(try importing(file("sex")).hasPrefix("added 0"))
    #expect(try importing(file("sesc")).hasPrefix("added 0, updated 1, skipped"))
    #expect(try text(1).contains("five sesc seven") && text(1).hasSuffix("added in daybook"))
  }

  @Test(
    "a day that changed in one file for all days is the same one, and one of two at a time is not",
    arguments: ["# ", ""])
  func oneFile(mark: String) throws {
    func diary(_ words: String) -> String {
      "\(mark)2024-01-05\n\nWalked to the lake today, and it rained a little bit all day\(words).\n\n"
        + "\(mark)2024-01-06\n\nSlept.\n"
    }
    try write(diary(""), to: "diary.md")
    #expect(try importing(path("diary.md")) == "added 2, skipped 0, failed 0")
    try write(diary(" long"), to: "diary.md")
    #expect(try importing(path("diary.md")) == "added 0, updated 1, skipped 1, failed 0")
    #expect(try text(1).hasSuffix("all day long."))
    // What the file says of a day beside it is no change of that day.
    try write(diary(" long") + "\n\(mark)2024-01-05\n\nSwam.\n", to: "diary.md")
    #expect(try importing(path("diary.md")) == "added 1, skipped 2, failed 0")
  }

  @Test("a file of another format than the named one is called by its own")
  func otherFormat() throws {
    try write("[2024-01-05 10:00] Hello\nworld\n", to: "a.txt")
    let result = try program.run(["import", "--from", "jrnl", path("a.txt")])
    #expect(result.code == 65 && result.output == "added 0, skipped 0, failed 1\n")
    #expect(
      result.errors == "daybook: \(path("a.txt")): has nothing of jrnl; it looks like jrnl-text\n")
    // The problems of a file with entries are told.
    try write(
      "{\"entries\":[{\"date\":\"x\",\"time\":\"y\",\"title\":\"a\"},{\"date\":\"2024-01-05\",\"time\":\"10:00\",\"title\":\"b\"}]}",
      to: "a.json")
    let both = try program.run(["import", "--from", "jrnl", path("a.json")])
    #expect(both.output == "added 1, skipped 0, failed 1\n" && both.errors.contains("no date"))
  }

  @Test("a line that a note of a folder loses is lost, once an import knows that it is the file")
  func lostLine() throws {
    try write(Self.list + "\n", to: "n/2024-01-05.md")
    _ = try importing(path("n"))
    try write(Self.list.replacing("- [ ] milk\n", with: ""), to: "n/2024-01-05.md")
    #expect(try importing(path("n/2024-01-05.md")) == "added 0, updated 1, skipped 0, failed 0")
    #expect(try !text(1).contains("milk"))
    // Another file of that name may be another note.
    try write(Self.list.replacing("- [ ] bread\n", with: ""), to: "m/2024-01-05.md")
    #expect(try importing(path("m")) == "added 0, conflicts 1, skipped 0, failed 0")
  }

  private static let run = "Run\\none two three four five six seven eight nine ten"

  @Test("two records of one identity in a file of another program are two entries")
  func oneIdentity() throws {
    _ = try program.run(["add", "Another", "--date", "2024-01-01 10:00"])
    func json(_ texts: [String]) -> String {
      let records = texts.map {
        "{\"uuid\": \"0A1B2C3D4E5F60718293A4B5C6D7E8F9\", \"text\": \"\($0)\", "
          + "\"creationDate\": \"2024-01-05T10:00:07Z\", \"timeZone\": \"GMT\"}"
      }
      return
        "{\"metadata\": {\"version\": \"1.0\"}, \"entries\": [\(records.joined(separator: ","))]}"
    }
    try write(
      json([Self.run, Self.run + " eleven", Self.run + " eleven"]),
      to: "a.json")
    let dry = try program.run(["import", "--dry-run", path("a.json")])
    #expect(dry.output.hasPrefix("would add 2, skip 1, fail 0"), "\(dry.output)")
    #expect(dry.errors.contains("record has the identity of another one"), "\(dry.errors)")
    #expect(try importing(path("a.json")) == "added 2, skipped 1, failed 0")
    #expect(
      try [text(2), text(3)]
        == [Self.run, Self.run + " eleven"].map { $0.replacing("\\n", with: "\n") })
    #expect(try importing(path("a.json")) == "added 0, skipped 3, failed 0")
    // A later export of the program is another file.
    try write(json([Self.run + ", and more"]), to: "b.json")
    #expect(try importing(path("b.json")) == "added 0, updated 1, skipped 0, failed 0")
  }

  @Test("a record without identity that is alone at its time is the same one with another word")
  func alone() throws {
    let words = "one two three four five six seven eight nine ten eleven twelve"
    let records: [String: (name: String, text: (String) -> String)] = [
      "mini-diary": (
        "a.json",
        {
          "{\"metadata\": {}, \"entries\": {\"2024-01-05\": {\"title\": \"A\", \"text\": \"\($0)\"}}}"
        }
      ),
      "roam": (
        "a.json",
        { "[{\"title\": \"January 5th, 2024\", \"children\": [{\"string\": \"\($0)\"}]}]" }
      ),
      "rednotebook": ("2024-01.txt", { "5:\n  text: |-\n    \($0)\n" }),
      "diarium": (
        "a.json",
        {
          "[{\"date\": \"2024-01-05T10:00:00\", \"heading\": \"\", \"html\": \"<p>\($0)</p>\"}]"
        }
      ),
      "daylio": (
        "a.csv",
        {
          "full_date,date,weekday,time,mood,activities,note_title,note\n"
            + "2024-01-05,x,x,10:00,,,,\"\($0)\"\n"
        }
      ),
      "org": ("2024-01-05.org", { "* 2024-01-05\n** 10:00 Title\n\($0)\n** 11:00 Home\n" }),
      "evernote": (
        "a.enex",
        {
          "<en-export><note><title>A</title><content><![CDATA[<en-note><div>\($0)</div></en-note>]]>"
            + "</content><created>20240105T100000Z</created></note></en-export>"
        }
      ),
      "wordpress": (
        "a.xml",
        {
          "<rss xmlns:wp=\"http://wordpress.org/export/1.2/\"><channel><item><content:encoded>\($0)"
            + "</content:encoded><wp:post_date>2024-01-05 10:00:00</wp:post_date></item></channel></rss>"
        }
      ),
    ]
    for (format, (name, text)) in records {
      let journal = path("\(format).sqlite")
      for (words, expected) in [
        (words, "added"), ("\(words) more", "updated 1"), ("\(words) more", "skipped"),
      ] {
        try write(text(words), to: "\(format)/\(name)")
        let result = try program.run([
          "--journal", journal, "import", "--from", format, path("\(format)/\(name)"),
        ])
        #expect(
          result.code == 0 && result.output.contains(expected),
          "\(format): \(result.output)\(result.errors)")
      }
    }
  }

  @Test("a changed date comes along, also one without a zone, and a date that changed here stays")
  func dates() throws {
    let uuid = "01890a5d-ac96-774b-bcce-b302099a8057"
    let org = { (day: String) in
      "* Soup\n:PROPERTIES:\n:ID: \(uuid)\n:CREATED: [\(day) 10:00]\n:END:\nleek\n"
    }
    let note = { (day: String) in "---\nuuid: \(uuid)\ndate: \(day)\n---\nleek\n" }
    for (name, text) in [("a.org", org), ("Soup.md", note)] {
      let journal = path("\(name).sqlite")
      let run = { (words: [String]) in try self.program.run(["--journal", journal] + words).output }
      try write(text("2024-01-05"), to: name)
      #expect(try run(["import", path(name)]).hasPrefix("added 1"))
      try write(text("2024-02-05"), to: name)
      #expect(try run(["import", path(name)]).hasPrefix("added 0, updated 1"), "\(name)")
      #expect(try run(["show", "1"]).contains("2024-02-05"))
      _ = try run(["redate", "1", "--date", "2024-03-05 10:00"])
      let moved = try run(["show", "1"])
      #expect(try run(["import", path(name)]).hasPrefix("added 0, skipped 1"), "\(name)")
      #expect(try run(["show", "1"]) == moved)
    }
  }

  @Test("links by the name of a note find it where its first line only mentions it")
  func names() throws {
    try write(
      "---\ndate: 2024-01-05\n---\nToday I baked bread and it was good.\n", to: "v/food/Bread.md")
    try write("---\ndate: 2024-01-06\n---\nSee [[Bread]] and [[food/Bread]].\n", to: "v/Talk.md")
    _ = try importing(path("v"))
    #expect(try text(2) == "Bread\n\nToday I baked bread and it was good.")
    #expect(try program.run(["list", "is:broken"]).output == "")
  }

  @Test("two journals that appended like lines in one second keep both")
  func journals() throws {
    let (first, second) = (path("a.sqlite"), path("b.sqlite"))
    _ = try program.run(["--journal", first, "add", "Shopping", "--date", "2024-01-05 10:00"])
    #expect(try program.run(["--journal", second, "import", first]).output.hasPrefix("added 1"))
    _ = try program.run(["--journal", first, "edit", "1", "Shopping\n- [ ] milk"])
    _ = try program.run(["--journal", second, "edit", "1", "Shopping\n- [ ] bread"])
    let result = try program.run(["--journal", second, "import", first])
    #expect(result.errors.contains("and merged: 1 entry"), "\(result.errors)")
    let shown = try program.run(["--journal", second, "show", "1"]).output
    #expect(shown.contains("milk") && shown.contains("bread"), "\(shown)")
  }

  @Test("a note finds its entry by what an earlier import brought, however much was added here")
  func muchAdded() throws {
    let words = (1...12).map { "word\($0)" }.joined(separator: " ")
    let more = (1...12).map { "here\($0)" }.joined(separator: " ")
    try write("\(words)\n", to: "n/2024-01-05.md")
    #expect(try importing(path("n")) == "added 1, skipped 0, failed 0")
    _ = try program.run(["edit", "1", "\(words)\n\(more)"])
    try write("\(words)\nthere\n", to: "n/2024-01-05.md")
    #expect(try importing(path("n")) == "added 0, updated 1, skipped 0, failed 0")
    #expect(try text(1).contains(more) && text(1).contains("there"))
  }

  @Test("a day written by hand into a file of Daybook is text, and reported")
  func byHand() throws {
    _ = try program.run(["add", "Soup\nwith leek", "--date", "2024-01-02 10:00"])
    _ = try program.run(["export", "-o", path("a.md")])
    let file = program.home.appending(path: "a.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    try write(text + "\n## 2024-01-03 10:00\n\nNew by hand\n\n## 11:00 Late\n", to: "a.md")
    let result = try program.run(["import", path("a.md")])
    #expect(result.output == "added 0, updated 1, skipped 0, failed 0\n")
    #expect(
      result.errors.contains("heading of a day or time without a comment of Daybook is text (2)"),
      "\(result.errors)")
  }

  @Test("a recording with an ending in its path alone changes nothing when it is imported again")
  func recording() throws {
    let json = """
      {"metadata": {"version": "1.0"}, "entries": [{"uuid": "77777777777777777777777777777777",
      "creationDate": "2024-01-04T04:30:00Z", "timeZone": "GMT",
      "text": "![](dayone-moment:/audio/FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF) home",
      "audios": [{"identifier": "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
      "md5": "965c83ad8a418362028c276bc363a183", "format": "m4a", "title": "Memo"}]}]}
      """
    try write(json, to: "d/Journal.json")
    try write("sound", to: "d/audios/965c83ad8a418362028c276bc363a183.m4a")
    #expect(try importing(path("d")) == "added 1 with 1 file, skipped 0, failed 0")
    #expect(try text(1).contains("[Memo](file:"))
    let dry = try program.run(["import", "--dry-run", path("d")]).output
    #expect(dry.hasPrefix("would add 0, skip 1, fail 0"), "\(dry)")
    #expect(try importing(path("d")) == "added 0, skipped 1, failed 0")
  }
}
