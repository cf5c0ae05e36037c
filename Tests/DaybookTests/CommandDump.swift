import Foundation
import Testing

/// The argument parser's description of the commands.
struct CommandDump: Decodable {
  struct Name: Decodable, Hashable {
    var kind: String
    var name: String
  }

  /// An option, a flag or a word.
  struct Argument: Decodable {
    var kind: String
    var names: [Name]?
    var abstract: String?
    var allValues: [String]?
    var isOptional: Bool
    var isRepeating: Bool
    var shouldDisplay: Bool
  }

  struct Command: Decodable {
    var commandName: String
    var abstract: String?
    var discussion: String?
    var arguments: [Argument]?
    var subcommands: [Command]?
  }

  var command: Command

  /// The commands below the program itself.
  static func commands(_ program: Program) throws -> [Command] {
    let dump = try program.run(["--experimental-dump-help"])
    let root = try JSONDecoder().decode(CommandDump.self, from: Data(dump.output.utf8)).command
    return try #require(root.subcommands)
  }
}

/// The definitions of the commands, which the argument parser itself looks over in a debug build only.
struct CommandDefinitionTests {
  @Test("no command has two options of one name, or a word that another one would swallow")
  func definitions() throws {
    let commands = try CommandDump.commands(try Program())
    #expect(commands.count > 20)
    for command in commands {
      let names = (command.arguments ?? []).flatMap { $0.names ?? [] }
      #expect(Set(names).count == names.count, "\(command.commandName)")
      let words = (command.arguments ?? []).filter { $0.kind == "positional" }
      #expect(words.dropLast().allSatisfy { !$0.isRepeating }, "\(command.commandName)")
      let required = words.drop { !$0.isOptional }
      #expect(required.allSatisfy { $0.isOptional }, "\(command.commandName)")
    }
  }
}
