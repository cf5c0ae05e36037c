import TestSupport
import Testing

@testable import Journal

/// Templates are filled in, and nothing of them is lost.
@Suite("Templates")
struct TemplateTests {
  private func filled(_ text: String, items: [String] = []) throws -> FilledTemplate {
    let created = try moment("2026-11-21T09:05:00+01:00")
    return Template(text).filled(
      with: .init(
        created: created, day: created.localDay,
        style: DateStyle(names: .english, time: .halfDayClock), openItems: items))
  }

  @Test(
    "placeholders stand for the entry's day and time",
    arguments: [
      ("{date}", "2026-11-21"), ("{yesterday}", "2026-11-20"), ("{time}", " 9:05 AM"),
      ("{weekday} {day} {month} {year}", "Saturday 21 November 2026"), ("W{week}", "W47"),
      ("{date:%d.%m.%Y}", "21.11.2026"), ("{time:%H.%M}", "09.05"), ("", ""),
      ("{date:}", "{date:}"), ("{{date}}", "{2026-11-21}"),
    ])
  func placeholders(text: String, result: String) throws {
    #expect(try filled(text).text == result)
  }

  @Test(
    "braces that hold no word stand for themselves, without a warning",
    arguments: [
      "{", "}", "{}", "{ date }", "{Date}", "{date", "{a\nb}", "{1}", "{\"a\":1}", "{date:\n}",
    ])
  func braces(text: String) throws {
    let result = try filled(text)
    #expect(result.text == text && result.problems.isEmpty)
  }

  @Test("what is no placeholder stays, and is told with its line and the nearest word")
  func unknown() throws {
    let result = try filled("a\n{dat} {week}\n{date:%Q} {weekday:%A} {xyzzy}")
    #expect(result.text == "a\n{dat} 47\n{date:%Q} {weekday:%A} {xyzzy}")
    #expect(result.problems.map(\.line) == [2, 3, 3, 3])
    #expect(
      result.problems.map(\.description) == [
        "unknown {dat}, did you mean {date}?", "{date:%Q} has an invalid format",
        "{weekday:%A} has an invalid format", "unknown {xyzzy}; it stays unchanged",
      ])
  }

  @Test("open items stand each on a line; a line for none of them goes")
  func open() throws {
    let items = ["- [ ] bread", "  - [ ] rye"]
    #expect(
      try filled("# Do\n{open}\nend", items: items).text == "# Do\n- [ ] bread\n  - [ ] rye\nend")
    #expect(try filled("# Do\n{open}\nend").text == "# Do\nend")
    #expect(try filled("# Do\n{open}").text == "# Do")
    #expect(try filled("{open}\nend").text == "end")
    #expect(try filled("{open}").text == "")
    #expect(try filled("Left: {open}\nend").text == "Left: \nend")
    #expect(try filled("{open} and more").text == " and more")
    #expect(Template("a {open}").needsOpenItems && !Template("{opens} {date}").needsOpenItems)
  }

  @Test("a text stands where the writing begins, else on lines of its own at the end")
  func writing() throws {
    #expect(try filled("# {date}\n{cursor}\n--").with("x\ny") == "# 2026-11-21\nx\ny\n--")
    #expect(try filled("# A").with("x") == "# A\nx")
    #expect(try filled("# A\n").with("x") == "# A\nx")
    #expect(try filled("").with("x") == "x")
    #expect(try filled("é{cursor}e{cursor}").with("x") == "éxe")
    #expect(try filled("a\nb\n{cursor}c").cursorLine == 3)
    #expect(try filled("{cursor}").cursorLine == 1)
    #expect(try filled("a").cursorLine == nil)
    #expect(try filled("a\n{cursor}{open}").cursorLine == 1)
  }

  @Test("filling in a random text never loses what is no placeholder", arguments: 0..<200)
  func random(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let parts = ["{", "}", ":", "date", "x", "\n", "é", "{nope}", "%", "{date:", "東", "\r\n"]
    let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
      parts.randomElement(using: &random) ?? ""
    }.joined()
    let result = try filled(text)
    let plain = Template(text).pieces.map { piece in
      switch piece {
      case .plain(let text), .unknown(let text, _): text
      case .placeholder(_, _, let source, _): source
      }
    }.joined()
    #expect(plain.utf8.elementsEqual(text.utf8))
    if !text.contains("date") { #expect(result.text.utf8.elementsEqual(text.utf8)) }
  }
}
