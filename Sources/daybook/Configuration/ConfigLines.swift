/// Finds the lines of the keys in a valid TOML text.
///
/// It skips values without decoding them, since a string may contain text that looks like a key.
struct ConfigLines {
  private let text: [Unicode.Scalar]
  private var place = 0
  private var line = 1
  private var found: [[String]: Int] = [:]

  init(_ text: String) {
    self.text = Array(text.unicodeScalars)
  }

  /// The line of each key and of each table, by path.
  mutating func lines() -> [[String]: Int] {
    var table: [String] = []
    while let scalar = next {
      switch scalar {
      case "#": skipComment()
      case " ", "\t", "\r", "\n", "\u{FEFF}": advance()
      case "[":
        while next == "[" { advance() }
        table = key()
        note(table)
        while next == "]" { advance() }
      default: assignment(in: table)
      }
    }
    return found
  }

  private var next: Unicode.Scalar? { place < text.count ? text[place] : nil }

  private mutating func advance() {
    if text[place] == "\n" { line += 1 }
    place += 1
  }

  private mutating func note(_ path: [String]) {
    if found[path] == nil { found[path] = line }
  }

  private mutating func skipComment() {
    while let scalar = next, scalar != "\n" {
      _ = scalar
      advance()
    }
  }

  private mutating func skipBlanks() {
    while let scalar = next, scalar == " " || scalar == "\t" { advance() }
  }

  /// A key with its value.
  private mutating func assignment(in table: [String]) {
    let start = place
    let path = table + key()
    note(path)
    if next == "=" { advance() }
    value(of: path)
    // A character that is invalid here must not block the scan.
    if place == start { advance() }
  }

  /// The names of a dotted key, up to the character after it.
  private mutating func key() -> [String] {
    var names: [String] = []
    while true {
      skipBlanks()
      guard let scalar = next else { return names }
      if scalar == "\"" || scalar == "'" {
        names.append(string())
      } else {
        var name = String.UnicodeScalarView()
        while let scalar = next, !".=] \t\r\n".unicodeScalars.contains(scalar) {
          name.append(scalar)
          advance()
        }
        names.append(String(name))
      }
      skipBlanks()
      guard next == "." else { return names }
      advance()
    }
  }

  private mutating func value(of path: [String]) {
    skipBlanks()
    switch next {
    case "\"", "'": _ = string()
    case "[": inside("]") { $0.value(of: path + ["[]"]) }
    case "{": inside("}") { $0.assignment(in: path) }
    default:
      while let scalar = next, !",]}#\n".unicodeScalars.contains(scalar) {
        _ = scalar
        advance()
      }
    }
  }

  /// Scans a list or an inline table: `part` reads what is between commas, blanks and comments.
  private mutating func inside(_ end: Unicode.Scalar, _ part: (inout ConfigLines) -> Void) {
    advance()
    while let scalar = next {
      switch scalar {
      case end: return advance()
      case "#": skipComment()
      case ",", " ", "\t", "\r", "\n": advance()
      default: part(&self)
      }
    }
  }

  /// A string of any of the four kinds; returns its contents with one-letter escapes decoded.
  private mutating func string() -> String {
    guard let quote = next else { return "" }
    let isLong = text[place...].prefix(3).count(where: { $0 == quote }) == 3
    let closing = isLong ? 3 : 1
    for _ in 0..<closing { advance() }
    var content = String.UnicodeScalarView()
    while let scalar = next {
      if scalar == quote, text[place...].prefix(closing).allSatisfy({ $0 == quote }),
        text[place...].count >= closing
      {
        // Up to two quotes may precede the three that end a long string.
        while next == quote { advance() }
        break
      }
      if scalar == "\\", quote == "\"" {
        advance()
        if let escaped = next, escaped != "\\", escaped != "\"" { content.append("\\") }
      }
      guard let plain = next else { break }
      content.append(plain)
      advance()
    }
    return String(content)
  }
}
