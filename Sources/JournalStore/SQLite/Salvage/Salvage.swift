import Foundation
import GRDB
import Journal

/// Moves all readable data of a damaged SQLite journal into a new one.
///
/// Every row on an intact page is saved, even if the pages that lead to it are damaged. Derived
/// data are rebuilt.
struct Salvage {
  let source: SalvageSource
  let moment: Moment
  let attendance: WorkAttendance

  /// Fills an empty journal.
  ///
  /// - Throws: `DatabaseError` when the new file cannot be written; ``GivenUp``.
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
    // A step may refer to a lost one.
    try db.execute(sql: "PRAGMA defer_foreign_keys=ON")
    let writer = SalvageWriter(db: db)
    try fillLog(writer, found)
    let last = source.lastID(of: .entry)
    let isWhole = try source.rows(of: .entry, known: found.entries.keys.sorted()) {
      try attendance.step("entries", Int($0), last)
      guard let entry = SalvagedEntry(number: $0, $1), !found.isMisplaced(entry) else { return }
      try writer.add(entry)
    }
    if !isWhole || !source.isSound {
      let gone = try writer.goneNumbers()
      for (number, entry) in found.entries.sorted(by: { $0.key < $1.key })
      where !gone.contains(number) { try writer.add(entry) }
      // A purged text does not come back, whatever page still has it.
      for entry in found.misplaced where !gone.contains(entry.entry.number) {
        try writer.add(misplaced: entry)
      }
    }
    var report = SalvageReport(saved: writer.saved.count)
    report.altered = writer.altered.sorted()
    report.missing = try writer.missingNumbers()
    report.hasHistory = try writer.closeLog()
    let lost = try salvageFiles(found.files, into: db)
    for part in Schema.parts where part.kind == .trigger { try db.execute(sql: part.sql) }
    try Repair(db: db, moment: moment, attendance: attendance).run()
    let tables = FileTables(db: db)
    // A row that only a page has may be one of a file that was purged.
    report.lostFiles = try lost.filter { try $0.isKnown || !tables.users(of: $0.file.hash).isEmpty }
      .map(\.file.name)
    return report
  }

  /// Copies the files that are whole.
  ///
  /// - Parameter found: the rows of files on pages, by their ids.
  /// - Returns: the others, and whether SQLite knows them.
  private func salvageFiles(
    _ found: [Int64: StoredFile], into db: Database
  ) throws -> [(file: StoredFile, isKnown: Bool)] {
    let tables = FileTables(db: db)
    var (saved, lost): (Set<String>, [String: (file: StoredFile, isKnown: Bool)]) = ([], [:])
    let last = max(source.lastID(of: .file), Int(found.keys.max() ?? 0))
    func save(_ id: Int64, _ file: StoredFile, isKnown: Bool) throws {
      try attendance.step("files", Int(id), last)
      guard !saved.contains(file.hash) else { return }
      if try tables.salvage(file, id: id, from: source) {
        saved.insert(file.hash)
        lost[file.hash] = nil
      } else {
        lost[file.hash, default: (file, isKnown)].isKnown =
          isKnown || lost[file.hash]?.isKnown == true
      }
    }
    let known = last > 0 ? (1...Int64(min(last, 1 << 20))).map(\.self) : []
    _ = try source.rows(of: .file, known: known) { id, values in
      if let file = SalvageTable.file(values) { try save(id, file, isKnown: true) }
    }
    for (id, file) in found.sorted(by: { $0.key < $1.key }) { try save(id, file, isKnown: false) }
    return lost.values.sorted { $0.file.name < $1.file.name }
  }

  private func fillLog(_ writer: SalvageWriter, _ found: ScannedRows) throws {
    _ = try source.rows(of: .step, known: found.steps.keys.sorted()) {
      try writer.add($0, $1, to: .step)
    }
    for (id, values) in found.steps { try writer.add(id, values, to: .step) }
    let last = source.lastID(of: .change)
    _ = try source.rows(of: .change, known: found.changes.keys.sorted()) {
      try attendance.step("change log", Int($0), last)
      try writer.add($0, $1, to: .change)
    }
    for (id, values) in found.changes { try writer.add(id, values, to: .change) }
  }

  // MARK: - Pages

  /// The identity of a row among all rows.
  private struct RowName: Hashable {
    var number: Int64
    var uuid: String

    init(_ row: SalvagedEntry) {
      (number, uuid) = (row.entry.number, row.entry.uuid)
    }
  }

  /// The rows found on pages.
  private struct ScannedRows {
    private(set) var entries: [Int64: SalvagedEntry] = [:]
    /// How far the numbers of ``entries`` are from their neighbours'.
    private var distances: [Int64: UInt64] = [:]
    /// Entries whose numbers are those of others.
    private(set) var misplaced: [SalvagedEntry] = []
    private var misplacedRows: Set<RowName> = []
    var changes: [Int64: [RecordValue]] = [:]
    var steps: [Int64: [RecordValue]] = [:]
    var files: [Int64: StoredFile] = [:]

    mutating func add(_ entry: SalvagedEntry, _ distance: UInt64?) {
      let number = entry.entry.number
      guard let distance else { return misplace(entry) }
      let known = entries[number]
      if let known, known.entry.uuid != entry.entry.uuid {
        let isNearer = distance < distances[number] ?? .max
        misplace(isNearer ? known : entry)
        guard isNearer else { return }
        entries[number] = entry
      } else {
        entries[number] = SalvagedEntry.better(known, entry)
      }
      distances[number] = min(distance, distances[number] ?? .max)
    }

    private mutating func misplace(_ entry: SalvagedEntry) {
      misplaced.append(entry)
      misplacedRows.insert(RowName(entry))
    }

    /// Whether a row that SQLite reads is one of the misplaced ones.
    func isMisplaced(_ row: SalvagedEntry) -> Bool {
      misplacedRows.contains(RowName(row))
    }
  }

  private func scanned() throws -> ScannedRows {
    var rows = ScannedRows()
    try source.scan(attendance) { id, values, distance in
      if let entry = SalvagedEntry(number: id, values) {
        rows.add(entry, distance)
      } else if SalvageWriter.isChange(values) {
        rows.changes[id] = values
      } else if SalvageWriter.isStep(values) {
        rows.steps[id] = values
      } else if let file = SalvageTable.file(values) {
        rows.files[id] = file
      }
    }
    return rows
  }
}

/// Reads rows from a possibly damaged file: through SQLite as far as possible, and the rest from
/// the pages.
///
/// SQLite knows the current rows; a page alone may contain a deleted one. So a row that is only
/// found on a page counts only if SQLite met damage.
final class SalvageSource {
  /// Whether SQLite finds no fault in the pages.
  let isSound: Bool
  private let queue: DatabaseQueue?
  private let scan: PageScan
  /// Where pages have pieces of files, by their ids.
  private var pieces: [Int64: PageScan.Place] = [:]

  /// Opens a file and examines its pages.
  ///
  /// - Throws: ``StoreError`` for an unreadable file; ``GivenUp``.
  init(_ path: String, shownPath: String, _ attendance: WorkAttendance) throws {
    scan = PageScan(file: try PageFile(path, shownPath: shownPath))
    queue = try? RawDatabase.open(path, isReadOnly: true)
    attendance.begin("pages")
    let findings = try? queue.map { queue in
      try attendance.run(on: queue) {
        try queue.inDatabase { try PageExamination(db: $0).findings() }
      }
    }
    if attendance.isGivenUp() { throw GivenUp() }
    isSound = findings?.isEmpty ?? false
  }

  /// The highest id of a row of a table; 0 if SQLite cannot reach it.
  func lastID(of table: SalvageTable) -> Int {
    let last = try? queue?.inDatabase {
      try Int.fetchOne($0, sql: "SELECT max(rowid) FROM \(table.name)")
    }
    return last ?? 0
  }

  /// The rows of a table that SQLite can reach, in the order of their ids.
  ///
  /// After damage, the rest of the table is looked up row by row, by the ids in `known`.
  ///
  /// - Returns: whether there was no damage.
  func rows(
    of table: SalvageTable, known: [Int64], _ body: (Int64, [RecordValue]) throws -> Void
  ) throws -> Bool {
    guard let queue else { return false }
    do {
      return try queue.inDatabase { try walk(table, known, $0, body) }
    } catch let failure as WritingFailed {
      throw failure.error
    }
  }

  private func walk(
    _ table: SalvageTable, _ known: [Int64], _ db: Database,
    _ body: (Int64, [RecordValue]) throws -> Void
  ) throws -> Bool {
    var last = Int64.min
    var isWhole = true
    var rest = known[...]
    while true {
      guard let failedAfter = try read(table, after: last, db, body) else { return isWhole }
      isWhole = false
      rest = rest.drop { $0 <= failedAfter }
      // One row at a time until the table can be read in order again.
      guard let next = rest.popFirst() else { return false }
      if let row = lookUp(table, next, db) {
        do { try body(next, row) } catch { throw WritingFailed(error: error) }
      }
      last = next
    }
  }

  /// Reads a table in order.
  ///
  /// - Returns: the last id before damage, or `nil` at the end of the table.
  private func read(
    _ table: SalvageTable, after start: Int64, _ db: Database,
    _ body: (Int64, [RecordValue]) throws -> Void
  ) throws -> Int64? {
    var last = start
    do {
      let rows = try SQLRow.fetchCursor(
        db, sql: "\(table.select) WHERE rowid > ? ORDER BY rowid", arguments: [start])
      while let row = try rows.next() {
        guard case .int64(let id) = (row[0] as DatabaseValue).storage, id > last else { continue }
        last = id
        let values = table.values(Array(row.databaseValues.dropFirst()))
        do { try body(id, values) } catch { throw WritingFailed(error: error) }
      }
      return nil
    } catch is DatabaseError {
      return last
    }
  }

  /// An error of the new file, which is not damage of the old one.
  private struct WritingFailed: Error {
    let error: any Error
  }

  private func lookUp(_ table: SalvageTable, _ id: Int64, _ db: Database) -> [RecordValue]? {
    let row = try? SQLRow.fetchOne(db, sql: "\(table.select) WHERE rowid = ?", arguments: [id])
    return row.map { table.values(Array($0.databaseValues.dropFirst())) }
  }

  /// A piece of a file by its id, from a page that was scanned if SQLite cannot reach it.
  func piece(_ id: Int64) -> Data? {
    // The row of the file is being read.
    let reached = try? queue?.unsafeReentrantRead {
      try Data.fetchOne($0, sql: "SELECT bytes FROM file_piece WHERE id = ?", arguments: [id])
    }
    return reached ?? pieces[id].flatMap(scan.value).map { Data($0) }
  }

  /// The rows on pages that have the columns of a table.
  ///
  /// - Throws: the errors of `body`; ``GivenUp``.
  func scan(
    _ attendance: WorkAttendance,
    _ body: (Int64, [RecordValue], _ distance: UInt64?) throws -> Void
  ) throws {
    try scan.visitRows(attendance) { id, values, distance, place in
      if values == [.null, .other] {
        pieces[id] = place
      } else {
        try body(id, values, distance)
      }
    }
  }
}

/// A table whose rows are salvaged.
struct SalvageTable {
  let name: String
  /// The columns after the first one, the row's id.
  let columns: [String]
  /// The number of columns at the end that the first version of the schema lacks.
  let added: Int

  init(name: String, columns: [String], added: Int = 0) {
    self.name = name
    self.columns = columns
    self.added = added
  }

  /// The values of a row on a page; `nil` for a row of another table.
  ///
  /// A row that was written before columns were added is shorter.
  func whole(_ values: [RecordValue]) -> [RecordValue]? {
    guard (columns.count + 1 - added...columns.count + 1).contains(values.count) else { return nil }
    return values + Array(repeating: .null, count: columns.count + 1 - values.count)
  }

  /// The row's id, null for the first column, then the columns, as in the file.
  ///
  /// Texts are read as bytes: GRDB would end a string at the first NUL.
  var select: String {
    let columns = columns.map { $0 == "text" ? "CAST(text AS BLOB)" : $0 }
    return "SELECT rowid, NULL, \(columns.joined(separator: ", ")) FROM \(name) NOT INDEXED"
  }

  /// The values of a row of ``select``, without its id.
  ///
  /// A text counts as one even if it was stored as bytes.
  func values(_ row: [DatabaseValue]) -> [RecordValue] {
    var values = row.map { RecordValue($0) }
    if let place = columns.firstIndex(of: "text"), case .blob(let bytes) = row[place + 1].storage {
      values[place + 1] = .text(Array(bytes))
    }
    return values
  }

  static let entry = SalvageTable(
    name: "entry", columns: EntryColumns.image, added: addedFields)
  static let change = SalvageTable(
    name: "change", columns: ["change_set", "kind", "number"] + EntryColumns.image,
    added: addedFields)
  /// The text was the last column of the first version.
  private static let addedFields =
    EntryColumns.image.count - 1 - (EntryColumns.image.lastIndex(of: "text") ?? 0)
  static let step = SalvageTable(
    name: "change_set",
    columns: [
      "at", "at_offset", "actor", "kind", "first_seq", "last_seq", "state", "reverses", "session",
      "source",
    ], added: 2)
}

extension SalvageTable {
  static let file = SalvageTable(
    name: "file", columns: ["hash", "size", "type", "name", "width", "height", "seq"])

  /// The file of a row; `nil` if its values cannot be one's.
  static func file(_ row: [RecordValue]) -> StoredFile? {
    guard row.count == 8, let hash = row[1].string, hash.utf8.count == FileLink.digits,
      case .integer(let size) = row[2], (0...Int64(StoredFile.largest)).contains(size)
    else { return nil }
    var pixels: PixelSize?
    if case .integer(let width) = row[5], case .integer(let height) = row[6] {
      pixels = PixelSize(width: Int(width), height: Int(height))
    }
    return StoredFile(
      hash: hash, size: Int(size), type: row[3].string ?? MediaType.unknown,
      name: row[4].string ?? "file", pixels: pixels)
  }
}

extension RecordValue {
  init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let number): self = .integer(number)
    case .string(let text): self = .text(Array(text.utf8))
    case .double, .blob: self = .other
    }
  }
}
