import Journal
import Testing

@testable import JournalFormats

/// Day One Classic's property lists, and the plain text of all versions.
struct DayOneClassicTests {
  private static func list(_ fields: String, text: String = "<string>A walk</string>") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>Creation Date</key>
    \t<date>2013-07-17T18:38:08Z</date>
    \t<key>Entry Text</key>
    \t\(text)
    \(fields)
    </dict>
    </plist>
    """
  }

  private static func source(_ text: String) -> DoentrySource {
    DoentrySource(utf8(text), options: options())
  }

  @Test("an entry of Day One Classic keeps its text, zone, star, tags and identity")
  func doentry() throws {
    let fields = """
      <key>Starred</key><true/>
      <key>Tags</key><array><string>two words</string><string>sea</string></array>
      <key>Time Zone</key><string>America/Los_Angeles</string>
      <key>UUID</key><string>422BC895507944A291E6FC44FC6B8BFC</string>
      <key>Creator</key><dict><key>Device Agent</key><string>Mac</string></dict>
      <key>Weather</key><dict/>
      <key>Step Count</key><integer>12</integer>
      <key>Ignore Step Count</key><false/>
      """
    let text = "<string>Fish &amp; chips &lt;3 &#233;&#x1F600;\nsecond <![CDATA[<b>]]></string>"
    let read = entries(Self.source(Self.list(fields, text: text)))
    try #require(read.count == 1)
    #expect(read[0].text == "Fish & chips <3 é😀\nsecond <b>")
    #expect(read[0].created == (try moment("2013-07-17T11:38:08-07:00")))
    #expect(read[0].starred)
    #expect(read[0].tags == ["two words", "sea"])
    #expect(read[0].uuid == "422bc895-5079-44a2-91e6-fc44fc6b8bfc")
    #expect(read[0].unkept == ["Creator"])
    #expect(read[0].fields == [ImportedField(name: "steps", value: "12")])
  }

  @Test("without a zone an entry is of the computer's; a photo of the directory is linked")
  func directory() throws {
    let id = "522BC895507944A291E6FC44FC6B8BFC"
    let blank = Self.list("<key>UUID</key><string>\(id)</string>", text: "<string/>")
    let read = try entries(
      .dayOne,
      [
        "J.dayone/entries/\(id).doentry": blank, "J.dayone/photos/\(id).jpg": "x",
        "J.dayone/entries/B.doentry": Self.list(""), "J.dayone/notes.txt": "x",
      ])
    #expect(read.map(\.text) == ["![photo](photos/\(id).jpg)", "A walk"])
    #expect(read[1].created == (try moment("2013-07-17T19:38:08+01:00")))
    #expect(ImportFormat.detect(files: ["J.dayone/entries/B.doentry"]) == .dayOne)
  }

  @Test("an entry of tags alone is its tags, and one of nothing is a problem")
  func textless() {
    let tags = "<key>Tags</key><array><string>no_body</string></array>"
    #expect(
      entries(Self.source(Self.list(tags, text: "<string></string>"))).map(tagged) == ["#no_body"])
    #expect(
      problems(Self.source(Self.list("", text: "<string> \n</string>")))
        == ["1: has no text, photo, place or tag"])
  }

  @Test(
    "a broken property list is named with its line",
    arguments: [
      (
        "<plist><dict><key>a</key>\n<what/></dict></plist>",
        "2: is a broken property list: <what/> is not a value"
      ),
      ("<plist><dict>\n\n<key>a", "3: is a broken property list: </key> is missing"),
      (
        "<plist><string>&bomb;</string></plist>",
        "1: is a broken property list: &bomb; is not an XML entity"
      ),
      (
        "<?xml version=\"1.0\"?><!DOCTYPE plist [<!ENTITY a \"b\">]><plist><dict/></plist>",
        "1: is a broken property list: it defines its own entities"
      ),
      (
        "<plist>\(String(repeating: "<array>", count: 100_000))",
        "1: is a broken property list: it is nested too deeply"
      ), ("<plist><array/></plist>", "1: is a property list, but not an entry"),
      ("<plist><dict/></plist>", "1: has no Creation Date"),
      ("bplist00\u{1}", "1: is a binary property list; plistutil -i FILE -o FILE.xml converts it"),
    ])
  func broken(text: String, problem: String) throws {
    #expect(problems(Self.source(text)) == [problem])
    #expect(ImportFormat.detect(utf8(text)) == .format(.dayOne))
  }

  private static func plain(_ text: String) -> DayOnePlainSource {
    DayOnePlainSource(utf8(text), options: options())
  }

  @Test("Day One's plain text is cut at its dates, with its tags and photos")
  func plainText() throws {
    let text = """
      \tDate:\tJuly 17, 2013 at 11:38:08\u{202F}AM PDT
      \tWeather:\t18°C Clear
      \tLocation:\tLakeside
      \tTags:\tone, two words

      Walked.

      \tIndented: line


      \tDate:\t01 January 2019 at 00:00:00 GMT
      \tPhoto:\ta.jpg

      \tDate:\t5. Jaenuar 2024 um 10:00:00 MEZ

      Deutsch
      \tDate:\tFebruary 14, 2005 at 9:00 AM

      Local
      \tDate:\tFebruary 14, 2005 at 9:00:00 AM QQT

      Where?
      """
    let found = items(Self.plain(text))
    let read = found.compactMap { if case .entry(let entry, _) = $0 { entry } else { nil } }
    #expect(
      read.map(\.text) == [
        "Walked.\n\n\tIndented: line", "![photo](photos/a.jpg)", "Local", "Where?",
      ])
    #expect(
      read.map(\.created) == [
        try moment("2013-07-17T11:38:08-07:00"), try moment("2019-01-01T00:00:00Z"),
        try moment("2005-02-14T09:00:00+01:00"), try moment("2005-02-14T09:00:00+01:00"),
      ])
    #expect(read[0].tags == ["one", "two words"])
    #expect(read[0].unkept == [])
    #expect(read[0].fields.map(\.name) == ["place", "weather"])
    #expect(read[3].remarks == ["time zone \"QQT\" is unknown, so the computer's is used"])
    #expect(
      problems(Self.plain(text)) == ["14: there is no date 5. Jaenuar 2024 um 10:00:00 MEZ"])
    #expect(ImportFormat.detect(utf8(text)) == .format(.dayOne))
    #expect(ImportFormat.detect(utf8("\u{FEFF}\n\(text)")) == .format(.dayOne))
  }

  @Test("a line before the first date of Day One's plain text is named")
  func stray() {
    #expect(
      problems(Self.plain("stray\n\tDate:\tJanuary 5, 2024 at 10:00 AM\n\nx"))
        == ["1: text before the first entry; an entry begins with Date: between two tabs"])
  }
}
