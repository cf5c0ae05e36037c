import Foundation
import TestSupport
import Testing

@testable import Journal

@Suite("JSON of entries")
struct EntryJSONTests {
  @Test("an entry's fields stand in their fixed order")
  func wholeEntry() throws {
    let entry = try entry("Bought bread #home\nand @anna", number: 42, starred: true)
    #expect(
      EntryJSON.text(of: entry)
        == #"{"uuid":"01890a5d-ac96-774b-bcce-b302099a8057","number":42,"#
        + #""created":"2026-11-21T09:15:00+01:00","modified":"2026-11-21T09:15:00+01:00","#
        + #""day":"2026-11-21","title":"Bought bread #home","text":"Bought bread #home\nand @anna","#
        + #""tags":["home","@anna"],"starred":true,"deleted":null}"#)
  }

  @Test("a row has no text")
  func row() throws {
    let row = try entry("a #b", deleted: true).row()
    #expect(
      EntryJSON.text(of: row)
        == #"{"uuid":"01890a5d-ac96-774b-bcce-b302099a8057","number":1,"#
        + #""created":"2026-11-21T09:15:00+01:00","modified":"2026-11-21T09:15:00+01:00","#
        + #""day":"2026-11-21","title":"a #b","tags":["b"],"starred":false,"#
        + #""deleted":"2026-11-21T09:16:00+01:00"}"#)
  }

  @Test(
    "only what must be escaped is escaped",
    arguments: [
      ("plain", #""plain""#), ("日本語 émoji 👩‍👩‍👧", #""日本語 émoji 👩‍👩‍👧""#), ("\"\\/", #""\"\\/""#),
      ("\n\r\t\u{8}\u{c}", #""\n\r\t\b\f""#), ("\u{0}\u{1b}\u{1f}", #""\u0000\u001b\u001f""#),
      ("\u{7f}\u{80}\u{9b}\u{a0}", "\"\\u007f\\u0080\\u009b\u{a0}\""),
      ("\u{2027}\u{2028}\u{2029}\u{202a}", "\"\u{2027}\\u2028\\u2029\\u202a\""), ("", #""""#),
      ("\u{200d}\u{200e}\u{202e}\u{202f}", "\"\u{200d}\\u200e\\u202e\u{202f}\""),
      ("\u{61b}\u{61c}\u{61d}\u{627}", "\"\u{61b}\\u061c\u{61d}\u{627}\""),
      ("\u{2065}\u{2066}\u{2069}\u{206a}", "\"\u{2065}\\u2066\\u2069\u{206a}\""),
    ])
  func escapes(text: String, json: String) {
    var buffer: [UInt8] = []
    JSONText.append(text, to: &buffer)
    #expect(buffer == Array(json.utf8))
  }

  @Test("what must be escaped is found at every place, whatever stands beside it")
  func places() {
    for stop in [
      "\"", "\\", "\u{1}", "\u{7f}", "\u{85}", "\u{61c}", "\u{2028}", "\u{e9}", "\u{201c}",
      "\u{ff}", "\u{627}",
    ] {
      for place in 0..<20 {
        let plain = String(repeating: "a!~é", count: 5).unicodeScalars
        var text = plain
        text.insert(
          contentsOf: (stop + stop).unicodeScalars,
          at: text.index(text.startIndex, offsetBy: place))
        let expected = text.map { scalar in
          var piece: [UInt8] = []
          JSONText.append(String(scalar), to: &piece)
          return Array(piece.dropFirst().dropLast())
        }
        var whole: [UInt8] = []
        JSONText.append(String(text), to: &whole)
        #expect(Array(whole.dropFirst().dropLast()) == expected.flatMap { $0 })
      }
    }
  }

  @Test("another reader of JSON gets every text back byte by byte")
  func readBack() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<300 {
      var scalars = "x".unicodeScalars
      for _ in 0..<20 {
        let limit: UInt32 = Bool.random(using: &generator) ? 0x2100 : 0x1_FFFF
        scalars.append(Unicode.Scalar(UInt32.random(in: 1...limit, using: &generator)) ?? "?")
      }
      let entry = try entry(String(scalars))
      let data = Data(EntryJSON.text(of: entry).utf8)
      let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      let text = try #require(object["text"] as? String)
      #expect(Array(text.utf8) == Array(entry.text.utf8))
      #expect(object.count == 10)
    }
  }

  @Test("a document has an entry a line and is JSON, also without entries")
  func documents() throws {
    let entries = [try entry("one"), try entry("two", number: 2)]
    for count in 0...2 {
      let bytes = EntryJSON.document(entries.prefix(count))
      let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
      #expect((object?["entries"] as? [Any])?.count == count)
      #expect(object?["format"] as? String == "daybook")
      #expect(object?["version"] as? Int == 1)
    }
    #expect(
      EntryJSON.document([])
        == Array("{\"format\":\"daybook\",\"version\":1,\"entries\":[]}\n".utf8))
    let lines = EntryJSON.document(entries).split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 4)
    #expect(Array(lines[1]) == Array((EntryJSON.text(of: entries[0]) + ",").utf8))
  }
}
