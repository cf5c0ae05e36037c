import Journal
import Testing

@testable import JournalFormats

struct LifeographTests {
  private static func source(_ bytes: [UInt8]) -> LifeographSource {
    LifeographSource(ByteStream(bytes), options: options())
  }

  @Test("a diary of version 1050 has its days, times, tags, stars and tasks; trash is left out")
  func old() throws {
    #expect(
      summary(Self.source(try fixture("lifeograph/old.diary"))) == [
        "2024-01-05 10:00 * | A day by the sea⏎⏎## Walked & talked⏎## **bold** and *it* and ~~gone~~ | #holiday",
        "2024-01-06 11:00 | - [x] Bought bread", "- left out as trash",
        "2024-01-08 10:53 | A topic",
      ])
  }

  @Test("a diary of version 2000 has other letters before its lines")
  func version2000() throws {
    #expect(
      summary(Self.source(try fixture("lifeograph/v2000.diary"))) == [
        "2024-01-05 10:00 | A day by the sea⏎⏎## Walked⏎with Anna #holiday | -location"
      ])
  }

  @Test("a diary of version 3010 has local times, styles, formats and tags of paragraphs")
  func version3010() throws {
    #expect(
      summary(Self.source(try fixture("lifeograph/v3010.diary"))) == [
        "2024-01-05 09:15 * | A day by the sea⏎⏎## Morning⏎**Walked** *far* with [Anna](https://example.org/)⏎- bread⏎- [x] milk | #holiday | -theme",
        "- left out as trash",
      ])
  }

  @Test("an encrypted diary is named")
  func encrypted() {
    #expect(
      problems(Self.source(utf8("LIFEOGRAPHDB\nV 2000\nE y\n\nxyz"))) == [
        ": end: is encrypted; export it from Lifeograph without encryption"
      ])
    #expect(LifeographSource.recognises(utf8("LIFEOGRAPHDB\nV 2000\n")))
  }

  @Test("a hostile diary harms nothing, and twice gives the same identities")
  func hostile() throws {
    for name in ["old", "v2000", "v3010"] {
      let bytes = try fixture("lifeograph/\(name).diary")
      survives(String(decoding: bytes, as: UTF8.self)) { Self.source($0) }
      #expect(
        entries(Self.source(bytes)).map(identity) == entries(Self.source(bytes)).map(identity))
    }
    survives("LIFEOGRAPHDB\nV 1050\nE n\n\nE___999999999999999999\nP a\n") { Self.source($0) }
  }
}
