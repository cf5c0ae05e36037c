import ArgumentParser
import Journal
import Screen

/// The arrangement of a command's words for the argument parser.
enum WordOrder: Equatable {
  /// Options and words in any order.
  case plain
  /// Names of entries, which never begin with a minus, or `--where` and a query.
  case entries
  /// Free text or a query, in which `-term` and `-5` are text at any position.
  case text
}

/// A command that declares how its words are arranged; the default is plain.
protocol WordOrdering {
  static var wordOrder: WordOrder { get }
}

/// Parses command lines: arranges the words for the argument parser, and turns its errors into
/// messages for people.
enum CommandParser {
  /// Parses words after ``arranged(_:commands:)``.
  ///
  /// Each start of the program waits for it, so only the named command is set up; the setup of the
  /// whole program, with the messages for its errors and its help, follows if that fails.
  ///
  /// - Throws: the parser's errors, for ``help(_:)`` and ``failure(_:_:isOnScreen:)``.
  static func parse(_ words: [String]) throws -> any ParsableCommand {
    if let command = words.first.flatMap(command(named:)),
      command.configuration.subcommands.isEmpty,
      let parsed = try? command.parseAsRoot(Array(words.dropFirst())),
      // `--help` is parsed as another command.
      type(of: parsed) == command
    {
      return parsed
    }
    return try Daybook.parseAsRoot(words)
  }

  /// Whether a command takes a text or a query.
  static func takesText(_ name: String?) -> Bool {
    let command = name.flatMap(command(named:)) as? any WordOrdering.Type
    return command?.wordOrder == .text
  }

  private static func command(named name: String) -> (any ParsableCommand.Type)? {
    Daybook.commandTypes.first { $0.configuration.commandName == name }
  }

  /// The help or version text that an error requests.
  ///
  /// - Parameter columns: the width of its lines; `nil` for that of standard output.
  static func help(_ error: any Error, columns: Int? = nil) -> String? {
    guard !(error is Failure), Daybook.exitCode(for: error) == .success else { return nil }
    let columns = columns ?? Output().textColumns
    let text = Daybook.fullMessage(for: error, columns: columns)
    if text == Daybook.helpMessage(columns: columns) { return ProgramHelp(columns: columns).text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      // The parser wraps everything but this line.
      line.hasPrefix("USAGE: ")
        ? String(line).wrapped(columns: columns, indentation: 7).joined(separator: "\n")
        : String(line)
    }.joined(separator: "\n")
  }

  /// The failure for an error of parsing or running a command.
  static func failure(_ error: any Error, _ words: [String], isOnScreen: Bool = false) -> Failure {
    if let failure = error as? Failure { return failure }
    guard Daybook.exitCode(for: error) == .validationFailure else {
      return Failure(explaining: error)
    }
    return Failure(usage: Daybook.message(for: error), words, isOnScreen: isOnScreen)
  }

  /// Moves global options from before the command's name to after it, checks the name, and
  /// separates options from text.
  ///
  /// - Throws: ``Failure`` 64 for an unknown command, with the nearest name.
  static func arranged(
    _ words: [String], commands: [String] = Daybook.commandNames
  ) throws(Failure) -> [String] {
    let options = leadingOptions(words)
    guard options.count < words.count else { return ["screen"] + words }
    let name = words[options.count]
    if name.hasPrefix("-") {
      return words.contains(where: isForParser) ? words : ["screen"] + words
    }
    guard commands.contains(name) else { throw unknown(name, commands) }
    if name == "help" {
      let topic = words[(options.count + 1)...].first { !$0.hasPrefix("-") }
      if let topic, !commands.contains(topic) { throw unknown(topic, commands) }
      return Array(words[options.count...])
    }
    let rest = Array(options + words[(options.count + 1)...])
    let command = command(named: name)
    let order = (command as? any WordOrdering.Type)?.wordOrder ?? .plain
    guard let values = valueOptions(of: command, in: rest) else {
      return [name] + (order == .entries ? try withoutUnknownFlags(rest) : rest)
    }
    switch order {
    case .text: return [name] + parted(rest, values)
    case .plain: return [name] + withValuesJoined(rest, values)
    case .entries:
      let joined = withQueryJoined(withValuesJoined(rest, values), values)
      return [name] + (try withoutUnknownFlags(joined))
    }
  }

  /// The options of a command that take a value, by the parser's own description of it; `nil` if the
  /// parser needs no arrangement.
  ///
  /// The description takes some milliseconds, so it is asked for only if the parser could take a text
  /// or a value for an option: a word with one minus, or a word with a minus after an option.
  private static func valueOptions(
    of command: (any ParsableCommand.Type)?, in words: [String]
  ) -> Set<String>? {
    let words = words.prefix { $0 != "--" }
    let isOption = words.map { $0.hasPrefix("-") && $0 != "-" }
    let others = zip(words, isOption).filter {
      $0.1 && !flags.contains($0.0) && !globalValues.contains($0.0)
    }
    guard !others.isEmpty else { return globalValues }
    let isUnambiguous =
      others.allSatisfy { isLongOption($0.0) && $0.0 != "--where" }
      && !zip(isOption, isOption.dropFirst()).contains { $0 && $1 }
    guard !isUnambiguous else { return nil }
    guard let command, let dump = try? JSONValue(Array(command._dumpHelp().utf8)),
      let arguments = dump["command"]?["arguments"]?.array
    else { return globalValues }
    return arguments.filter { $0["kind"]?.string == "option" }
      .flatMap { $0["names"]?.array ?? [] }
      .reduce(into: globalValues) { names, name in
        guard let word = name["name"]?.string else { return }
        names.insert((name["kind"]?.string == "long" ? "--" : "-") + word)
      }
  }

  /// Joins options with their values as `--option=value`, so that errors refer to the value.
  private static func withValuesJoined(_ words: [String], _ options: Set<String>) -> [String] {
    var result: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" { return result + [word] + rest }
      let isNegative = rest.first.map { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0 != "-" }
      guard options.contains(word), isNegative == true, let value = rest.popFirst() else {
        result.append(word)
        continue
      }
      result += joined(word, value)
    }
    return result
  }

  /// The options that are known without the parser's description: those before the command's name, and
  /// `--no-pager`.
  ///
  /// A test compares them with the description.
  static let flags: Set = ["--read-only", "--frames", "--no-pager"]
  static let globalValues: Set = ["--journal", "--color"]

  /// Whether the parser itself handles the word, such as `--help`.
  private static func isForParser(_ word: String) -> Bool {
    ["-h", "--help", "--version", "--help-hidden", "--experimental-dump-help", "---completion"]
      .contains(word) || word.hasPrefix("--generate-completion-script")
  }

  private static func leadingOptions(_ words: [String]) -> ArraySlice<String> {
    var end = 0
    while end < words.count {
      let name = String(words[end].prefix { $0 != "=" })
      if flags.contains(words[end]) {
        end += 1
      } else if globalValues.contains(name) {
        end += name == words[end] ? 2 : 1
      } else {
        break
      }
    }
    return words[..<min(end, words.count)]
  }

  /// Arranges options, then `--`, then the text: `-term` and `-5` are text at any position, but a
  /// misspelled `--option` is not.
  private static func parted(_ words: [String], _ values: Set<String>) -> [String] {
    var options: [String] = []
    var text: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        text += rest
        break
      }
      if isLongOption(word) {
        let value = values.contains(word) ? rest.popFirst() : nil
        options += value.map { joined(word, $0) } ?? [word]
      } else if values.contains(word) {
        options += [word] + (rest.popFirst().map { [$0] } ?? [])
      } else if word == "-h" {
        options.append(word)
      } else {
        text.append(word)
      }
    }
    return options + ["--"] + text
  }

  /// Whether a word is an option and no text: the name of an option has no white space and begins
  /// with a letter.
  private static func isLongOption(_ word: String) -> Bool {
    guard word.hasPrefix("--"), let first = word.dropFirst(2).first, first.isLetter else {
      return false
    }
    return !word.prefix { $0 != "=" }.contains(where: \.isWhitespace)
  }

  /// The parser treats `-1` as an option, and would report a missing value.
  private static func joined(_ option: String, _ value: String) -> [String] {
    value.hasPrefix("-") ? ["\(option)=\(value)"] : [option, value]
  }

  /// Joins the words after `--where` into one value: in a query `-term` is not an option.
  private static func withQueryJoined(_ words: [String], _ values: Set<String>) -> [String] {
    guard let start = words.prefix(while: { $0 != "--" }).firstIndex(of: "--where") else {
      return words
    }
    let parts = parted(Array(words[(start + 1)...]), values)
    let end = parts.firstIndex(of: "--") ?? parts.endIndex
    let query = parts[min(end + 1, parts.count)...].joined(separator: " ")
    return words[..<start] + parts[..<end] + ["--where=\(query)"]
  }

  /// Rejects a name that begins with a minus; the parser would report missing names first.
  private static func withoutUnknownFlags(_ words: [String]) throws(Failure) -> [String] {
    for word in words.prefix(while: { $0 != "--" }) where isUnknownFlag(word) {
      throw Failure(.usage, "\(word): no such option; put a query with -term after --where")
    }
    return words
  }

  private static func isUnknownFlag(_ word: String) -> Bool {
    word.hasPrefix("-") && !word.hasPrefix("--") && word != "-" && word != "-h"
  }

  private static func unknown(_ name: String, _ commands: [String]) -> Failure {
    let nearest = Spelling.nearest(to: name, among: commands)
    let advice = nearest.map { "did you mean \($0)?" } ?? "daybook --help lists them"
    return Failure(.usage, "\(name): no such command; \(advice)")
  }
}

extension String {
  /// A help text with each paragraph on one line: the argument parser wraps it to the terminal.
  ///
  /// Indented lines, such as examples, and the line before them are unchanged.
  var reflowed: String {
    // Every start of the program reads the texts of all commands, so bytes rather than characters.
    var result: [UInt8] = []
    var isInParagraph = false
    for line in Array(utf8).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    {
      let isText = !line.isEmpty && line.first != UInt8(ascii: " ")
      if line.startIndex > 0 {
        result.append(UInt8(ascii: isInParagraph && isText ? " " : "\n"))
      }
      result += line
      isInParagraph = isText && line.last != UInt8(ascii: ":")
    }
    return String(decoding: result, as: UTF8.self)
  }
}
