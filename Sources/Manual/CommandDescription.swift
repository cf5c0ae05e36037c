/// A command as the argument parser's dump describes it.
struct CommandDescription: Decodable {
  /// The dump as a whole.
  struct Document: Decodable {
    var command: CommandDescription
  }

  var commandName: String
  var abstract: String?
  var discussion: String?
  var arguments: [ArgumentDescription]?
  var subcommands: [CommandDescription]?
  var shouldDisplay: Bool?

  /// The discussion without its examples.
  var explanation: String {
    guard let discussion else { return "" }
    let lines = discussion.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.prefix { !Self.examplesBegin($0) }.joined(separator: "\n")
  }

  /// The examples, a command line each.
  var examples: [String] {
    guard let discussion else { return [] }
    let lines = discussion.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { !Self.examplesBegin($0) }.dropFirst().map {
      String($0.drop { $0 == " " })
    }
    .filter { !$0.isEmpty }
  }

  private static func examplesBegin(_ line: Substring) -> Bool {
    line == "Examples:" || line == "Example:"
  }
}

/// An option, a flag or an argument of a command.
struct ArgumentDescription: Decodable, Hashable {
  /// A way to write it.
  struct Name: Decodable, Hashable {
    var kind: String
    var name: String

    /// The name with its hyphens.
    var written: String { kind == "long" ? "--\(name)" : "-\(name)" }
  }

  var kind: String
  var names: [Name]?
  var valueName: String?
  var abstract: String?
  var isOptional: Bool
  var isRepeating: Bool
  var shouldDisplay: Bool
  var allValues: [String]?
  var defaultValue: String?

  /// The names with hyphens, the short ones first.
  var written: [String] {
    (names ?? []).sorted { $0.kind > $1.kind }.map(\.written)
  }
}
