import GRDB
import Journal

/// Moves all that a damaged SQLite journal still holds into a new one.
///
/// Every row whose page is intact is saved, whatever became of the pages that lead to it. What follows
/// from the rows is made anew.
struct Salvage {
  let source: SalvageSource
  let moment: Moment

  /// Fills an empty journal.
  ///
  /// - Throws: `DatabaseError` when the new file cannot be written.
  func fill(_ queue: DatabaseQueue) throws -> SalvageReport {
    let found = try source.isSound ? ScannedRows() : scanned()
    return try queue.inDatabase { db in
      var report: SalvageReport?
      try db.inTransaction(.immediate) {
        report = try fill(db, found)
        return .commit
      }
      return report ?? SalvageReport()
    }
  }

  /// The triggers would log and count each row as a new one.
  private func fill(_ db: Database, _ found: ScannedRows) throws -> SalvageReport {
    for part in Schema.parts where part.kind == .trigger {
      try db.execute(sql: "DROP TRIGGER \(part.name)")
    }
    // A step may name another one that is lost.
    try db.execute(sql: "PRAGMA defer_foreign_keys=ON")
    let writer = SalvageWriter(db: db)
    try fillLog(writer, found)
    let isWhole = try source.rows(of: .entry, known: found.entries.keys.sorted()) {
      try writer.add($0, $1)
    }
    if !isWhole || !source.isSound {
      let gone = try writer.goneNumbers()
      for (number, entry) in found.entries.sorted(by: { $0.key < $1.key })
      where !gone.contains(number) { try writer.add(entry) }
    }
    var report = SalvageReport(saved: writer.saved.count)
    report.altered = writer.altered.sorted()
    report.missing = try writer.missingNumbers()
    report.hasHistory = try writer.closeLog()
    for part in Schema.parts where part.kind == .trigger { try db.execute(sql: part.sql) }
    try Mending(db: db, moment: moment).run()
    return report
  }

  private func fillLog(_ writer: SalvageWriter, _ found: ScannedRows) throws {
    _ = try source.rows(of: .step, known: found.steps.keys.sorted()) {
      try writer.add($0, $1, to: .step)
    }
    for (id, values) in found.steps { try writer.add(id, values, to: .step) }
    _ = try source.rows(of: .change, known: found.changes.keys.sorted()) {
      try writer.add($0, $1, to: .change)
    }
    for (id, values) in found.changes { try writer.add(id, values, to: .change) }
  }

  // MARK: - Pages

  /// The rows that stand on pages.
  private struct ScannedRows {
    var entries: [Int64: SalvagedEntry] = [:]
    var changes: [Int64: [RecordValue]] = [:]
    var steps: [Int64: [RecordValue]] = [:]
  }

  private func scanned() throws -> ScannedRows {
    var rows = ScannedRows()
    try source.scan { id, values in
      if let entry = SalvagedEntry(number: id, values) {
        rows.entries[id] = SalvagedEntry.better(rows.entries[id], entry)
      } else if SalvageWriter.isChange(values) {
        rows.changes[id] = values
      } else if SalvageWriter.isStep(values) {
        rows.steps[id] = values
      }
    }
    return rows
  }
}
