import Glibc
import Journal

/// Examines a journal's file, mends what follows from its entries, and saves what a damaged file still
/// holds.
///
/// It works on files that no store can open. Promises: an examination writes nothing to the journal or
/// beside it; mending touches only what can be made anew (indexes, counts, tags, the search index,
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
