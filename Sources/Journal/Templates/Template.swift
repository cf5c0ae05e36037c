/// A text for new entries with places in it that are filled in when one is written: `{date}`,
/// `{time:%H:%M}`, `{open}`.
///
/// A placeholder is a word of small letters in braces, perhaps with a format behind a colon; all other
/// braces stand for themselves. A word that is no placeholder stays as it is and is told, so that
/// nothing of a template is ever lost.
public struct Template: Hashable, Sendable {
  /// What a placeholder may be.
  public enum Placeholder: String, CaseIterable, Sendable {
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
  public struct Values {
    /// When the entry is written.
    public var created: Moment
    /// The day it belongs to.
    public var day: Day
    /// How dates and times are written.
    public var style: DateStyle
    /// The open task items of the last day before that has some, as they stand there.
    public var openItems: [String]

    /// Makes values.
    public init(created: Moment, day: Day, style: DateStyle, openItems: [String] = []) {
      self.created = created
      self.day = day
      self.style = style
      self.openItems = openItems
    }
  }

  /// The template as written.
  public let text: String

  /// Takes a template over.
  public init(_ text: String) {
    self.text = text
  }

  /// Whether it asks for open task items, which have to be looked for.
  public var needsOpenItems: Bool {
    pieces.contains { if case .placeholder(.open, _, _, _) = $0 { true } else { false } }
  }

  /// The template with its placeholders filled in.
  ///
  /// - Complexity: linear in the template and what it is filled with.
  public func filled(with values: Values) -> FilledTemplate {
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
