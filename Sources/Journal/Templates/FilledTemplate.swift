/// A template with its placeholders filled in.
public struct FilledTemplate: Hashable, Sendable {
  /// A word in braces that means nothing, or a format that is none.
  public struct Problem: Hashable, Sendable, CustomStringConvertible {
    /// The template's line, from 1.
    public var line: Int
    /// The word, with its braces.
    public var word: String

    /// Makes a problem.
    public init(line: Int, word: String) {
      self.line = line
      self.word = word
    }

    /// What is wrong, and the nearest that is right, as in `unknown {dat}, did you mean {date}?`.
    public var description: String {
      let names = Template.Placeholder.allCases.map(\.rawValue)
      let name = word.dropFirst().prefix { $0 != ":" && $0 != "}" }
      if names.contains(String(name)) { return "\(word) has a format that is none" }
      let nearest = Suggestion.nearest(to: String(name), among: names)
      let help = nearest.map { ", did you mean {\($0)}?" } ?? "; it stays as it is"
      return "unknown \(word)\(help)"
    }
  }

  /// The text.
  public private(set) var text = ""
  /// Where the writing begins, in bytes of the text; nothing where the template does not say.
  public private(set) var cursor: Int?
  /// What stayed as it was because it means nothing.
  public internal(set) var problems: [Problem] = []
  private var isOnlyItems = false

  /// Makes an empty text.
  public init() {}

  /// The line that the writing begins on, from 1.
  public var cursorLine: Int? {
    cursor.map { text.utf8.prefix($0).count { $0 == UInt8(ascii: "\n") } + 1 }
  }

  /// The text with what somebody wrote: where the writing begins, else on lines of its own at the end.
  public func with(_ writing: String) -> String {
    if let cursor {
      let place = text.utf8.index(text.utf8.startIndex, offsetBy: cursor)
      return String(text[..<place]) + writing + String(text[place...])
    }
    let isClosed = text.isEmpty || text.utf8.last == UInt8(ascii: "\n")
    return text + (isClosed ? "" : "\n") + writing
  }

  mutating func append(_ more: String) {
    var more = Substring(more)
    // A line on which only items that are not there would stand goes altogether.
    if isOnlyItems, more.utf8.first == UInt8(ascii: "\n") {
      more = Substring(more.utf8.dropFirst())
    }
    isOnlyItems = false
    text += more
  }

  mutating func append(items: [String]) {
    let isAtStart = text.isEmpty || text.utf8.last == UInt8(ascii: "\n")
    text += items.joined(separator: "\n")
    isOnlyItems = items.isEmpty && isAtStart
  }

  mutating func markCursor() {
    if cursor == nil { cursor = text.utf8.count }
  }

  /// An empty line of items at the end takes its line feed with it.
  mutating func finish() {
    guard isOnlyItems, text.utf8.last == UInt8(ascii: "\n") else { return }
    text = String(Substring(text.utf8.dropLast()))
    cursor = cursor.map { min($0, text.utf8.count) }
  }
}
