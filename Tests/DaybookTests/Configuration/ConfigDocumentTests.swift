import Testing

@testable import daybook

/// The lines of keys, which the parser does not report.
struct ConfigDocumentTests {
  private func lines(_ text: String) throws -> [String: Int] {
    let items = try ConfigDocument(text, file: "f").items
    return Dictionary(uniqueKeysWithValues: items.map { ($0.path.joined(separator: "|"), $0.line) })
  }

  @Test("a key is on its line whatever stands before it")
  func tricky() throws {
    let text = #"""
      # a = 1
      a = "b = 2 # no comment"   # c = 3
      long = """
      b = 7
      \""" x = 1 """
      raw = '''
      ["b"]
      c = ''''
      list = [ "x = 1", # d = 2
        '#', [1,
        2] ]
      b.c . "d.e" = 'it"s'
      inline = { x = 1, y = { z = "}" } }
      "quoted\"key" = 1
      [table]
      a = 1
        [ table . 'in ner' ]
      "" = 2
      """#
    #expect(
      try lines(text) == [
        "a": 2, "long": 3, "raw": 6, "list": 9, "b|c|d.e": 12, "inline|x": 13, "inline|y|z": 13,
        "quoted\"key": 14, "table|a": 16, "table|in ner|": 18,
      ])
  }

  @Test("line ends of other systems count once")
  func lineEnds() throws {
    #expect(try lines("a = 1\r\nb = 2\r\n\r\nc = 3") == ["a": 1, "b": 2, "c": 4])
    #expect(try lines("") == [:])
  }

  @Test(
    "a text that is not TOML is told with line and column",
    arguments: [("a = 1\nb = [\n", 2), ("a = 1\na = 2\n", 2), ("\n\n[x\n", 3), ("é = ?", 1)])
  func syntax(text: String, line: Int) throws {
    let problem = #expect(throws: ConfigProblem.self) { try ConfigDocument(text, file: "f.toml") }
    let told = try #require(problem)
    #expect(told.line == line && told.column != nil)
    #expect(told.description.hasPrefix("f.toml:\(line):"))
    #expect(told.description.hasSuffix("; the file is ignored"))
    #expect(!told.description.contains("\n"))
  }

  @Test("a string in quotes is read back as it was")
  func quoting() throws {
    for text in ["", "a\"b\\c", "tab\tline\nreturn\r", "\u{1}\u{7F}é日👩‍👩‍👧", "'"] {
      let item = try #require(
        try ConfigDocument("\(TOMLText.key(text)) = \(TOMLText.quoted(text))", file: "f").items
          .first)
      #expect(item.value == .text(text))
      #expect(item.path == [text])
    }
  }
}
