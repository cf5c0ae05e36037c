import Foundation
import Screen
import Terminal
import Testing
import TextLayout

@testable import daybook

/// What the README says about keys, commands, settings and tests is what there is.
struct ReadmeTests {
  @Test("the README's table of keys is the help screen's: the same keys, words and places")
  func keys() throws {
    let shown = KeyTable.standard.help().map { line in
      let keys = line.keys.replacing("|", with: "\\|")
      return "| `\(keys)` | \(line.text) | \(line.places) |"
    }
    let rows = try Repository.readmeTable("Keys")
    for row in shown { #expect(rows.contains(row), "\(row) is missing") }
    for row in rows { #expect(shown.contains(row), "\(row) is no longer so") }
  }

  @Test("every setting has a line in the README's configuration, which has no wrong line")
  func settings() throws {
    let example = try Repository.configuration()
    for key in SettingKey.all {
      #expect("\n\(example)".contains("\n\(key.name) = "), "\(key.name)")
    }
    #expect(try Configuration.reading(example).messages == [])
  }

  @Test("every theme is named beside the setting of the README's configuration, and no other")
  func themes() throws {
    let line = try #require(Repository.configuration().split(separator: "\n").first)
    let comment = try #require(line.split(separator: "#").last)
    let names = comment.matches(of: /[a-z]+/).map { String($0.0) }
    let others = ["or", "your", "own"]
    #expect(Set(names).subtracting(others) == Set(ThemeLibrary.builtIn.map(\.name)))
  }

  @Test("every role of a theme is in the README's list of them, and no other")
  func roles() throws {
    let text = try Repository.readme("Configuration")
    let list = try #require(text.firstMatch(of: /for each role \(`([a-z\s]+)`\)/)).1
    #expect(
      Set(list.split(whereSeparator: \.isWhitespace))
        == Set(Style.Role.allCases.map { $0.rawValue[...] }))
  }

  @Test("every command is in the README's table of commands, and no other")
  func commands() throws {
    let words = try Repository.readmeTable("Commands").flatMap { row in
      Repository.cells(row)[0].matches(of: /`([a-z]+)/).map { String($0.1) }
    }
    // The screen is there by the name of the program, which opens it.
    let names = Daybook.commandNames.filter { !["help", "screen"].contains($0) } + ["daybook"]
    #expect(Set(words) == Set(names))
  }

  @Test("every variable that enlarges tests is named in the README")
  func variables() throws {
    let readme = try Repository.readme("Two commands")
    var found: Set<String> = []
    for file in try Repository.swiftFiles(in: "Tests") {
      let text = try Repository.text("Tests/\(file)")
      found.formUnion(text.matches(of: /environment\["([A-Z_]+)"\]/).map { String($0.1) })
    }
    found.remove("PATH")
    #expect(found.count > 5)
    for name in found { #expect(readme.contains("`\(name)"), "\(name)") }
  }

  @Test("every Debian package that make installs is named in the README")
  func packages() throws {
    let readme = try Repository.readme("Two commands")
    let words = Set(readme.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init))
    for name in try Tool.installed() { #expect(words.contains(name), "\(name)") }
  }
}
