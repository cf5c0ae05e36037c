import Files
import GRDB
import Glibc
import Journal

/// What mending did.
package struct MendingReport: Hashable, Sendable {
  /// What was wrong before.
  package var found: [Finding]
  /// What is still wrong.
  package var left: Examination
  /// Where a copy of the journal as it was is kept; `nil` if nothing inside it had to be mended.
  package var kept: String?

  /// What is not wrong any more.
  package var mended: [Finding] {
    found.filter { finding in !left.findings.contains { $0.text == finding.text } }
  }
}

extension JournalDoctor {
  /// Mends what can be made anew, after copying the file beside itself.
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
    let copy = DatedName.free(beside: file.path, at: clock.moment())
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
