import Journal
import Testing

@testable import JournalFormats

struct RoamTests {
  private static func source(_ text: String) -> RoamSource {
    RoamSource(ByteStream(utf8(text)), options: options())
  }

  @Test("a page of a day is an entry with the time at which it was begun")
  func day() throws {
    let bytes = try fixture("roam/backup.json")
    #expect(RoamSource.recognises(json: try #require(JSONSketch(bytes))))
    let read = entries(RoamSource(ByteStream(bytes), options: options()))
    #expect(read.map(line) == ["2024-01-05 10:00 | Walked to the [[sea]]"])
    #expect(read.map(\.modified) == [try moment("2024-01-05T10:01:40+01:00")])
  }

  @Test("a link to the page of a day leads to the day, and an earlier import of it is known")
  func dayLinks() {
    let text =
      #"[{"title":"January 5th, 2024","children":[{"string":"as on [[January 4th, 2024]], [[sea]]"}]}]"#
    let read = entries(Self.source(text))
    #expect(read.map(\.text) == ["as on [[2024-01-04|January 4th, 2024]], [[sea]]"])
    #expect(read.map(\.former?.text) == ["as on [[January 4th, 2024]], [[sea]]"])
  }

  @Test("nested blocks are lists, with boxes, headings, tags and code")
  func blocks() {
    let text = #"""
      [{"title":"January 5th, 2024","create-time":1700000000000,"children":[
       {"string":"{{[[TODO]]}} bread","children":[{"string":"rye","children":[{"string":"**b** __i__ ^^h^^"}]}]},
       {"string":"Plan","heading":2},{"string":"#[[two words]] #tag ((abc123)) [x](https://a.b/c_d_e)"},
       {"string":"```js\nlet a = 1```"},{"string":"two\nlines","text-align":"center"},{"string":""}]},
       {"title":"A page","children":[{"string":"x"}]},{"title":"January 6th, 2024"},{"uid":"x"},7]
      """#
    #expect(
      summary(Self.source(text)) == [
        "2024-01-05 00:00 | - [ ] bread⏎  - rye⏎    - **b** *i* h⏎- ## Plan⏎- #two-words #tag ((abc123)) [x](https://a.b/c_d_e)⏎- ```js⏎  let a = 1⏎  ```⏎- two⏎  lines | -text-align",
        "- of pages, whose titles are no days", "- of days without a text", "! 5: has no title",
        "! 5: a number is not a page",
      ])
  }

  @Test("a hostile export harms nothing")
  func hostile() {
    survives("[{\"title\":\"January 5th, 2024\",\"children\":[{\"string\":\"**a** [[b]]\"}]}]") {
      RoamSource(ByteStream($0), options: options())
    }
    let deep = String(repeating: "{\"string\":\"a\",\"children\":[", count: 20_000)
    #expect(
      problems(Self.source("[{\"title\":\"January 5th, 2024\",\"children\":[\(deep)")).count == 1)
  }
}
