import GRDB
import Journal

/// A query as a condition on `entry AS e`, as far as SQL can express it.
///
/// Where it cannot, because of this program's word folding, the condition selects more rows and
/// ``isExact`` is false: then `Query.matches` decides.
struct SQLFilter {
  /// The way to look up tags and days.
  enum Mode {
    /// Once per statement: best for queries over all entries.
    case whole
    /// Tags once per row: best for queries over a narrow range of entries.
    case eachRow
    /// Days, too: best for one entry by its number. A group of days that match may reach over a year.
    case oneRow
  }

  /// The condition.
  let sql: String
  /// The values of its parameters.
  let arguments: StatementArguments
  /// Whether the condition is equivalent to the query.
  let isExact: Bool
  /// The same condition on `section_count AS e`, if the query is about days alone: whole days match,
  /// and their entries are counted already.
  let ofDays: String?
  /// The tag and the condition on `entry_tag AS e`, if the query is about one tag, maybe within days:
  /// the key of the table of tags has the days in order, so that no entry is read.
  let ofTag: TagCondition?
  /// Whether entries in the trash may match.
  let wantsDeleted: Bool

  /// A query for one tag outside the trash.
  struct TagCondition {
    /// The tag's key, without its children.
    var key: String
    /// The condition on the days alone, or `1`.
    var days: String
    /// The values of its parameters.
    var arguments: StatementArguments
  }

  /// - Parameter wantsDeleted: whether entries in the trash may match, if the query is a part of
  ///   another one that decides this.
  init(_ query: Query?, mode: Mode, wantsDeleted: Bool? = nil) {
    let wantsDeleted = wantsDeleted ?? query?.wantsDeleted ?? false
    var translation = Translation(mode: mode, wantsDeleted: wantsDeleted)
    let condition = query.map { translation.translate($0) } ?? Translation.everything
    self.wantsDeleted = wantsDeleted
    isExact = condition.isExact
    arguments = StatementArguments(translation.arguments)
    ofDays = query.map { $0.isOfDays && !wantsDeleted } ?? false ? condition.sql : nil
    ofTag = wantsDeleted ? nil : SQLFilter.tagCondition(query)
    let live = wantsDeleted ? "1" : "e.deleted IS NULL"
    sql = condition.sql == "1" ? live : "\(live) AND \(condition.sql)"
  }

  private static func tagCondition(_ query: Query?) -> TagCondition? {
    guard let query, let key = query.neededTag else { return nil }
    let others =
      switch query {
      case .and(let parts): parts.filter { $0 != .tag(key) }
      default: [Query]()
      }
    guard others.allSatisfy(\.isOfDays) else { return nil }
    var translation = Translation(mode: .whole, wantsDeleted: false)
    let days = others.map { translation.translate($0).sql }
    return TagCondition(
      key: key, days: days.isEmpty ? "1" : days.joined(separator: " AND "),
      arguments: StatementArguments(translation.arguments))
  }
}

/// Translates a query into SQL, with the arguments in the order of their parameters.
private struct Translation {
  struct Condition {
    var sql: String
    var isExact: Bool
  }

  static let everything = Condition(sql: "1", isExact: true)
  private static let unknown = Condition(sql: "1", isExact: false)

  let mode: SQLFilter.Mode
  let wantsDeleted: Bool
  var arguments: [any DatabaseValueConvertible] = []

  init(mode: SQLFilter.Mode, wantsDeleted: Bool) {
    self.mode = mode
    self.wantsDeleted = wantsDeleted
  }

  mutating func translate(_ query: Query) -> Condition {
    switch query {
    case .everything: Translation.everything
    case .and(let parts): join(parts, " AND ")
    case .or(let parts): join(parts, " OR ")
    case .not(let part): negate(part)
    case .word, .prefix, .phrase: Translation.unknown
    case .tag(let key): tag(["tag = ?", "tag > ? AND tag < ?"], [key, key + "/", key + "0"])
    case .tagPrefix(let key): tagPrefix(key)
    case .flag(.orphan), .flag(.broken), .linksTo, .linked: Translation.unknown
    case .flag(let flag): exact(Translation.sql(for: flag))
    default: field(query)
    }
  }

  private mutating func field(_ query: Query) -> Condition {
    switch query {
    case .since(let day): exact("e.day >= ?", day.description)
    case .until(let day): exact("e.day <= ?", day.description)
    case .on(let days):
      exact(
        "e.day BETWEEN ? AND ?", days.lowerBound.description, days.upperBound.description)
    case .everyYear(let month, let day): everyYear(month, day)
    case .words(let range): exact("e.words BETWEEN ? AND ?", range.lowerBound, range.upperBound)
    case .id(let number): exact("e.number = ?", number)
    case .stored(let test): stored(test)
    case .links, .field, .file: marked(query)
    default: Translation.unknown
    }
  }

  private mutating func marked(_ query: Query) -> Condition {
    guard let condition = MarkCondition(query, wantsDeleted: wantsDeleted) else {
      return Translation.unknown
    }
    arguments += condition.values
    return Condition(
      sql: mode == .whole ? "e.number IN (\(condition.numbers))" : condition.ofEntry, isExact: true)
  }

  /// A text is compared without case and accents, which SQL does not know: it leaves out only entries
  /// whose field is empty.
  private mutating func stored(_ test: StoredTest) -> Condition {
    switch test.value {
    case .integer(let number): exact("e.\(test.field.name) = ?", number)
    case .flag(let answer): exact("e.\(test.field.name) = ?", answer ? 1 : 0)
    case .text(""): Translation.unknown
    case .text, .prefix: Condition(sql: "e.\(test.field.name) <> ''", isExact: false)
    }
  }

  /// The years with entries outside the trash are few, so that an index finds the day of each.
  private mutating func everyYear(_ month: Int, _ day: Int) -> Condition {
    let date = String(10_000 + month * 100 + day).dateSuffix
    if wantsDeleted || mode == .oneRow { return exact("substr(e.day, 6) = ?", date) }
    func year(_ end: String) -> String {
      "(SELECT CAST(substr(\(end)(day), 1, 4) AS INTEGER) FROM section_count)"
    }
    return exact(
      """
      e.day IN (
        WITH RECURSIVE years(year) AS (
          SELECT \(year("min")) UNION ALL SELECT year + 1 FROM years WHERE year < \(year("max")))
        SELECT printf('%04d-', year) || ? FROM years)
      """, date)
  }

  private static func sql(for flag: Query.Flag) -> String {
    switch flag {
    case .starred: "e.starred = 1"
    case .untagged: "e.tags = ''"
    case .deleted: "e.deleted IS NOT NULL"
    case .edited: "e.modified <> e.created"
    // The index of these few entries serves every list.
    case .conflict: "e.number IN (SELECT number FROM entry WHERE conflicts <> '')"
    case .orphan, .broken: "1"
    }
  }

  private mutating func exact(
    _ sql: String, _ values: (any DatabaseValueConvertible)...
  ) -> Condition {
    arguments += values
    return Condition(sql: sql, isExact: true)
  }

  private mutating func join(_ parts: [Query], _ word: String) -> Condition {
    let conditions = parts.map { translate($0) }
    return Condition(
      sql: "(" + conditions.map(\.sql).joined(separator: word) + ")",
      isExact: conditions.allSatisfy(\.isExact))
  }

  /// An inexact condition cannot be negated.
  private mutating func negate(_ part: Query) -> Condition {
    let known = arguments.count
    let condition = translate(part)
    if condition.isExact { return Condition(sql: "NOT (\(condition.sql))", isExact: true) }
    arguments.removeLast(arguments.count - known)
    return Translation.unknown
  }

  private mutating func tagPrefix(_ key: String) -> Condition {
    guard let end = key.successorOfPrefix else { return tag(["tag >= ? AND tag <> ''"], [key]) }
    return tag(["tag >= ? AND tag < ? AND tag <> ''"], [key, end])
  }

  /// Each test is a range of its own, so that the primary key of the tags table serves each.
  private mutating func tag(_ tests: [String], _ values: [String]) -> Condition {
    arguments += values
    guard mode == .whole else {
      let test = tests.map { "(\($0))" }.joined(separator: " OR ")
      return Condition(
        sql: "EXISTS (SELECT 1 FROM entry_tag WHERE number = e.number AND (\(test)))",
        isExact: true)
    }
    let live = wantsDeleted ? "live IN (0, 1)" : "live = 1"
    let parts = tests.map { "SELECT number FROM entry_tag WHERE \(live) AND \($0)" }
    return Condition(
      sql: "e.number IN (\(parts.joined(separator: " UNION ALL ")))", isExact: true)
  }
}

extension String {
  /// The month and day at the end of a number like 11121: `11-21`.
  fileprivate var dateSuffix: String { "\(dropFirst().prefix(2))-\(suffix(2))" }

  /// The smallest string, by bytes, that is greater than all strings that start with this one.
  var successorOfPrefix: String? {
    var scalars = Array(unicodeScalars)
    while let last = scalars.popLast() {
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      scalars.append(scalar)
      var result = String.UnicodeScalarView()
      result.append(contentsOf: scalars)
      return String(result)
    }
    return nil
  }
}

extension Query {
  /// Whether only the day of an entry decides.
  fileprivate var isOfDays: Bool {
    switch self {
    case .since, .until, .on, .everyYear: true
    case .and(let parts), .or(let parts): parts.allSatisfy(\.isOfDays)
    case .not(let part): part.isOfDays
    default: false
    }
  }

  /// A tag that every match must have, if the query requires one outside any alternative.
  var neededTag: String? {
    switch self {
    case .tag(let key): key
    case .and(let parts): parts.lazy.compactMap(\.neededTag).first
    default: nil
    }
  }

  /// Whether every match must be starred.
  var needsStar: Bool {
    switch self {
    case .flag(.starred): true
    case .and(let parts): parts.contains(where: \.needsStar)
    default: false
    }
  }
}
