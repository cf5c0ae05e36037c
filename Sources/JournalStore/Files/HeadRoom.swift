import Files
import Glibc
import Journal

/// Disk space that is set aside while there is some, so that entries can be deleted and purged on a
/// full disk.
///
/// SQLite writes the old pages to the rollback journal before it changes them, so even a removal
/// needs free space. While the disk is getting full, a file of zeros beside the journal occupies it:
/// `.journal.sqlite.head-room`. A change that makes room removes the file when it finds the disk full,
/// and runs again.
///
/// On a disk with much free space there is no such file.
struct HeadRoom {
  /// The path of the file.
  let path: String
  private let journal: String
  /// Reads the free space of a path's file system in bytes; tests replace it.
  var freeSpace: (String) -> UInt64? = HeadRoom.freeSpace
  /// Removes the file; tests replace it.
  var remove: (String) -> Bool = { unlink($0) == 0 }

  /// The file is made when less space is free.
  static let scarcity: UInt64 = 1 << 30
  /// It occupies at most a quarter of the free space.
  static let part: UInt64 = 4
  /// Its size for any journal: enough for the deletion of a few hundred entries.
  static let sizes: ClosedRange<UInt64> = 1 << 20...16 << 20

  init(beside journal: String) {
    self.journal = journal
    path = "\(Directory.of(journal))/.\(Directory.name(of: journal)).head-room"
  }

  /// The size for a journal: purging rewrites the search index, about a quarter of the file.
  static func size(forJournalOf bytes: UInt64) -> UInt64 {
    min(max(bytes / 4, sizes.lowerBound), sizes.upperBound)
  }

  /// Makes the file if space is scarce, or removes it when there is much again.
  ///
  /// Errors are ignored: the commit before it is safe, and the next one tries again.
  func renew() {
    guard let free = freeSpace(journal) else { return }
    var status = stat()
    let isThere = lstat(path, &status) == 0
    guard free < Self.scarcity else {
      // Not removed at the limit, where each commit would make it again.
      if isThere, free > 2 * Self.scarcity { unlink(path) }
      return
    }
    guard !isThere, stat(journal, &status) == 0 else { return }
    let size = Self.size(forJournalOf: UInt64(clamping: status.st_size))
    guard free >= size * Self.part else { return }
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if posix_fallocate(descriptor, 0, off_t(size)) != 0 { unlink(path) }
  }

  /// Gives the space back.
  ///
  /// - Returns: whether there was any.
  func release() -> Bool { remove(path) }

  /// An error for a full disk with the way out.
  func explained(_ error: StoreError) -> StoreError {
    guard access(path, F_OK) == 0 else { return error }
    var error = error
    error.fault = "the disk is full; make room and try again"
    error.remedy = "\(command: "delete") and \(command: "purge") still work"
    return error
  }

  /// An error for a change that needs more than the space that was given back.
  func exhausted(_ error: StoreError) -> StoreError {
    var error = error
    error.remedy = nil
    error.fault = """
      the disk is full, also with the space kept for deleting; delete or purge fewer entries at once, \
      or make room
      """
    return error
  }

  private static func freeSpace(_ path: String) -> UInt64? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize)
  }
}
