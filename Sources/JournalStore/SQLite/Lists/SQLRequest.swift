import GRDB
import Journal
import SectionedResults
import SectionedResultsSQL

/// A request as the parts of SQL statements.
struct SQLRequest: SQLList {
  typealias ID = EntryRowID

  let request: EntryRequest
  let keys: [EntrySortKey]
  let filter: SQLFilter
  /// Whether a row represents an entry under one of its tags.
  let isByTag: Bool
  /// Whether there is no filter, so that the stored counts can answer.
  let isPlain: Bool
  /// The alias of the table with `number`, `day` and `created`.
  let alias: String
  private let source: String
  private let liveCondition: String?

  /// - Parameter isRare: whether so few entries can match that looking them up one by one is faster
  ///   than an index in the list's order.
  init(_ request: EntryRequest, mode: SQLFilter.Mode, isRare: Bool = false) {
    let query = request.filter == .everything ? nil : request.filter
    self.init(
      request, query, SQLFilter(query, mode: mode),
      index: SQLRequest.index(query, isRare: isRare))
  }

  /// The request without its filter, except for the choice between trash and journal.
  ///
  /// - Parameter byNumber: whether single entries are looked up.
  init(unfiltered request: EntryRequest, byNumber: Bool = false) {
    let filter = SQLFilter(
      nil, mode: .eachRow, wantsDeleted: request.filter?.wantsDeleted ?? false)
    self.init(
      request, nil, filter, index: byNumber ? " NOT INDEXED" : "",
      tagIndex: byNumber ? " INDEXED BY entry_tag_number" : "")
  }

  private init(
    _ request: EntryRequest, _ query: Query?, _ filter: SQLFilter, index: String,
    tagIndex: String = ""
  ) {
    self.request = request
    self.filter = filter
    isPlain = query == nil
    let byTag = request.isByTag
    isByTag = byTag
    alias = byTag ? "t" : "e"
    let alias = alias
    keys = request.sortKeys.map { EntrySortKey($0, alias: alias) }
    let needsEntry = !isPlain || keys.contains { $0.field.needsEntry }
    source =
      byTag
      ? "entry_tag AS t" + tagIndex
        + (needsEntry ? " CROSS JOIN entry AS e ON e.number = t.number" : "")
      : "entry AS e" + index
    let live =
      request.filter?.needsDeleted ?? false
      ? "t.live = 0" : filter.wantsDeleted ? "t.live IN (0, 1)" : "t.live = 1"
    liveCondition = byTag ? live : nil
    usesEntry = !byTag || needsEntry
  }

  private let usesEntry: Bool

  /// Without statistics SQLite would read all entries in the list's order.
  static func index(_ query: Query?, isRare: Bool) -> String {
    if isRare { return " NOT INDEXED" }
    guard let query, query.needsStar, !query.wantsDeleted else { return "" }
    return " INDEXED BY entry_starred"
  }

  func rows(_ part: RangePart) -> SQLText {
    var conditions = part.conditions
    if let liveCondition { conditions.append(liveCondition) }
    let isFiltered = usesEntry && !(isByTag && isPlain)
    if isFiltered { conditions.append(filter.sql) }
    var text = SQLText(
      sql: "FROM \(source) WHERE \(conditions.joined(separator: " AND "))",
      arguments: StatementArguments(part.arguments))
    if isFiltered { text.arguments += filter.arguments }
    return text
  }

  /// The order; rows with equal values are ordered by identity (rule 8).
  var order: String {
    var terms = keys.map(\.term)
    if !keys.contains(where: { $0.field == .number }) { terms.append("\(alias).number") }
    if isByTag, !keys.contains(where: { $0.field == .tag }) { terms.append("t.tag") }
    return terms.joined(separator: ", ")
  }

  /// Every order of the program ends with the number of the entry.
  var hasDistinctValues: Bool { keys.contains { $0.field == .number } }

  /// Whether a row's section or one of its sort values is derived from its day.
  private var needsDay: Bool {
    request.sectionField?.period != nil || keys.contains { $0.field == .day }
  }

  /// The columns of a key: number, day, tag, then the value of each sort key.
  ///
  /// The day is omitted if nothing is derived from it, so that an index without it is enough.
  var keyColumns: String {
    "\(alias).number, \(needsDay ? "\(alias).day" : "''"), \(isByTag ? "t.tag" : "''"), "
      + keys.map { $0.field == .titleKey ? "ifnull(\($0.expression), '')" : $0.expression }
      .joined(separator: ", ")
  }

  func keyDecoder() -> (Columns) throws -> ResultsKey<EntryRowID> {
    var decoder = RowKeyDecoder(self)
    return { try decoder.decode($0) }
  }
}

/// One sort key of a request as SQL.
struct EntrySortKey: RangeKey {
  let field: EntryField
  let order: SortValue.Order
  /// The expression of the value, with the source's aliases.
  let expression: String
  /// The column of the day.
  let dayExpression: String

  /// - Parameter alias: the table with `day` and `created`.
  init(_ key: SortKey<EntryField>, alias: String) {
    field = key.field
    order = key.order
    expression = Self.expression(key.field, alias)
    dayExpression = "\(alias).day"
  }

  var isDescending: Bool { order == .descending }
  var isNullable: Bool { false }

  /// Compares the key; a period is compared by its days, which have an index.
  func condition(_ sign: String, _ value: SortValue) -> RangePart {
    guard let period, case .integer(let number) = value,
      let days = period.days(ofNumber: number)
    else {
      return RangePart(
        conditions: ["\(expression) \(sign) ?"], arguments: [stored(value)])
    }
    let (first, last) = (
      days.lowerBound.description.databaseValue, days.upperBound.description.databaseValue
    )
    return switch sign {
    case "=":
      RangePart(conditions: ["\(dayExpression) BETWEEN ? AND ?"], arguments: [first, last])
    case "<", ">=": RangePart(conditions: ["\(dayExpression) \(sign) ?"], arguments: [first])
    default: RangePart(conditions: ["\(dayExpression) \(sign) ?"], arguments: [last])
    }
  }

  /// Whether an index contains the value itself.
  var isColumn: Bool { period == nil }

  /// The period of a value that covers several days.
  private var period: Period? { field == .day ? nil : field.period }

  /// A sort value as the column stores it: a day as its text.
  func stored(_ value: SortValue) -> DatabaseValue {
    guard field == .day, case .integer(let number) = value else { return value.stored }
    return Day(daysSinceEpoch: Int(number)).description.databaseValue
  }

  private static func expression(_ field: EntryField, _ alias: String) -> String {
    switch field.column {
    case .entry(let name): "e.\(name)"
    case .shared(let name): "\(alias).\(name)"
    case .tag: "t.tag"
    case .period(let period): period.sql(ofDay: "\(alias).day")
    case .place(let name): place(ofField: name, "\(alias).number")
    case .total: "NULL"
    }
  }

  /// The place of an entry's first value of a field.
  static func place(ofField name: String, _ number: String) -> String {
    let name = name.replacingOccurrences(of: "'", with: "''")
    return """
      ifnull((SELECT \(FieldPlace.sql) FROM entry_field INDEXED BY entry_field_number \
      WHERE live IN (0, 1) AND name = '\(name)' AND number = \(number) ORDER BY place LIMIT 1), \
      \(FieldPlace.sqlOfNothing))
      """
  }
}

extension Period {
  /// The expression of ``number(of:)``; for a day, the column itself, which an index has.
  fileprivate func sql(ofDay day: String) -> String {
    let year = "CAST(substr(\(day), 1, 4) AS INTEGER)"
    switch self {
    case .day: return day
    case .week:
      // The Monday; 1970-01-01 was a Thursday.
      let number = "CAST(julianday(\(day)) - 2440587.5 AS INTEGER)"
      return "(\(number) - (\(number) % 7 + 10) % 7)"
    case .months(12): return year
    case .months(let count):
      return "((\(year) * 12 + CAST(substr(\(day), 6, 2) AS INTEGER) - 1) / \(count))"
    }
  }
}

/// Makes row keys from the columns of ``SQLRequest/keyColumns``.
///
/// Adjacent rows usually share their day, so the last day's forms are cached.
private struct RowKeyDecoder {
  private let request: SQLRequest
  private var dayText = ""
  private var dayValue = SortValue.null
  /// The section of the last day; `nil` if sections are not of days.
  private var section: String?

  init(_ request: SQLRequest) {
    self.request = request
  }

  mutating func decode(_ columns: Columns) throws -> ResultsKey<EntryRowID> {
    try take(day: columns)
    let tag: String = request.isByTag ? columns.text(2) : ""
    var values: [SortValue] = []
    values.reserveCapacity(request.keys.count)
    for (index, key) in request.keys.enumerated() {
      values.append(value(of: key, in: columns, at: index + 3))
    }
    return ResultsKey(
      section: section ?? sectionOfValues(values), values: values,
      id: EntryRowID(number: columns.integer(0), tag: tag))
  }

  /// The section of a field that is not one of days: the order begins with it.
  private func sectionOfValues(_ values: [SortValue]) -> String {
    guard let grouping = request.request.sectionField, let value = values.first else { return "" }
    return grouping.sectionKey(of: value)
  }

  private func value(of key: EntrySortKey, in columns: Columns, at index: Int) -> SortValue {
    if case .period(.day) = key.field { return dayValue }
    return key.field.isText ? .text(columns.text(index)) : .integer(columns.integer(index))
  }

  private mutating func take(day columns: Columns) throws {
    let text = columns.text(1)
    guard text != dayText else { return }
    let day = try columns.day(1)
    dayText = text
    dayValue = .integer(Int64(day.daysSinceEpoch))
    let grouping = request.request.sectionField
    section = grouping == .day ? text : grouping?.key(of: day)
  }
}
