/// How dates and times are written for people: names, and the user's formats.
public struct DateStyle: Hashable, Sendable {
  /// Month and weekday names.
  public var names: DateNames
  /// How a day is written; nil for the long form, `Saturday 21 November 2026`.
  public var date: DateFormat?
  /// How a time of day is written.
  public var time: DateFormat

  /// Makes a style, the usual one unless told otherwise.
  public init(names: DateNames = .english, date: DateFormat? = nil, time: DateFormat = .clock) {
    self.names = names
    self.date = date
    self.time = time
  }

  /// A time of day: `09:15`.
  public func text(of moment: Moment) -> String { time.text(of: moment) }

  /// A day: `Saturday 21 November 2026`.
  public func text(of day: Day) -> String {
    date?.text(of: day) ?? SectionTitle.long(day, names: names)
  }

  /// The title of the section with a key, as ``SectionTitle`` gives it, with days in this style.
  public func title(key: String, sectioning: Sectioning, today: Day) -> String {
    guard let date, sectioning == .day, let day = Day(key), !isNamed(day, today) else {
      return SectionTitle.text(key: key, sectioning: sectioning, today: today, names: names)
    }
    return date.text(of: day)
  }

  /// Whether a day is called by a word instead of its date.
  func isNamed(_ day: Day, _ today: Day) -> Bool {
    0...1 ~= today.daysSinceEpoch - day.daysSinceEpoch
  }
}
