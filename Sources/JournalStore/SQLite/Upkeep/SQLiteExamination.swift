import GRDB
import Journal

/// Looks for all that is wrong inside an SQLite journal, from the pages up.
///
/// What rests on damaged pages is not looked at: it could only repeat that they are damaged.
struct SQLiteExamination {
  let path: String
  let place: String
  /// Asked between the steps whether to give up.
  var isGivenUp: (() -> Bool)?

  /// Opens the file for reading and looks.
  ///
  /// - Throws: ``StoreError`` when the file is in use, unreadable or of a newer version.
  func run() throws -> Examination {
    do {
      let queue = try RawDatabase.open(path, isReadOnly: true)
      guard let isGivenUp else { return try examination(through: queue) }
      guard let result = try queue.cancellable(isGivenUp, { try examination(through: queue) })
      else { throw GivenUp() }
      return result
    } catch let error as DatabaseError {
      return Examination(findings: [try SQLiteExamination.damage(error, place)], entries: nil)
    }
  }

  private func examination(through queue: DatabaseQueue) throws -> Examination {
    return try queue.inDatabase { db in
      var examination = Examination(findings: [], entries: nil)
      try db.inTransaction(.deferred) {
        examination = try SQLiteExamination.examination(of: db, place: place)
        return .commit
      }
      return examination
    }
  }

  private static func examination(of db: Database, place: String) throws -> Examination {
    let version = try Schema.version(of: db)
    guard version <= Schema.version else { throw StoreError.newer(version, at: place) }
    let findings = try findings(in: db, place: place)
    let isReadable = !findings.contains { $0.remedy == .salvage }
    let entries =
      isReadable
      ? try Int.fetchOne(db, sql: "SELECT count(*) FROM entry WHERE deleted IS NULL") : nil
    return Examination(findings: findings, entries: entries)
  }

  /// What is wrong with one state of a journal.
  ///
  /// - Throws: ``StoreError`` for what is no damage, such as a lock.
  static func findings(in db: Database, place: String) throws -> [Finding] {
    var findings: [Finding] = []
    do {
      findings = try PageExamination(db: db).findings()
      if findings.contains(where: { $0.remedy == .salvage }) { return findings }
      let version = try Schema.version(of: db)
      let schema = try SchemaExamination(db: db).run()
      if version != Schema.version {
        // An older journal is brought up to date when it is next written to.
        if version > 0, try !Schema.isAhead(of: Int(version), db) { return findings }
        findings.append(Finding.wrongVersion(version, lacksTables: schema.lacksTables))
      }
      findings += schema.findings
      guard !schema.lacksTables else { return findings }
      findings += try ValueExamination(db: db).findings()
      findings += try HistoryExamination(db: db).findings()
      findings += try TextExamination(db: db).findings()
      findings += try CountExamination(db: db).findings()
      return try findings + searchFindings(db)
    } catch let error as DatabaseError {
      return findings + [try damage(error, place)]
    } catch is RowDecodingError {
      return findings + [Finding("a row has a value of a kind that it cannot have", .salvage)]
    }
  }

  /// While another program's texts have not been taken in, the index is behind by right.
  private static func searchFindings(_ db: Database) throws -> [Finding] {
    guard try !ExternalChanges.arePending(db) else { return [] }
    do {
      let index = SearchIndex(db: db)
      guard try index.hasCurrentFolding() else {
        return [Finding("the search index is not of this version", .mending)]
      }
      return try index.problems().map { Finding($0, .mending) }
    } catch let error as DatabaseError
      where [.SQLITE_CORRUPT, .SQLITE_ERROR].contains(error.resultCode)
    {
      return [Finding("the search index cannot be read", .mending)]
    }
  }

  /// - Throws: the error, unless it says that pages make no sense.
  private static func damage(_ error: DatabaseError, _ place: String) throws -> Finding {
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR:
      return Finding("pages are damaged (\(error.message ?? "unreadable"))", .salvage)
    default: throw StoreError(error, at: place)
    }
  }
}
