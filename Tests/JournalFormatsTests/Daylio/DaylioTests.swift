import Foundation
import Journal
import Testing

@testable import JournalFormats

struct DaylioTests {
  private static let header = "full_date,date,weekday,time,mood,activities,note_title,note\n"

  private static func source(_ text: String) -> DaylioSource {
    DaylioSource(ByteStream(utf8(text)), options: options())
  }

  @Test("the CSV is read whole")
  func reads() throws {
    let bytes = try fixture("daylio/daylio_export_2024_01_10.csv")
    let read = entries(DaylioSource(ByteStream(bytes), options: options()))
    #expect(read.map(\.text) == ["A day\n\nWalked, talked\nsecond line"])
    #expect(read[0].created == (try moment("2024-01-05T21:15:00+01:00")))
    #expect(read[0].day == (try day("2024-01-05")))
    #expect(fieldTexts(read[0]) == ["mood: good", "activities: walk, friends"])
    #expect(read[0].unkept.isEmpty)
    #expect(DaylioSource.recognises(bytes, path: nil))
  }

  @Test("an entry may be a mood alone, and a note may have HTML")
  func moods() {
    let read = entries(
      Self.source(
        Self.header + "2024-01-05,January 5,Friday,21:15,rad,\"\",\"\",\"\"\n"
          + "2024-01-04,4. Januar,Donnerstag,9:15\u{202F}pm,super gut,a | b,,One<br><b>two</b>\n"))
    #expect(read.map(\.text) == ["", "One\n**two**"])
    #expect(read.map(\.created.clockText) == ["21:15", "21:15"])
    #expect(read.map(fieldTexts) == [["mood: rad"], ["mood: super gut", "activities: a, b"]])
  }

  @Test("tabs separate, unknown columns and times are counted")
  func variants() {
    let text =
      "\u{FEFF}full_date\tdate\ttime\tmood\tnote\tsleep\n2024-01-05\tx\tnoon\tgood\ta\t8h\n"
    #expect(DaylioSource.recognises(utf8(text), path: nil))
    let read = entries(Self.source(text))
    #expect(read.map(\.text) == ["a"])
    #expect(read[0].unkept.sorted() == ["sleep", "time"])
  }

  @Test("a bad row hides no other one")
  func problemRows() {
    let text =
      Self.header + "never,,,,good,,,a\n2024-01-05,,,21:00,,,,\n2024-01-05,,,21:00,good,,,b\n"
    #expect(problems(Self.source(text)) == ["2: there is no date never", "3: has no text"])
    #expect(items(Self.source(text)).count == 3)
  }

  private static let backup = """
    {"version":15,"pin":"1","dayEntries":[
    {"id":1,"datetime":1700408759432,"year":2023,"month":10,"day":19,"hour":10,"minute":45,
     "timeZoneOffset":-18000000,"mood":6,"note":"One<br>two","note_title":"T","tags":[179,1],
     "assets":[12,13],"isFavorite":true},
    {"id":2,"datetime":1700408759432,"year":2023,"month":10,"day":18,"hour":9,"minute":0,
     "timeZoneOffset":180,"mood":1,"note":"","note_title":"","tags":[],"assets":[],"x":1},
    {"id":3,"mood":1},
    {"id":4,"datetime":1700408759432,"mood":77,"note":""}],
    "customMoods":[{"id":6,"custom_name":"meh+","predefined_name_id":-1},
    {"id":1,"custom_name":"","predefined_name_id":1}],
    "tags":[{"id":179,"name":"programming"},{"id":1,"name":"walk"}],
    "assets":[{"id":12,"checksum":"abc","type":1},{"id":13,"checksum":"def","type":2}]}
    """

  private static func backup(_ text: String) -> DaylioBackupSource {
    let wrapped = Data(text.utf8).base64EncodedString(options: .lineLength76Characters)
    let directory = DirectoryInMemory([
      "backup.daylio": wrapped, "assets/photos/2023/9/abc": "", "assets/audio/2023/9/def": "",
    ])
    return DaylioBackupSource(directory, options: options())
  }

  @Test("a backup is read whole, at the times that its writer saw")
  func backups() throws {
    let read = items(Self.backup(Self.backup)).compactMap { item -> ImportedEntry? in
      if case .entry(let entry, _) = item { entry } else { nil }
    }
    #expect(
      read.map(\.text) == [
        "T\n\nOne\ntwo\n\n![](assets/photos/2023/9/abc)\n\n[def](assets/audio/2023/9/def)", "",
      ])
    #expect(
      read.map(\.created.description) == [
        "2023-11-19T10:45:59-05:00", "2023-11-18T09:00:00+03:00",
      ])
    #expect(
      read.map(fieldTexts) == [["mood: meh+", "activities: programming, walk"], ["mood: rad"]])
    #expect(read.map(\.starred) == [true, false])
    #expect(read.map(\.unkept) == [[], ["x"]])
    #expect(
      problems(Self.backup(Self.backup)) == [
        "backup.daylio:7: has no date", "backup.daylio:8: has no text",
      ])
  }

  @Test("a backup is recognised by its file, and what is none is said")
  func recognises() {
    #expect(DaylioBackupSource.recognises(files: ["assets/x", "backup.daylio"]))
    #expect(!DaylioBackupSource.recognises(files: ["x.daylio"]))
    #expect(
      problems(Self.backup("no JSON")) == [
        "backup.daylio: end: is not a backup of Daylio: it is not JSON in Base64"
      ])
  }

  @Test("a damaged backup ends")
  func damage() {
    for bytes in damaged(utf8(Self.backup)) {
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(items(Self.backup(text)).count < 12)
    }
  }
}
