/// A text for new entries with places in it that are filled in when one is written: `{date}`,
/// `{time:%H:%M}`, `{open}`.
///
/// A placeholder is a word of small letters in braces, perhaps with a format behind a colon; all other
/// braces stand for themselves. A word that is no placeholder stays as it is and is told, so that
/// nothing of a template is ever lost.
package struct Template: Hashable, Sendable {
  /// What a placeholder may be.
  package enum Placeholder: String, CaseIterable, Sendable {
    /// The entry's day, `2026-11-21`, or in a format of `strftime`.
    case date
    /// The time of day, as the user writes times, or in a format of `strftime`.
    case time
    /// The name of the weekday.
    case weekday
    /// The day of the month, without a zero in front.
    case day
    /// The name of the month, as dates have it.
    case month
    /// The year.
    case year
    /// The number of the ISO week.
    case week
    /// The day before, `2026-11-20`.
    case yesterday
    /// The open task items of the last day before that has some, a line each.
    case open
    /// Where the writing begins; nothing stands there.
    case cursor
  }

  /// What a template is filled with.
  package struct Values {
    /// When the entry is written.
    package var created: Moment
    /// The day it belongs to.
    package var day: Day
    /// How dates and times are written.
    package var style: DateStyle
    /// The open task items of the last day before that has some, as they stand there.
    package var openItems: [String]

    /// Makes values.
    package init(created: Moment, day: Day, style: DateStyle, openItems: [String] = []) {
      self.created = created
      self.day = day
      self.style = style
      self.openItems = openItems
    }
  }

  /// The template as written.
  package let text: String

  /// Takes a template over.
  package init(_ text: String) {
    self.text = text
  }

  /// Whether it asks for open task items, which have to be looked for.
  package var needsOpenItems: Bool {
    pieces.contains { if case .placeholder(.open, _, _, _) = $0 { true } else { false } }
  }

  /// The template with its placeholders filled in.
  ///
  /// - Complexity: linear in the template and what it is filled with.
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
  /// What stands for a placeholder; nothing when it takes no such format.
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
    /// Text that stands for itself.
    case plain(String)
    /// A placeholder, its format, how it was written, and its line.
    case placeholder(Placeholder, format: String?, source: String, line: Int)
    /// What looks like a placeholder and is none.
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

  /// The word in braces at the beginning, with its format; nothing when the braces hold something else.
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
  /// Whether a format may stand behind it.
  fileprivate var takesFormat: Bool { self == .date || self == .time }
}

/// A template with its placeholders filled in.
package struct FilledTemplate: Hashable, Sendable {
  /// A word in braces that means nothing, or a format that is none.
  package struct Problem: Hashable, Sendable, CustomStringConvertible {
    /// The template's line, from 1.
    package var line: Int
    /// The word, with its braces.
    package var word: String

    /// Makes a problem.
    package init(line: Int, word: String) {
      self.line = line
      self.word = word
    }

    /// What is wrong, and the nearest that is right, as in `unknown {dat}, did you mean {date}?`.
    package var description: String {
      let names = Template.Placeholder.allCases.map(\.rawValue)
      let name = word.dropFirst().prefix { $0 != ":" && $0 != "}" }
      if names.contains(String(name)) { return "\(word) has a format that is none" }
      let nearest = Suggestion.nearest(to: String(name), among: names)
      let help = nearest.map { ", did you mean {\($0)}?" } ?? "; it stays as it is"
      return "unknown \(word)\(help)"
    }
  }

  /// The text.
  package private(set) var text = ""
  /// Where the writing begins, in bytes of the text; nothing where the template does not say.
  package private(set) var cursor: Int?
  /// What stayed as it was because it means nothing.
  package internal(set) var problems: [Problem] = []
  private var isOnlyItems = false

  /// Makes an empty text.
  package init() {}

  /// The line that the writing begins on, from 1.
  package var cursorLine: Int? {
    cursor.map { text.utf8.prefix($0).count { $0 == UInt8(ascii: "\n") } + 1 }
  }

  /// The text with what somebody wrote: where the writing begins, else on lines of its own at the end.
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
