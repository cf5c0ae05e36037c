/// The kind of sections of a list.
///
/// A new kind is a case of ``Kind`` with its ``description``, and an action of the screen; requests, SQL, keys
/// and titles of sections, the index of a list, the command line's `--section`, the configuration, the
/// words on the screen, and for sections of days the key as a date in queries, follow from it.
package enum Grouping: Hashable, Sendable {
  case kind(Kind)
  /// By the first value of a field, whose key it has.
  case field(String)

  /// The kinds that have a word of their own, which is the raw value.
  package enum Kind: String, CaseIterable, Sendable {
    case day, week, month, quarter, year, tag, none
  }

  /// The description of a kind: its words, and what its sections have in common.
  package struct Description: Sendable {
    /// The sections in a sentence: `by month`.
    package var phrase: String
    /// The field whose value the rows of a section share; `nil` for one section of all rows.
    package var field: EntryField?
    /// Whether the section with the largest value is first; an order by days puts days in its own order.
    package var isDescending = true
    /// The titles in the index of a list; `nil` for no index.
    package var index: Index?
    /// The time in a row.
    package var time: RowTime
    /// The keys and titles of sections.
    var naming: Naming
  }

  /// The titles in the index of a list.
  package enum Index: Sendable { case months, years, initials }

  /// The time in a row: the part that the title of its section does not have.
  package enum RowTime: Sendable { case clock, weekdayAndClock, date }

  /// The keys and titles of sections.
  enum Naming: Sendable {
    /// Sections of periods. The key of a section follows from each of its days; keys sort by their bytes as
    /// their days do. `day` returns a day of the section with a key, and for other texts anything. The title
    /// follows from the first day.
    case days(
      key: @Sendable (Day) -> String, day: @Sendable (String) -> Day?,
      title: @Sendable (Day, DateStyle) -> String)
    /// Sections of other values, which are their keys. The title follows from the key and the names of a
    /// row in the section, see ``Grouping/names(of:)``.
    case values(title: @Sendable (_ key: String, _ names: [String]) -> String)
  }

  /// The kind's row in the table of kinds.
  package var description: Description {
    switch self {
    case .kind(.day):
      Description(
        phrase: "by day", field: .day, index: .months, time: .clock,
        naming: .days(
          key: { $0.description }, day: { Day($0) }, title: { day, style in style.text(of: day) }))
    case .kind(.week):
      Description(
        phrase: "by week", field: .period(.week), index: .months, time: .weekdayAndClock,
        naming: .days(
          key: { $0.weekKey }, day: { Day(weekKey: $0) },
          title: { day, _ in "Week \(day.isoWeek.week), \(day.isoWeek.year)" }))
    case .kind(.month):
      Description(
        phrase: "by month", field: .period(.months(1)), index: .months, time: .date,
        naming: .days(
          key: { $0.monthKey }, day: { Day($0 + "-01") },
          title: { day, style in "\(style.names.months[day.month - 1]) \(day.year)" }))
    case .kind(.quarter):
      Description(
        phrase: "by quarter", field: .period(.months(3)), index: .years, time: .date,
        naming: .days(
          key: { "\($0.yearKey)-Q\(($0.month + 2) / 3)" },
          day: { Day("\($0.prefix(4))-\(Digits.padded(3 * ($0.last?.wholeNumberValue ?? 0)))-01") },
          title: { day, _ in "Q\((day.month + 2) / 3) \(day.year)" }))
    case .kind(.year):
      Description(
        phrase: "by year", field: .period(.months(12)), index: .years, time: .date,
        naming: .days(
          key: { $0.yearKey }, day: { Day($0 + "-01-01") }, title: { day, _ in day.yearKey }))
    case .kind(.tag):
      Description(
        phrase: "by tag", field: .tag, isDescending: false, index: .initials, time: .date,
        naming: .values { key, tags in
          key.isEmpty ? "Untagged" : Tag.typed(tags.first { Tag.key(of: $0) == key } ?? key)
        })
    case .field(let name):
      Description(
        phrase: "by \(name)", field: .value(ofField: name), isDescending: false, time: .date,
        naming: .values { key, values in
          key.isEmpty ? "Without \(name)" : "\(name) \(values.first ?? key)"
        })
    case .kind(.none):
      Description(phrase: "no sections", time: .date, naming: .values { _, _ in "" })
    }
  }

  /// The period of a section of days; `nil` for other sections.
  package var period: Period? { description.field?.period }

  /// The names that a row has for its section, as typed: its tags, or its first value of a field.
  package func names(of row: EntryRow) -> [String] {
    names(tags: row.tags) { row.fieldValues[$0]?.first }
  }

  /// The same of an entry.
  package func names(of entry: Entry) -> [String] {
    names(tags: entry.tags) { name in Field.all(in: entry.text).first { $0.key == name }?.value }
  }

  private func names(
    tags: @autoclosure () -> [String], value: (String) -> FieldValue?
  ) -> [String] {
    switch self {
    case .kind(.tag): tags()
    case .kind: []
    case .field(let name): value(name).map { [$0.description] } ?? []
    }
  }

  /// Whether an entry is in several sections, under each of its tags.
  package var repeatsEntries: Bool { description.field == .tag }

  /// The key of the section that shows entries of this day in other years.
  package static let onThisDayKey = "on-this-day"
}

// MARK: - Words

/// The order or the sections of a list, as one types them: the word of a kind, or a field.
package protocol ListArrangement: CaseIterable, RawRepresentable<String>, Codable {
  associatedtype Kind: CaseIterable, RawRepresentable<String>

  static func kind(_ kind: Kind) -> Self
  /// By a field, whose key is given.
  static func field(_ key: String) -> Self
  /// The key of the field; `nil` for the kinds that have a word.
  var fieldKey: String? { get }
}

extension ListArrangement {
  /// All kinds but those of fields.
  package static var allCases: [Self] { Kind.allCases.map { kind($0) } }

  /// Reads what `rawValue` gives: `week`, `field:mood`.
  package init?(rawValue: String) {
    let known = Kind(rawValue: rawValue).map { Self.kind($0) }
    guard let read = known ?? FieldWord.key(in: rawValue).map({ .field($0) }) else { return nil }
    self = read
  }

  /// Reads a word: `week`, `field:week`, or the name of a field that no word means.
  package init?(typed word: String) {
    guard let read = Self(rawValue: word) ?? FieldWord.typed(word).map({ .field($0) }) else {
      return nil
    }
    self = read
  }
}

extension Grouping: ListArrangement {
  package static let (day, week, month) = (kind(.day), kind(.week), kind(.month))
  package static let (year, tag, none) = (kind(.year), kind(.tag), kind(.none))

  /// The word of a kind: `week`, `field:mood`.
  package var rawValue: String {
    switch self {
    case .kind(let kind): kind.rawValue
    case .field(let name): FieldWord.text(of: name)
    }
  }

  /// The key of the field whose values are the sections.
  package var fieldKey: String? { if case .field(let name) = self { name } else { nil } }
}

/// A field as the order or the sections of a list: `field:mood`, or `mood` where no other word is meant.
package enum FieldWord {
  private static let prefix = "field:"

  static func text(of key: String) -> String { prefix + key }

  /// The key of the field in a word with the prefix.
  static func key(in word: String) -> String? {
    guard word.hasPrefix(prefix) else { return nil }
    return typed(String(word.dropFirst(prefix.count)))
  }

  /// The key of a typed name; `nil` if it can be none.
  package static func typed(_ name: String) -> String? {
    let key = Folding.fold(name)
    return Field.isKey(key) ? key : nil
  }
}

// MARK: - Sections of days

extension Grouping {
  /// The key of the section that has a day: `2026-W47`; `nil` if sections are not of days.
  package func key(of day: Day) -> String? {
    if case .days(let key, _, _) = description.naming { key(day) } else { nil }
  }

  /// The days of a section; `nil` for a key of another kind.
  package func days(ofSection key: String) -> ClosedRange<Day>? {
    guard case .days(let keyOf, let day, _) = description.naming, let day = day(key),
      keyOf(day) == key
    else { return nil }
    return period?.days(around: day)
  }

  /// The days of the section with a key, of any kind: of `2026-W47`, `2026-Q4`, `2026`.
  package static func days(ofSection key: String) -> ClosedRange<Day>? {
    allCases.lazy.compactMap { $0.days(ofSection: key) }.first
  }

  /// The first kind that has a section of exactly these days.
  package static func kind(of days: ClosedRange<Day>) -> Grouping? {
    allCases.first { $0.period?.days(around: days.lowerBound) == days }
  }
}

// MARK: - Titles

extension Grouping {
  /// The displayed title of the section with a key, never its identity: `Week 47, 2026`, `#home`.
  ///
  /// "Today" and "Yesterday" change at the end of a day without a write, so a list asks again then.
  /// A key of another kind is shown unchanged.
  ///
  /// - Parameters:
  ///   - today: the day with the title "Today, Saturday 21 November 2026"; `nil` if no day has one.
  ///   - names: the names of a row in it, which have the section's as it was typed.
  package func title(
    ofSection key: String, today: Day? = nil, style: DateStyle = DateStyle(), names: [String] = []
  ) -> String {
    switch description.naming {
    case .values(let title): return title(key, names)
    case .days(_, _, let title):
      guard let first = days(ofSection: key)?.lowerBound else { return key }
      let name = self == .day ? style.name(of: first, today: today) : nil
      return (name.map { "\($0), " } ?? "") + title(first, style)
    }
  }

  /// The day of a section whose month and year the index counts it to; `nil` if sections are not of
  /// days.
  ///
  /// The first day, but of a week its Thursday: the year in the title of a week is that of its Thursday.
  package func indexDay(ofSection key: String) -> Day? {
    let first = days(ofSection: key)?.lowerBound
    return description.field == .period(.week) ? first?.adding(days: 3) : first
  }

  /// The title in the index of a list: `Nov 2026`, `2026`, or the first letter; `nil` without one.
  package func indexTitle(ofSection key: String, _ names: DateNames) -> String? {
    let day = indexDay(ofSection: key)
    return switch description.index {
    case .months: day.map { "\(names.months[$0.month - 1].prefix(3)) \($0.year)" }
    case .years: day?.yearKey
    case .initials: key.isEmpty ? "–" : key.first { $0 != "@" }?.uppercased()
    case nil: nil
    }
  }
}
