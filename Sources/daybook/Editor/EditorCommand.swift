import Files

/// The words of an editor's shell command.
enum EditorCommand {
  /// Programs that start the program after them, with the options that take the next word.
  private static let starters: [String: Set<String>] = [
    "env": ["-u", "--unset", "-C", "--chdir"], "exec": ["-a"], "command": [], "builtin": [],
    "nice": ["-n", "--adjustment"], "ionice": ["-c", "-n", "--class", "--classdata"],
    "nohup": [], "setsid": [], "time": ["-f", "-o"], "chrt": [],
    "stdbuf": ["-i", "-o", "-e"], "sudo": ["-u", "-g", "-h", "-p"], "doas": ["-u", "-C"],
  ]

  /// The word that names the program which gets the arguments after the command: the last one's,
  /// behind its assignments and programs that only start another.
  ///
  /// - Returns: the word without quotes; empty if there is none.
  static func program(of command: String) -> String {
    var words = lastWords(of: command)[...]
    var takesValue: Set<String>?
    while let word = words.first {
      if let options = takesValue, word.hasPrefix("-"), word.count > 1 {
        words = words.dropFirst(options.contains(word) ? 2 : 1)
      } else if isAssignment(word) {
        words = words.dropFirst()
      } else if let options = starters[Directory.name(of: word)] {
        takesValue = options
        words = words.dropFirst()
      } else {
        return word
      }
    }
    return ""
  }

  private static func isAssignment(_ word: String) -> Bool {
    guard let equals = word.firstIndex(of: "="), let first = word.first else { return false }
    return (first.isLetter || first == "_")
      && word[..<equals].allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  /// The words of the last command, as a shell splits them, without quotes.
  private static func lastWords(of command: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in command {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace || ";&|(){}".contains(character) {
        if let ended = word { words.append(ended) }
        word = nil
        if ";&|(".contains(character) { words = [] }
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + [word].compactMap(\.self)
  }
}
