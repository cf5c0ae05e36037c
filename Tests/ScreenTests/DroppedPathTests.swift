import Testing

@testable import Screen

/// Paths as terminals paste and drop them.
struct DroppedPathTests {
  @Test(
    "quotation marks, backslashes and addresses are taken off",
    arguments: [
      ("/a b", nil), ("/a\\ b", "/a b"), ("'/a b'", "/a b"), ("\"/a b\"", "/a b"),
      ("'/it'\\''s'", "/it's"), ("\"/a \\\"b\\\"\"", "/a \"b\""), ("~/a", "~/a"), (" /a \n", "/a"),
      ("file:///a%20b", "/a b"), ("file://localhost/a", "/a"), ("file://elsewhere/a", nil),
      ("file:///a%2", nil), ("file://", nil), ("a", nil), ("./a", nil), ("/a\n/b", nil), ("", nil),
      ("'/a", nil), ("/a\\", nil), ("/a/", nil), ("'/a' '/b'", nil), ("/日本.png", "/日本.png"),
    ] as [(String, String?)])
  func forms(text: String, path: String?) {
    #expect(DroppedPath.path(in: text) == path)
  }

  @Test("a long text is no path")
  func long() {
    #expect(DroppedPath.path(in: "/" + String(repeating: "a", count: 5_000)) == nil)
  }
}
