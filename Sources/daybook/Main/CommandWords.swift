import Screen

/// Rearranges the arguments of a command line for the parser.
enum CommandWords {
  /// Moves global options from before the command to after it, checks the command, and separates
  /// options from text for commands that accept text.
  ///
  /// - Throws: ``Failure`` 64 for an unknown command, with the nearest one.
  static func arranged(_ words: [String], commands: [String]) throws(Failure) -> [String] {
    let options = leadingOptions(words)
    guard options.count < words.count else { return ["screen"] + words }
    let name = words[options.count]
    if name.hasPrefix("-") {
      return words.contains(where: isForParser) ? words : ["screen"] + words
    }
    guard commands.contains(name) else { throw unknown(name, commands) }
    if name == "help" { return Array(words[options.count...]) }
    let rest = Array(options + words[(options.count + 1)...])
    if takingText.contains(name) { return [name] + parted(rest, shortOptions[name] ?? []) }
    let joined = withValuesJoined(rest, name)
    guard takingEntries.contains(name) else { return [name] + joined }
    return [name] + (try withoutUnknownFlags(withQueryJoined(joined)))
  }

  /// Options whose values may begin with a minus by mistake, of commands without text.
  private static let valueOptions: [String: Set<String>] = [
    "redate": ["--date"], "tag": ["--tag"], "untag": ["--tag"], "purge": ["--older"],
    "history": ["--restore"], "play": ["--speed"], "demo": ["--speed"],
  ]

  /// Joins these options with their values, so that the parser's error refers to the value.
  private static func withValuesJoined(_ words: [String], _ name: String) -> [String] {
    guard let options = valueOptions[name] else { return words }
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

  private static let takingText: Set = ["add", "edit", "list", "stats", "watch", "export"]
  /// Options of one letter, all with a value, of commands that accept text.
  private static let shortOptions: [String: Set<String>] = ["export": ["-o"]]
  private static let takingEntries: Set = [
    "show", "delete", "restore", "star", "unstar", "tag", "untag", "redate",
  ]
  private static let flags: Set = ["--read-only", "--frames"]
  private static let withValue: Set = [
    "--journal", "--color", "--limit", "--offset", "--sort", "--section", "--format", "--date",
    "--tag", "--template", "--output", "--id", "--year",
  ]

  /// Whether the parser itself answers the word for the whole program.
  private static func isForParser(_ word: String) -> Bool {
    ["-h", "--help", "--version", "--help-hidden", "--experimental-dump-help", "---completion"]
      .contains(word) || word.hasPrefix("--generate-completion-script")
  }

  private static func leadingOptions(_ words: [String]) -> ArraySlice<String> {
    var end = 0
    while end < words.count {
      let name = words[end].prefix { $0 != "=" }
      if flags.contains(words[end]) {
        end += 1
      } else if name == "--journal" || name == "--color" {
        end += name == words[end][...] ? 2 : 1
      } else {
        break
      }
    }
    return words[..<min(end, words.count)]
  }

  /// Options first, then `--`, then the text: so `-term` and `-5` are text in any position, but a
  /// mistyped `--option` is not.
  private static func parted(_ words: [String], _ short: Set<String> = []) -> [String] {
    var options: [String] = []
    var text: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        text += rest
        break
      }
      if word.hasPrefix("--"), word.count > 2 {
        let value = withValue.contains(word) ? rest.popFirst() : nil
        options += value.map { joined(word, $0) } ?? [word]
      } else if short.contains(word) {
        options += [word] + (rest.popFirst().map { [$0] } ?? [])
      } else if word == "-h" {
        options.append(word)
      } else {
        text.append(word)
      }
    }
    return options + ["--"] + text
  }

  /// The parser treats `-1` as an option, and reports a missing value.
  private static func joined(_ option: String, _ value: String) -> [String] {
    value.hasPrefix("-") ? ["\(option)=\(value)"] : [option, value]
  }

  /// Joins the words after `--where` into one value: they are a query, in which `-term` is not an
  /// option.
  private static func withQueryJoined(_ words: [String]) -> [String] {
    guard let start = words.prefix(while: { $0 != "--" }).firstIndex(of: "--where") else {
      return words
    }
    let parts = parted(Array(words[(start + 1)...]))
    let end = parts.firstIndex(of: "--") ?? parts.endIndex
    let query = parts[min(end + 1, parts.count)...].joined(separator: " ")
    return words[..<start] + parts[..<end] + ["--where=\(query)"]
  }

  /// A name of an entry never begins with a minus; the parser would report missing names first.
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
