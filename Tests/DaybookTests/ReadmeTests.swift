import Foundation
import Screen
import Terminal
import Testing
import TextLayout

@testable import daybook

/// What the README says about keys and commands is what the program has.
struct ReadmeTests {
  private let text: String

  init() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    text = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
  }

  @Test("every key of the help screen is in the README with the same words and where it works")
  func keys() {
    for line in KeyTable.standard.help() {
      let keys = line.keys.split(separator: "|", omittingEmptySubsequences: false)
      let row = "| `\(keys.joined(separator: "\\|"))` | \(line.text) | \(line.places) |"
      #expect(text.contains(row), "\(row)")
    }
  }

  @Test("every setting, theme and role stands in the README")
  func settings() {
    for key in SettingKey.all { #expect(text.contains("\n\(key.name) = "), "\(key.name)") }
    for theme in ThemeLibrary.builtIn { #expect(text.contains(theme.name), "\(theme.name)") }
    for role in Style.Role.allCases { #expect(text.contains("\(role.rawValue)"), "\(role)") }
  }

  @Test("the README's configuration is one without a wrong line")
  func configuration() throws {
    let parts = text.components(separatedBy: "```toml\n")
    let example = try #require(parts.dropFirst().first?.components(separatedBy: "```").first)
    #expect(try Configuration.reading(example).messages == [])
  }

  @Test("every command stands in the README")
  func commands() {
    for name in Daybook.commandNames where !["help", "screen"].contains(name) {
      #expect(text.contains("`\(name)") || text.contains(", \(name)"), "\(name)")
    }
  }
}
