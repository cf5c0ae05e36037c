/// Parses key files, a notation for typed input.
///
/// Text is literal, keys are written as `<Enter>`; line ends are ignored and lines that begin with
/// `#` are comments. Between `<Paste>` and `</Paste>` everything is literal, including line ends.
/// `<Say text>` shows a caption while the script continues, and `<Say>` removes it; `<Run words>`
/// runs a command in another process.
package enum KeyScript {
  /// One step of a key file.
  package enum Step: Hashable, Sendable {
    /// A key or a paste.
    case event(KeyEvent)
    /// A pause in milliseconds.
    case wait(milliseconds: Int)
    /// A caption for viewers; an empty one removes the last caption.
    case say(String)
    /// The arguments of a command for another process.
    case run(String)
  }

  /// The position of a step in its file.
  package struct Position: Hashable, Sendable {
    /// The line, from 1.
    package let line: Int
    /// The column in characters, from 1.
    package let column: Int
  }

  /// Parses a whole key file.
  ///
  /// - Throws: ``KeyScriptError`` for an unknown key, with its position.
  package static func parse(_ text: String) throws(KeyScriptError) -> [Step] {
    try positioned(text).map(\.step)
  }

  /// Parses a whole key file into its steps and their positions.
  ///
  /// - Throws: ``KeyScriptError`` for an unknown key, with its position.
  package static func positioned(
    _ text: String
  ) throws(KeyScriptError) -> [(step: Step, position: Position)] {
    var reader = KeyScriptReader(text: text)
    return try reader.read()
  }
}

extension KeyEvent {
  /// The event as a key file has it; empty for the mouse and for answers of the terminal, which have no
  /// notation.
  package var script: String {
    switch self {
    // A typed ^J has the name of Enter, and is a new line in an entry.
    case .stroke(let stroke): stroke.bytes == [0x0A] ? "<C-j>" : stroke.name
    case .paste(let bytes): "<Paste>\(String(decoding: bytes, as: UTF8.self))</Paste>"
    case .mouse, .report: ""
    }
  }
}

/// Parses a key file in one pass and tracks the position for messages.
struct KeyScriptReader {
  private let characters: [Unicode.Scalar]
  private var index = 0
  private var line = 1
  private var lineStart = 0
  private var steps: [(step: KeyScript.Step, position: KeyScript.Position)] = []

  init(text: String) {
    characters = Array(text.unicodeScalars)
  }

  mutating func read() throws(KeyScriptError) -> [(
    step: KeyScript.Step, position: KeyScript.Position
  )] {
    while index < characters.count {
      let character = characters[index]
      if character == "#", index == lineStart {
        skipLine()
      } else if character == "\n" || character == "\r" {
        advance()
      } else if character == "<" {
        try readToken()
      } else {
        type(character)
        advance()
      }
    }
    return steps
  }

  private mutating func advance() {
    if characters[index] == "\n" {
      line += 1
      lineStart = index + 1
    }
    index += 1
  }

  private mutating func skipLine() {
    while index < characters.count, characters[index] != "\n" { advance() }
  }

  private mutating func type(_ character: Unicode.Scalar) {
    if let stroke = KeyStroke(named: String(Character(character))) {
      add(.event(.stroke(stroke)), at: here)
    }
  }

  private var here: KeyScript.Position {
    KeyScript.Position(line: line, column: index - lineStart + 1)
  }

  private mutating func add(_ step: KeyScript.Step, at position: KeyScript.Position) {
    steps.append((step, position))
  }

  private mutating func readToken() throws(KeyScriptError) {
    let start = index
    var end = index + 1
    while end < characters.count, characters[end] != ">", characters[end] != "\n" { end += 1 }
    // `<C->>` is the name of the key `>` with Control.
    if end + 1 < characters.count, characters[end - 1] == "-", characters[end + 1] == ">" {
      end += 1
    }
    guard end < characters.count, characters[end] == ">" else { throw unknown(start..<end) }
    let token = text(start..<(end + 1))
    let position = here
    index = end + 1
    if token == "<Paste>" { return try readPaste(from: start, at: position) }
    if let milliseconds = Self.wait(token) {
      add(.wait(milliseconds: milliseconds), at: position)
    } else if let words = Self.words(of: token, behind: "Say") {
      add(.say(words), at: position)
    } else if let words = Self.words(of: token, behind: "Run"), !words.isEmpty {
      add(.run(words), at: position)
    } else if let stroke = KeyStroke(named: token) {
      add(.event(.stroke(stroke)), at: position)
    } else {
      throw unknown(start..<(end + 1))
    }
  }

  private mutating func readPaste(
    from start: Int, at position: KeyScript.Position
  ) throws(KeyScriptError) {
    let unclosed = KeyScriptError(
      .unclosed, text(start..<index), line: position.line, column: position.column)
    let mark = Array("</Paste>".unicodeScalars)
    let begin = index
    while index < characters.count {
      if characters[index] == "<", characters[index...].starts(with: mark) {
        add(.event(.paste(Array(text(begin..<index).utf8))), at: position)
        index += mark.count
        return
      }
      advance()
    }
    throw unclosed
  }

  private static func wait(_ token: String) -> Int? {
    guard token.hasPrefix("<Wait "), token.hasSuffix(">") else { return nil }
    let amount = token.dropFirst(6).dropLast()
    if amount.hasSuffix("ms") { return natural(amount.dropLast(2), below: 3_600_000) }
    guard amount.hasSuffix("s") else { return nil }
    return natural(amount.dropLast(), below: 3_600).map { $0 * 1_000 }
  }

  /// The text after a directive and a space; empty after the directive alone.
  private static func words(of token: String, behind name: String) -> String? {
    if token == "<\(name)>" { return "" }
    guard token.hasPrefix("<\(name) ") else { return nil }
    return String(token.dropFirst(name.count + 2).dropLast())
  }

  private static func natural(_ text: Substring, below limit: Int) -> Int? {
    guard let number = Int(text), number >= 0, number <= limit else { return nil }
    return number
  }

  private func text(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: characters[range])
    return String(text)
  }

  private func unknown(_ range: Range<Int>) -> KeyScriptError {
    let token = text(range)
    let isDirective = ["<Wait", "<Run"].contains { token.hasPrefix($0) }
    return KeyScriptError(
      isDirective ? .argument : .unknown, token, line: line,
      column: range.lowerBound - lineStart + 1)
  }
}

/// An error in a key file, with its position.
package struct KeyScriptError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  package enum Kind: Hashable, Sendable {
    /// No key has this name.
    case unknown
    /// A `<Paste>` without its end.
    case unclosed
    /// A `<Wait>` or `<Run>` without a valid argument.
    case argument
  }

  /// The kind of error.
  package let kind: Kind

  /// The invalid token.
  package let token: String

  /// The line, from 1.
  package let line: Int

  /// The column in characters, from 1.
  package let column: Int

  /// One line with the error, its position and the remedy.
  package var description: String { "line \(line), \(message)" }

  /// The same without the line, for callers that print file and line first.
  package var message: String {
    let error =
      switch kind {
      case .unknown: "unknown key \(token) (write <lt> for a plain <)"
      case .unclosed: "\(token) without </Paste>"
      case .argument: "\(token) is not a step; write for example <Wait 500ms> or <Run add text>"
      }
    return "column \(column): \(error)"
  }

  init(_ kind: Kind, _ token: String, line: Int, column: Int) {
    (self.kind, self.token, self.line, self.column) = (kind, token, line, column)
  }
}
