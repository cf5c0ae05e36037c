import Foundation
import GRDB
import SectionedResults
import TestSupport
import Testing

@testable import SectionedResultsGRDB

/// Sections by the day, week, month or year of a column with dates.
@Suite("Periods")
struct PeriodTests {
  struct Item: ResultsRow, Codable, FetchableRecord {
    var id: Int64
    var at: Date
    var period: String
  }

  struct Timed: ResultsRow, Codable, FetchableRecord {
    var id: Int64
    var at: Int64
    var period: String
  }

  /// The calendar's own period.
  private func period(_ date: Date, _ unit: PeriodColumn.Unit, _ offset: Int) throws -> String {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: offset))
    let start =
      unit == .week
      ? try #require(calendar.dateInterval(of: .weekOfYear, for: date)).start : date
    let parts = calendar.dateComponents([.year, .month, .day], from: start)
    let digits = [parts.year ?? 0, parts.month ?? 0, parts.day ?? 0].map { number in
      number < 10 ? "0\(number)" : "\(number)"
    }
    let counts: [PeriodColumn.Unit: Int] = [.year: 1, .month: 2]
    return digits.prefix(counts[unit] ?? 3).joined(separator: "-")
  }

  @Test(
    "each unit and form of dates groups as a calendar does, after every change, by an index",
    arguments: PeriodColumn.Unit.allCases, PeriodColumn.Storage.allCases)
  func groups(unit: PeriodColumn.Unit, storage: PeriodColumn.Storage) throws {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    for offset in [0, 3600, -34_200] {
      let queue = try DatabaseQueue()
      let column = PeriodColumn("period", unit, of: "at", stored: storage, secondsFromUTC: offset)
      try queue.write { db in
        try db.execute(
          sql:
            "CREATE TABLE item (id INTEGER PRIMARY KEY, at \(storage == .text ? "TEXT" : "INTEGER"))"
        )
        try db.execute(sql: column.indexSQL(on: "item"))
        // It may be there.
        try db.execute(sql: column.indexSQL(on: "item"))
      }
      switch storage {
      case .text:
        let store = try GRDBResultsStore<Item>(queue, table: "item", periods: [column])
        let controller = try ResultsController(
          request: ResultsRequest<Item>(
            sortKeys: [SortKey(\.period, .descending), SortKey(\.at)], sections: \.period),
          store: store)
        try check(controller, queue, column, &random, write: { try store.write($0) })
      case .seconds:
        let store = try GRDBResultsStore<Timed>(queue, table: "item", periods: [column])
        let controller = try ResultsController(
          request: ResultsRequest<Timed>(
            sortKeys: [SortKey(\.period, .descending), SortKey(\.at)], sections: \.period),
          store: store)
        try check(controller, queue, column, &random, write: { try store.write($0) })
      }
    }
  }

  private func check<Row: ResultsRow>(
    _ controller: ResultsController<Row>, _ queue: DatabaseQueue, _ column: PeriodColumn,
    _ random: inout SeededGenerator, write: ((Database) throws -> Void) throws -> Void
  ) throws {
    let classic = try controller.observe { _ in }
    defer { classic.cancel() }
    var dates: [Int64: Date] = [:]
    for step in 0..<40 {
      let id = Int64.random(in: 1...12, using: &random)
      // Around the end of a year, where weeks, months and years differ.
      let seconds = 1_798_000_000 + Int.random(in: 0..<3_000_000, using: &random)
      let date = Date(timeIntervalSince1970: Double(seconds))
      let isDeleted = random.chance(percent: 20)
      dates[id] = isDeleted ? nil : date
      try write { db in
        guard !isDeleted else {
          return try db.execute(sql: "DELETE FROM item WHERE id = ?", arguments: [id])
        }
        try db.execute(
          sql: "INSERT OR REPLACE INTO item (id, at) VALUES (?, ?)",
          arguments: [id, column.storage == .text ? date.databaseValue : seconds.databaseValue])
      }
      let wanted = try Dictionary(grouping: dates.values) {
        try period($0, column.unit, column.secondsFromUTC)
      }.mapValues(\.count).sorted { $0.key > $1.key }
      #expect(controller.sectionKeys == wanted.map(\.key), "step \(step)")
      #expect(controller.sectionCounts == wanted.map(\.value), "step \(step)")
    }
    let plan = try queue.read { db in
      try GRDB.Row.fetchAll(
        db,
        sql: "EXPLAIN QUERY PLAN SELECT * FROM (SELECT item.*, \(column.selection) FROM item)"
          + " ORDER BY period COLLATE BINARY, at COLLATE BINARY, id"
      ).map { $0["detail"] as String }
    }
    #expect(plan.allSatisfy { !$0.contains("B-TREE") }, "\(plan)")
  }

  @Test("a computed property without a name is refused, and the error says what to write")
  func unnamed() throws {
    struct Note: ResultsRow, Codable, FetchableRecord {
      var id: Int64
      var at: Date
      var day: String { String("\(at)".prefix(10)) }
    }
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, at TEXT)") }
    let store = try GRDBResultsStore<Note>(queue, table: "note")
    let controller = try ResultsController(
      request: ResultsRequest(sortKeys: [SortKey(\.at)], sections: \.day), store: store)
    #expect(throws: ResultsError.unnamedField) { try controller.performFetch() }
    #expect(ResultsError.unnamedField.description.contains("named:"))
    // In a cache the name would be another one at the next start.
    let memory = MemoryResultsStore<Note>()
    let caches = ResultsCaches(storage: MemoryOutlineCache())
    let request = ResultsRequest<Note>(sortKeys: [SortKey(\.at)], sections: \.day)
    #expect(throws: ResultsError.unnamedField) {
      try ResultsController(request: request, store: memory, cacheName: "days", caches: caches)
    }
    try ResultsController(request: request, store: memory).performFetch()
    let named = try ResultsController(
      request: ResultsRequest<Note>(sortKeys: [SortKey(\.at)]), store: memory, cacheName: "days",
      caches: caches)
    #expect(throws: ResultsError.unnamedField) { try named.setRequest(request) }
  }

  @Test("the index of a period has the name of its unit, column, form and zone")
  func indexNames() {
    var names: Set<String> = []
    for unit in PeriodColumn.Unit.allCases {
      for storage in PeriodColumn.Storage.allCases {
        for (column, offset) in [("at", 0), ("at", 60), ("on", 0)] {
          let period = PeriodColumn(
            "period", unit, of: column, stored: storage, secondsFromUTC: offset)
          names.insert(String(period.indexSQL(on: "item").prefix { $0 != "(" }))
        }
      }
    }
    #expect(names.count == 24)
  }

  @Test("records with automatic identities are inserted, updated and deleted through the store")
  func automatic() throws {
    struct Draft: ResultsRow, Codable, FetchableRecord, MutablePersistableRecord {
      static let databaseTableName = "draft"
      var id: Int64?
      var text: String
      mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
    }
    let queue = try DatabaseQueue()
    try queue.write {
      try $0.execute(
        sql: "CREATE TABLE draft (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL)")
    }
    let store = try GRDBResultsStore<Draft>(queue, table: "draft")
    let provider = try ResultsDataProvider(
      request: ResultsRequest<Draft>(sortKeys: [SortKey(\.text)]), store: store)
    try provider.reload()
    for text in ["c", "a", "b"] { try provider.insert(Draft(text: text)) }
    #expect(try (0..<3).map { try provider.object(at: RowPath(0, $0)).id } == [2, 3, 1])
    var first = try provider.object(at: RowPath(0, 0))
    first.text = "d"
    try provider.update(first)
    #expect(try provider.object(at: RowPath(0, 2)).id == 2)
    try provider.delete(at: RowPath(0, 0))
    #expect(provider.sectionCounts == [2])
    #expect(throws: ResultsError.self) { try provider.insert(Draft(id: 2, text: "again")) }
    #expect(IndexPath(RowPath(3, 4)) == IndexPath(indexes: [3, 4]))
    #expect(RowPath(IndexPath(indexes: [3, 4])) == RowPath(3, 4))
    #expect(RowPath(IndexPath(index: 3)) == nil)
  }
}
