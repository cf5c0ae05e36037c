import Files
import GRDB
import Glibc
import Journal

/// Examines a journal's file, mends what follows from its entries, and saves what a damaged file still
/// holds.
///
/// It works on files that no store can open. Promises: an examination writes nothing to the journal or
/// beside it; mending touches only what can be rebuilt (indexes, counts, tags, the search index,
/// triggers, permissions), in one transaction that is taken back if anything is worse afterwards, and
/// never writes to a file with damaged pages; salvaging never writes to the damaged file.
package struct JournalDoctor {
  /// The journal.
  package let location: JournalLocation
  let clock: WallClock
  let file: JournalFile
  /// Asked between the steps of looking at an SQLite journal whether to give up; `nil` for never.
  ///
  /// It must be quick and must not touch the journal. The one who says so finds ``GivenUp`` thrown.
  package var isGivenUp: (() -> Bool)?

  var place: String { location.path }

  /// Finds the journal's file.
  ///
  /// - Throws: ``StoreError`` when there is none, or nothing that could be a journal.
  package init(_ location: JournalLocation, clock: WallClock = .system) throws {
    self.location = location
    self.clock = clock
    file = try JournalFile(existing: location.path)
  }

  /// Looks for all that is wrong.
  ///
  /// - Throws: ``StoreError`` when the file belongs to another program, comes from a newer version of
  ///   this one, is in use, or cannot be read.
  /// - Complexity: linear in the size of the journal.
  package func examine() throws -> Examination {
    if location.kind == .sqlite { try WriterAtWork(file).waitUntilDone(place: place) }
    let around = FileSurroundings(file: file, location: location).findings()
    if file.isEmpty { return Examination(findings: [Finding.empty] + around, entries: nil) }
    var inside = try location.kind == .json ? JSONExamination(file, place).run() : examineSQLite()
    inside.findings += around
    // A file with damaged pages is not written to: what mending would make anew is saved with the rest.
    if inside.findings.contains(where: { $0.remedy == .salvage }) {
      let kept = Set(FileSurroundings(file: file, location: location).outside())
      for index in inside.findings.indices
      where inside.findings[index].remedy == .mending && !kept.contains(inside.findings[index]) {
        inside.findings[index].remedy = .salvage
      }
    }
    return inside
  }

  private func examineSQLite() throws -> Examination {
    do {
      try file.checkHeader(place: place, forReading: true)
    } catch let error as StoreError where [.notAJournal, .damaged].contains(error.kind) {
      let text = "the beginning of the file is not that of a journal"
      return Examination(findings: [Finding(text, .salvage)], entries: nil)
    }
    let scratch = file.needsRecovery ? try ScratchCopy(of: file, place: place) : nil
    return try withExtendedLifetime(scratch) {
      try SQLiteExamination(
        path: scratch?.path ?? file.path, place: place, isGivenUp: isGivenUp
      ).run()
    }
  }
}

/// The outcome of mending.
package struct MendingReport: Hashable, Sendable {
  /// The faults before.
  package var found: [Finding]
  /// The faults that are left.
  package var left: Examination
  /// Where a copy of the journal as it was is kept; `nil` if nothing inside it had to be mended.
  package var kept: String?

  /// The faults that are gone.
  package var mended: [Finding] {
    found.filter { finding in !left.findings.contains { $0.text == finding.text } }
  }
}

extension JournalDoctor {
  /// Mends what can be rebuilt, after copying the file beside itself.
  ///
  /// A file with damaged pages is left alone but for its surroundings: writing to it could cost what
  /// can still be read.
  ///
  /// - Throws: ``StoreError``; the journal is as it was then.
  package func mend() throws -> MendingReport {
    let before = try examine()
    guard before.findings.contains(where: { $0.remedy == .mending }) else {
      return MendingReport(found: before.findings, left: before, kept: nil)
    }
    guard file.isWritable else { throw StoreError.readOnly(at: place) }
    let isSafe = !before.findings.contains { $0.remedy == .salvage }
    let surroundings = FileSurroundings(file: file, location: location)
    var kept: String?
    let around = Set(surroundings.findings())
    let isInside = before.findings.contains { $0.remedy == .mending && !around.contains($0) }
    if isSafe, isInside || file.needsRecovery {
      kept = try keepCopy()
      try location.kind == .json ? mendJSON() : mendSQLite(knowing: before)
    }
    surroundings.mend()
    // What has been mended is not undone by giving up the look at it.
    let after = try JournalDoctor(location, clock: clock).examine()
    return MendingReport(found: before.findings, left: after, kept: kept)
  }

  /// Copies the file as it is, byte for byte, with what a killed writer left beside it.
  private func keepCopy() throws -> String {
    let copy = DatedCopyName.free(beside: file.path, at: clock.moment())
    let lock: AnyObject =
      try location.kind == .json
      ? FileLock(beside: file.path, place: place) : SQLiteFileLock(file.path, place: place)
    do {
      try withExtendedLifetime(lock) { try writeCopy(copy, lock as? SQLiteFileLock) }
    } catch {
      for suffix in ["-journal", "-wal"] { unlink(copy + suffix) }
      throw error
    }
    return copy
  }

  /// The file itself comes last and whole: a part of a journal must not look like one that is kept.
  private func writeCopy(_ copy: String, _ lock: SQLiteFileLock?) throws {
    for suffix in ["-journal", "-wal"] where try file.hasCompanion(suffix, place: place) {
      let bytes = try WholeFile.read(file.path + suffix, place: place)
      if !bytes.isEmpty { try WholeFile.write(bytes, to: copy + suffix, place: copy) }
    }
    let bytes = try lock?.bytes(place) ?? WholeFile.read(file.path, place: place)
    try FreshFile(copy, replacing: false).make { temporary in
      try WholeFile.write(bytes, to: temporary, place: copy)
    }
  }

  private func mendJSON() throws {
    _ = try JSONEntryStore.open(file.path, mode: .readWrite, clock: clock)
  }

  /// All in one transaction, which is taken back if a fault comes up that was not there before.
  private func mendSQLite(knowing before: Examination) throws {
    do {
      let queue = try RawDatabase.open(file.path, isReadOnly: false)
      try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode=TRUNCATE") }
      let known = Set(before.findings)
      try queue.inTransaction(.immediate) { db in
        try Mending(db: db, moment: clock.moment()).run()
        let after = try SQLiteExamination.findings(in: db, place: place)
        if let fault = after.first(where: { $0.remedy != .person && !known.contains($0) }) {
          throw StoreError(
            .damaged, at: place, "mending was taken back (\(fault.text)); use --salvage")
        }
        return .commit
      }
    } catch let error as DatabaseError {
      throw StoreError(
        .damaged, at: place,
        "mending was taken back (\(error.message ?? "unreadable")); use --salvage")
    }
  }
}

extension JournalDoctor {
  /// Writes all that the journal still holds into a new journal of the same kind.
  ///
  /// The new file appears when it is whole and checked.
  ///
  /// - Throws: ``StoreError`` when the file exists or cannot be written, or when nothing at all was
  ///   found; the damaged file is never written to.
  package func salvage(to path: String) throws -> SalvageReport {
    var report = SalvageReport()
    try FreshFile(path, replacing: false).make { temporary in
      report =
        try location.kind == .json ? salvageJSON(to: temporary) : salvageSQLite(to: temporary)
      guard report.saved > 0 else {
        throw StoreError(
          .damaged, at: place,
          "not one entry could be read; put a copy in its place with daybook backup --restore")
      }
    }
    return report
  }

  private func salvageSQLite(to path: String) throws -> SalvageReport {
    let scratch = file.needsRecovery ? try ScratchCopy(of: file, place: place) : nil
    return try withExtendedLifetime(scratch) {
      let source = try SalvageSource(scratch?.path ?? file.path, place: place)
      let store = try SQLiteEntryStore.open(path, mode: .create, clock: clock)
      return try store.mapped {
        try Salvage(source: source, moment: clock.moment()).fill(store.queue)
      }
    }
  }

  private func salvageJSON(to path: String) throws -> SalvageReport {
    let bytes = try WholeFile.readJSON(file.path, place: place)
    if let document = try? JSONDocument(bytes, place: place) {
      // A document that makes sense is saved as it is, with its log.
      try FreshFile(path, replacing: false).make { temporary in
        try WholeFile.write(bytes, to: temporary, place: path)
      }
      return SalvageReport(
        saved: document.items.count,
        altered: document.items.filter { $0.isChecked && !$0.isIntact }.map(\.entry.number))
    }
    let found = JSONSalvage(bytes)
    let store = try JSONEntryStore.open(path, mode: .create, clock: clock)
    defer { unlink(path + ".lock") }
    try store.change(.importing) { writer in
      for entry in found.entries { _ = try writer.insert(entry) }
    }
    return SalvageReport(
      saved: found.entries.count, missing: found.missing, altered: found.altered, hasHistory: false)
  }
}

/// The outcome of salvage.
package struct SalvageReport: Hashable, Sendable {
  /// How many entries stand in the new journal, those in the trash included.
  package var saved = 0
  /// The numbers of entries that the change log tells of, and that could not be read.
  package var missing: [Int64] = []
  /// The numbers of entries whose text is not what was stored.
  package var altered: [Int64] = []
  /// Whether the change log was whole, so that what was done before can still be undone.
  package var hasHistory = true
}
