import Testing

@testable import Journal

/// Texts that are valid TOML 1.0, and texts that are not.
struct TOMLSyntaxTests {
  @Test(
    "what the specification of TOML shows is TOML",
    arguments: [
      "", "\n", "\u{FEFF}a = 1", "# comment", "key = \"value\" # comment", "bare-key_1 = 1",
      "1234 = 1", "\"quoted key\" = 1", "'quoted \"key\"' = 1", "\"\" = 1",
      "a . b . \"c.d\" = true", "3.14159 = \"pi\"",
      "s = \"I'm \\\"quoted\\\" \\u00E9 \\U0001F600\"",
      "s = \"\"\"\nRoses\nViolets\"\"\"", "s = \"\"\"\\\n   one \\  \n\n  two\"\"\"",
      "s = \"\"\"\"quoted\"\"\"\"\"", "s = 'C:\\Users'", "s = '''\nraw ''lines'''''",
      "i = [+99, 42, 0, -17, 1_000, 5_349_221]", "i = [0xDEADBEEF, 0xdead_beef, 0o755, 0b1101]",
      "i = [9223372036854775807, -9223372036854775808]",
      "f = [+1.0, 3.1415, -0.01, 5e+22, 1e06, -2E-2, 6.626e-34, 224_617.445_991]",
      "f = [inf, +inf, -inf, nan, +nan, -nan]", "b = [true, false]",
      "d = 1979-05-27T07:32:00Z", "d = 1979-05-27T00:32:00.999999-07:00",
      "d = 1979-05-27 07:32:00Z", "d = 1979-05-27t07:32:00", "d = 1979-05-27", "d = 07:32:00.5",
      "a = [ [ 1, 2 ], [\"a\", 'b',], # comment\n  {x = 1} ]", "a = []", "t = {}",
      "t = { a.b = 1, c = { d = [1] } }", "[a]", "[ a . \"b\" ]\r\nx = 1\r\n",
      "[[a]]\n[[a]]\n[a.b]",
      "a = \"tab\there\"", "é = 'no'".replacing("é", with: "\"é\""),
    ])
  func valid(text: String) throws {
    try TOMLSyntax.check(text)
  }

  @Test(
    "what is no TOML is refused where it is wrong",
    arguments: [
      ("a", 1, 2), ("a = ", 1, 5), ("= 1", 1, 1), ("a = 1 b = 2", 1, 7), ("a = ?", 1, 5),
      ("é = 1", 1, 1), ("a.b. = 1", 1, 6), ("a = 01", 1, 5), ("a = 1__0", 1, 5), ("a = _1", 1, 5),
      ("a = 1.", 1, 5), ("a = .5", 1, 5), ("a = 1.e2", 1, 5), ("a = 0x", 1, 5), ("a = +0x1", 1, 5),
      ("a = 9223372036854775808", 1, 5), ("a = 1e99999", 1, 5), ("a = True", 1, 5),
      ("a = 1979-05-27 1\nb", 1, 5), ("a = 1979-02-29", 1, 5), ("a = 1979-05-27TP7:32:00", 1, 5),
      ("a = 24:00:00", 1, 5), ("a = 07:32", 1, 5), ("a = \"x", 1, 5), ("a = \"x\ny\"", 1, 5),
      ("a = \"\\x\"", 1, 6), ("a = \"\\u12\"", 1, 6), ("a = \"\\uD800\"", 1, 6),
      ("\na = \"\"\"x", 2, 5), ("a = 'x", 1, 5), ("a = \"\u{1}\"", 1, 6), ("# \u{7F}", 1, 3),
      ("a = 1\rb = 2", 1, 6), ("[a", 1, 3), ("[]", 1, 2), ("[[a]", 1, 5), ("[ [a]]", 1, 3),
      ("[a] b", 1, 5), ("a = [1 2]", 1, 8), ("a = [1,", 1, 5), ("a = [,]", 1, 6),
      ("a = {b = 1,}", 1, 12), ("a = {b = 1\n}", 1, 11), ("a = tru,", 1, 5), ("[\u{7F}", 1, 2),
      (String(repeating: "[", count: 70), 1, 3), ("a = 1\u{2028}", 1, 5),
    ])
  func invalid(text: String, line: Int, column: Int) {
    let problem = #expect(throws: TOMLSyntax.Problem.self) { try TOMLSyntax.check(text) }
    #expect(problem.map { [$0.line, $0.column] } == [line, column], "\(text)")
  }

  @Test("depth is bounded, whatever it is made of, and length is not")
  func depth() throws {
    let limit = TOMLSyntax.depthLimit
    func arrays(_ count: Int) -> String {
      "a = " + String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }
    func keys(_ count: Int) -> String {
      Array(repeating: "a", count: count).joined(separator: ".") + " = 1"
    }
    func tables(_ count: Int) -> String {
      String(repeating: "a = {", count: count) + String(repeating: "}", count: count)
    }
    for make in [arrays, keys, tables] {
      try TOMLSyntax.check(make(limit - 1))
      for count in [limit + 1, 10_000] {
        #expect(throws: TOMLSyntax.Problem.self) { try TOMLSyntax.check(make(count)) }
      }
    }
    #expect(throws: TOMLSyntax.Problem.self) {
      try TOMLSyntax.check("[" + keys(limit).dropLast(4) + "]\nb = 1")
    }
    try TOMLSyntax.check(String(repeating: "[[a]]\nb = [1, 2]\n", count: 50_000))
  }
}
