import Testing

@testable import Terminal
@testable import TextLayout

@Suite("Themes")
struct ThemeTests {
  @Test("styles are read from words")
  func looks() throws {
    let look = try #require(ResolvedStyle("bold cyan on bright-blue"))
    #expect(look.bold && look.foreground == .palette(6) && look.background == .palette(12))
    let other = try #require(ResolvedStyle("reverse underline dim #D08770 on 236"))
    #expect(other.reverse && other.underline && other.dim)
    #expect(other.foreground == .rgb(0xD08770) && other.background == .indexed(236))
    #expect(ResolvedStyle("default") == ResolvedStyle())
    for text in ["blod", "#12345", "#1234567", "256", "bright-gray", "-1", "#+12345"] {
      #expect(ResolvedStyle(text) == nil, "\(text)")
    }
  }

  @Test("give a role without colours those of normal text")
  func inheritance() throws {
    let theme = Theme(
      name: "paper",
      looks: [
        .normal: try #require(ResolvedStyle("#303030 on #faf8f5")),
        .tag: try #require(ResolvedStyle("#005f5f")),
      ])
    let tag = theme.look(for: Style(.tag), in: .trueColor)
    #expect(tag.foreground == .rgb(0x005F5F) && tag.background == .rgb(0xFAF8F5))
    #expect(theme.look(for: Style(.star), in: .trueColor).foreground == .rgb(0x303030))
    #expect(theme.look(for: Style(.tag), in: .attributes) == ResolvedStyle())
  }

  @Test("let colours stand in for dim and reverse, but never for bold and underline")
  func attributes() throws {
    let theme = Theme(
      name: "t",
      looks: [
        .time: try #require(ResolvedStyle("#767676")),
        .selected: try #require(ResolvedStyle("white on blue")),
      ])
    let dim = Style(.time, bold: true, dim: true, underline: true)
    #expect(!theme.look(for: dim, in: .indexed).dim)
    #expect(theme.look(for: dim, in: .indexed).bold && theme.look(for: dim, in: .indexed).underline)
    #expect(theme.look(for: dim, in: .attributes).dim)
    let selected = Style(.selected, reverse: true)
    #expect(!theme.look(for: selected, in: .ansi).reverse)
    #expect(theme.look(for: selected, in: .attributes).reverse)
    #expect(theme.look(for: Style(.status, reverse: true), in: .ansi).reverse)
  }

  @Test("have other looks for eight colours where they name them")
  func basic() throws {
    let theme = Theme(
      name: "t", looks: [.tag: try #require(ResolvedStyle("#5f875f"))],
      basic: [.tag: try #require(ResolvedStyle("cyan"))])
    #expect(theme.look(for: Style(.tag), in: .ansi).foreground == .palette(6))
    #expect(theme.look(for: Style(.tag), in: .indexed).foreground == .rgb(0x5F875F))
  }

  @Test("with 8 and 16 colours no text has a colour that may be the background's, in any theme")
  func fewColors() {
    let colors = ["", "black", "gray", "white", "bright-white", "bright-blue", "#808080", "244"]
    var wrong: [String] = []
    for normal in ["", "black on white", "white on black", "gray on black"] {
      for front in colors {
        for back in colors {
          for attribute in ["", "bold ", "dim ", "reverse "] {
            let words = "\(attribute)\(front)\(back.isEmpty ? "" : " on \(back)")"
            var theme = Theme(name: "t", looks: [:])
            theme.looks[.normal] = ResolvedStyle(normal)
            for role in [Style.Role.time, .selected] { theme.looks[role] = ResolvedStyle(words) }
            for role in [Style.Role.normal, .time, .selected, .hint] {
              for isSelected in [false, true] {
                var style = Style(role)
                style.selected = isSelected
                let look = theme.look(for: style, in: .ansi)
                if !Self.isVisible(look) { wrong.append("\(normal); \(words); \(role), \(look)") }
              }
            }
          }
        }
      }
    }
    #expect(wrong == [])
  }

  /// Whether a style can be seen with 8 colours, on black and on white.
  private static func isVisible(_ look: ResolvedStyle) -> Bool {
    let front = look.foreground?.number(in: .ansi).color
    guard let back = look.background?.number(in: .ansi).color else {
      return front != 0 && front != 7
    }
    // The terminal's own colour of text may be that of the role's background.
    return front != nil && front != back
  }

  @Test("what would be grey is dim with 8 colours")
  func gray() {
    var theme = Theme(name: "t", looks: [:])
    theme.looks[.time] = ResolvedStyle("#767676")
    let look = theme.look(for: Style(.time), in: .ansi)
    #expect(look.dim && look.foreground == nil && !look.bold)
    #expect(theme.look(for: Style(.time), in: .indexed).foreground == .rgb(0x767676))
    #expect(look.escapes(in: .ansi) == "\u{1B}[2m")
  }

  @Test("show levels as squares where their colours differ, else by signs with more ink")
  func levels() throws {
    let steps = ["#005f00", "#5f875f", "#87af87", "#afd7af"]
    var theme = Theme(name: "t", looks: [:])
    for (role, color) in zip(Style.Role.levels, steps) { theme.looks[role] = ResolvedStyle(color) }
    for role in Style.Role.levels { theme.basic[role] = ResolvedStyle("green") }
    let signs = LevelSigns.shapes.joined(separator: " ")
    for profile in [ColorProfile.indexed, .trueColor] {
      #expect(theme.drawn(signs, as: .level2, in: profile) == "■ ■ ■ ■")
      #expect(theme.drawn(signs, as: .hint, in: profile) == signs)
    }
    for profile in [ColorProfile.none, .attributes, .ansi] {
      #expect(theme.drawn(signs, as: .level2, in: profile) == signs)
    }
    #expect(Theme.plain.drawn(signs, as: .level4, in: .trueColor) == signs)
    let all = [LevelSigns.none] + LevelSigns.shapes
    #expect(Set(all).count == Style.Role.levels.count + 1)
    for sign in all {
      #expect(TextWidth.columns(of: sign) == 1)
      #expect(ASCIIForms.sign(for: try #require(sign.unicodeScalars.first)) != nil)
    }
  }

  @Test("are control sequences where text is printed")
  func escapes() throws {
    let look = try #require(ResolvedStyle("bold underline #5f875f on bright-blue"))
    #expect(look.escapes(in: .none) == "")
    #expect(look.escapes(in: .attributes) == "\u{1B}[1;4m")
    #expect(look.escapes(in: .indexed) == "\u{1B}[1;4;38;5;65;104m")
    #expect(look.escapes(in: .trueColor) == "\u{1B}[1;4;38;2;95;135;95;104m")
    #expect(look.escapes(in: .ansi) == "\u{1B}[1;4;90;104m")
    #expect(ResolvedStyle().escapes(in: .trueColor) == "")
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
