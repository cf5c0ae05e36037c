import Journal

/// Text for a manual page, in the macros of `man`.
enum Roff {
  /// The request that names a page, its section, and the release.
  static func title(_ name: String, _ section: String, volume: String) -> String {
    #".TH \#(plain(name)) \#(section) \#(Release.date) "daybook \#(Release.version)" "\#(volume)""#
  }

  /// Plain text, without any meaning to the formatter.
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

  /// Text at the start of a line, where a full stop would begin a request.
  static func line(_ text: String) -> String {
    let escaped = plain(text)
    return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
  }

  static func bold(_ text: String) -> String { "\\fB\(plain(text))\\fR" }

  static func italic(_ text: String) -> String { "\\fI\(plain(text))\\fR" }

  /// Running text: lines of a paragraph are filled, indented lines stay unchanged.
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
      // One sentence per line: formatters need to know the ends of sentences.
      lines += sentences(line).flatMap { wrapped($0) }.map(Roff.line)
    }
    return lines
  }

  /// Text with its fonts in lines, of which none begins with a request.
  static func filled(_ text: String) -> [String] {
    wrapped(text).map { $0.hasPrefix(".") ? "\\&" + $0 : $0 }
  }

  /// Lines of at most 60 characters, slightly more with escapes.
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

  /// Preformatted lines, in a fixed font.
  static func example(_ lines: [String]) -> [String] {
    [".PP", ".RS 4", ".nf"] + lines.map(Roff.line) + [".fi", ".RE"]
  }

  /// A term and its description.
  static func item(_ term: String, _ text: String) -> [String] {
    [".TP", term] + (text.isEmpty ? ["\\&"] : paragraphs(text))
  }
}
