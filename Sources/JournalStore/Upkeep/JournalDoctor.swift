import Files
import GRDB
import Glibc
import Journal

/// Examines a journal's file, repairs derived data, and salvages the contents of a damaged file.
///
/// It works on files that no store can open. Promises: an examination writes nothing to the journal
/// or beside it. Repair changes only what can be rebuilt (indexes, counts, tags, the search index,
/// triggers, permissions), in one transaction that is rolled back if any fault is new afterwards,
/// and never writes to a file with damaged pages. Salvaging never writes to the damaged file.
package struct JournalDoctor {
  /// The journal.
  package let location: JournalLocation
  let clock: WallClock
  let file: JournalFile
  /// Sees the progress of all work, and may give it up.
  package var attendance = WorkAttendance()

  var shownPath: String { location.path }

  /// Finds the journal's file.
  ///
  /// - Throws: ``StoreError`` when it does not exist, or cannot be a journal.
  package init(_ location: JournalLocation, clock: WallClock = .system) throws {
    self.location = location
    self.clock = clock
    file = try JournalFile(existing: location.path)
  }

  /// Examines the journal for all faults.
  ///
  /// - Throws: ``StoreError`` when the file belongs to another program, comes from a newer version
  ///   of this one, is in use, or cannot be read.
  /// - Complexity: linear in the size of the journal.
  package func examine() throws -> Examination {
    if location.kind == .sqlite { try WriterAtWork(file).waitUntilDone(shownPath: shownPath) }
    let around = FileSurroundings(file: file, location: location).findings()
    if file.isEmpty { return Examination(findings: [Finding.empty] + around, entries: nil) }
    var inside =
      try location.kind == .json
      ? JSONExamination(file, shownPath, attendance).run() : examineSQLite()
    inside.findings += around
    // A file with damaged pages is not written to: salvaging also rebuilds derived data.
    if inside.findings.contains(where: { $0.remedy == .salvage }) {
      let kept = Set(FileSurroundings(file: file, location: location).outside())
      for index in inside.findings.indices
      where inside.findings[index].remedy == .repair && !kept.contains(inside.findings[index]) {
        inside.findings[index].remedy = .salvage
      }
    }
    return inside
  }

  private func examineSQLite() throws -> Examination {
    do {
      try file.checkHeader(shownPath: shownPath, forReading: true)
    } catch let error as StoreError where [.notAJournal, .damaged].contains(error.kind) {
      let text = "the file does not have the header of a journal"
      return Examination(findings: [Finding(text, .salvage)], entries: nil)
    }
    let scratch = try scratchCopy()
    return try withExtendedLifetime(scratch) {
      try SQLiteExamination(
        path: scratch?.path ?? file.path, shownPath: shownPath, attendance: attendance
      ).run()
    }
  }

  /// A copy in which SQLite may roll back a killed writer's transaction, if there is one.
  private func scratchCopy() throws -> ScratchCopy? {
    guard file.needsRecovery else { return nil }
    return try ScratchCopy(of: file, shownPath: shownPath, attendance)
  }
}

/// The result of repair.
package struct RepairReport: Hashable, Sendable {
  /// The faults before.
  package var found: [Finding]
  /// The remaining faults.
  package var left: Examination
  /// The path of a copy of the unrepaired journal; `nil` if nothing inside it was repaired.
  package var kept: String?

  /// The repaired faults.
  package var repaired: [Finding] {
    found.filter { finding in !left.findings.contains { $0.text == finding.text } }
  }
}

extension JournalDoctor {
  /// Repairs derived data, after copying the file in the same directory.
  ///
  /// In a file with damaged pages only the surroundings are repaired: writing to it could destroy
  /// readable data.
  ///
  /// - Throws: ``StoreError``, ``GivenUp``; then the journal is unchanged.
  package func repair() throws -> RepairReport {
    let before = try examine()
    guard before.findings.contains(where: { $0.remedy == .repair }) else {
      return RepairReport(found: before.findings, left: before, kept: nil)
    }
    guard file.isWritable else { throw StoreError.readOnly(at: shownPath) }
    let isSafe = !before.findings.contains { $0.remedy == .salvage }
    let surroundings = FileSurroundings(file: file, location: location)
    var kept: String?
    let around = Set(surroundings.findings())
    let isInside = before.findings.contains { $0.remedy == .repair && !around.contains($0) }
    if isSafe, isInside || file.needsRecovery {
      let copy = try keepCopy()
      kept = copy
      do {
        try location.kind == .json ? mendJSON() : mendSQLite(knowing: before)
      } catch let error as GivenUp {
        for suffix in ["", "-journal", "-wal"] { unlink(copy + suffix) }
        throw error
      }
    }
    surroundings.repair()
    // The repair is already committed.
    var doctor = try JournalDoctor(location, clock: clock)
    doctor.attendance = attendance.untilDone
    let after = try doctor.examine()
    return RepairReport(found: before.findings, left: after, kept: kept)
  }

  /// Copies the file byte for byte, with the rollback journal of a killed writer.
  private func keepCopy() throws -> String {
    let copy = DatedCopyName.free(beside: file.path, at: clock.moment())
    let lock: AnyObject =
      try location.kind == .json
      ? FileLock(beside: file.path, shownPath: shownPath)
      : SQLiteFileLock(file.path, shownPath: shownPath)
    do {
      try withExtendedLifetime(lock) { try writeCopy(copy, lock as? SQLiteFileLock) }
    } catch {
      for suffix in ["-journal", "-wal"] { unlink(copy + suffix) }
      throw error
    }
    return copy
  }

  /// The file itself is renamed last and complete: a partial copy must not look like a complete
  /// one.
  private func writeCopy(_ copy: String, _ lock: SQLiteFileLock?) throws {
    for suffix in ["-journal", "-wal"] where try file.hasCompanion(suffix, shownPath: shownPath) {
      let bytes = try WholeFile.read(file.path + suffix, shownPath: shownPath)
      if !bytes.isEmpty { try WholeFile.write(bytes, to: copy + suffix, shownPath: copy) }
    }
    attendance.begin("copying")
    try FreshFile(copy, replacing: false).make { temporary in
      if let lock { return try lock.copy(to: temporary, shownPath: shownPath, attendance) }
      try WholeFile.copy(file.path, to: temporary, shownPath: shownPath, attendance)
    }
  }

  private func mendJSON() throws {
    _ = try JSONEntryStore.open(file.path, mode: .readWrite, clock: clock)
  }

  /// One transaction, which is rolled back if a new fault appears.
  private func mendSQLite(knowing before: Examination) throws {
    do {
      let queue = try RawDatabase.open(file.path, isReadOnly: false)
      try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode=TRUNCATE") }
      let known = Set(before.findings)
      try attendance.run(on: queue) {
        try queue.inTransaction(.immediate) { db in
          try Repair(db: db, moment: clock.moment(), attendance: attendance).run()
          let after = try SQLiteExamination.findings(in: db, shownPath: shownPath, attendance)
          if let fault = after.first(where: { $0.remedy != .person && !known.contains($0) }) {
            throw StoreError(
              .damaged, at: shownPath, "the repair was rolled back (\(fault.text)); use --salvage")
          }
          return .commit
        }
      }
    } catch let error as DatabaseError {
      throw StoreError(
        .damaged, at: shownPath,
        "the repair was rolled back (\(error.message ?? "unreadable")); use --salvage")
    }
  }
}

extension JournalDoctor {
  /// Writes all readable data of the journal into a new journal of the same kind.
  ///
  /// The new file appears when it is complete and verified. ``attendance`` may give it up until then.
  ///
  /// - Throws: ``StoreError`` when the file exists or cannot be written, or when no data were
  ///   found; the damaged file is never written to.
  package func salvage(to path: String) throws -> SalvageReport {
    var report = SalvageReport()
    try FreshFile(path, replacing: false).make { temporary in
      report =
        try location.kind == .json ? salvageJSON(to: temporary) : salvageSQLite(to: temporary)
      guard report.saved > 0 else {
        throw StoreError(
          .damaged, at: shownPath,
          "no entry could be read", remedy: "restore a copy with \(command: "backup --restore")")
      }
    }
    return report
  }

  private func salvageSQLite(to path: String) throws -> SalvageReport {
    let scratch = try scratchCopy()
    return try withExtendedLifetime(scratch) {
      let source = try SalvageSource(
        scratch?.path ?? file.path, shownPath: shownPath, attendance)
      if let seal = file.seal.flatMap(SealedCopy.init) {
        _ = try JournalFile.create(path)
        try seal.prepare(path, shownPath: shownPath)
      }
      let store = try SQLiteEntryStore.open(path, mode: .create, clock: clock)
      return try store.mapped {
        try Salvage(source: source, moment: clock.moment(), attendance: attendance)
          .fill(store.queue)
      }
    }
  }

  private func salvageJSON(to path: String) throws -> SalvageReport {
    let bytes = try WholeFile.readJSON(file.path, shownPath: shownPath)
    let document = try? JSONDocument(bytes, shownPath: shownPath, attendance)
    if attendance.isGivenUp() { throw GivenUp() }
    if let document {
      // A valid document is saved unchanged, with its log.
      try FreshFile(path, replacing: false).make { temporary in
        try WholeFile.write(bytes, to: temporary, shownPath: path)
      }
      return SalvageReport(
        saved: document.items.count,
        altered: document.items.filter { $0.isChecked && !$0.isIntact }.map(\.entry.number))
    }
    let found = try JSONSalvage(bytes, attendance)
    let store = try JSONEntryStore.open(path, mode: .create, clock: clock)
    defer { unlink(path + ".lock") }
    try store.change(.importing) { writer in
      for entry in found.entries { _ = try writer.insert(entry) }
    }
    return SalvageReport(
      saved: found.entries.count, missing: found.missing, altered: found.altered, hasHistory: false)
  }
}

/// The result of salvaging.
package struct SalvageReport: Hashable, Sendable {
  /// The number of entries in the new journal, including those in the trash.
  package var saved = 0
  /// The numbers of entries in the change log that could not be read.
  package var missing: [Int64] = []
  /// The numbers of entries whose text does not match its checksum.
  package var altered: [Int64] = []
  /// The names of files whose bytes could not all be read.
  package var lostFiles: [String] = []
  /// Whether the change log was complete, so that earlier changes can still be undone.
  package var hasHistory = true
}
