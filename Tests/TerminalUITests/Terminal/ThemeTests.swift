import Testing

@testable import TerminalUI

@Suite("Themes")
struct ThemeTests {
  @Test("are read from words")
  func looks() throws {
    let look = try #require(ThemeLook("bold cyan on bright-blue"))
    #expect(look.bold && look.foreground == .palette(6) && look.background == .palette(12))
    let other = try #require(ThemeLook("reverse underline dim #D08770 on 236"))
    #expect(other.reverse && other.underline && other.dim)
    #expect(other.foreground == .rgb(0xD08770) && other.background == .indexed(236))
    #expect(ThemeLook("default") == ThemeLook())
    for text in ["blod", "#12345", "#1234567", "256", "bright-gray", "-1"] {
      #expect(ThemeLook(text) == nil, "\(text)")
    }
  }

  @Test("name what means nothing in them")
  func errors() {
    #expect(throws: ThemeError.unknownRole("titel")) {
      try Theme(name: "mine", descriptions: ["titel": "bold"])
    }
    #expect(throws: ThemeError.badLook(role: "tag", text: "pink")) {
      try Theme(name: "mine", descriptions: ["tag": "pink"])
    }
  }

  @Test("tell the selection, a match and a mark from text without colours")
  func monochrome() {
    for theme in Theme.builtIn {
      for role in [Style.Role.selected, .match, .mark, .error, .header, .heading, .link] {
        let look = theme[role]
        #expect(look.reverse || look.bold || look.underline, "\(role) in \(theme.name)")
      }
      #expect(theme[.normal] == ThemeLook())
    }
  }

  @Test("show a colour as near as the terminal can")
  func colors() {
    #expect(ThemeColor.rgb(0xFF0000).number(in: .indexed).color == 196)
    #expect(ThemeColor.rgb(0xFF0000).number(in: .ansi) == (1, true))
    #expect(ThemeColor.rgb(0x123456).number(in: .trueColor).color == 0x123456)
    #expect(ThemeColor.indexed(244).number(in: .ansi) == (0, true))
    #expect(ThemeColor.palette(12).number(in: .ansi) == (4, true))
    #expect(ThemeColor.palette(12).number(in: .indexed).color == 12)
  }

  @Test(
    "send text to the clipboard as base64",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("日本", "5pel5pys"),
    ])
  func base64(_ text: String, _ encoded: String) {
    #expect(String(decoding: Base64.encode(Array(text.utf8)), as: UTF8.self) == encoded)
  }
}
