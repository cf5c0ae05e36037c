import Glibc

/// A copy of a database with what a killed writer left beside it, in a private folder that goes with
/// the value.
///
/// SQLite rolls back a hot journal before it reads a byte. In the copy it may.
final class ScratchCopy {
  /// The copy, rolled back.
  let path: String
  private let folder: String

  /// Copies a file and its companions.
  ///
  /// - Throws: ``StoreError`` when there is no room.
  init(of file: JournalFile, place: String) throws {
    folder = try ScratchCopy.makeFolder(place)
    path = "\(folder)/journal.sqlite"
    do {
      for suffix in ["", "-journal", "-wal"] where try file.hasCompanion(suffix, place: place) {
        let bytes = try WholeFile.read(file.path + suffix, place: place)
        try WholeFile.write(bytes, to: path + suffix, place: place)
      }
    } catch {
      remove()
      throw error
    }
    // What cannot be rolled back is examined as it is.
    _ = try? RawDatabase.open(path, isReadOnly: false)
  }

  deinit { remove() }

  private static let prefix = "daybook-doctor"

  private func remove() { ScratchCopy.remove(folder) }

  private static func remove(_ folder: String) {
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink("\(folder)/journal.sqlite\(suffix)") }
    rmdir(folder)
  }

  private static func makeFolder(_ place: String) throws -> String {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    for left in Leftovers.directories(prefix, in: parent) { remove(left) }
    var template = Array(Leftovers.directoryTemplate(prefix, in: parent).utf8CString)
    guard mkdtemp(&template) != nil else {
      throw StoreError(
        .cannotCreate, at: place, "no folder for a copy can be made in \(parent); set TMPDIR")
    }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension JournalFile {
  /// Whether a file with the journal's name and an ending is there.
  ///
  /// - Throws: ``StoreError`` when the disk does not say: a copy without the rollback journal that
  ///   belongs to it would be another journal.
  func hasCompanion(_ suffix: String, place: String) throws -> Bool {
    var status = stat()
    if lstat(path + suffix, &status) == 0 { return true }
    guard errno == ENOENT else { throw WholeFile.failure("read", place) }
    return false
  }

  /// Whether SQLite would write to the file before it reads from it: a writer was killed, or the file
  /// is in write-ahead mode.
  var needsRecovery: Bool { hasRollbackJournal || isInWriteAheadMode }

  /// What bytes 18 and 19 of the header say.
  var isInWriteAheadMode: Bool { header.count == 100 && header[18] == 2 }
}
