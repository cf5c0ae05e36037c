import CSeal
import GRDB
import Glibc
import Journal
import Seal

/// An error of a journal on one line: the fault, its file, and the remedy.
///
/// The journal is unchanged when a store throws it, unless ``Kind/io`` reports an unknown outcome;
/// then operations can be repeated safely, because entries are keyed by their uuid.
package struct StoreError: Error, Hashable, Sendable {
  /// The groups of errors that callers treat differently.
  package enum Category: Sendable {
    /// Not done, nothing changed: nothing found, or the entry was changed meanwhile.
    case notDone
    /// The given data are invalid.
    case badData
    /// The journal to read does not exist.
    case missing
    /// The journal cannot be created.
    case cannotCreate
    /// Reading or writing failed, or the disk is full.
    case io
    /// Another program holds the journal; try again.
    case busy
    /// The system denies access, or the journal was opened for reading.
    case noPermission
    /// The file is not a usable journal.
    case unusable
  }

  /// The error, for programs that handle it.
  package enum Kind: Hashable, Sendable {
    /// No entry has this number or uuid.
    case noSuchEntry(String)
    /// Part of a uuid matches several entries; the candidates are uuids.
    case ambiguous(String, candidates: [String])
    /// There is no change to undo.
    case nothingToUndo
    /// There is no undone change to redo.
    case nothingToRedo
    /// The change log begins after the moment asked for.
    case beforeHistory
    /// The entry was changed or removed by another process since it was read.
    case conflict(number: Int64)
    /// The journal was changed since the caller read it; begin again.
    case changedMeanwhile
    /// A text is empty or only white space.
    case emptyText
    /// A text or a field cannot be stored.
    case invalidText
    /// The file does not exist.
    case missing
    /// The file or its directory cannot be created.
    case cannotCreate
    /// The file or directory is not accessible.
    case permission
    /// The store was opened for reading only.
    case readOnly
    /// A write was attempted while the same store was being read.
    case insideRead
    /// Another process kept the journal locked beyond the timeout.
    case busy
    /// Reading or writing failed; whether a commit happened is unknown.
    case io
    /// The disk is full, or the file has its maximum size.
    case diskFull
    /// The file does not begin like a journal of its kind.
    case notAJournal
    /// The file belongs to another program.
    case foreignDatabase
    /// The file was made by a newer version of this program.
    case newerSchema(Int32)
    /// The schema has a foreign object, or lacks one.
    case unexpectedSchema(String)
    /// The contents are damaged.
    case damaged
    /// The path is not a regular file, or the file has a second name.
    case unusableFile
    /// The path has another file than the one that was opened, or none.
    case replaced
    /// A killed writer's transaction must be rolled back, but the file is not writable.
    case needsRecovery
    /// The file uses write-ahead logging and could not be converted.
    case writeAheadLog
    /// The journal is sealed, and its key is not known to this process.
    case locked
    /// The passphrase or recovery key is wrong.
    case wrongPassphrase
    /// A journal of this kind keeps no files.
    case keepsNoFiles
    /// No file is called like this.
    case noSuchFile(String)
  }

  /// The kind of error.
  package var kind: Kind
  /// The journal's path, or `:memory:`.
  package var path: String
  /// The fault, without the path.
  package var fault: Sentence
  /// The remedy, if it is not said with the fault; the doctor itself omits it.
  package var remedy: Sentence?

  package init(_ kind: Kind, at path: String, _ fault: Sentence, remedy: Sentence? = nil) {
    self.kind = kind
    self.path = path
    self.fault = fault
    self.remedy = remedy
  }

  @_disfavoredOverload
  package init(_ kind: Kind, at path: String, _ fault: String) {
    self.init(kind, at: path, Sentence(fault))
  }

  /// The fault and the remedy, without the path.
  package var explanation: Sentence { remedy.map { "\(fault); \($0)" } ?? fault }

  /// The group of the error.
  package var category: Category {
    switch kind {
    case .noSuchEntry, .noSuchFile, .nothingToUndo, .nothingToRedo, .beforeHistory, .conflict,
      .emptyText:
      .notDone
    case .ambiguous, .invalidText: .badData
    case .missing: .missing
    case .cannotCreate: .cannotCreate
    case .io, .diskFull: .io
    case .busy, .insideRead, .changedMeanwhile: .busy
    case .permission, .readOnly, .needsRecovery, .locked, .wrongPassphrase: .noPermission
    case .notAJournal, .foreignDatabase, .newerSchema, .unexpectedSchema, .damaged, .unusableFile,
      .replaced, .writeAheadLog, .keepsNoFiles:
      .unusable
    }
  }
}

extension StoreError: CustomStringConvertible {
  /// ``sentence`` in a shell.
  package var description: String { sentence.inShell }

  /// The message: the fault and the remedy, after the journal's path if the file is at fault.
  package var sentence: Sentence {
    switch kind {
    case .noSuchEntry, .noSuchFile, .ambiguous, .nothingToUndo, .nothingToRedo, .beforeHistory,
      .conflict,
      .emptyText, .invalidText:
      explanation
    case .missing, .cannotCreate, .permission, .readOnly, .insideRead, .changedMeanwhile, .busy,
      .io, .diskFull,
      .notAJournal, .foreignDatabase, .newerSchema, .unexpectedSchema, .damaged, .unusableFile,
      .replaced, .needsRecovery, .writeAheadLog, .locked, .wrongPassphrase, .keepsNoFiles:
      "\(path): \(explanation)"
    }
  }
}

extension StoreError {
  /// The journal's error for an error of SQLite.
  init(_ error: DatabaseError, at path: String) {
    let detail = error.message ?? error.resultCode.description
    switch error.extendedResultCode {
    case .SQLITE_READONLY_DBMOVED: self = .replaced(at: path)
    case .SQLITE_READONLY_ROLLBACK, .SQLITE_READONLY_RECOVERY: self = .needsRecovery(at: path)
    case .SQLITE_IOERR_DATA: self = .notAuthentic(at: path)
    // SQLite does not tell why a write failed; where files may not grow, that is why.
    case .SQLITE_IOERR_WRITE where WholeFile.isSizeLimited:
      self = WholeFile.failure("write", path, code: EFBIG)
    default: self.init(primary: error.resultCode, detail, at: path)
    }
  }

  /// The error for bytes of a sealed journal that are not what was written.
  private static func notAuthentic(at path: String) -> StoreError {
    var page: UInt32 = 0
    let part = Int(daybook_seal_last_failure(&page))
    let what =
      switch part {
      case DAYBOOK_SEAL_FAILED_PAGE: "page \(page) was changed outside daybook"
      case DAYBOOK_SEAL_FAILED_MAP where page > 0:
        "the map of the pages from \(page) was changed outside daybook"
      case DAYBOOK_SEAL_FAILED_MAP: "the map of the pages was changed outside daybook"
      case DAYBOOK_SEAL_FAILED_HEADER: "both copies of the header were changed outside daybook"
      case DAYBOOK_SEAL_FAILED_JOURNAL:
        "its rollback journal is damaged or belongs to another state"
      default: "a page was changed outside daybook"
      }
    return damaged(what, at: path)
  }

  /// The error for a failed operation of a sealed journal.
  package init(_ error: SealError, at path: String) {
    switch error {
    case .wrongSecret: self.init(.wrongPassphrase, at: path, "the passphrase is wrong")
    case .forged: self = .damaged("sealed bytes were changed outside daybook", at: path)
    case .noHeader:
      self.init(
        .damaged, at: path,
        "damaged: both copies of the header of a sealed journal",
        remedy: "restore a copy with \(command: "backup --restore")")
    case .noLibrary(let reason): self.init(.unusableFile, at: path, reason)
    case .noKeyring(let code):
      self.init(
        .io, at: path, "the system has no keyring for this program (\(JournalFile.message(code)))")
    case .system(let code): self = WholeFile.failure("write", path, code: code)
    case .outOfMemory:
      self.init(.io, at: path, "the memory is too small: a passphrase needs 256 MiB for a moment")
    }
  }

  package static func locked(at path: String) -> StoreError {
    StoreError(
      .locked, at: path, "it is sealed and locked", remedy: "open it with \(command: "unlock")")
  }

  private init(primary code: ResultCode, _ detail: String, at path: String) {
    switch code {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(detail, at: path)
    // The statements are ours: an object is missing or altered, or the search index cannot be read.
    case .SQLITE_ERROR: self = .damaged(detail, at: path)
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self.init(.busy, at: path, "another program is writing to it; try again")
    case .SQLITE_FULL:
      self.init(.diskFull, at: path, "the disk is full; make room and try again")
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
      self.init(.permission, at: path, "no permission to write it; check the file's permissions")
    case .SQLITE_CANTOPEN: self = .cannotOpen(detail, at: path)
    case .SQLITE_CONSTRAINT, .SQLITE_TOOBIG, .SQLITE_MISMATCH:
      self.init(.invalidText, at: path, "the entry cannot be stored: \(detail)")
    default:
      self.init(
        .io, at: path, "reading or writing failed (\(detail)); check the disk and try again")
    }
  }

  /// SQLite reports a missing directory and a missing permission in the directory with the same
  /// code.
  private static func cannotOpen(_ detail: String, at path: String) -> StoreError {
    access(JournalFile.directory(of: path), W_OK) == 0
      ? StoreError(.io, at: path, "it cannot be opened (\(detail)); check the disk")
      : StoreError(
        .permission, at: path, "no permission to write its directory; check the permissions")
  }

  static func damaged(_ detail: String, at path: String) -> StoreError {
    StoreError(.damaged, at: path, "damaged: \(detail)", remedy: seeDoctor)
  }

  /// The remedy that the doctor names.
  package static let seeDoctor: Sentence = "\(command: "doctor") shows the remedy"

  /// A copy of a journal with a damage is not put in the place of another one, which may be whole.
  static func damagedSource(_ damage: String, at path: String) -> StoreError {
    StoreError(
      .damaged, at: path,
      "damaged is \(damage); the copy that is there stays: choose another name")
  }

  static func replaced(at path: String) -> StoreError {
    StoreError(.replaced, at: path, "the file was replaced or removed; open the journal again")
  }

  /// No journal was written into the file yet, or another program is about to write one.
  static func empty(at path: String) -> StoreError {
    StoreError(
      .missing, at: path, "the file is empty; there is no journal in it")
  }

  static func needsRecovery(at path: String) -> StoreError {
    StoreError(
      .needsRecovery, at: path,
      "a writer was interrupted and its journal must be rolled back; make the file and its directory"
        + " writable and open it once")
  }

  package static func readOnly(at path: String) -> StoreError {
    StoreError(.readOnly, at: path, "it is open read-only")
  }

  /// The refusal of a file by a JSON journal.
  package static func keepsNoFiles(at path: String) -> StoreError {
    let other = path.hasSuffix(".json") ? String(path.dropLast(5)) : path
    return StoreError(
      .keepsNoFiles, at: path, "a JSON journal keeps no files",
      remedy:
        "make an SQLite journal of it with \(command: "import \(path) --journal \(other).sqlite")")
  }

  static func insideRead(at path: String) -> StoreError {
    StoreError(.insideRead, at: path, "it cannot be written while it is being read")
  }
}
