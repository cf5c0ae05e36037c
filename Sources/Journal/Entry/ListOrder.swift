/// The order of the rows of a list.
///
/// A new order is a case of ``Kind`` with its ``description``, and an action of the screen; requests, SQL, the
/// command line's `--sort`, the configuration and the words on the screen follow from it.
package enum ListOrder: Hashable, Sendable {
  case kind(Kind)
  /// By the first value of a field, whose key it has: the greatest first, entries without one last.
  case field(String)

  /// The orders that have a word of their own, which is the raw value.
  package enum Kind: String, CaseIterable, Sendable { case newest, oldest, modified, title }

  /// The description of an order: its words, and the fields that it compares.
  package struct Description: Sendable {
    /// The word in a menu: `changed`.
    package var word: String
    /// The order in a sentence: `recently changed first`.
    package var phrase: String
    /// The fields that rows are compared by; the entry's number decides between equal rows.
    package var fields: [EntryField]
    /// Whether the largest value is first.
    package var isDescending = false
    /// Whether rows in this order are in the order of their days too.
    package var followsDays = false
  }

  /// The order's row in the table of orders.
  package var description: Description {
    switch self {
    case .kind(.newest):
      Description(
        word: "newest", phrase: "newest first", fields: [.day, .created], isDescending: true,
        followsDays: true)
    case .kind(.oldest):
      Description(
        word: "oldest", phrase: "oldest first", fields: [.day, .created], followsDays: true)
    case .kind(.modified):
      Description(
        word: "changed", phrase: "recently changed first", fields: [.modified], isDescending: true)
    case .kind(.title): Description(word: "title", phrase: "by title", fields: [.titleKey])
    case .field(let name):
      Description(
        word: name, phrase: "\(name) first",
        fields: [.value(ofField: name), .day, .created], isDescending: true)
    }
  }

  /// Whether the largest value is first.
  package var isDescending: Bool { description.isDescending }
}

extension ListOrder: ListArrangement {
  package static let (newest, oldest) = (kind(.newest), kind(.oldest))
  package static let (modified, title) = (kind(.modified), kind(.title))

  /// The word of an order: `newest`, `field:run`.
  package var rawValue: String {
    switch self {
    case .kind(let kind): kind.rawValue
    case .field(let name): FieldWord.text(of: name)
    }
  }

  /// The key of the field whose values give the order.
  package var fieldKey: String? { if case .field(let name) = self { name } else { nil } }
}

/// A field that lists of entries are sorted by.
package enum EntryField: Hashable, Sendable {
  /// The number of the period that has the day an entry belongs to.
  case period(Period)
  /// The time of writing, in seconds since the epoch.
  case created
  /// The time of the last change, in seconds since the epoch.
  case modified
  /// The entry's number.
  case number
  /// The title without case and accents.
  case titleKey
  /// The folded tag whose section the row belongs to.
  case tag
  /// The place of the first value of a field in the text, by the key of its name; see ``FieldPlace``.
  case value(ofField: String)
  /// The sum of the values of a field in the text, in millionths; nothing without one.
  case sum(FieldMeasure)
  /// The number of the values of a field in the text; nothing without one.
  case count(FieldMeasure)
  /// The number of numbers and durations of a field in the text that the measure leaves out; nothing without
  /// one.
  case others(FieldMeasure)

  /// The day an entry belongs to, in days since 1970-01-01.
  package static var day: EntryField { .period(.day) }

  /// The place of a field in the tables of a journal.
  package enum Column: Equatable, Sendable {
    /// A column that only the table of entries has.
    case entry(String)
    /// A column that the tables of entries and of their tags both have.
    case shared(String)
    /// The tag of the table of tags.
    case tag
    /// A value that is computed from the day, which both tables have.
    case period(Period)
    /// The place of the first value in the table of fields, by the number that all tables have.
    case place(ofField: String)
    /// A sum or a count of the table of fields; no list is sorted by it.
    case total(FieldMeasure)
  }

  package var column: Column {
    switch self {
    case .period(let period): .period(period)
    case .created: .shared("created")
    case .modified: .entry("modified")
    case .number: .shared("number")
    case .titleKey: .entry("title_key")
    case .tag: .tag
    case .value(let key): .place(ofField: key)
    case .sum(let measure), .count(let measure), .others(let measure): .total(measure)
    }
  }

  /// The key of the field in the texts that it depends on.
  package var fieldKey: String? {
    if case .value(let key) = self { key } else { measure?.key }
  }

  /// Whether lists have its values in ascending order, whatever their own order is.
  package var isAlwaysAscending: Bool { if case .value = self { true } else { false } }

  /// Whether the field needs the table of entries.
  package var needsEntry: Bool { if case .entry = column { true } else { false } }

  /// Whether values are texts, in the order of their bytes; others are integers.
  package var isText: Bool {
    switch self {
    case .titleKey, .tag, .value: true
    case .period, .created, .modified, .number, .sum, .count, .others: false
    }
  }

  /// The period of a field of days.
  package var period: Period? { if case .period(let period) = self { period } else { nil } }

  /// The field's value in a row.
  package func value(of row: EntryRow) -> EntryRow.OrderValue {
    switch self {
    case .period(let period): .integer(period.number(of: row.day))
    case .created: .integer(row.created.seconds)
    case .modified: .integer(row.modified.seconds)
    case .number: .integer(row.id.number)
    case .titleKey: .text(row.titleKey)
    case .tag: .text(row.id.tag)
    case .value(let key): .text(FieldPlace.text(of: row.fieldValues[key]?.first))
    case .sum(let measure), .count(let measure), .others(let measure):
      value(of: measure.total(of: row.fieldValues[measure.key] ?? []))
    }
  }

  /// The measure that a sum or a count is of.
  package var measure: FieldMeasure? {
    switch self {
    case .sum(let measure), .count(let measure), .others(let measure): measure
    case .period, .created, .modified, .number, .titleKey, .tag, .value: nil
    }
  }

  /// The sum or a count of the values of a field in one entry.
  package func value(of total: FieldMeasure.Total) -> EntryRow.OrderValue {
    switch self {
    case .sum: total.count == 0 ? .nothing : .integer(total.sum)
    case .count: total.count == 0 ? .nothing : .integer(Int64(total.count))
    case .others: total.others == 0 ? .nothing : .integer(Int64(total.others))
    case .period, .created, .modified, .number, .titleKey, .tag, .value: .nothing
    }
  }
}
