/// A sentence for users, in which commands of the program are marked.
///
/// A user types `daybook undo 5` in a shell and `:undo 5` on the screen, so the same error has two
/// texts:
///
/// ```swift
/// let remedy: Sentence = "\(command: "undo 5") undoes the change before"
/// remedy.inShell   // daybook undo 5 undoes the change before
/// remedy.onScreen  // :undo 5 undoes the change before
/// ```
package struct Sentence: Hashable, Sendable, ExpressibleByStringInterpolation {
  fileprivate enum Part: Hashable {
    case words(String)
    case command(String)
  }

  private var parts: [Part]

  /// A sentence without commands.
  package init(_ words: String) { parts = words.isEmpty ? [] : [.words(words)] }

  package init(stringLiteral words: String) { self.init(words) }

  package init(stringInterpolation: Interpolation) { parts = stringInterpolation.parts }

  /// The text where commands are typed in a shell.
  package var inShell: String { text(prefix: "daybook ") }

  /// The text where commands are typed after `:`.
  package var onScreen: String { text(prefix: ":") }

  private func text(prefix: String) -> String {
    parts.map { part in
      switch part {
      case .words(let words): words
      case .command(let command): prefix + command
      }
    }.joined()
  }

  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { append(.words(literal)) }

    package mutating func appendInterpolation(_ sentence: Sentence) {
      for part in sentence.parts { append(part) }
    }

    package mutating func appendInterpolation(_ value: some Any) { append(.words("\(value)")) }

    /// Appends a command of the program with its arguments.
    package mutating func appendInterpolation(command: String) { append(.command(command)) }

    /// Appends a part; equal sentences have equal parts, however they were put together.
    private mutating func append(_ part: Part) {
      guard case .words(let words) = part else { return parts.append(part) }
      guard case .words(let before)? = parts.last else {
        if !words.isEmpty { parts.append(part) }
        return
      }
      parts[parts.count - 1] = .words(before + words)
    }
  }
}
