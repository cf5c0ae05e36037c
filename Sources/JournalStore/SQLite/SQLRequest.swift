import GRDB
import Journal
import SectionedResults

/// A request as the parts of SQL statements.
struct SQLRequest {
  let request: EntryRequest
  let keys: [SQLSortKey]
  let filter: SQLFilter
  /// Whether a row stands for an entry under one of its tags.
  let isByTag: Bool
  /// Whether there is no filter, so that counts kept as data answer.
  let isPlain: Bool
  /// The table that `number`, `day` and `created` are read from.
  let alias: String
  private let source: String
  private let liveCondition: String?

  /// - Parameter isRare: whether so few entries can match that going through them one by one is
  ///   better than going through an index in the list's order.
  init(_ request: EntryRequest, mode: SQLFilter.Mode, isRare: Bool = false) {
    let query = request.filter == .everything ? nil : request.filter
    self.init(
      request, query, SQLFilter(query, mode: mode),
      index: SQLRequest.index(query, isRare: isRare))
  }

  /// The request as if its filter let everything through that is in the trash, or not, like it.
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
    let byTag = request.sectionField == .tag || request.sortKeys.contains { $0.field == .tag }
    isByTag = byTag
    alias = byTag ? "t" : "e"
    let alias = alias
    keys = request.sortKeys.map { SQLSortKey($0, alias: alias) }
    let needsEntry = !isPlain || keys.contains { $0.field == .modified || $0.field == .titleKey }
    source =
      byTag
      ? "entry_tag AS t" + tagIndex
        + (needsEntry ? " CROSS JOIN entry AS e ON e.number = t.number" : "")
      : "entry AS e" + index
    liveCondition = byTag ? (filter.wantsDeleted ? "t.live IN (0, 1)" : "t.live = 1") : nil
    usesEntry = !byTag || needsEntry
  }

  private let usesEntry: Bool

  /// Without statistics SQLite would go through all entries in the list's order.
  static func index(_ query: Query?, isRare: Bool) -> String {
    if isRare { return " NOT INDEXED" }
    guard let query, query.needsStar, !query.wantsDeleted else { return "" }
    return " INDEXED BY entry_starred"
  }

  /// `FROM` and `WHERE` of a statement over a range.
  func from(_ range: KeyRange = KeyRange(lower: nil, upper: nil)) -> SQLText {
    from(SQLBounds(range, keys))
  }

  /// `FROM` and `WHERE` of a statement over the rows within bounds.
  func from(_ bounds: SQLBounds) -> SQLText {
    var conditions = bounds.conditions
    if let liveCondition { conditions.append(liveCondition) }
    var text = SQLText()
    if usesEntry, !(isByTag && isPlain) { conditions.append(filter.sql) }
    text.sql = "FROM \(source) WHERE \(conditions.joined(separator: " AND "))"
    text.arguments = StatementArguments(bounds.arguments)
    if usesEntry, !(isByTag && isPlain) { text.arguments += filter.arguments }
    return text
  }

  /// The order; rows with equal values stand by identity (rule 8).
  var order: String {
    var terms = keys.map(\.term)
    if !keys.contains(where: { $0.field == .number }) { terms.append("\(alias).number") }
    if isByTag, !keys.contains(where: { $0.field == .tag }) { terms.append("t.tag") }
    return "ORDER BY " + terms.joined(separator: ", ")
  }

  /// Whether a row's section or one of its values follows from its day.
  private var needsDay: Bool {
    switch request.sectionField {
    case .day?, .week?, .month?, .year?: true
    case nil, .tag?, .some(.none): keys.contains { $0.field == .day }
    }
  }

  /// The columns a key is made from: number, day, tag, then the value of each sort key.
  ///
  /// The day is left out where nothing follows from it, so that an index without it is enough.
  var keyColumns: String {
    "\(alias).number, \(needsDay ? "\(alias).day" : "''"), \(isByTag ? "t.tag" : "''"), "
      + keys.map { $0.field == .titleKey ? "ifnull(\($0.expression), '')" : $0.expression }
      .joined(separator: ", ")
  }
}

/// A piece of SQL with its arguments.
struct SQLText {
  var sql = ""
  var arguments = StatementArguments()
}
