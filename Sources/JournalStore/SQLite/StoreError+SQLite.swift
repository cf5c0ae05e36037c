import GRDB
import Glibc

extension StoreError {
  /// What an error of SQLite means for a journal.
  init(_ error: DatabaseError, at place: String) {
    let detail = error.message ?? error.resultCode.description
    switch error.extendedResultCode {
    case .SQLITE_READONLY_DBMOVED: self = .replaced(at: place)
    case .SQLITE_READONLY_ROLLBACK, .SQLITE_READONLY_RECOVERY: self = .needsRecovery(at: place)
    default: self.init(primary: error.resultCode, detail, at: place)
    }
  }

  private init(primary code: ResultCode, _ detail: String, at place: String) {
    switch code {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(detail, at: place)
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self.init(.busy, at: place, "another program is writing to it; try again")
    case .SQLITE_FULL:
      self.init(.diskFull, at: place, "the disk is full; make room and try again")
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
      self.init(.permission, at: place, "it may not be written; check the file's permissions")
    case .SQLITE_CANTOPEN: self = .cannotOpen(detail, at: place)
    case .SQLITE_CONSTRAINT, .SQLITE_TOOBIG, .SQLITE_MISMATCH:
      self.init(.invalidText, at: place, "the entry cannot be stored: \(detail)")
    default:
      self.init(
        .io, at: place, "reading or writing failed (\(detail)); check the disk and try again")
    }
  }

  /// SQLite says the same of a missing folder and of one it may not make its journal file in.
  private static func cannotOpen(_ detail: String, at place: String) -> StoreError {
    access(JournalFile.folder(of: place), W_OK) == 0
      ? StoreError(.io, at: place, "it cannot be opened (\(detail)); check the disk")
      : StoreError(
        .permission, at: place, "its folder may not be written; check the folder's permissions")
  }

  static func damaged(_ detail: String, at place: String) -> StoreError {
    StoreError(.damaged, at: place, "damaged: \(detail)\(seeDoctor)")
  }

  /// The end of an explanation that sends to the doctor, who need not send to itself.
  package static let seeDoctor = "; daybook doctor says what can be done"

  static func replaced(at place: String) -> StoreError {
    StoreError(.replaced, at: place, "the file was replaced or removed; open the journal again")
  }

  /// Nobody has written a journal into the file yet, or a program is about to.
  static func empty(at place: String) -> StoreError {
    StoreError(
      .missing, at: place, "the file is empty; there is no journal in it")
  }

  static func needsRecovery(at place: String) -> StoreError {
    StoreError(
      .needsRecovery, at: place,
      "a writer was interrupted and its journal must be rolled back; make the file and its folder"
        + " writable and open it once")
  }

  static func readOnly(at place: String) -> StoreError {
    StoreError(.readOnly, at: place, "it was opened for reading only")
  }

  static func insideRead(at place: String) -> StoreError {
    StoreError(.insideRead, at: place, "it cannot be written while it is being read")
  }
}
