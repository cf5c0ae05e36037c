/// A text for new entries with placeholders: `{date}`, `{time:%H:%M}`, `{open}`.
///
/// A placeholder is a word of small letters in braces, with an optional format after a colon; all
/// other braces are plain text. An unknown word stays unchanged and is reported, so that no part of
/// a template is lost.
package struct Template: Hashable, Sendable {
  /// The placeholders.
  package enum Placeholder: String, CaseIterable, Sendable {
    /// The entry's day, `2026-11-21`, or in a format of `strftime`.
    case date
    /// The time of day in the user's format, or in a format of `strftime`.
    case time
    /// The name of the weekday.
    case weekday
    /// The day of the month, without a leading zero.
    case day
    /// The name of the month, in its form inside dates.
    case month
    case year
    /// The number of the ISO week.
    case week
    /// The day before, `2026-11-20`.
    case yesterday
    /// The open task items of the latest earlier day that has some, one per line.
    case open
    /// The cursor position; it inserts no text.
    case cursor
  }

  /// The values of the placeholders.
  package struct Values {
    /// When the entry is written.
    package var created: Moment
    package var day: Day
    /// The format of dates and times.
    package var style: DateStyle
    /// The open task items of the latest earlier day that has some, unchanged.
    package var openItems: [String]

    package init(created: Moment, day: Day, style: DateStyle, openItems: [String] = []) {
      self.created = created
      self.day = day
      self.style = style
      self.openItems = openItems
    }
  }

  /// The template as written.
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  /// Whether it uses open task items, which must be searched for.
  package var needsOpenItems: Bool {
    pieces.contains { if case .placeholder(.open, _, _, _) = $0 { true } else { false } }
  }

  /// The template with its placeholders replaced.
  ///
  /// - Complexity: linear in the template and the values.
  package func filled(with values: Values) -> FilledTemplate {
    var filled = FilledTemplate()
    for piece in pieces {
      switch piece {
      case .plain(let text): filled.append(text)
      case .unknown(let source, let line):
        filled.append(source)
        filled.problems.append(.init(line: line, word: source))
      case .placeholder(.cursor, _, _, _): filled.markCursor()
      case .placeholder(.open, _, _, _): filled.append(items: values.openItems)
      case .placeholder(let name, let format, let source, let line):
        if let text = values.text(of: name, format) {
          filled.append(text)
        } else {
          filled.append(source)
          filled.problems.append(.init(line: line, word: source))
        }
      }
    }
    filled.finish()
    return filled
  }
}

extension Template.Values {
  /// The value of a placeholder; `nil` if its format is invalid.
  fileprivate func text(of name: Template.Placeholder, _ format: String?) -> String? {
    if let format {
      switch name {
      case .date: return DateFormat(format, .date)?.text(of: day)
      case .time: return DateFormat(format, .time)?.text(of: created)
      default: return nil
      }
    }
    switch name {
    case .date: return day.description
    case .time: return style.text(of: created)
    case .weekday: return style.names.weekdays[day.weekday - 1]
    case .day: return "\(day.day)"
    case .month: return style.names.monthsInDate[day.month - 1]
    case .year: return "\(day.year)"
    case .week: return "\(day.isoWeek.week)"
    case .yesterday: return "\(day.adding(days: -1))"
    case .open, .cursor: return nil
    }
  }
}

extension Template {
  /// A part of a template.
  enum Piece: Equatable {
    /// Plain text.
    case plain(String)
    /// A placeholder, its format, its source text, and its line.
    case placeholder(Placeholder, format: String?, source: String, line: Int)
    /// A word in braces that is not a placeholder.
    case unknown(String, line: Int)
  }

  /// The parts in order.
  var pieces: [Piece] {
    var pieces: [Piece] = []
    var plain = String.UnicodeScalarView()
    var line = 1
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      guard scalar == "{", let word = Self.word(rest) else {
        plain.append(scalar)
        if scalar == "\n" { line += 1 }
        rest.removeFirst()
        continue
      }
      if !plain.isEmpty { pieces.append(.plain(String(plain))) }
      plain = String.UnicodeScalarView()
      let source = String(rest[..<word.end])
      if let placeholder = Placeholder(rawValue: word.name),
        word.format == nil || placeholder.takesFormat
      {
        pieces.append(.placeholder(placeholder, format: word.format, source: source, line: line))
      } else {
        pieces.append(.unknown(source, line: line))
      }
      rest = rest[word.end...]
    }
    if !plain.isEmpty { pieces.append(.plain(String(plain))) }
    return pieces
  }

  private typealias Word = (name: String, format: String?, end: String.UnicodeScalarView.Index)

  /// The word in braces at the start, with its format; `nil` if the braces contain anything else.
  private static func word(_ rest: Substring.UnicodeScalarView) -> Word? {
    let inside = rest.dropFirst()
    let name = inside.prefix { ("a"..."z").contains($0) }
    guard !name.isEmpty, name.endIndex < rest.endIndex else { return nil }
    let next = rest[name.endIndex]
    if next == "}" { return (String(name), nil, rest.index(after: name.endIndex)) }
    guard next == ":" else { return nil }
    let format = rest[rest.index(after: name.endIndex)...].prefix { $0 != "}" && $0 != "\n" }
    guard format.endIndex < rest.endIndex, rest[format.endIndex] == "}" else { return nil }
    return (String(name), String(format), rest.index(after: format.endIndex))
  }
}

extension Template.Placeholder {
  /// Whether it allows a format.
  fileprivate var takesFormat: Bool { self == .date || self == .time }
}

/// A template with its placeholders replaced.
package struct FilledTemplate: Hashable, Sendable {
  /// An unknown word in braces, or an invalid format.
  package struct Problem: Hashable, Sendable, CustomStringConvertible {
    /// The template's line, from 1.
    package var line: Int
    /// The word, with its braces.
    package var word: String

    package init(line: Int, word: String) {
      self.line = line
      self.word = word
    }

    /// The error and the nearest valid word, as in `unknown {dat}, did you mean {date}?`.
    package var description: String {
      let names = Template.Placeholder.allCases.map(\.rawValue)
      let name = word.dropFirst().prefix { $0 != ":" && $0 != "}" }
      if names.contains(String(name)) { return "\(word) has an invalid format" }
      let nearest = Suggestion.nearest(to: String(name), among: names)
      let help = nearest.map { ", did you mean {\($0)}?" } ?? "; it stays unchanged"
      return "unknown \(word)\(help)"
    }
  }

  package private(set) var text = ""
  /// The cursor position, in bytes of the text; `nil` if the template has none.
  package private(set) var cursor: Int?
  /// The placeholders that could not be replaced.
  package internal(set) var problems: [Problem] = []
  private var isOnlyItems = false

  package init() {}

  /// The line of the cursor, from 1.
  package var cursorLine: Int? {
    cursor.map { text.utf8.prefix($0).count { $0 == UInt8(ascii: "\n") } + 1 }
  }

  /// The text with the user's writing at the cursor, or else on separate lines at the end.
  package func with(_ writing: String) -> String {
    if let cursor {
      let place = text.utf8.index(text.utf8.startIndex, offsetBy: cursor)
      return String(text[..<place]) + writing + String(text[place...])
    }
    let isClosed = text.isEmpty || text.utf8.last == UInt8(ascii: "\n")
    return text + (isClosed ? "" : "\n") + writing
  }

  mutating func append(_ more: String) {
    var more = Substring(more)
    // A line with only an empty list of items is removed completely.
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

  mutating func replace(text: String) {
    self.text = text
    cursor = cursor.map { min($0, text.utf8.count) }
  }

  mutating func move(cursorBy bytes: Int) { cursor = cursor.map { $0 + bytes } }

  mutating func markCursor() {
    if cursor == nil { cursor = text.utf8.count }
  }

  /// An empty line of items at the end is removed with its line feed.
  mutating func finish() {
    guard isOnlyItems, text.utf8.last == UInt8(ascii: "\n") else { return }
    text = String(Substring(text.utf8.dropLast()))
    cursor = cursor.map { min($0, text.utf8.count) }
  }
}
