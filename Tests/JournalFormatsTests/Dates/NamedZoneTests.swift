import Journal
import Testing

@testable import JournalFormats

struct NamedZoneTests {
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
    let zone = try #require(NamedZone(name))
    #expect(zone.offset(at: try moment(text).seconds) == offset)
  }

  @Test("an instant in a zone has that zone's calendar day")
  func localDay() throws {
    let zone = try #require(NamedZone("Pacific/Auckland"))
    let seconds = try moment("2026-01-01T13:00:00Z").seconds
    let moment = Moment(seconds: seconds, offset: zone.offset(at: seconds))
    #expect("\(moment)" == "2026-01-02T02:00:00+13:00")
    #expect(zone.clock(at: seconds).moment() == moment)
  }

  @Test("the earliest and the latest instants have an offset", arguments: [Int64.min, -1, .max])
  func extremes(seconds: Int64) throws {
    let zone = try #require(NamedZone("Europe/Berlin"))
    #expect(abs(zone.offset(at: seconds)) <= 3_600)
  }

  @Test(
    "a name that is a path, or no name, is none",
    arguments: [
      "", "..", "../../etc/passwd", "Europe/../../etc/passwd", "/etc/localtime", "Europe//Berlin",
      "Europe/Berlin/", ".", "Europe/Ber lin", "Europe\u{0}", "Zürich", "a.b",
      String(repeating: "A", count: 65),
    ])
  func names(name: String) {
    #expect(NamedZone(name) == nil)
  }

  @Test("an unknown zone, and a region, are none")
  func unknown() {
    #expect(NamedZone("Mars/Olympus_Mons") == nil)
    #expect(NamedZone("Europe") == nil)
  }
}
