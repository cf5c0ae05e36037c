/// Text for a manual page, in the macros of `man`.
enum Roff {
  /// Text as it is: no character of it means anything to the formatter.
  static func plain(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      default: result.append(character)
      }
    }
    return result
  }

  /// Text that begins a line, where a full stop would begin a request.
  static func line(_ text: String) -> String {
    let escaped = plain(text)
    return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
  }

  static func bold(_ text: String) -> String { "\\fB\(plain(text))\\fR" }

  static func italic(_ text: String) -> String { "\\fI\(plain(text))\\fR" }

  /// Running text: lines of a paragraph are filled, lines that are indented stand as they are.
  static func paragraphs(_ text: String) -> [String] {
    var lines: [String] = []
    var isBlank = true
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.allSatisfy({ $0 == " " }) {
        isBlank = true
        continue
      }
      if isBlank, !lines.isEmpty { lines.append(".PP") }
      isBlank = false
      // One sentence a line is what formatters want: they know where one ends.
      lines += sentences(line).flatMap { wrapped($0) }.map(Roff.line)
    }
    return lines
  }

  /// Lines of at most 60 characters, a few more where one of them is escaped.
  private static func wrapped(_ sentence: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in sentence.split(separator: " ") {
      if !line.isEmpty, line.count + word.count > 60 {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    return lines + [line]
  }

  private static func sentences(_ line: Substring) -> [String] {
    var parts: [String] = []
    var part = ""
    for word in line.split(separator: " ") {
      part += part.isEmpty ? String(word) : " \(word)"
      if let last = word.last, ".?!".contains(last), word.count > 2 {
        parts.append(part)
        part = ""
      }
    }
    return part.isEmpty ? parts : parts + [part]
  }

  /// Lines that stand as they are, in a fixed font.
  static func example(_ lines: [String]) -> [String] {
    [".PP", ".RS 4", ".nf"] + lines.map(Roff.line) + [".fi", ".RE"]
  }

  /// A term and what it means.
  static func item(_ term: String, _ text: String) -> [String] {
    [".TP", term] + (text.isEmpty ? ["\\&"] : paragraphs(text))
  }
}
