import Journal
import TestSupport
import Testing

struct ZoneFileTests {
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
    let zone = try #require(ZoneFile.named(name))
    #expect(zone.offset(at: try moment(text).seconds) == offset)
  }

  @Test("an instant in a zone has that zone's calendar day")
  func localDay() throws {
    let zone = try #require(ZoneFile.named("Pacific/Auckland"))
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
    #expect(!ZoneFile.isName(name))
    #expect(ZoneFile.named(name) == nil)
  }

  @Test("an unknown zone, and a folder, are none")
  func unknown() {
    #expect(ZoneFile.named("Mars/Olympus_Mons") == nil)
    #expect(ZoneFile.named("Europe") == nil)
  }

  @Test("the days of a rule are counted as POSIX counts them", arguments: ["J60", "59", "M3.1.0"])
  func rules(start: String) throws {
    // In 2098, whose March begins on a Saturday, and which has no 29 February.
    let zone = try #require(ZoneFile(Self.file(rule: "AAA0BBB,\(start)/0,J300/0")))
    let first = start == "M3.1.0" ? "2098-03-02" : "2098-03-01"
    let change = try moment("\(first)T00:00:00Z").seconds
    #expect(zone.offset(at: change - 1) == 0)
    #expect(zone.offset(at: change) == 3600)
    let leap = try moment("2096-03-01T00:00:00Z").seconds
    if start == "J60" { #expect(zone.offset(at: leap) == 3600 && zone.offset(at: leap - 1) == 0) }
    if start == "59" { #expect(zone.offset(at: leap - 86_400) == 3600) }
  }

  @Test(
    "a file without a rule keeps its last offset", arguments: ["", "nonsense", "AAA0BBB,M13.1.0,0"])
  func withoutRule(rule: String) throws {
    let zone = try #require(ZoneFile(Self.file(rule: rule)))
    #expect(zone.offset(at: 4_000_000_000) == 7200)
    #expect(zone.offset(at: -1) == 0)
  }

  @Test("what is cut or changed anywhere is read or refused, and never crashes")
  func damaged() {
    let file = Self.file(rule: "CET-1CEST,M3.5.0,M10.5.0/3")
    for end in 0..<file.count {
      _ = ZoneFile(Array(file[..<end]))?.offset(at: 4_000_000_000)
    }
    var random = SeededGenerator(seed: 5)
    for _ in 0..<20_000 {
      var bytes = file
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      for instant in [Int64.min, -1, 0, 4_000_000_000, .max] {
        _ = ZoneFile(bytes)?.offset(at: instant)
      }
    }
  }

  /// A file of version 2 whose offset is 0 before the epoch and 7200 from then on.
  private static func file(rule: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for width in [4, 8] {
      bytes += Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
      for count in [0, 0, 0, 1, 2, 4] { bytes += big(count, 4) }
      bytes += big(0, width) + [1] + big(0, 4) + [0, 0] + big(7200, 4) + [1, 0]
      bytes += Array("AAA\0".utf8)
    }
    return bytes + Array("\n\(rule)\n".utf8)
  }

  private static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
