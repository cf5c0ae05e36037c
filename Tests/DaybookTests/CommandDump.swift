import Foundation
import Testing

@testable import daybook

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

  @Test("the parser's own description has the options that are known without it")
  func knownOptions() throws {
    let commands = try CommandDump.commands(try Program()).filter { $0.commandName != "help" }
    let names = { (command: CommandDump.Command, kind: String) in
      Set(
        (command.arguments ?? []).filter { $0.kind == kind }.flatMap { $0.names ?? [] }
          .filter { $0.kind == "long" }.map { "--\($0.name)" })
    }
    let values = commands.map { names($0, "option") }
    let flags = commands.map { names($0, "flag") }
    let shared = { (sets: [Set<String>]) in sets.dropFirst().reduce(sets[0]) { $0.intersection($1) }
    }
    #expect(shared(values) == CommandParser.globalValues)
    let others = shared(flags).subtracting(["--help", "--version"])
    #expect(others.isSubset(of: CommandParser.flags))
    let more = CommandParser.flags.subtracting(others)
    #expect(more.allSatisfy { flag in flags.contains { $0.contains(flag) } })
    #expect(values.allSatisfy { $0.isDisjoint(with: CommandParser.flags) })
  }
}
