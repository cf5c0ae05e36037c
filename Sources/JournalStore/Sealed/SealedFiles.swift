import CSeal
import CStore
import Files
import GRDB
import Glibc
import Seal

/// SQLite's access to sealed files.
///
/// A sealed file begins with a header of its own, behind which all pages are encrypted and
/// authenticated. Once it is installed, every connection of this process recognizes such a file and
/// opens it with the registered ``JournalKey`` of its id; other files are opened as before.
enum SealedFiles {
  /// Installs the access, once.
  static let install: Void = {
    // Without it, a sealed file cannot be opened, and SQLite says that it is no database.
    _ = daybook_seal_install()
  }()

  /// Leaves room for the nonce and the tag in each page of a database that a connection makes.
  static func reserve(in db: Database) {
    guard let connection = db.sqliteConnection else { return }
    _ = daybook_sqlite_set_reserved(
      UnsafeMutableRawPointer(connection), Int32(DAYBOOK_SEAL_EXTRA_BYTES))
  }
}

/// The secret of a sealed copy of a journal.
struct SealedCopy {
  let slots: KeySlots
  let key: JournalKey

  init(slots: KeySlots, key: JournalKey) {
    self.slots = slots
    self.key = key
  }

  /// As the sealed journal of a connection is now; `nil` for a readable one.
  ///
  /// Its passphrase may have been changed since it was opened.
  ///
  /// - Throws: ``StoreError`` when its header is damaged, or its key is no longer registered.
  init?(of queue: DatabaseQueue, shownPath: String) throws {
    var bytes = [UInt8](repeating: 0, count: SealedHeader.size)
    let isSealed = queue.inDatabase { db in
      db.sqliteConnection.map {
        daybook_seal_connection_header(UnsafeMutableRawPointer($0), &bytes) == 0
      } ?? false
    }
    guard isSealed else { return nil }
    let header: SealedHeader
    do {
      header = try SealedHeader(bytes)
    } catch {
      throw StoreError(error, at: shownPath)
    }
    guard let key = header.key else { throw StoreError.locked(at: shownPath) }
    self.init(slots: KeySlots(header), key: key)
  }

  /// As a sealed file that no connection has open; `nil` if its key is not registered.
  init?(_ header: SealedHeader) {
    guard let key = header.key else { return nil }
    self.init(slots: KeySlots(header), key: key)
  }

  /// Makes an empty file an empty sealed journal.
  ///
  /// - Throws: ``StoreError``.
  func prepare(_ path: String, shownPath: String) throws {
    SealedFiles.install
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw WholeFile.failure("write", shownPath) }
    defer { close(descriptor) }
    do {
      try slots.create(in: descriptor, key: key)
    } catch {
      throw StoreError(error, at: shownPath)
    }
  }
}

// MARK: - Header copies

extension SealedHeader.CopyProblem {
  /// The problem of a copy, 0 or 1, on one line.
  func text(ofCopy index: Int) -> String {
    switch self {
    case .damaged: "copy \(index + 1) of its header is damaged"
    case .forged: "copy \(index + 1) of its header was changed by somebody without its key"
    }
  }
}

extension DatabaseQueue {
  /// The problems of the header copies of a sealed journal, one per line; one sound copy is enough to
  /// open it.
  ///
  /// They are read under SQLite's lock: a copy that is being written looks damaged.
  func sealNotes(_ key: JournalKey, shownPath: String) throws -> [String] {
    var bytes = [UInt8](repeating: 0, count: SealedHeader.size)
    try inDatabase { db in
      try db.inTransaction(.deferred) {
        _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
        guard let connection = db.sqliteConnection,
          daybook_seal_connection_header(UnsafeMutableRawPointer(connection), &bytes) == 0
        else { throw StoreError(.io, at: shownPath, "its header cannot be read") }
        return .commit
      }
    }
    return SealedHeader.problems(of: bytes, key: key).enumerated().compactMap { index, problem in
      problem.map { "\(shownPath): \($0.text(ofCopy: index)); the next change replaces it" }
    }
  }
}
