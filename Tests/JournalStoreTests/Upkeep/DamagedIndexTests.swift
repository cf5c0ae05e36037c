import Foundation
import GRDB
import Journal
import TestSupport
import Testing

@testable import JournalStore

/// Journals of every schema, each index of which contradicts its table in several ways.
///
/// A loop that reads in pages by such an index must end. The limit is the number of SQLite's steps,
/// so that a slow machine does not matter.
@Suite("Damaged indexes")
struct DamagedIndexTests {
  /// How an index contradicts its table.
  enum Damage: String, CaseIterable {
    /// Rows of the table that the index lacks, and rows of the index that the table lacks.
    case moved
    /// The same, for one row.
    case shifted
    /// The rows in the opposite order.
    case reversed
    /// The rows that do not fulfil the index's condition, in the opposite order: SQLite finds them
    /// again and again, however often they are written.
    case contrary
    /// The pages of the next index of the schema.
    case exchanged
    /// No row at all.
    case emptied
  }

  private struct Index {
    var name: String
    var table: String
    var sql: String
  }

  private let directory = TemporaryDirectory(isInMemory: true)
  private var path: String { directory.file("j.sqlite") }

  /// A journal of a version, to which another tool added more entries than a page of a loop has.
  private func journal(_ version: Int) throws -> Data {
    let file = try #require(
      Bundle.module.path(
        forResource: "schema-\(version)", ofType: "sqlite", inDirectory: "Fixtures"))
    try put(Data(contentsOf: URL(filePath: file)))
    try raw { db in
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
          INSERT INTO entry (text) SELECT 'text ' || i FROM n;
          UPDATE entry SET starred = 1 WHERE number % 7 = 0;
          """)
    }
    return try Data(contentsOf: URL(filePath: path))
  }

  private func put(_ data: Data) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
      unlink(directory.file(name))
    }
    try data.write(to: URL(filePath: path))
    chmod(path, 0o600)
  }

  /// Runs `body` on a connection of its own, since SQLite reads an edited schema only once.
  private func raw<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA synchronous=OFF; PRAGMA writable_schema=ON")
      return try body(db)
    }
  }

  private func indexes() throws -> [Index] {
    try raw { db in
      try SQLRow.fetchAll(
        db,
        sql: """
          SELECT name, tbl_name, ifnull(sql, '') FROM sqlite_schema
          WHERE type = 'index' ORDER BY name
          """
      ).map { Index(name: $0[0], table: $0[1], sql: $0[2]) }
    }
  }

  /// - Returns: `false` if the index cannot be damaged in this way.
  private func damage(_ index: Index, _ damage: Damage, next: Index) throws -> Bool {
    switch damage {
    case .moved, .shifted:
      let column = ["entry": "number", "change": "seq", "change_set": "id"][index.table]
      // SQLite needs an index of its own for a constraint.
      guard let column, !index.sql.isEmpty else { return false }
      let which =
        damage == .moved ? "" : "WHERE \(column) = (SELECT max(\(column)) FROM \(index.table))"
      try hiding(index) {
        try $0.execute(sql: "UPDATE \(index.table) SET \(column) = \(column) + 100000 \(which)")
      }
    case .reversed, .contrary:
      guard !index.sql.isEmpty, let open = index.sql.lastIndex(of: "(") else { return false }
      var sql = index.sql
      let end = sql[open...].firstIndex { $0 == "," || $0 == ")" } ?? open
      sql.insert(contentsOf: " DESC", at: end)
      if damage == .contrary {
        guard let condition = sql.range(of: " WHERE ")?.upperBound else { return false }
        sql = "\(sql[..<condition])NOT (\(sql[condition...]))"
        try hiding(index) {
          try $0.execute(
            sql: "UPDATE entry SET title='t', title_key='t', tags='', words=1, checksum=0")
        }
      }
      try raw { try $0.execute(sql: "DROP INDEX \(index.name); \(sql)") }
      try raw {
        try $0.execute(
          sql: "UPDATE sqlite_schema SET sql = ? WHERE name = ?",
          arguments: [index.sql, index.name])
      }
    case .exchanged:
      try raw {
        try $0.execute(
          sql: """
            UPDATE sqlite_schema SET rootpage = (
              SELECT sum(rootpage) FROM sqlite_schema WHERE name IN (?1, ?2)) - rootpage
            WHERE name IN (?1, ?2)
            """, arguments: [index.name, next.name])
      }
    case .emptied:
      guard !index.sql.isEmpty else { return false }
      let condition = index.sql.contains(" WHERE ") ? " AND 0" : " WHERE 0"
      try raw { try $0.execute(sql: "DROP INDEX \(index.name); \(index.sql)\(condition)") }
      try raw {
        try $0.execute(
          sql: "UPDATE sqlite_schema SET sql = ? WHERE name = ?",
          arguments: [index.sql, index.name])
      }
    }
    return true
  }

  /// Runs `body` on a table of which SQLite knows neither the index nor the triggers.
  private func hiding(_ index: Index, _ body: (Database) throws -> Void) throws {
    let hidden = "FROM sqlite_schema WHERE type = 'trigger' OR name = '\(index.name)'"
    try raw { db in
      try db.execute(
        sql: "CREATE TABLE hidden AS SELECT * \(hidden) ORDER BY rowid; DELETE \(hidden)")
    }
    try raw(body)
    try raw { db in
      try db.execute(sql: "INSERT INTO sqlite_schema SELECT * FROM hidden; DROP TABLE hidden")
    }
  }

  // MARK: -

  /// Counts SQLite's steps in units of 5,000; a sound journal needs some hundred units.
  private final class Steps {
    private var count = 0
    private(set) var isEndless = false

    func isTooMany() -> Bool {
      count += 1
      if count > 4_000 { isEndless = true }
      return isEndless
    }
  }

  /// Runs `body`, which ends with a result or with an error that names the doctor.
  private func ends(
    _ note: String, _ store: SQLiteEntryStore, _ body: () throws -> Void
  ) {
    let steps = Steps()
    do {
      let isDone = try store.cancellable(steps.isTooMany, body) != nil
      #expect(isDone, "\(note) does not end")
    } catch let error as StoreError {
      if error.kind == .damaged {
        #expect(error.category == .unusable)
        #expect(error.description.contains("daybook doctor"), "\(note): \(error)")
      }
    } catch {
      Issue.record("\(note): \(error)")
    }
  }

  /// Uses the journal in all ways that read by an index.
  ///
  /// - Parameter orders: those of the lists.
  private func use(_ orders: [ListOrder], _ note: String) {
    let steps = Steps()
    let observer = UpgradeObserver { _ in WorkAttendance(isGivenUp: steps.isTooMany) }
    let store: SQLiteEntryStore
    do {
      store = try SQLiteEntryStore.open(path, mode: .readWrite, observer: observer)
    } catch {
      #expect(!steps.isEndless && error is StoreError, "\(note): opening: \(error)")
      return
    }
    for order in orders {
      ends("\(note): list, \(order)", store) {
        let request = EntryRequest.entries(order: order, grouping: .none)
        _ = try store.read { try $0.outline(of: request) }
        var count = 0
        _ = try store.forEachPagedEntry(of: request) { _ in
          count += 1
          guard count < 100_000 else { throw Endless() }
        }
      }
    }
    ends("\(note): history", store) {
      _ = try store.inspect { try $0.changeSets(latest: 100, before: nil) }
    }
    let session = UndoScope.session
    for scope in [UndoScope.journal, session, session] {
      ends("\(note): undo", store) { try store.undo(scope) }
    }
    ends("\(note): redo", store) { try store.redo() }
    let moment = Moment(seconds: 1_794_000_000, offset: 3600)
    ends("\(note): add", store) {
      try store.add([NewEntry(text: "new", created: moment, day: moment.localDay)])
    }
    ends("\(note): star", store) { try store.setStarred(true, [1, 2]) }
    ends("\(note): delete", store) { try store.delete([1, 3, 9]) }
    ends("\(note): purge", store) { try store.purge() }
    ends("\(note): check", store) { _ = try store.check(WorkAttendance()) }
  }

  private struct Endless: Error {}

  /// The doctor's repair ends, and a journal that it calls repaired opens.
  ///
  /// - Parameter isSound: whether only the index is wrong, and not what it was made from.
  private func repair(isSound: Bool, _ note: String) {
    let steps = Steps()
    do {
      var doctor = try JournalDoctor(JournalLocation(path: path, isExplicit: true))
      doctor.attendance = WorkAttendance(isGivenUp: steps.isTooMany)
      let report = try doctor.repair()
      #expect(report.left.findings.isEmpty || !isSound, "\(note): \(report.left.findings)")
      guard report.left.findings.isEmpty else { return }
      let store = try SQLiteEntryStore.open(path, mode: .readWrite)
      #expect(try store.count() > 0, "\(note)")
      if isSound { #expect(try store.check() == [], "\(note)") }
    } catch {
      #expect(!steps.isEndless && error is StoreError, "\(note): repair: \(error)")
      #expect((error as? StoreError)?.description.contains("--salvage") == true, "\(note)")
    }
  }

  @Test(
    "With an index that contradicts its table each command ends, and the doctor's repair too",
    arguments: 1...Int(Schema.version))
  func everyIndex(version: Int) throws {
    let sound = try journal(version)
    let all = try indexes()
    #expect(all.contains { $0.name == "entry_stale" } && all.count > 12)
    // An upgraded journal is read as a new one is.
    let isNewest = version == Schema.version
    let sample = Sample(oneIn: isNewest ? 3 : 11, of: "indexes of \(version)")
    for (place, index) in all.enumerated()
    where index.name == "entry_stale" || sample.contains(place + 1) {
      for damage in isNewest || index.name == "entry_stale" ? Damage.allCases : [.exchanged] {
        let note = "version \(version), \(index.name) \(damage)"
        try put(sound)
        guard try self.damage(index, damage, next: all[(place + 1) % all.count]) else { continue }
        let damaged = try Data(contentsOf: URL(filePath: path))
        use(isNewest && damage == .exchanged ? ListOrder.allCases : [.newest], note)
        guard index.name == "entry_stale" || isNewest && damage == .exchanged else { continue }
        try put(damaged)
        repair(isSound: [.reversed, .exchanged, .emptied].contains(damage), note)
      }
    }
  }

  /// How a table is damaged.
  enum TableDamage: String, CaseIterable {
    /// It has no rows, while others refer to them.
    case emptied
    /// It has the pages of the next table of the schema.
    case exchanged
    /// Every row number is taken from another one, from last to first.
    case reversed
  }

  private func tables() throws -> [Index] {
    try raw { db in
      try SQLRow.fetchAll(
        db,
        sql: """
          SELECT name, name, sql FROM sqlite_schema
          WHERE type = 'table' AND rootpage > 0 AND sql IS NOT NULL ORDER BY name
          """
      ).map { Index(name: $0[0], table: $0[1], sql: $0[2]) }
    }
  }

  /// - Returns: `false` if the table cannot be damaged in this way.
  private func damage(table: Index, _ damage: TableDamage, next: Index) throws -> Bool {
    // The triggers alone are hidden.
    let nothing = Index(name: "", table: "", sql: "")
    switch damage {
    case .emptied: try hiding(nothing) { try $0.execute(sql: "DELETE FROM \(table.name)") }
    case .exchanged: return try self.damage(table, Damage.exchanged, next: next)
    case .reversed:
      guard !table.sql.contains("WITHOUT ROWID") else { return false }
      try hiding(nothing) {
        try $0.execute(
          sql: """
            PRAGMA ignore_check_constraints=ON;
            UPDATE \(table.name) SET rowid = -rowid;
            UPDATE \(table.name) SET rowid = rowid + (SELECT 1 - min(rowid) FROM \(table.name))
            """)
      }
    }
    return true
  }

  @Test(
    "With a table that is emptied, exchanged or reversed each command ends, and the doctor's repair too",
    arguments: 1...Int(Schema.version))
  func everyTable(version: Int) throws {
    let sound = try journal(version)
    let all = try tables()
    #expect(all.count > 5)
    // Most of an upgraded journal is read as that of a new one is.
    let sample = Sample(oneIn: version == Schema.version ? 7 : 29, of: "tables of \(version)")
    let takenOver = ["section_count", "tag_count", "entry_word_config", "entry_word_data"]
    for (place, table) in all.enumerated() {
      for (kind, damage) in TableDamage.allCases.enumerated() {
        let isTakenOver = damage == .emptied && takenOver.contains(table.name)
        guard isTakenOver || sample.contains(3 * place + kind + 1) else { continue }
        let note = "version \(version), \(table.name) \(damage)"
        try put(sound)
        guard try self.damage(table: table, damage, next: all[(place + 1) % all.count]) else {
          continue
        }
        let damaged = try Data(contentsOf: URL(filePath: path))
        use([.newest], note)
        try put(damaged)
        // All entries are gone then, and nothing tells that there were any.
        guard table.name != "entry" else { continue }
        repair(isSound: false, note)
      }
    }
  }

  @Test(
    "An index or a trigger that an older journal lacks is found, made again, and upgraded",
    arguments: 1..<Int(Schema.version))
  func lackingOlder(version: Int) throws {
    let sound = try journal(version)
    let parts = Schema.parts(of: Int32(version)).filter { $0.kind != .table }
    let sample = Sample(oneIn: 13, of: "parts of \(version)")
    for (place, part) in parts.enumerated() where sample.contains(place + 1) {
      try put(sound)
      try raw { try $0.execute(sql: "DROP \(part.kind.rawValue) \(part.name)") }
      let damaged = try Data(contentsOf: URL(filePath: path))
      do {
        _ = try SQLiteEntryStore.open(path, mode: .readWrite).count()
      } catch let error as StoreError {
        #expect(error.kind == .damaged, "\(part.name): \(error)")
        #expect(error.description.contains("daybook doctor"), "\(part.name): \(error)")
      } catch {
        Issue.record("\(part.name): \(error)")
      }
      try put(damaged)
      let doctor = try JournalDoctor(JournalLocation(path: path, isExplicit: true))
      #expect(
        try doctor.examine().findings.map(\.text).contains(
          "the \(part.kind) \(part.name) is missing"))
      #expect(try doctor.repair().left.findings == [], "\(part.name)")
      let store = try SQLiteEntryStore.open(path, mode: .readWrite)
      #expect(try store.count() == 603, "\(part.name)")
      #expect(try store.check() == [], "\(part.name)")
    }
  }

  @Test("An upgrade counts the entries again where an older journal has no counts of them")
  func upgradedCounts() throws {
    for version in 1..<Int(Schema.version) {
      try put(journal(version))
      try raw { try $0.execute(sql: "DELETE FROM section_count; DELETE FROM tag_count") }
      let store = try SQLiteEntryStore.open(path, mode: .readWrite)
      #expect(try store.count() == 603)
      #expect(try store.check() == [])
    }
  }

  @Test(
    "A journal of an older schema with a damaged index is repaired, and then upgraded",
    arguments: [Damage.reversed, .contrary, .exchanged])
  func repairOfOlder(kind: Damage) throws {
    for version in 1..<Int(Schema.version) {
      try put(journal(version))
      let all = try indexes()
      let stale = try #require(all.first { $0.name == "entry_stale" })
      let day = try #require(all.first { $0.name == "entry_day" })
      #expect(try damage(stale, kind, next: day))
      let damaged = try Data(contentsOf: URL(filePath: path))
      let error = #expect(throws: StoreError.self) {
        try SQLiteEntryStore.open(path, mode: .readWrite).count()
      }
      #expect(error?.kind == .damaged)
      #expect(error?.description.contains("daybook doctor") == true)
      // Also before the upgrade.
      try put(damaged)
      let doctor = try JournalDoctor(JournalLocation(path: path, isExplicit: true))
      #expect(try doctor.repair().left.findings == [])
      let store = try SQLiteEntryStore.open(path, mode: .readWrite)
      #expect(try store.entries([1]).first?.text == "Bought bread #home\nand butter")
      #expect(try store.count() == 603)
      if kind != .contrary { #expect(try store.check() == []) }
    }
  }
}
