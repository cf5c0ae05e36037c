import Glibc

/// The format of displayed dates and times: names, and the user's formats.
package struct DateStyle: Hashable, Sendable {
  /// Month and weekday names.
  package var names: DateNames
  /// The format of a day; nil for the long form, `Saturday 21 November 2026`.
  package var date: DateFormat?
  /// The format of a time of day.
  package var time: DateFormat

  /// Makes a style; the defaults are English names and a clock of 24 hours.
  package init(names: DateNames = .english, date: DateFormat? = nil, time: DateFormat = .clock) {
    self.names = names
    self.date = date
    self.time = time
  }

  /// A time of day: `09:15`.
  package func text(of moment: Moment) -> String { time.text(of: moment) }

  /// A time of day with its seconds, where two moments may be in one minute: `09:15:02`.
  package func preciseText(of moment: Moment) -> String { time.withSeconds.text(of: moment) }

  /// A day and a time of day for tables and messages: `21 Nov 2026 09:15`.
  package func shortText(of moment: Moment) -> String {
    "\(shortText(of: moment.localDay)) \(text(of: moment).drop { $0 == " " })"
  }

  /// A day: `Saturday 21 November 2026`.
  package func text(of day: Day) -> String {
    if let date { return date.text(of: day) }
    let (year, month, dayOfMonth) = day.civil
    let weekday = names.weekdays[day.weekday - 1]
    return "\(weekday) \(dayOfMonth) \(names.monthsInDate[month - 1]) \(year)"
  }

  /// A day for narrow places: `21 Nov 2026`.
  package func shortText(of day: Day) -> String {
    if let date { return date.text(of: day) }
    let (year, month, dayOfMonth) = day.civil
    return "\(dayOfMonth) \(names.monthsInDate[month - 1].prefix(3)) \(year)"
  }

  /// The heading of a day on the screen: an emphasised beginning and the rest, the longest form
  /// first.
  ///
  /// The year is left out of the present one.
  ///
  /// ```
  /// Today, Saturday 21 November     Friday 21 November 2025
  /// Today, 21 Nov                   Fri 21 Nov 2025
  /// ```
  package func headings(of day: Day, today: Day) -> [(lead: String, rest: String)] {
    let name = name(of: day, today: today)
    if let date {
      let text = date.text(of: day)
      return [name.map { ($0, ", \(text)") } ?? (text, "")]
    }
    let (year, month, dayOfMonth) = day.civil
    let shownYear = year == today.year ? "" : " \(year)"
    let monthName = names.monthsInDate[month - 1]
    let long = "\(dayOfMonth) \(monthName)\(shownYear)"
    let short = "\(dayOfMonth) \(monthName.prefix(3))\(shownYear)"
    let weekday = names.weekdays[day.weekday - 1]
    if let name { return [(name, ", \(weekday) \(long)"), (name, ", \(short)")] }
    return [(weekday, " \(long)"), (names.shortWeekdays[day.weekday - 1], " \(short)")]
  }

  /// The word for a day, if it has one.
  func name(of day: Day, today: Day?) -> String? {
    switch today.map({ $0.daysSinceEpoch - day.daysSinceEpoch }) {
    case 0: "Today"
    case 1: "Yesterday"
    default: nil
    }
  }
}

/// The format of a date or a time of day, in the notation of `strftime`: `%d.%m.%Y`, `%H:%M`.
///
/// The C library formats it, so names and orders are those of the process's `LC_TIME`, without
/// loading ICU.
package struct DateFormat: Hashable, Codable, Sendable {
  package let pattern: String

  /// The contents of a pattern.
  package enum Kind: Sendable {
    /// A calendar day.
    case date
    /// A time of day.
    case time

    /// The letters allowed after `%`.
    var letters: String { self == .date ? "aAbBdeDFhjmUVWuwyYCGgxt%" : "HIklMSpPrRTXt%" }
  }

  /// The clock of 24 hours, `09:15`.
  package static let clock = DateFormat(trusted: "%H:%M")
  /// The clock of 12 hours, ` 9:15 AM`; the blank aligns columns.
  package static let halfDayClock = DateFormat(trusted: "%l:%M %p")

  /// Makes a format from a pattern; nil if it is empty, or if a `%` in it precedes anything that is
  /// not a part of a date or a time of day.
  package init?(_ pattern: String, _ kind: Kind) {
    guard !pattern.isEmpty, pattern.utf8.count <= Self.longest, Self.isSound(pattern, kind) else {
      return nil
    }
    self.init(trusted: pattern)
  }

  private init(trusted pattern: String) { self.pattern = pattern }

  /// The same format with seconds after the minutes, if it has minutes and no seconds.
  var withSeconds: DateFormat {
    let hasSeconds = ["%S", "%T", "%r", "%X"].contains(where: pattern.contains)
    return hasSeconds
      ? self
      : DateFormat(
        trusted: pattern.replacing("%M", with: "%M:%S").replacing("%R", with: "%T"))
  }

  /// The longest pattern, in bytes: it must fit on a line of the screen.
  private static let longest = 64

  private static func isSound(_ pattern: String, _ kind: Kind) -> Bool {
    var rest = pattern.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar.properties.generalCategory == .control { return false }
      guard scalar == "%" else { continue }
      while let flag = rest.first, "-_0^#EO".unicodeScalars.contains(flag) { rest.removeFirst() }
      guard let letter = rest.popFirst(), kind.letters.unicodeScalars.contains(letter) else {
        return false
      }
    }
    return true
  }

  /// The time of day on the local clock.
  package func text(of moment: Moment) -> String {
    // The usual format needs no C library.
    if self == .clock { return moment.clockText }
    let (hour, minute, second) = moment.localTime
    var fields = Self.fields(of: moment.localDay)
    (fields.tm_hour, fields.tm_min, fields.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
    return text(&fields)
  }

  /// A calendar day.
  package func text(of day: Day) -> String {
    var fields = Self.fields(of: day)
    return text(&fields)
  }

  private static func fields(of day: Day) -> tm {
    let (year, month, dayOfMonth) = day.civil
    let firstOfYear = Day(year: year, month: 1, day: 1)?.daysSinceEpoch ?? day.daysSinceEpoch
    var fields = tm()
    fields.tm_year = Int32(clamping: year - 1900)
    fields.tm_mon = Int32(month - 1)
    fields.tm_mday = Int32(dayOfMonth)
    fields.tm_wday = Int32(day.weekday % 7)
    fields.tm_yday = Int32(day.daysSinceEpoch - firstOfYear)
    return fields
  }

  private func text(_ fields: inout tm) -> String {
    // Every part is at most a long name of LC_TIME.
    var buffer = [CChar](repeating: 0, count: 2_048)
    let count = strftime(&buffer, buffer.count, pattern, &fields)
    return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// The names in displayed dates, so that a list can use the user's language.
package struct DateNames: Hashable, Codable, Sendable {
  /// Month names inside a date, January first; in some languages they differ from ``months``.
  package var monthsInDate: [String]
  /// Month names without a day, January first.
  package var months: [String]
  /// Weekday names, Monday first.
  package var weekdays: [String]
  /// Short weekday names, Monday first.
  package var shortWeekdays: [String]

  /// Makes names from twelve months and seven weekdays; by default the short weekdays are the first
  /// letters.
  ///
  /// - Precondition: there are twelve months and seven weekdays in each list.
  package init(
    months: [String], monthsInDate: [String]? = nil, weekdays: [String],
    shortWeekdays: [String]? = nil
  ) {
    self.months = months
    self.monthsInDate = monthsInDate ?? months
    self.weekdays = weekdays
    self.shortWeekdays = shortWeekdays ?? weekdays.map { String($0.prefix(3)) }
    precondition(self.months.count == 12 && self.monthsInDate.count == 12)
    precondition(self.weekdays.count == 7 && self.shortWeekdays.count == 7)
  }
}

extension DateNames {
  /// The English names.
  package static let english = DateNames(
    months: [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ],
    weekdays: [
      "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ])

  /// The names of the process's `LC_TIME`, as set by `setlocale`.
  ///
  /// If a name is missing or not UTF-8, all names are English. Call it once and keep the value:
  /// each call reads the C library's tables.
  package static func system() -> DateNames {
    // The C library counts weekdays from Sunday, we from Monday.
    let weekdays = names(from: DAY_1, count: 7)
    let short = names(from: ABDAY_1, count: 7)
    let inDate = names(from: MON_1, count: 12)
    let alone = names(from: __ALTMON_1, count: 12)
    guard let weekdays, let short, let inDate, let alone else { return .english }
    return DateNames(
      months: alone, monthsInDate: inDate, weekdays: mondayFirst(weekdays),
      shortWeekdays: mondayFirst(short))
  }

  /// The month and weekday names of the user's `LC_TIME`, read once.
  package static let ofUser = system()

  private static func mondayFirst(_ names: [String]) -> [String] {
    Array(names.dropFirst()) + names.prefix(1)
  }

  private static func names(from first: some BinaryInteger, count: Int) -> [String]? {
    var result: [String] = []
    for item in 0..<count {
      guard let text = nl_langinfo(nl_item(Int(first) + item)),
        let name = String(validatingCString: text), !name.isEmpty
      else { return nil }
      result.append(name)
    }
    return result
  }
}
