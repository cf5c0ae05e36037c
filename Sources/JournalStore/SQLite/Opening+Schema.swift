import GRDB

extension Opening {
  /// Compares the file's schema with ours: a trigger or view that somebody slipped in would run with
  /// every write.
  ///
  /// - Throws: ``StoreError`` naming the first object that is not ours, or that is missing.
  func checkSchema(_ db: Database) throws {
    var missing = Schema.objects
    try db.forEach("SELECT name, sql, type FROM sqlite_schema WHERE sql IS NOT NULL") { row in
      let name = row.text(0)
      if missing.remove(row.text(1)) == nil, !Schema.isInternal(kind: row.text(2), name: name) {
        throw try refusal(db)
      }
    }
    if !missing.isEmpty { throw try refusal(db) }
  }

  /// What the doctor would say of the schema, so that both advise the same: the worst of it.
  private func refusal(_ db: Database) throws -> StoreError {
    let findings = try SchemaExamination(db: db).run().findings
    let worst = findings.first { $0.remedy == .salvage } ?? findings.first
    let text = worst?.text ?? "the schema is not that of this program"
    // `the table entry_tag is missing`
    let name = String(text.split(separator: " ").dropFirst(2).first ?? "")
    let what = worst?.remedy == .person ? "unexpected schema object \(name)" : text
    return StoreError(
      .unexpectedSchema(name), at: place,
      "\(what); \(worst?.cure ?? "daybook doctor says what can be done")")
  }

  /// Refuses a journal whose header says an older version than its tables are of, or one that never
  /// was: what brings old journals up to date would fail in it, after copying the file.
  ///
  /// - Throws: ``StoreError/Kind/damaged``.
  func checkOlder(_ db: Database, _ version: Int) throws {
    guard try version < 1 || Schema.isAhead(of: version, db, migrations) else { return }
    let lacksTables = try SchemaExamination(db: db).run().lacksTables
    let finding = Finding.wrongVersion(Int32(clamping: version), lacksTables: lacksTables)
    throw StoreError.wrongVersion(Int32(clamping: version), at: place, cure: finding.cure)
  }
}
