import Foundation
import Journal
import JournalFormats
import Screen
import Terminal
import Testing
import TextLayout

@testable import daybook

/// The chapters of `Resources/manual` agree with the program.
struct ManualChapterTests {
  @Test("the manual's table of keys is the help screen's: the same keys, words and places")
  func keys() throws {
    let shown = KeyTable.standard.help().map { line in
      let keys = line.keys.replacing("|", with: "\\|")
      return "| `\(keys)` | \(line.text) | \(line.places) |"
    }
    #expect(try Repository.manual("keys").table() == shown, "make man writes the table")
  }

  @Test("every setting has a line in the manual's configuration, which has no wrong line")
  func settings() throws {
    let example = try Repository.configuration()
    for key in SettingKey.all {
      #expect("\n\(example)".contains("\n\(key.name) = "), "\(key.name)")
    }
    #expect(try Configuration.reading(example).messages == [])
  }

  @Test("every format that is read or written has a row in the manual, and no other")
  func formats() throws {
    let rows = try Repository.manual("formats").table("Data that each format keeps")
      .map(Repository.cells)
    func names(_ cell: String) -> [String] { cell.matches(of: /`([^`]+)`/).map { String($0.1) } }
    let read = rows.filter { $0[1] == "yes" }.map { names($0[0])[0] }
    #expect(Set(read) == Set(ImportFormat.allCases.map(\.rawValue)))
    let written = rows.filter { $0[2] == "yes" }.flatMap { row in
      row[0].contains(" in, ") ? Array(names(row[0]).dropFirst()) : names(row[0])
    }
    #expect(Set(written) == Set(ExportFormat.writable.map(\.rawValue)))
  }

  @Test("every theme is named beside the setting of the manual's configuration, and no other")
  func themes() throws {
    let line = try #require(Repository.configuration().split(separator: "\n").first)
    let comment = try #require(line.split(separator: "#").last)
    let names = comment.matches(of: /[a-z]+/).map { String($0.0) }
    let others = ["or", "your", "own"]
    #expect(Set(names).subtracting(others) == Set(ThemeLibrary.builtIn.map(\.name)))
  }

  @Test("the manual's table of terminals has each feature with its sequences, and no other")
  func terminals() throws {
    let rows = try Repository.manual("terminals").table("Sequences").map(Repository.cells)
    #expect(rows.map { $0[0] } == TerminalFeature.allCases.map(\.rawValue))
    for (row, feature) in zip(rows, TerminalFeature.allCases) {
      func sequences(_ cell: String) -> [String] {
        cell.matches(of: /`([^`]+)`/).map { String($0.1) }
      }
      let written = [feature.question, feature.on, feature.off].map(Self.written)
      if !written[0].isEmpty { #expect(sequences(row[1]).joined(separator: " ") == written[0]) }
      let on = sequences(row[2]).joined(separator: " ")
      #expect(on.hasPrefix(written[1]), "\(feature)")
      #expect(written[1].isEmpty == on.isEmpty || feature == .background)
      #expect(sequences(row[3]).joined(separator: " ") == written[2], "\(feature)")
      #expect(!row[4].isEmpty)
      switch feature.ground {
      case .ansi, .answer, .environment: break
      case .family: #expect(row[1] == "`TERM`" || !feature.question.isEmpty)
      case .mode(let number): #expect(row[1].contains("`CSI ? \(number) $ p`"))
      case .setting: #expect(row[1] == "`list_marks = true`")
      }
    }
    let text = try Repository.manual("terminals").text
    #expect(text.contains("`\(Self.written(TerminalFeature.lastQuestion))`"))
    let percent = Self.written(TerminalFeature.progress(percent: 43))
    #expect(
      text.contains(
        "`\(percent.replacing(" 43", with: " PERCENT").replacing(";43", with: "; PERCENT"))`"))
  }

  /// Bytes as the manual writes them: `CSI ? 2026 h`, `OSC 11;? ST`.
  private static func written(_ bytes: [UInt8]) -> String {
    var text = String(decoding: bytes, as: UTF8.self)
    text = text.replacing("\u{1B}[?", with: " CSI ? ").replacing("\u{1B}[", with: " CSI ")
    text = text.replacing("\u{1B}_", with: " APC ").replacing("\u{1B}P", with: " DCS ")
    text = text.replacing("\u{1B}]", with: " OSC ").replacing("\u{1B}\\", with: " ST")
    text = text.replacing("\u{07}", with: " BEL").replacing("$p", with: " $ p")
    text = text.replacing(/CSI ([?>])?\s?(\d+)([hlun])/) { match in
      "CSI \(match.1.map { "\($0) " } ?? "")\(match.2) \(match.3)"
    }
    text = text.replacing(/CSI < ?u/, with: "CSI < u").replacing(/CSI <u/, with: "CSI < u")
    return text.trimmingCharacters(in: .whitespaces)
  }

  @Test("every role of a theme is in the manual's list of them, and no other")
  func roles() throws {
    let text = try Repository.manual("configuration").text
    let list = try #require(text.firstMatch(of: /for each role \(`([a-z0-9\s]+)`\)/)).1
    #expect(
      Set(list.split(whereSeparator: \.isWhitespace))
        == Set(Style.Role.allCases.map { $0.rawValue[...] }))
  }

  @Test("every field of queries is in the manual's table, and no other")
  func queryFields() throws {
    let terms = try Repository.manual("queries").table().flatMap { row in
      Repository.cells(row)[0].matches(of: /`(\w+):/).map { String($0.1) }
    }
    #expect(Set(terms) == Set(QueryField.all.map(\.name)))
    let table = try Repository.manual("queries").table().joined()
    for field in QueryField.all {
      for choice in field.choices { #expect(table.contains("`\(field.name):\(choice)`")) }
    }
  }

  @Test("every command is in the manual's table of commands, and no other")
  func commands() throws {
    let words = try Repository.manual("commands").table().flatMap { row in
      Repository.cells(row)[0].matches(of: /`([a-z]+)/).map { String($0.1) }
    }
    // The name of the program opens the screen.
    let names = Daybook.commandNames.filter { !["help", "screen"].contains($0) } + ["daybook"]
    #expect(Set(words) == Set(names))
  }

  @Test("every exit code is in the manual's table of exit codes, and no other")
  func exitCodes() throws {
    let numbers = try Repository.manual("commands").table("Exit codes").compactMap {
      Int32(Repository.cells($0)[0])
    }
    #expect(numbers == [0] + Failure.Code.allCases.map(\.rawValue))
  }

  @Test("every environment variable of the manual page is in the manual's table, and no other")
  func environment() throws {
    let page = try Repository.text("Resources/daybook.1")
    let section = try #require(page.components(separatedBy: ".SH ENVIRONMENT\n").dropFirst().first)
      .components(separatedBy: "\n.SH ")[0]
    let shown = section.split(separator: "\n").filter { $0.hasPrefix("\\fB") }
      .flatMap { $0.dropFirst(3).dropLast(3).split(separator: ", ") }
    let named = try Repository.manual("configuration").table("Environment variables").flatMap {
      Repository.cells($0)[0].matches(of: /`([A-Z_]+)`/).map(\.1)
    }
    #expect(Set(named) == Set(shown))
  }
}
