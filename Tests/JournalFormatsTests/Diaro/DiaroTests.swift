import Journal
import Testing

@testable import JournalFormats

struct DiaroTests {
  private static let backup = """
    <?xml version="1.0" encoding="UTF-8"?>
    <data version="2">
    <table name="diaro_entries">
    <r><uid>e1</uid><date>1704445200000</date><tz_offset>+09:00</tz_offset><title>A day</title>
    <text>Walked &amp; talked
    home</text><folder_uid>f1</folder_uid><location_uid>l1</location_uid><tags>,t1,t2,t9,</tags>
    <weather_temperature>7.5</weather_temperature><weather_icon>x</weather_icon>
    <weather_description>rain</weather_description><mood>2</mood><steps>12</steps></r>
    <r><uid>e2</uid><date>1704445200000</date><tz_offset>+00:00</tz_offset><title></title>
    <text>gone</text><archived>1</archived></r>
    <r><uid>e3</uid><date></date><text>a</text></r>
    <r><uid>e4</uid><date>1704445200000</date><tz_offset></tz_offset><text></text><mood>0</mood></r>
    <r><uid>e5</uid><date>1704445200000</date><tz_offset>-08:00</tz_offset><text>b</text></r>
    </table>
    <table name="diaro_folders"><r><uid>f1</uid><title>Trips</title></r></table>
    <table name="diaro_tags"><r><uid>t1</uid><title>sea</title></r>
    <r><uid>t2</uid><title>two words</title></r></table>
    <table name="diaro_locations"><r><uid>l1</uid><title>Vienna</title><lat>48.2082</lat>
    <lng>16.3738</lng></r></table>
    <table name="diaro_attachments"><r><uid>a</uid><entry_uid>e1</entry_uid><type>photo</type>
    <filename>p.jpg</filename></r><r><uid>b</uid><entry_uid>e5</entry_uid><type>photo</type>
    <filename>q.jpg</filename></r></table>
    </data>
    """

  private static func source(_ text: String = backup) -> DiaroSource {
    DiaroSource(
      DirectoryInMemory(["DiaroBackup.xml": text, "media/photo/p.jpg": ""]), options: options())
  }

  @Test("a backup is read whole, each entry at its own offset")
  func reads() throws {
    let read = items(Self.source()).compactMap { item -> ImportedEntry? in
      if case .entry(let entry, _) = item { entry } else { nil }
    }
    #expect(
      read.map(\.text) == ["A day\n\nWalked & talked\nhome\n\n![](media/photo/p.jpg)", "b"])
    #expect(
      read.map(\.created.description) == [
        "2024-01-05T18:00:00+09:00", "2024-01-05T01:00:00-08:00",
      ])
    #expect(read.map(\.tags) == [["sea", "two words"], []])
    #expect(
      fieldTexts(read[0]) == [
        "folder: Trips", "place: Vienna", "coordinates: 48.2082, 16.3738", "weather: rain",
        "temperature: 7.5 °C", "mood: 2",
      ])
    #expect(read.map(\.unkept) == [["steps"], []])
    #expect(read.map { $0.missing.map(\.name) } == [[], ["media/photo/q.jpg"]])
    #expect(passed(Self.source()) == ["DiaroBackup.xml:9: in the trash of Diaro"])
    #expect(
      problems(Self.source()) == [
        "DiaroBackup.xml:11: has no date", "DiaroBackup.xml:12: has no text",
      ])
  }

  @Test("a backup is recognised by its file")
  func recognises() {
    #expect(DiaroSource.recognises(files: ["media/photo/a.jpg", "DiaroBackup.xml"]))
    #expect(!DiaroSource.recognises(files: ["a.xml"]))
    #expect(
      problems(DiaroSource(DirectoryInMemory(["a.xml": ""]), options: options()))
        == [": end: contains no DiaroBackup.xml"])
  }

  @Test("a damaged backup ends")
  func damage() {
    for bytes in damaged(utf8(Self.backup)) {
      _ = items(Self.source(String(decoding: bytes, as: UTF8.self)))
    }
  }
}
