import Journal
import Testing

@testable import JournalFormats

struct JrnlXMLTests {
  @Test("jrnl's XML has the entries of its other exports")
  func fixtureFile() throws {
    let bytes = try fixture("jrnl-export.xml")
    #expect(JrnlXMLSource.recognises(bytes, path: nil))
    let read = entries(JrnlXMLSource(ByteStream(bytes), options: options()))
    #expect(read.map(\.text) == ["Called Anna.\nShe is fine."])
    #expect(read.map(\.tags) == [["@anna"]])
    #expect(read.map(\.created) == [try moment("2024-01-05T09:15:00+01:00")])
    #expect(read.map(\.day) == [try day("2024-01-05")])
  }

  @Test("bad entries are reported with their line")
  func problems() {
    let text =
      "<journal><entries>\n<entry>a</entry>\n<entry date=\"x\">a</entry>\n"
      + "<entry date=\"2024-01-05T09:15:00\"> </entry></entries></journal>"
    #expect(
      JournalFormatsTests.problems(JrnlXMLSource(ByteStream(utf8(text)), options: options())) == [
        "2: has no date", "3: there is no date x", "4: has no text",
      ])
  }
}
