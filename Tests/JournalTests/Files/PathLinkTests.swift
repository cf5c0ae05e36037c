import Testing

@testable import Journal

/// Links that name files by their paths while a text is written.
struct PathLinkTests {
  private static let paths = [
    "/a.jpg", "/home/me/At six (1).png", "/tmp/100 % of it.pdf",
    "/x/[brackets]*_`~<>&|\\ #tag @me.txt",
    "/日本/港の朝.jpg", "/new\nline.png", "/no-suffix", "/dots...", "/a?b=c#d",
  ]

  @Test("any path is read back from its link, alone, between words and in a list", arguments: paths)
  func readBack(path: String) {
    for isPicture in [true, false] {
      let link = PathLink(path, isPicture: isPicture).markdown
      #expect(!link.contains("\n"))
      for text in [link, "see \(link)!", "- one\n- \(link)\n", "| a |\n| --- |\n| \(link) |"] {
        #expect(PathLink.paths(in: text) == [path], "\(text)")
        #expect(
          PathLink.replacing([path: "file:0123"], in: text)
            == text.replacing(
              link[link.firstRange(of: "attach:")!.lowerBound...].dropLast(), with: "file:0123"))
        #expect(PathLink.paths(in: PathLink.disarmed(text)) == [])
      }
      #expect(FileLink.all(in: link) == [])
      #expect(Tag.names(in: link) == [])
    }
  }

  @Test("code, other addresses, relative paths and broken escapes name no file")
  func others() {
    for text in [
      "`[a](attach:/a)`", "```\n[a](attach:/a)\n```", "[a](file:0123456789abcdef.jpg)",
      "[a](attach:a)", "[a](attach:)", "[a](attach:/a%)", "[a](attach:/a%0)", "[a](attach:/a%zz)",
      "[a](attach:/a%00b)", "[a](attach:/%ff)", "attach:/a", "[a] (attach:/a)", "",
    ] {
      #expect(PathLink.paths(in: text) == [], "\(text)")
      #expect(PathLink.replacing(["/a": "x", "a": "x"], in: text) == text)
    }
  }

  @Test("of several links only the named ones are replaced, each time they occur")
  func several() {
    let text = "[a](attach:/a) ![b](attach:/b) [a](attach:/a)"
    #expect(PathLink.paths(in: text) == ["/a", "/b", "/a"])
    #expect(
      PathLink.replacing(["/a": "file:1"], in: text) == "[a](file:1) ![b](attach:/b) [a](file:1)")
    #expect(PathLink.disarmed(text) == "[a](/a) ![b](/b) [a](/a)")
  }
}
