import GRDB
import Journal

/// Answers queries with words, links and fields, and caches the last answers while a journal is open.
///
/// An answer is a set of entry numbers. After a change of the journal, only the entries in the new
/// log lines are tested again, and those for which these decide. A cancelled query leaves the cache
/// unchanged.
final class TextSearch {
  private struct Answer {
    let query: Query
    var numbers: NumberSet
  }

  /// Whether there is an index of words.
  let isIndexed: Bool

  init(isIndexed: Bool) { self.isIndexed = isIndexed }

  /// The sequence number of the log to which the cached data belong.
  private var sequence: Int64 = 0
  private var answers: [Answer] = []
  private var days = DayMap()
  private var tags = TagMap()
  /// The values of the fields that were asked for last, the latest first.
  private var fields: [FieldMap] = []
  /// The fields that were asked for.
  private var askedFields: Set<String> = []

  private static let keptFields = 4
  private static let keptAnswers = 6
  /// The maximum number of changes to follow; after more, answers are computed again.
  private static let mostChanges = 4_096

  /// The numbers of the entries that a query matches; `nil` when the index cannot answer.
  func numbers(matching query: Query, _ db: Database) throws -> NumberSet? {
    try follow(db)
    if let known = answers.firstIndex(where: { $0.query == query }) {
      answers.swapAt(0, known)
      return answers[0].numbers
    }
    guard try DayMap.isWorthwhile(db) else { return nil }
    var evaluation = SearchEvaluation(
      db, wantsDeleted: query.wantsDeleted, isIndexed: isIndexed, days: { try self.map(db) },
      fields: { try self.numbers(matching: $0, db) })
    do {
      let numbers = try evaluation.numbers(matching: query)
      answers = [Answer(query: query, numbers: numbers)] + answers.prefix(Self.keptAnswers - 1)
      return numbers
    } catch is SearchEvaluation.Unanswerable {
      return nil
    }
  }

  /// The day of each entry outside the trash; valid after ``numbers(matching:_:)`` had an answer.
  func dayMap(_ db: Database) throws -> DayMap {
    try follow(db)
    return try map(db)
  }

  /// The tags of each entry outside the trash; valid like ``dayMap(_:)``.
  func tagMap(_ db: Database) throws -> TagMap {
    try follow(db)
    if !tags.isWhole { try tags.readRest(db) }
    return tags
  }

  /// The entries that a test of a field matches; `nil` at the first test of a field, for which reading the
  /// matching rows is less work than reading all.
  private func numbers(matching test: FieldTest, _ db: Database) throws -> NumberSet? {
    if let known = fields.firstIndex(where: { $0.name.isSame(as: test.name) }) {
      fields.swapAt(0, known)
    } else {
      let isFirst = askedFields.insert(test.name).inserted
      guard test.condition == .any || !isFirst else { return nil }
      fields = try [FieldMap(test.name, db)] + fields.prefix(Self.keptFields - 1)
    }
    return fields[0].numbers(matching: test)
  }

  /// Reads what the first search needs.
  ///
  /// After a cancelled call the next one, or the search, continues.
  func prepare(_ db: Database, for grouping: Grouping) throws {
    guard try isIndexed && DayMap.isWorthwhile(db) else { return }
    let field = grouping.description.field
    if field?.period != nil { _ = try dayMap(db) }
    if field == .tag { _ = try tagMap(db) }
  }

  private func map(_ db: Database) throws -> DayMap {
    if !days.isWhole { try days.readRest(db) }
    return days
  }

  private func follow(_ db: Database) throws {
    let now = try ChangeLog(db: db).lastSequence()
    guard now != sequence else { return }
    do {
      if !answers.isEmpty || !days.isUnread || !tags.isUnread || !fields.isEmpty {
        try takeChanges(db, since: sequence, until: now)
      }
      sequence = now
    } catch {
      forget()
      throw error
    }
  }

  /// Drops all answers.
  func forget() {
    answers = []
    days = DayMap()
    tags = TagMap()
    fields = []
  }

  private func takeChanges(_ db: Database, since: Int64, until now: Int64) throws {
    let numbers = try Int64.fetchAll(
      db.cachedStatement(sql: "SELECT DISTINCT number FROM change WHERE seq > ? LIMIT ?"),
      arguments: [since, Self.mostChanges + 1])
    guard now > since, numbers.count <= Self.mostChanges,
      numbers.allSatisfy({ $0 <= NumberSet.largest && (days.isUnread || days.hasRoom(for: $0)) })
    else { return forget() }
    if tags.changes + numbers.count > Self.mostChanges { tags = TagMap() }
    fields.removeAll { $0.changes + numbers.count > Self.mostChanges }
    let reader = SQLiteReader(db: db, path: "")
    // A file that came since may be the one that a text named before.
    if answers.contains(where: \.query.needsSizes), try FileTables(db: db).hasArrivals(after: since)
    {
      answers.removeAll(where: \.query.needsSizes)
    }
    var affected: Set<Int64> = []
    if answers.contains(where: \.query.needsOthers) {
      guard
        let found = try LinkGraph(db: db).affected(
          by: numbers, since: since, limit: Self.mostChanges)
      else { return forget() }
      affected = found.subtracting(numbers)
    }
    for number in numbers {
      let entry = try reader.entry(number: number)
      if !days.isUnread {
        days.note(number, entry.flatMap { $0.deleted == nil ? $0.day : nil })
      }
      if !tags.isUnread { tags.note(number, try TagMap.tags(of: number, db)) }
      for index in fields.indices {
        let values = try reader.fields(of: number, named: fields[index].name).map(\.value)
        fields[index].note(number, values)
      }
      for index in answers.indices { try test(number, entry, index, reader) }
    }
    for number in affected {
      let entry = try reader.entry(number: number)
      for index in answers.indices where answers[index].query.needsOthers {
        try test(number, entry, index, reader)
      }
    }
  }

  private func test(
    _ number: Int64, _ entry: Entry?, _ index: Int, _ reader: SQLiteReader
  ) throws {
    if let entry, try reader.matches(answers[index].query, entry) {
      answers[index].numbers.insert(number)
    } else {
      answers[index].numbers.remove(number)
    }
  }
}
