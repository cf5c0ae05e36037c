import Journal
import Testing

@testable import JournalFormats

struct ZoneDatabaseTests {
  @Test(
    "a zone has the offset that was, is and will be in force",
    arguments: [
      ("Europe/Berlin", "1880-01-01T00:00:00Z", 3208),
      ("Europe/Berlin", "2026-01-01T00:00:00Z", 3600),
      ("Europe/Berlin", "2026-07-01T00:00:00Z", 7200),
      ("Europe/Berlin", "2199-07-01T00:00:00Z", 7200),
      ("Europe/Berlin", "2199-12-01T00:00:00Z", 3600),
      ("Australia/Sydney", "2021-03-03T11:48:50Z", 39_600),
      ("Australia/Sydney", "2150-07-01T00:00:00Z", 36_000),
      ("America/New_York", "2026-03-08T06:59:59Z", -18_000),
      ("America/New_York", "2026-03-08T07:00:00Z", -14_400),
      ("Pacific/Apia", "2011-12-30T09:59:59Z", -36_000),
      ("Pacific/Apia", "2011-12-30T10:00:00Z", 50_400),
      ("Asia/Kolkata", "2090-05-05T00:00:00Z", 19_800),
      ("Europe/Dublin", "2100-07-01T00:00:00Z", 3600), ("Europe/Dublin", "2100-01-01T00:00:00Z", 0),
      ("Australia/Lord_Howe", "2100-01-01T00:00:00Z", 39_600),
      ("Australia/Lord_Howe", "2100-07-01T00:00:00Z", 37_800), ("UTC", "2026-01-01T00:00:00Z", 0),
    ])
  func offsets(name: String, at text: String, offset: Int) throws {
    let zone = try #require(ZoneDatabase.zone(named: name))
    #expect(zone.offset(at: try moment(text).seconds) == offset)
  }

  @Test("an instant in a zone has that zone's calendar day")
  func localDay() throws {
    let zone = try #require(ZoneDatabase.zone(named: "Pacific/Auckland"))
    let moment = zone.moment(at: try moment("2026-01-01T13:00:00Z").seconds)
    #expect("\(moment)" == "2026-01-02T02:00:00+13:00")
  }

  @Test(
    "a name never leads out of the zone database",
    arguments: [
      "", "..", "../../etc/passwd", "Europe/../../etc/passwd", "/etc/localtime", "Europe//Berlin",
      "Europe/Berlin/", ".", "Europe/Ber lin", "Europe\u{0}", "Zürich", "a.b",
      String(repeating: "A", count: 65),
    ])
  func names(name: String) {
    #expect(!ZoneDatabase.isName(name))
    #expect(ZoneDatabase.zone(named: name) == nil)
  }

  @Test("an unknown zone, and a folder, are none")
  func unknown() {
    #expect(ZoneDatabase.zone(named: "Mars/Olympus_Mons") == nil)
    #expect(ZoneDatabase.zone(named: "Europe") == nil)
  }
}
