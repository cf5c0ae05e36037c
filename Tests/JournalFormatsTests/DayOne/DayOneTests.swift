import Journal
import Testing

@testable import JournalFormats

struct DayOneTests {
  private static func source(_ bytes: [UInt8]) -> DayOneSource {
    DayOneSource(ByteStream(bytes), options: options())
  }

  private static func entry(_ fields: String) -> [ImportedEntry] {
    entries(
      source(utf8("{\"entries\":[{\"creationDate\":\"2021-03-03T23:48:50Z\",\(fields)}]}")))
  }

  @Test("a time zone that nobody knows is said")
  func unknownZone() throws {
    let read = Self.entry("\"timeZone\":\"Mars/Base\",\"text\":\"a\"")
    #expect(
      read.map(\.remarks)
        == [
          ["unknown time zone \"Mars/Base\", so the offset of the date or the local zone is used"]
        ])
    #expect(Self.entry("\"timeZone\":\"GMT+0200\",\"text\":\"a\"").map(\.remarks) == [[]])
  }

  @Test("an export is read with its day, its zone, its tags and its pictures")
  func export() throws {
    let read = items(Self.source(try fixture("dayone-Journal.json")))
    try #require(read.count == 2)
    guard case .entry(let entry, let place) = read[0] else {
      Issue.record("no entry: \(read[0])")
      return
    }
    #expect(place.line == 6)
    #expect(
      entry.text
        == "# All packed up finally .. \n\n![](photos/ef43abe9582131d432f20dcc68e326aa.jpeg)"
        + "\n\nGood night.")
    #expect(entry.created == (try moment("2021-03-03T22:48:50+11:00")))
    #expect(entry.modified == (try moment("2021-03-03T22:59:09+11:00")))
    #expect(entry.uuid == "a1b2c3d4-e5f6-0718-293a-4b5c6d7e8f90")
    #expect(entry.tags == ["travel"])
    #expect(
      read[1]
        == .problem(
          entry: "has no text, photo, place or tag", ImportPlace(line: 63)))
  }

  @Test(
    "the day is that of the entry's zone, else of its date's offset, else of the clock",
    arguments: [
      (#""timeZone":"Asia/Tokyo""#, "2021-03-04T08:48:50+09:00"),
      (#""timeZone":"GMT-0330""#, "2021-03-03T20:18:50-03:30"),
      (#""timeZone":"GMT""#, "2021-03-03T23:48:50+00:00"),
      (
        #""timeZone":"Mars/Olympus","location":{"timeZoneName":"Asia/Tokyo"}"#,
        "2021-03-04T08:48:50+09:00"
      ),
      (#""timeZone":"../../etc/passwd""#, "2021-03-04T00:48:50+01:00"),
      (#""starred":false"#, "2021-03-04T00:48:50+01:00"),
      (#""creationDate":"2021-03-03T23:48:50+05:00""#, "2021-03-03T23:48:50+05:00"),
    ])
  func zones(fields: String, created: String) throws {
    let read = Self.entry("\"text\":\"a\",\(fields)")
    #expect(read.map(\.created) == [try moment(created)])
    #expect(read.map(\.day) == [try moment(created).localDay])
  }

  @Test(
    "the text is as it was written",
    arguments: [
      ("1\\. a \\- b\\!", "1\\. a - b!"), ("30\\-minutes \\(x\\)", "30-minutes (x)"),
      ("a \\\\ b", "a \\ b"), ("c:\\dir", "c:\\dir"),
      ("\u{200B}**b**\u{200B} c\u{200B}d", "**b** c\u{200B}d"), ("a\u{2028}b", "a\nb"),
      ("```\na\\.b\n```", "```\na\\.b\n```"), ("```\na\n```\n```\nb\n```\nc", "```\na\nb\n```\nc"),
      ("\\", "\\"),
    ])
  func texts(text: String, plain: String) {
    #expect(DayOneText.plain(text) == plain)
  }

  @Test(
    "a backslash stays where the sign would be Markdown or a tag here",
    arguments: [
      ("\\#notatag", "\\#notatag"), ("a \\#notatag", "a \\#notatag"), ("c\\#", "c#"),
      ("\\# no heading", "\\# no heading"), ("\\@anna", "\\@anna"), ("a\\@b\\.c", "a@b.c"),
      ("\\- dash", "\\- dash"), ("> \\- dash", "> \\- dash"), ("\\-5 \\- 3", "-5 - 3"),
      ("\\* star", "\\* star"), ("5 \\* 3", "5 * 3"), ("a\\*b\\*", "a\\*b\\*"),
      ("\\_x\\_", "\\_x\\_"), ("a\\_b", "a_b"), ("1\\) x", "1\\) x"), ("3\\.5", "3.5"),
      ("in 2024\\.", "in 2024."), ("\\> quote", "\\> quote"), ("a \\> b", "a > b"),
      ("\\`tick\\`", "\\`tick\\`"), ("c\\<d\\>", "c\\<d>"), ("3 \\< 4", "3 < 4"),
      ("a \\[1\\] b", "a [1] b"), ("\\[a\\]\\(b\\)", "\\[a\\](b)"),
      ("[l\\.](https://x.y/a_b\\)c)", "[l.](https://x.y/a_b\\)c)"), ("a \\\\_ b", "a \\\\_ b"),
      ("AT\\&T \\& x", "AT\\&T & x"), ("a \\| b", "a | b"), ("\\| a \\|", "\\| a \\|"),
      ("\\\\\\-", "\\-"),
    ])
  func escapes(text: String, plain: String) {
    #expect(DayOneText.plain(text) == plain)
  }

  @Test("an entry without an identity that an earlier build imported is the same one")
  func former() throws {
    let text = ##"{"entries":[{"creationDate":"2024-01-05T10:00:00Z","text":"\\#a \\- b"}]}"##
    let read = try #require(entries(Self.source(utf8(text))).first)
    #expect(read.text == "\\#a - b")
    let before = EntryUUID.derived(text: "#a - b", created: read.created)
    #expect(read.formerUUID == before)
  }

  @Test(
    "names of files become links",
    arguments: [
      ("![](dayone-moment://AB12)", "![](photos/p.heic)"),
      ("![a](<dayone-moment://AB12>)", "![a](<photos/p.heic>)"),
      ("![a](dayone-moment:/video/CD34) b", "![a](videos/v.mov) b"),
      ("dayone-photo://ab12", "![](photos/p.heic)"), ("![](dayone-moment://FF)", nil),
      ("![](dayone-moment:/audio/EF56)", "![](audios/m.m4a)"),
      ("![](dayone-moment:/pdfAttachment/AA77)", "![](pdfs/d.pdf)"), ("dayone-", nil),
      ("dayone-moment:", nil), ("dayone-moment://", nil),
    ])
  func links(text: String, linked: String?) {
    let paths = [
      "AB12": "photos/p.heic", "CD34": "videos/v.mov", "EF56": "audios/m.m4a",
      "AA77": "pdfs/d.pdf",
    ]
    #expect(DayOneText.plain(text) { paths[$0] } == linked ?? text)
  }

  @Test("files the text does not name are linked at its end; without a text the place stands first")
  func attachments() {
    let photo = #""photos":[{"identifier":"A","md5":"aa11","type":"png"}]"#
    #expect(Self.entry("\"text\":\"a\",\(photo)").map(\.text) == ["a\n\n![](photos/aa11.png)"])
    #expect(Self.entry(photo).map(\.text) == ["![photo](photos/aa11.png)"])
    let place = "\"text\":\" \",\"location\":{\"placeName\":\"Lakeside\"}"
    #expect(
      Self.entry("\(place),\(photo)").map(\.text) == ["Lakeside\n\n![photo](photos/aa11.png)"])
    #expect(Self.entry(place).map(\.text) == ["Lakeside"])
    #expect(
      Self.entry(#""text":"a","photos":[{"md5":"../x","type":"png"}]"#).map(\.text) == ["a"])
  }

  @Test("a record without text is made of what it has, and never of words of ours")
  func textless() {
    #expect(Self.entry(#""tags":["two words","sea"]"#).map(tagged) == ["#two-words #sea"])
    #expect(
      Self.entry(#""videos":[{"md5":"b2","type":"mov"}],"audios":[{"md5":"c3"}],"text":"\n""#)
        .map(\.text) == ["![video](videos/b2.mov)\n\n![recording](audios/c3.m4a)"])
    let blank = Self.source(
      utf8(#"{"entries":[{"creationDate":"2021-03-03T23:48:50Z","weather":{"c":1}}]}"#))
    #expect(
      JournalFormatsTests.problems(blank)
        == ["1: has no text, photo, place or tag"])
  }

  @Test("fields without a place here are named, but for those that say nothing or the same again")
  func unkept() {
    let fields = """
      "text":"a","richText":"{}","weather":{"temperature":3},"starred":false,"isPinned":false,
      "editingTime":0,"creationDevice":"","location":{"placeName":"Lakeside"},"duration":12
      """
    #expect(Self.entry(fields).map(\.unkept) == [["weather", "duration"]])
    #expect(
      Self.entry(fields).map(\.fields) == [[ImportedField(name: "place", value: "Lakeside")]])
    #expect(Self.entry(#""location":{"placeName":"Lakeside"}"#).map(\.unkept) == [[]])
  }

  @Test("a bad entry is named with its line")
  func problems() {
    let json = """
      {"entries":[
      {"text":"no date"},
      {"text":"a","creationDate":"2021-13-03T11:48:50Z"},
      {"text":{},"creationDate":"2021-03-03T11:48:50Z"},
      {"text":"good","creationDate":"2021-03-03T11:48:50Z"}]}
      """
    #expect(
      JournalFormatsTests.problems(Self.source(utf8(json))) == [
        "2: has no creationDate", "3: there is no creationDate 2021-13-03T11:48:50Z",
        "4: text is an object, not a string",
      ])
    #expect(items(Self.source(utf8(json))).count == 4)
  }

  @Test("what is written is read back, every text byte for byte")
  func roundTrip() throws {
    for entry in RandomEntry.many(4000, seed: 4) {
      let (bytes, _) = try encode(DayOneEncoder(), [entry])
      let read = entries(Self.source(bytes))
      try #require(read.count == 1)
      #expect(read[0].uuid == entry.uuid)
      #expect(read[0].created == entry.created)
      #expect(read[0].modified?.seconds == entry.modified.seconds)
      #expect(read[0].starred == entry.starred)
      #expect(tagged(read[0]).isSame(as: entry.text), "\(entry.text.debugDescription)")
    }
  }

  @Test("ordinary texts lose nothing")
  func exact() throws {
    let entry = try RandomEntry.plain("1. a_b *c* `d.e`\n\n```\nx = \"\\.\"\n```\n\\o/ #tag")
    let (bytes, losses) = try encode(DayOneEncoder(), [entry])
    #expect(losses.isEmpty)
    #expect(entries(Self.source(bytes)).map(tagged) == [entry.text])
  }
}
