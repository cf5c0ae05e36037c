import Journal
import Markdown
import TestSupport
import Testing

@testable import JournalFormats

struct MarkupHostilityTests {
  @Test(
    "hostile HTML ends in time and harms nothing",
    arguments: [
      "<b>", "<table><tr><td>", "<ul><li>", "<blockquote>", "<b></i>", "</div>", "<a href='x'>y",
      "<p>", "[", "](", "*", "`", "&amp", "<!--", "<pre>", "<div><en-todo/>", "<en-media/>",
      "<h1>", "http://x((((", "https://x.org/))))", "<td>x", "<script>", "<code>`</code>", "a<br>",
      "<span style='font-weight:bold'>a", "\u{A0}", "<\u{0}a>", "<input type=checkbox>",
    ])
  func repeated(_ part: String) throws {
    let html = String(repeating: part, count: 5000)
    _ = try HTMLText.convert(html)
    _ = try HTMLText.convert("<div>" + html + "</div>")
  }

  @Test("plain text in HTML is the same text in Markdown")
  func sameText() throws {
    var random = SeededGenerator(seed: 20_261_127)
    let parts = [
      "*", "**", "_", "__", "~~", "`", "[", "]", "(", ")", "!", "\\", "#", "# ", "-", "- ", "+ ",
      "1. ", "1)", ">", "> ", "|", "---", "<", "&", "a", "b c", " ", "é", "日本", "http://x.org/a_b",
      ":", "[ ] ", "=", "~",
    ]
    for _ in 0..<1000 {
      let text = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        parts[Int.random(in: 0..<parts.count, using: &random)]
      }.joined()
      let html = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      let markdown = try HTMLText.markdown("<p>\(html)</p>")
      let wanted = text.split(whereSeparator: \.isWhitespace).joined()
      #expect(Self.shown(markdown) == wanted, "\(text) as \(markdown)")
    }
  }

  /// The text that Daybook shows, without white space.
  private static func shown(_ markdown: String) -> String {
    let document = Document(markdown)
    var shown: [UInt8] = []
    for block in document.blocks {
      guard block.kind == .paragraph || block.kind == .blank, block.container == nil else {
        return "\(block.kind)"
      }
      for run in document.inlines(block.lines).lines.joined() where run.kind == .text {
        shown += document.bytes[run.range].filter { $0 > 0x20 }
      }
    }
    return String(decoding: shown, as: UTF8.self)
  }

  @Test("XML of any size is read a record at a time")
  func largeFile() throws {
    let record = utf8(
      "<note><title>a</title><data>\(String(repeating: "A", count: 8000))</data></note>")
    var left = 100
    let stream = ByteStream {
      defer { left -= 1 }
      return left == 100 ? utf8("<x>") : left > 0 ? record : []
    }
    let records = XMLRecords(stream, records: ["note"], digesting: ["data"])
    var count = 0
    while let item = try records.next() {
      if case .record(let element, _) = item {
        count += 1
        #expect(element["data"]?.digest?.size == 6000)
      }
    }
    #expect(count == 99)
  }

  @Test("control characters and invalid UTF-8 of XML never hide a record")
  func damagedXML() throws {
    let bytes = utf8("<x><r>a\u{8}b</r><r>") + [0xFF] + utf8("é</r><r>&unknown; &amp;</r></x>")
    for size in [1, 3, 64] {
      var rest = bytes[...]
      let stream = ByteStream {
        defer { rest = rest.dropFirst(size) }
        return Array(rest.prefix(size))
      }
      let records = XMLRecords(stream, records: ["r"])
      var texts: [String] = []
      while let item = try records.next() {
        if case .record(let element, _) = item { texts.append(element.text) }
      }
      #expect(texts.prefix(2) == ["ab", "\u{FFFD}é"])
      #expect(texts.count == 3)
    }
  }

  @Test("characters at the borders of pieces stay whole, in text and in CDATA")
  func borders() throws {
    let text = String(repeating: "é日🌸", count: 20_000)
    for content in [text, "<![CDATA[\(text)]]>"] {
      let records = XMLRecords(ByteStream(utf8("<x><r>\(content)</r></x>")), records: ["r"])
      guard case .record(let element, _)? = try records.next() else {
        Issue.record("no record")
        continue
      }
      #expect(element.text == text)
    }
  }

  @Test("giant names, many attributes and many elements are bounded")
  func giants() throws {
    let name = String(repeating: "n", count: 200_000)
    let attributes = (0..<5000).map { " a\($0)='x'" }.joined()
    let elements = String(repeating: "<e/>", count: 1001)
    let xml = "<x><r><\(name)\(attributes)/></r><r>\(elements)</r><r>ok</r></x>"
    let records = XMLRecords(ByteStream(utf8(xml)), records: ["r"], elementLimit: 1000)
    var texts: [String] = []
    var errors: [String] = []
    while let item = try records.next() {
      switch item {
      case .record(let element, _): texts.append(element.text)
      case .broken(let error): errors.append(error.reason)
      }
    }
    #expect(texts.last == "ok")
    #expect(errors.contains("a record is too large"))
  }

  @Test("the digest of a picture is the one of its bytes")
  func digests() {
    let known = [
      ("", "d41d8cd98f00b204e9800998ecf8427e"), ("YQ==", "0cc175b9c0f1b6a831c399e269772661"),
      ("bWVzc2FnZSBkaWdlc3Q=", "f96b697d7cb7938d525a2f31aaf161d0"),
    ]
    for (text, digest) in known {
      var hash = MD5OfBase64()
      for byte in text.utf8 { hash.add([byte]) }
      #expect(hash.finished().digest == digest)
    }
  }
}
