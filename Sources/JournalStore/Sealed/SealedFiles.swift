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

/// What a sealed copy of a journal is sealed with.
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
