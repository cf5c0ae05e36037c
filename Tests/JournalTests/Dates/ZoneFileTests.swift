import Journal
import TestSupport
import Testing

struct ZoneFileTests {
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
