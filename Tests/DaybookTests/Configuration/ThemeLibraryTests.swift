import Foundation
import Terminal
import Testing
import TextLayout

@testable import daybook

/// The themes in `Resources/themes`, and the user's own.
struct ThemeLibraryTests {
  private static let builtIn = ThemeLibrary.builtIn.map(\.name)
  private static let profiles: [ColorProfile] = [.ansi, .indexed, .trueColor]

  @Test(
    "the built-in themes are the files of Resources/themes, every line of them meaning something")
  func files() throws {
    let directory = Repository.root.appending(path: "Resources/themes")
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(Set(files) == Set(Self.builtIn.map { "\($0).toml" }))
    for (name, bytes) in ThemeLibrary.builtIn {
      let text = try Data(contentsOf: directory.appending(path: "\(name).toml"))
      #expect(Array(text) == bytes())
      #expect(try ThemeLibrary().description(named: name).problems == [])
    }
  }

  @Test("every theme says how each role looks and what it is good for", arguments: builtIn)
  func complete(name: String) throws {
    let theme = try ThemeLibrary().theme(named: name)
    #expect(!theme.about.isEmpty)
    for role in Style.Role.allCases where role != .normal || theme.hasBackground {
      #expect(theme.looks[role] != nil, "\(role) in \(name)")
      #expect(theme.basic.isEmpty || theme.basic[role] != nil, "\(role) in [basic] of \(name)")
    }
  }

  @Test(
    "with 256 and with all colours text stands out from what is behind it, at least 4.5 to 1",
    arguments: [("light", 4.5), ("dark", 4.5), ("contrast", 7.0)])
  func contrast(name: String, least: Double) throws {
    let theme = try ThemeLibrary().theme(named: name)
    for profile in [ColorProfile.indexed, .trueColor] {
      for role in Style.Role.allCases.filter(\.isText) {
        let look = theme.look(for: Style(role), in: profile)
        let front = try #require(look.foreground).shown(in: profile)
        let back = try #require(look.background).shown(in: profile)
        #expect(Contrast.ratio(front, back) >= least, "\(role) in \(name), \(profile)")
        #expect(!look.dim, "\(role) in \(name)")
      }
    }
  }

  @Test(
    "levels of amounts are steps of one hue, each further from the background, or differ by signs",
    arguments: builtIn)
  func levels(name: String) throws {
    let theme = try ThemeLibrary().theme(named: name)
    for profile in Self.profiles {
      let looks = Style.Role.levels.map { theme.look(for: Style($0), in: profile) }
      #expect(looks.allSatisfy { !$0.bold && !$0.dim && !$0.reverse }, "\(name), \(profile)")
      let colors = looks.map { $0.foreground?.shown(in: profile) }
      guard theme.hasLevelColors(in: profile) else {
        // One colour for all signs, also where it is the terminal's own.
        #expect(Set(colors).count == 1, "\(name), \(profile)")
        continue
      }
      #expect(profile != .ansi, "eight colours have no steps of one hue")
      let back = try #require(looks.first?.background).shown(in: profile)
      let ratios = try colors.map { Contrast.ratio(try #require($0), back) }
      #expect(try #require(ratios.first) >= 1.3, "\(name), \(profile)")
      #expect(try #require(ratios.last) >= 3, "\(name), \(profile)")
      for (low, high) in zip(ratios, ratios.dropFirst()) {
        #expect(high >= low * 1.3, "\(name), \(profile): \(ratios)")
      }
      // One hue: green is the strongest part, red and blue are equal.
      for color in colors {
        let (red, green, blue) = Self.parts(try #require(color))
        #expect(red == blue && green > red, "\(name), \(profile)")
      }
    }
    for name in ["dark", "light", "contrast"] {
      let theme = try ThemeLibrary().theme(named: name)
      #expect(theme.hasLevelColors(in: .indexed) && theme.hasLevelColors(in: .trueColor))
    }
  }

  private static func parts(_ color: UInt32) -> (red: UInt32, green: UInt32, blue: UInt32) {
    (color >> 16, color >> 8 & 0xFF, color & 0xFF)
  }

  @Test("auto does not take a theme without its background if its levels cannot be seen there")
  func hiddenLevels() throws {
    var theme = try ThemeLibrary().theme(named: "dark")
    #expect(!theme.adapted(to: 0x000000).hasBackground)
    theme.looks[.level1] = ResolvedStyle("#000000")
    #expect(theme.adapted(to: 0x000000).hasBackground)
  }

  @Test("every role in the selected row has a contrast of 7 to 1, or a background of its own")
  func selectedRow() throws {
    for name in ["light", "dark", "contrast", "calm"] {
      let theme = try ThemeLibrary().theme(named: name)
      for profile in [ColorProfile.indexed, .trueColor] {
        for role in Style.Role.allCases {
          var style = Style(role)
          style.selected = true
          let look = theme.look(for: style, in: profile)
          let front = try #require(look.foreground).shown(in: profile)
          let back = try #require(look.background).shown(in: profile)
          if role == .normal { #expect(look.foreground == theme[.selected].foreground) }
          let isOwn = role != .normal && theme[role].background != nil && role != .selected
          #expect(
            Contrast.ratio(front, back) >= (isOwn ? 4.5 : 7), "\(role) in \(name), \(profile)")
        }
      }
    }
  }

  @Test("nothing black is bold: terminals of 8 colours show that as grey", arguments: builtIn)
  func boldBlack(name: String) throws {
    let theme = try ThemeLibrary().theme(named: name)
    for role in Style.Role.allCases {
      for isSelected in [false, true] {
        var style = Style(role, bold: true)
        style.selected = isSelected
        for profile in Self.profiles {
          let look = theme.look(for: style, in: profile)
          #expect(!look.bold || look.foreground != .palette(0), "\(role), \(profile)")
        }
      }
    }
  }

  @Test("the usual theme is readable on black and on white, and needs no background")
  func calm() throws {
    let theme = try ThemeLibrary().theme(named: ThemeLibrary.standard)
    #expect(!theme.hasBackground)
    for role in Style.Role.allCases {
      let look = theme.look(for: Style(role), in: .indexed)
      guard let front = look.foreground?.shown(in: .indexed) else { continue }
      if let back = look.background?.shown(in: .indexed) {
        #expect(Contrast.ratio(front, back) >= 4.5, "\(role)")
      } else {
        #expect(Contrast.ratio(front, 0x000000) >= 4, "\(role)")
        #expect(Contrast.ratio(front, 0xFFFFFF) >= 4, "\(role)")
      }
    }
  }

  @Test(
    "auto is the dark or the light theme by the terminal's background, readable on every one",
    arguments: [
      0x000000, 0xFFFFFF, 0x1C1C1C, 0x282C34, 0x002B36, 0xFDF6E3, 0xEEEEEE, 0x808080, 0x300A24,
    ] as [UInt32])
  func auto(background: UInt32) throws {
    let theme = try ThemeLibrary().theme(named: "auto", on: background)
    #expect(theme.name == (Contrast.isDark(background) ? "dark" : "light"))
    for profile in [ColorProfile.indexed, .trueColor] {
      #expect(
        theme.hasVisibleLevels(
          on: theme[.normal].background?.shown(in: profile) ?? background, in: profile))
      for role in Style.Role.allCases.filter(\.isText) {
        let look = theme.look(for: Style(role), in: profile)
        guard let front = look.foreground?.shown(in: profile) else { continue }
        let back = look.background?.shown(in: profile) ?? background
        #expect(Contrast.ratio(front, back) >= 4.5, "\(role), \(profile)")
      }
    }
  }

  @Test("auto keeps the terminal's own background where text is readable on it")
  func autoBackground() throws {
    let library = ThemeLibrary()
    for background in [0x000000, 0xFFFFFF] as [UInt32] {
      #expect(try !library.theme(named: "auto", on: background).hasBackground)
    }
    #expect(try library.theme(named: "auto", on: 0x808080).hasBackground)
    let unknown = try library.theme(named: "auto")
    #expect(unknown.looks == (try library.theme(named: "calm")).looks)
  }

  @Test("a theme of one's own may be called auto")
  func ownAuto() throws {
    var library = ThemeLibrary()
    library.own["auto"] = ThemeDescription([], name: "auto", file: "config.toml")
    #expect(try library.theme(named: "auto", on: 0).looks.isEmpty)
  }

  @Test("with eight colours nothing has the colour of what is behind it", arguments: builtIn)
  func eightColors(name: String) throws {
    let theme = try ThemeLibrary().theme(named: name)
    for role in Style.Role.allCases {
      let look = theme.look(for: Style(role), in: .ansi)
      guard let front = look.foreground, let back = look.background else { continue }
      #expect(front != back, "\(role) in \(name)")
    }
  }

  @Test(
    "no style of any theme has the colour of its background, nor one that the terminal's may have",
    arguments: builtIn)
  func everyStyle(name: String) throws {
    let theme = try ThemeLibrary().theme(named: name)
    var wrong: [String] = []
    for role in Style.Role.allCases {
      for bits in 0..<32 {
        var style = Style(
          role, bold: bits & 1 != 0, dim: bits & 2 != 0, underline: bits & 4 != 0,
          reverse: bits & 8 != 0)
        style.selected = bits & 16 != 0
        for profile in Self.profiles {
          let look = theme.look(for: style, in: profile)
          let front = look.foreground?.number(in: profile).color
          let back = look.background?.number(in: profile).color
          let isLost = front != nil && front == back
          // Of the 8 colours a terminal may have any as its background's black and white.
          let isRisky = profile == .ansi && back == nil && (front == 0 || front == 7)
          if isLost || isRisky { wrong.append("\(style), \(profile): \(look)") }
        }
      }
    }
    #expect(wrong == [])
  }

  @Test("what must be told apart is told apart without colours too", arguments: builtIn)
  func monochrome(name: String) throws {
    let theme = try ThemeLibrary().theme(named: name)
    let text = theme.look(for: Style(), in: .attributes)
    // As the widgets draw them.
    let styles = [
      Style(.selected, reverse: true), Style(.status, reverse: true), Style(.match), Style(.mark),
      Style(.error, bold: true), Style(.header, bold: true), Style(.changed, bold: true),
    ]
    for style in styles {
      #expect(theme.look(for: style, in: .attributes) != text, "\(style.role) in \(name)")
    }
    #expect(text == ResolvedStyle())
  }

  @Test("a file in the directory of themes is a theme, made from another one where it says so")
  func userFile() throws {
    let directory = try ConfigDirectory(
      #"theme = "mine""#,
      themes: ["mine": "base = \"dark\"\nheader = \"bold #ffffff\"\n", "calm": "tag = \"red\""])
    let configuration = directory.load()
    #expect(configuration.messages == [])
    let (theme, problems) = configuration.theme()
    #expect(problems == [])
    let dark = try ThemeLibrary().theme(named: "dark")
    #expect(theme[.header].foreground == .rgb(0xFFFFFF))
    #expect(theme[.tag] == dark[.tag])
    // On eight colours too the header has the colour that was chosen here.
    #expect(theme.look(for: Style(.header), in: .ansi).foreground == .rgb(0xFFFFFF))
    #expect(theme.basic[.tag] == dark.basic[.tag])
    #expect(configuration.themes.names.filter { $0 == "calm" }.count == 1)
    #expect(try configuration.themes.theme(named: "calm")[.tag].foreground == .palette(1))
  }

  @Test("a wrong line of a theme file is named, and the rest of it holds")
  func wrongLine() throws {
    let directory = try ConfigDirectory(
      #"theme = "mine""#, themes: ["mine": "tag = \"red\"\nheader = \"blod\"\n"])
    let (theme, problems) = directory.load().theme()
    #expect(theme[.tag].foreground == .palette(1))
    #expect(problems.count == 1)
    #expect(
      problems.first?.hasPrefix("themes/mine.toml:2: header = \"blod\" is not a style") == true)
  }

  @Test("a theme of config.toml may take the name of a built-in one and be made from it")
  func ownOverBuiltIn() throws {
    let configuration = try Configuration.reading(
      """
      theme = "calm"
      [themes.calm]
      base = "calm"
      star = "red"
      """)
    #expect(configuration.messages == [])
    let theme = configuration.theme().theme
    #expect(theme[.star].foreground == .palette(1))
    #expect(theme[.tag] == (try ThemeLibrary().theme(named: "calm"))[.tag])
  }

  @Test("themes that are each other's base are told and do not go round for ever")
  func circle() throws {
    let configuration = try Configuration.reading(
      """
      [themes.a]
      base = "b"
      [themes.b]
      base = "a"
      """)
    #expect(configuration.messages.contains { $0.contains("is its own base") })
    #expect(throws: Never.self) { try configuration.themes.theme(named: "a") }
  }

  @Test("a name cannot lead out of the directory", arguments: ["../secret", "/etc/passwd", ""])
  func names(name: String) throws {
    let directory = try ConfigDirectory("")
    try Data("tag = \"red\"".utf8).write(to: directory.url.appending(path: "secret.toml"))
    #expect(throws: ThemeLibrary.Missing.self) { try directory.load().themes.theme(named: name) }
  }
}
