import GRDB

extension Opening {
  /// Compares the file's schema with ours: a trigger or view that somebody slipped in would run with
  /// every write.
  ///
  /// - Throws: ``StoreError`` naming the first object that is not ours, or that is missing.
  func checkSchema(_ db: Database) throws {
    var missing = Schema.objects
    let rows = try SQLRow.fetchCursor(
      db, sql: "SELECT name, sql, type FROM sqlite_schema WHERE sql IS NOT NULL")
    while let row = try rows.next() {
      let name: String = row[0]
      if missing.remove(row[1]) == nil, !Schema.isInternal(kind: row[2], name: name),
        !Schema.parts.contains(where: { $0.name == name })
      {
        throw StoreError(
          .unexpectedSchema(name), at: place,
          "unexpected schema object \(name); remove it with sqlite3 if you know what it is")
      }
    }
    if let first = missing.min() { throw try refusal(db, missing: first) }
  }

  /// What the doctor would say of the schema, so that both advise the same: the worst of it.
  private func refusal(_ db: Database, missing statement: String) throws -> StoreError {
    let findings = try SchemaExamination(db: db).run().findings
    let worst = findings.first { $0.remedy == .salvage } ?? findings.first
    let text = worst?.text ?? "the schema is not that of this program"
    let name = text.split(separator: " ").dropFirst(2).first ?? ""
    return StoreError(
      .unexpectedSchema(String(name)), at: place,
      "\(text); \(worst?.cure ?? "daybook doctor says what can be done")")
  }
}
