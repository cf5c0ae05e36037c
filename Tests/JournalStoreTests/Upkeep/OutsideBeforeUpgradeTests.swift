import Foundation
import GRDB
import Journal
import TestSupport
import Testing

@testable import JournalStore

/// A journal of each schema that another tool has written to, before this program opens it again.
@Suite("Other tools' changes before an upgrade")
struct OutsideBeforeUpgradeTests {
  private let directory = TemporaryDirectory(isInMemory: true)
  private var path: String { directory.file("j.sqlite") }

  /// What another tool does; each journal has three entries with a title, and one without.
  private static let changes = [
    "INSERT INTO entry (text) VALUES ('new canary #home')",
    "UPDATE entry SET text = 'changed canary' WHERE number = 1",
    "DELETE FROM entry WHERE number = 1",
    "DELETE FROM entry WHERE number = 4",
    "DELETE FROM entry",
    "DELETE FROM entry; INSERT INTO entry (text) VALUES ('only canary')",
    "UPDATE entry SET deleted = 1763633040 WHERE number = 2; DELETE FROM entry WHERE number = 3",
  ]

  private func journal(_ version: Int, _ sql: String) throws {
    let file = try #require(
      Bundle.module.path(
        forResource: "schema-\(version)", ofType: "sqlite", inDirectory: "Fixtures"))
    unlink(path)
    try Data(contentsOf: URL(filePath: file)).write(to: URL(filePath: path))
    chmod(path, 0o600)
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  private func texts(_ store: SQLiteEntryStore) throws -> [String] {
    try store.entries(Array(1...9)).map(\.text)
  }

  @Test("they are adopted, found and undone", arguments: 1...Int(Schema.version))
  func adopted(version: Int) throws {
    try journal(version, "SELECT 1")
    let before = try texts(SQLiteEntryStore.open(path, mode: .readWrite))
    for sql in Self.changes {
      try journal(version, sql)
      let store = try SQLiteEntryStore.open(path, mode: .readWrite)
      let after = try texts(store)
      #expect(try store.check() == [], "\(version): \(sql)")
      let found = try store.numbers(
        matching: Query.parse("canary", now: store.clock.moment(), clock: store.clock))
      #expect(found.count == after.count { $0.contains("canary") }, "\(version): \(sql)")
      try store.undo(.journal)
      #expect(try store.check() == [], "\(version): undo of \(sql)")
      #expect(Set(try texts(store)).isSubset(of: Set(before)), "\(version): undo of \(sql)")
    }
  }

  @Test("the doctor repairs them where the search index cannot be read")
  func withoutIndex() throws {
    for sql in Self.changes {
      try journal(
        Int(Schema.version), "PRAGMA writable_schema=ON; \(sql); DELETE FROM entry_word_data")
      let doctor = try JournalDoctor(JournalLocation(path: path, isExplicit: true))
      #expect(try doctor.examine().findings.isEmpty == false, "\(sql)")
      #expect(try doctor.repair().left.findings == [], "\(sql)")
      #expect(try SQLiteEntryStore.open(path, mode: .readWrite).check() == [], "\(sql)")
    }
  }
}
