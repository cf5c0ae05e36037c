import GRDB
import Glibc
import Journal

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
