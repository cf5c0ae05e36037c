import GRDB
import Journal

/// Evaluates a query with the full-text index and, for its other parts, with SQL.
struct SearchEvaluation {
  /// The index cannot answer, so that texts must be read.
  struct Unanswerable: Error {}

  let db: Database
  /// Whether entries in the trash may match, by the whole query.
  let wantsDeleted: Bool
  /// Whether there is an index of words.
  let isIndexed: Bool
  /// Returns the days of entries, for queries over many entries.
  let days: () throws -> DayMap
  /// Returns the entries outside the trash that a test of a field matches, if its values are in memory.
  let fields: (FieldTest) throws -> NumberSet?
  private var known: [String: NumberSet] = [:]

  /// The maximum number of candidates to test one by one; more need other indexes.
  private static let fewCandidates = 300

  init(
    _ db: Database, wantsDeleted: Bool, isIndexed: Bool, days: @escaping () throws -> DayMap,
    fields: @escaping (FieldTest) throws -> NumberSet?
  ) {
    self.db = db
    self.wantsDeleted = wantsDeleted
    self.isIndexed = isIndexed
    self.days = days
    self.fields = fields
  }

  /// The numbers of the matching entries.
  ///
  /// - Throws: ``Unanswerable`` when the index cannot answer.
  mutating func numbers(matching query: Query) throws -> NumberSet {
    if !isIndexed, query.needsWords { throw Unanswerable() }
    if let candidates = try candidates(for: query),
      candidates.count <= SearchEvaluation.fewCandidates
    {
      return try verified(candidates, query)
    }
    var numbers = try evaluate(query)
    if !wantsDeleted {
      numbers.subtract(try select("SELECT number FROM entry AS e WHERE deleted IS NOT NULL"))
    }
    return numbers
  }

  private func verified(_ candidates: NumberSet, _ query: Query) throws -> NumberSet {
    let reader = SQLiteReader(db: db, path: "")
    return NumberSet(
      try candidates.numbers.filter {
        try reader.entry(number: $0).map { try reader.matches(query, $0) } ?? false
      })
  }

  /// A superset of the matches, if words define one.
  private mutating func candidates(for query: Query) throws -> NumberSet? {
    switch query {
    case .and(let parts): return try candidates(forAll: parts)
    case .or(let parts):
      var union = NumberSet()
      for part in parts {
        guard let set = try candidates(for: part) else { return nil }
        union.formUnion(set)
      }
      return union
    default: return try MatchExpression(query).map { try matches($0) }
    }
  }

  private mutating func candidates(forAll parts: [Query]) throws -> NumberSet? {
    var result = try matches(ofLeavesAmong: parts)
    for part in parts where MatchExpression(part) == nil {
      if let result, result.count <= SearchEvaluation.fewCandidates { return result }
      guard let set = try candidates(for: part) else { continue }
      result = SearchEvaluation.intersection(result, set)
    }
    return result
  }

  private mutating func evaluate(_ query: Query) throws -> NumberSet {
    switch query {
    case .everything: return try universe()
    case .and(let parts): return try evaluate(all: parts)
    case .or(let parts):
      var union = NumberSet()
      for part in parts { union.formUnion(try evaluate(part)) }
      return union
    case .not(let part):
      var rest = try universe()
      rest.subtract(try evaluate(part))
      return rest
    case .word, .prefix, .phrase:
      guard let expression = MatchExpression(query) else { throw Unanswerable() }
      return try matches(expression)
    case .tag(let key):
      var tagged = try tagged("tag = ?", [key])
      tagged.formUnion(try self.tagged("tag > ? AND tag < ?", [key + "/", key + "0"]))
      return tagged
    default: return try evaluate(field: query)
    }
  }

  /// The tables of links, fields and files answer without reading entries.
  private func marked(_ query: Query) throws -> NumberSet? {
    switch query {
    case .links, .field, .file:
      if case .field(let test) = query, !wantsDeleted, let known = try fields(test) { return known }
      let condition = MarkCondition(query, wantsDeleted: wantsDeleted)
      return try condition.map { try select($0.numbers, $0.arguments) }
    default:
      return try LinkGraph(db: db).numbers(matching: query) {
        try wantsDeleted
          ? select("SELECT number FROM entry WHERE deleted IS NULL") : universe()
      }
    }
  }

  /// The tags table answers without reading entries.
  private func tagged(_ condition: String, _ values: StatementArguments) throws -> NumberSet {
    let live = wantsDeleted ? "live IN (0, 1)" : "live = 1"
    return try select("SELECT number FROM entry_tag WHERE \(live) AND \(condition)", values)
  }

  private mutating func evaluate(all parts: [Query]) throws -> NumberSet {
    var result = try matches(ofLeavesAmong: parts)
    for part in parts where MatchExpression(part) == nil {
      if case .not(let excluded) = part, result != nil {
        result?.subtract(try evaluate(excluded))
      } else {
        result = SearchEvaluation.intersection(result, try evaluate(part))
      }
    }
    return try result ?? universe()
  }

  private static func intersection(_ set: NumberSet?, _ other: NumberSet) -> NumberSet {
    guard var set else { return other }
    set.formIntersection(other)
    return set
  }

  /// Days are looked up in memory, other fields by SQL.
  private func evaluate(field query: Query) throws -> NumberSet {
    if let marked = try marked(query) { return marked }
    guard !wantsDeleted, let holds = query.dayTest else {
      let filter = SQLFilter(query, mode: .whole, wantsDeleted: wantsDeleted)
      guard filter.isExact else { throw Unanswerable() }
      let index = wantsDeleted ? "" : SQLRequest.index(query, isRare: false)
      return try select(
        "SELECT number FROM entry AS e\(index) WHERE \(filter.sql)", filter.arguments)
    }
    return try days().numbers(where: holds)
  }

  /// All entries that can match.
  private func universe() throws -> NumberSet {
    try wantsDeleted ? select("SELECT number FROM entry") : days().numbers { _ in true }
  }

  private mutating func matches(ofLeavesAmong parts: [Query]) throws -> NumberSet? {
    let expressions = parts.compactMap(MatchExpression.init)
    guard !expressions.isEmpty else { return nil }
    var result: NumberSet?
    // FTS5 limits the length of an expression.
    for start in stride(from: 0, to: expressions.count, by: 32) {
      let part = expressions[start..<min(start + 32, expressions.count)]
      result = SearchEvaluation.intersection(result, try matches(MatchExpression.all(Array(part))))
    }
    return result
  }

  private mutating func matches(_ expression: MatchExpression) throws -> NumberSet {
    if let set = known[expression.text] { return set }
    let set = try select(
      "SELECT rowid FROM entry_word WHERE entry_word MATCH ?", [expression.text])
    known[expression.text] = set
    return set
  }

  private func select(
    _ sql: String, _ arguments: StatementArguments = StatementArguments()
  ) throws -> NumberSet {
    var numbers = NumberSet()
    try db.forEach(sql, arguments) { numbers.insert($0.integer(0)) }
    return numbers
  }
}

extension Query {
  /// The query as a test of the day, if it depends on the day only.
  var dayTest: ((Day) -> Bool)? {
    switch self {
    case .since(let first): { $0 >= first }
    case .until(let last): { $0 <= last }
    case .on(let days): { days.contains($0) }
    case .everyYear(let month, let day): { $0.month == month && $0.day == day }
    default: nil
    }
  }
}

/// Words, prefixes and phrases of a query as an FTS5 expression.
///
/// The index contains the same words as `Folding.words` returns, so that the expression is
/// equivalent to `Query.matches`; otherwise there is none.
struct MatchExpression {
  /// The expression.
  let text: String

  /// The longest word that is not cut in the index, in bytes; FTS5 itself cuts slightly later.
  static let longestWord = 32_000
  /// The maximum number of words in a phrase for the index.
  private static let longestPhrase = 256

  /// - Parameter query: a query; only words, a prefix or a phrase have an expression.
  init?(_ query: Query) {
    switch query {
    case .word(let word): self.init(words: [word], isPrefix: false)
    case .prefix(let prefix): self.init(words: [prefix], isPrefix: true)
    case .phrase(let words, let isPrefix): self.init(words: words, isPrefix: isPrefix)
    default: return nil
    }
  }

  private init?(words: [String], isPrefix: Bool) {
    guard !words.isEmpty, words.count <= MatchExpression.longestPhrase,
      words.allSatisfy({ $0.utf8.count < MatchExpression.longestWord }),
      words.allSatisfy({ Folding.words(of: $0) == [$0] })
    else { return nil }
    text = "\"\(words.joined(separator: " "))\"" + (isPrefix ? " *" : "")
  }

  private init(text: String) {
    self.text = text
  }

  /// The conjunction of these expressions; FTS5 then starts with the rarest of them.
  static func all(_ expressions: [MatchExpression]) -> MatchExpression {
    MatchExpression(text: expressions.map(\.text).joined(separator: " AND "))
  }
}
