import GRDB
import Journal

/// Examines an SQLite journal for all faults, from the pages up.
///
/// Contents of damaged pages are not examined: they could only repeat the same fault.
struct SQLiteExamination {
  let path: String
  let shownPath: String
  var attendance = WorkAttendance()

  /// Opens the file for reading and examines it.
  ///
  /// - Throws: ``StoreError`` when the file is in use, unreadable or of a newer version; ``GivenUp``.
  func run() throws -> Examination {
    let sealed = SealedExamination(path: path, shownPath: shownPath)
    return try withExtendedLifetime(sealed) {
      do {
        let queue = try RawDatabase.open(path, isReadOnly: true)
        return try attendance.run(on: queue) { try examination(through: queue, sealed) }
      } catch let error as DatabaseError {
        let damage = try SQLiteExamination.damage(error, shownPath)
        // SQLite cannot even lock it, so that nobody else writes it either.
        let findings = try sealed.findings(attendance)
        return Examination(findings: findings.isEmpty ? [damage] : findings, entries: nil)
      }
    }
  }

  /// Examines one state: the first read takes the lock that keeps writers out until the end.
  private func examination(
    through queue: DatabaseQueue, _ sealed: SealedExamination
  ) throws -> Examination {
    return try queue.inDatabase { db in
      var examination = Examination(findings: [], entries: nil)
      try db.inTransaction(.deferred) {
        _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
        let pages = try sealed.findings(attendance)
        if !pages.contains(where: { $0.remedy == .salvage }) {
          examination = try SQLiteExamination.examination(of: db, shownPath: shownPath, attendance)
        }
        examination.findings = pages + examination.findings
        return .commit
      }
      return examination
    }
  }

  private static func examination(
    of db: Database, shownPath: String, _ attendance: WorkAttendance
  ) throws -> Examination {
    let version = try Schema.version(of: db)
    guard version <= Schema.version else { throw StoreError.newer(version, at: shownPath) }
    let findings = try findings(in: db, shownPath: shownPath, attendance)
    let isReadable = !findings.contains { $0.remedy == .salvage }
    let entries =
      isReadable
      ? try Int.fetchOne(db, sql: "SELECT count(*) FROM entry WHERE deleted IS NULL") : nil
    return Examination(findings: findings, entries: entries)
  }

  /// The texts and files of a journal that are not what was stored, in lines: no page shows them.
  static func damagedContents(
    in db: Database, _ attendance: WorkAttendance
  ) throws -> [String] {
    var damage: [String] = []
    try db.forEach(
      """
      SELECT number, ifnull(CAST(text AS TEXT), ''), ifnull(CAST(checksum AS INTEGER), 0)
      FROM entry WHERE title IS NOT NULL ORDER BY number
      """
    ) { entry in
      if Entry.checksum(of: entry.text(1)) != entry.integer(2) {
        damage.append("the text of entry \(entry.integer(0))")
      }
    }
    let files = try FileExamination(db: db, attendance: attendance).damaged()
    return damage + files.map { "the file \($0.name)" }
  }

  /// The faults of one state of a journal.
  ///
  /// - Throws: ``StoreError`` for errors that are not damage, such as a lock.
  static func findings(
    in db: Database, shownPath: String, _ attendance: WorkAttendance
  ) throws -> [Finding] {
    var findings: [Finding] = []
    do {
      attendance.begin("pages")
      findings = try PageExamination(db: db).findings()
      if findings.contains(where: { $0.remedy == .salvage }) { return findings }
      let version = try Schema.version(of: db)
      if version > 0, version < Schema.version, try !Schema.isAhead(of: Int(version), db) {
        return try findings + ofOlder(version, db)
      }
      let schema = try SchemaExamination(db: db).run()
      if version != Schema.version {
        findings.append(Finding.wrongVersion(version, lacksTables: schema.lacksTables))
      }
      findings += schema.findings
      guard !schema.lacksTables else { return findings }
      attendance.begin("values")
      findings += try ValueExamination(db: db).findings()
      attendance.begin("change log")
      findings += try HistoryExamination(db: db).findings()
      findings += try TextExamination(db: db, attendance: attendance).findings()
      findings += try FileExamination(db: db, attendance: attendance).findings()
      attendance.begin("counts")
      findings += try CountExamination(db: db).findings()
      return try findings + searchFindings(db, attendance)
    } catch let error as DatabaseError {
      return findings + [try damage(error, shownPath)]
    } catch is RowDecodingError {
      return findings + [Finding("a row has a value of the wrong type", .salvage)]
    }
  }

  /// The faults of a journal of an older schema, as far as they matter to the upgrade at the next write: its
  /// objects, and what the upgrade takes over.
  private static func ofOlder(_ version: Int32, _ db: Database) throws -> [Finding] {
    let schema = try SchemaExamination(db: db, parts: Schema.parts(of: version)).run()
    guard !schema.lacksTables else { return schema.findings }
    return try schema.findings + CountExamination(db: db).findings() + unreadableIndex(db)
  }

  /// While another program's texts are not adopted, the index may lag.
  private static func searchFindings(
    _ db: Database, _ attendance: WorkAttendance
  ) throws -> [Finding] {
    let unreadable = try unreadableIndex(db)
    guard try unreadable.isEmpty && !ExternalChanges.arePending(db) else { return unreadable }
    let index = SearchIndex(db: db)
    guard try DerivedVersion(db: db).isCurrent(.words) else {
      return [Finding("the search index is of another version", .repair)]
    }
    return try reading { try index.problems(attendance).map { Finding($0, .repair) } }
  }

  /// A search index that cannot be read: no text could be adopted or written either.
  private static func unreadableIndex(_ db: Database) throws -> [Finding] {
    guard try Schema.hasSearch(db) else { return [] }
    return try reading {
      try SearchIndex(db: db).open()
      return []
    }
  }

  private static func reading(_ index: () throws -> [Finding]) throws -> [Finding] {
    do {
      return try index()
    } catch let error as DatabaseError
      where [.SQLITE_CORRUPT, .SQLITE_ERROR].contains(error.resultCode)
    {
      return [Finding("the search index cannot be read", .repair)]
    }
  }

  /// - Throws: the error, unless it reports inconsistent pages.
  private static func damage(_ error: DatabaseError, _ shownPath: String) throws -> Finding {
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR:
      return Finding("pages are damaged (\(error.message ?? "unreadable"))", .salvage)
    default:
      let error = StoreError(error, at: shownPath)
      guard error.kind == .damaged else { throw error }
      return Finding(error.fault.inShell, .salvage)
    }
  }
}

/// Verifies the header and all pages of a sealed journal, those that SQLite does not use too.
///
/// It reads the file without SQLite. So SQLite's lock must be held, or a page and the map could be
/// of two states.
final class SealedExamination {
  let path: String
  let shownPath: String
  /// The file stays open as long as this value: closing a descriptor drops the locks of SQLite.
  private var files: [PageFile] = []

  /// The maximum number of lines; more give no new information.
  private static let limit = 20

  init(path: String, shownPath: String) {
    self.path = path
    self.shownPath = shownPath
  }

  /// The damaged header copies and the changed pages; none of a readable journal.
  ///
  /// - Throws: ``StoreError`` when the file cannot be read; ``GivenUp``.
  func findings(_ attendance: WorkAttendance) throws -> [Finding] {
    let file = try PageFile(path, shownPath: shownPath, allowsOldPages: false)
    files.append(file)
    guard file.isSealed, file.count > 0 else { return [] }
    var findings = file.headerProblems().enumerated().compactMap { index, problem in
      problem.map { Finding($0.text(ofCopy: index), .repair) }
    }
    for number in 1...file.count where findings.count < Self.limit {
      try attendance.step("sealed pages", number, file.count)
      if file.page(number) == nil {
        findings.append(Finding("page \(number) was changed outside daybook", .salvage))
      }
    }
    return findings
  }
}

/// SQLite's own check of its pages, divided into repairable and other faults.
struct PageExamination {
  let db: Database

  /// The maximum number of lines; more give no new information.
  private static let limit = 20

  func findings() throws -> [Finding] {
    let lines = try String.fetchAll(db, sql: "PRAGMA integrity_check(\(PageExamination.limit))")
    return lines.filter { $0 != "ok" }.map { line in
      let text = line.split(whereSeparator: \.isNewline).joined(separator: " ")
      return Finding(text, PageExamination.isOfIndex(line) ? .repair : .salvage)
    }
  }

  /// An index that does not match its table is rebuilt from the table.
  private static func isOfIndex(_ line: String) -> Bool {
    let words = line.split(separator: " ")
    return line.hasPrefix("wrong # of entries in index ")
      || (words.first == "row" && line.contains(" missing from index "))
  }
}

/// Compares the objects of a journal's schema with the expected ones.
struct SchemaExamination {
  let db: Database
  /// The objects of the journal's version.
  var parts = Schema.parts

  /// The faults, and whether tables are missing, so that nothing else can be examined.
  struct Result {
    var findings: [Finding] = []
    var lacksTables = false
  }

  func run() throws -> Result {
    var result = Result()
    let found = try objects()
    for object in parts {
      guard let there = found[object.name] else {
        result.findings.append(missing(object))
        if object.kind == .table { result.lacksTables = true }
        continue
      }
      if there.sql != object.sql {
        let remedy: Finding.Remedy = object.kind == .table ? .salvage : .repair
        result.findings.append(
          Finding(
            "the \(object.kind.rawValue) \(object.name) is altered", remedy, object: object.name))
        if object.kind == .table { result.lacksTables = true }
      }
    }
    let known = Set(parts.map(\.name))
    for (name, object) in found.sorted(by: { $0.key < $1.key })
    where !known.contains(name) && !Schema.isInternal(kind: object.kind, name: name) {
      result.findings.append(foreign(object.kind, name))
    }
    return result
  }

  private func objects() throws -> [String: (kind: String, sql: String)] {
    var objects: [String: (kind: String, sql: String)] = [:]
    try db.forEach(
      """
      SELECT ifnull(CAST(name AS TEXT), ''), ifnull(CAST(type AS TEXT), ''), CAST(sql AS TEXT)
      FROM sqlite_schema WHERE sql IS NOT NULL
      """
    ) { objects[$0.text(0)] = ($0.text(1), $0.text(2)) }
    return objects
  }

  /// Derived tables can be rebuilt; the entries and the log cannot.
  private func missing(_ object: Schema.Part) -> Finding {
    let isLost = ["entry", "change", "change_set"].contains(object.name)
    return Finding(
      "the \(object.kind.rawValue) \(object.name) is missing", isLost ? .salvage : .repair,
      object: object.name)
  }

  private func foreign(_ kind: String, _ name: String) -> Finding {
    Finding(
      "the \(kind) \(name) does not belong to this program", .person,
      advice:
        "remove it with sqlite3, DROP \(kind.uppercased()) \"\(name)\", if you know what it is",
      object: name)
  }
}

/// Connections to files that may be damaged; they assume nothing about the contents.
enum RawDatabase {
  /// Opens a file without reading its schema.
  ///
  /// - Throws: `DatabaseError` if even that fails.
  static func open(_ path: String, isReadOnly: Bool) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    configuration.busyMode = DatabaseOpener.waiting(for: path)
    configuration.prepareDatabase { db in
      try db.execute(
        sql: """
          PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;
          PRAGMA temp_store=MEMORY; PRAGMA recursive_triggers=OFF; PRAGMA synchronous=FULL;
          """)
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }
}
