import Foundation
import Journal
import Screen
import Testing

@testable import daybook

/// After `:` Tab completes whatever has but a few values, of every command.
struct ClosedChoicesTests {
  /// A place in a line after which only these words make sense.
  struct Place: CustomTestStringConvertible, Sendable {
    var line: String
    var words: Set<String>

    var testDescription: String { line }
  }

  private static var words: CompletionWords {
    var words = CompletionWords(today: .earliest)
    words.commands = .withArguments
    words.themes = ["calm", "dark"]
    words.views = ["week", "work"]
    words.settings = SettingKey.changeable.map { .init($0.name, values: $0.values) }
    return words
  }

  private func offered(_ line: String) -> Set<String> {
    Set(
      Completer(Self.words).completion(of: line, at: line.utf8.count, for: .command).candidates
        .map(\.text))
  }

  /// The command line's own description of its options and arguments.
  private func fromCommandLine() throws -> [Place] {
    var places: [Place] = []
    for command in try CommandDump.commands(try Program())
    where CommandCatalog.ofProgram.names.contains(command.commandName) {
      for argument in command.arguments ?? [] {
        guard let values = argument.allValues, !values.isEmpty else { continue }
        // Global options are those of the program, not of the line.
        guard let names = argument.names else {
          places.append(Place(line: "\(command.commandName) ", words: Set(values)))
          continue
        }
        for name in names where name.kind == "long" && name.name != "color" {
          places.append(Place(line: "\(command.commandName) --\(name.name) ", words: Set(values)))
        }
      }
    }
    return places
  }

  /// The commands that exist only after `:`.
  private var fromScreen: [Place] {
    func choices(_ command: String) -> Set<String> {
      Set(
        Action.allCases.map(\.rawValue).filter { $0.hasPrefix(command + "-") }
          .map { String($0.dropFirst(command.count + 1)) })
    }
    return [
      Place(line: "", words: Set(CommandCatalog.ofProgram.names)),
      Place(line: "sort ", words: choices("sort")),
      Place(line: "section ", words: choices("section")),
      Place(line: "theme ", words: ["calm", "dark"]),
      Place(line: "view ", words: ["week", "work", "save", "delete"]),
      Place(line: "view delete ", words: ["week", "work"]),
      Place(line: "set ", words: Set(SettingKey.changeable.map(\.name))),
    ]
      + SettingKey.changeable.filter { !$0.values.isEmpty }.map {
        Place(line: "set \($0.name) ", words: Set($0.values))
      }
  }

  @Test(
    "every argument with a few values completes: all of them, one by its beginning, after any number of spaces"
  )
  func everyPlace() throws {
    let places = try fromCommandLine() + fromScreen
    #expect(places.count > 20)
    for place in places {
      #expect(offered(place.line) == place.words, "\(place.line)")
      for word in place.words {
        let begun = place.line + word.prefix(2)
        #expect(offered(begun).contains(word), "\(begun)")
        let wide = begun.replacing(" ", with: "   ")
        #expect(offered(wide).contains(word), "\(wide)")
      }
    }
  }

  @Test("a command that is shortened completes as the whole one does")
  func shortened() {
    #expect(offered("sor ol") == ["oldest"])
    #expect(offered("sec w") == ["week"])
    #expect(offered("se w") == [])
  }

  @Test("the text of an entry that a shortened command carries is in no history")
  func histories() {
    let directory = FileManager.default.temporaryDirectory.path + "/histories-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let histories = PromptHistories(directory: directory)
    for line in ["ad secret", "add secret", "edi 1 secret", "calendar"] {
      histories.add(line, for: .command)
    }
    #expect((try? histories.save()) != nil)
    let kept = try? String(contentsOfFile: directory + "/commands", encoding: .utf8)
    #expect(kept == "calendar\n")
  }
}
