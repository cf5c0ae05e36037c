import Files
import Glibc

/// The new file of a journal that is sealed or unsealed, `NAME.sealing-PID`; after the exchange the
/// old one.
///
/// It is locked while this value lives, so that a process of another container, where its process
/// number means nothing, does not remove it as a leftover. The lock is of the kind that belongs to the
/// open file: SQLite, which opens and closes the same file, does not drop it.
final class StagedFile {
  /// The journal's file.
  let target: String
  let path: String
  /// Whether the file stays after ``remove()``.
  var isKept = false
  private let descriptor: Int32

  /// The part of the names between the journal's and the process number.
  static let mark = ".sealing-"
  /// The ending of the second name of an old file, on file systems that cannot exchange two files.
  static let old = ".old"
  private static let endings = ["", "-journal", old]

  /// Makes an empty file.
  ///
  /// - Throws: ``StoreError``.
  init(beside target: String, shownPath: String) throws {
    self.target = target
    let prefix = AtomicFile.temporaryPrefix(of: target, StagedFile.mark)
    path = "\(Directory.of(target))/\(prefix)\(getpid())"
    // In a container a killed process often had the same number.
    for ending in StagedFile.endings { Sealing.removeLeftover(path + ending) }
    do {
      guard try JournalFile.create(path, shownPath: shownPath) else {
        throw StoreError(.busy, at: shownPath, "it is being sealed or unsealed; try again")
      }
    } catch let error as StoreError where error.kind != .busy {
      // Made, but not synced.
      unlink(path)
      throw error
    }
    descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0, StagedFile.lock(descriptor, StagedFile.firstByte), isInPlace else {
      let error = WholeFile.failure("lock", shownPath)
      unlink(path)
      throw error
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether the path has this file.
  var isInPlace: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && FileIdentity(path: path) == FileIdentity(status)
  }

  /// Removes the file with its companions, unless it is kept.
  func remove() {
    guard !isKept else { return }
    for ending in StagedFile.endings { unlink(path + ending) }
  }

  // MARK: Locks

  /// A byte that SQLite does not lock.
  private static let firstByte: off_t = 1

  // F_OFD_GETLK and F_OFD_SETLK, which Swift does not import.
  private static let (getLock, setLock) = (Int32(36), Int32(37))

  /// Locks the beginning of an open file, without waiting.
  ///
  /// - Parameter length: in bytes; 0 for the whole file, so that SQLite's locks conflict, too.
  fileprivate static func lock(_ descriptor: Int32, _ length: off_t) -> Bool {
    var lock = exclusive(length)
    return fcntl(descriptor, StagedFile.setLock, &lock) == 0
  }

  /// Whether any process has locked a part of the file at a path, without changing anything.
  fileprivate static func isLocked(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var lock = exclusive(0)
    return fcntl(descriptor, StagedFile.getLock, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  private static func exclusive(_ length: off_t) -> flock {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_len = length
    return lock
  }
}

// MARK: - Leftovers

extension Sealing {
  /// Overwrites and removes files of a killed ``seal(with:slots:)`` or ``unseal()``.
  ///
  /// Either may be the readable one. Files that another process works on are left alone.
  ///
  /// - Parameter path: the journal's; symbolic links are resolved.
  /// - Complexity: reads the directory once.
  package static func removeLeftovers(beside path: String) {
    for left in leftovers(beside: path) { removeLeftover(left) }
  }

  /// The paths of files that ``removeLeftovers(beside:)`` removes.
  static func leftovers(beside path: String) -> [String] {
    let real = JournalFile.resolved(path)
    let directory = Directory.of(real)
    return Leftovers.names(beside: real, StagedFile.mark).map { "\(directory)/\($0)" }
      .filter { !StagedFile.isLocked($0) && !StagedFile.isLocked(base(of: $0)) }
  }

  /// The staged file of a companion, whose lock protects both.
  private static func base(of path: String) -> String {
    for ending in ["-journal", StagedFile.old] where path.hasSuffix(ending) {
      return String(path.dropLast(ending.count))
    }
    return path
  }

  /// Overwrites and removes a file that no process has locked.
  static func removeLeftover(_ path: String) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard StagedFile.lock(descriptor, 0) else { return }
    wipe(descriptor)
    unlink(path)
  }

  /// Overwrites a file with zeros: what an SSD or a copying file system keeps of it is not reached.
  ///
  /// - Returns: whether all its bytes were overwritten, on the disk; `false` also for a file with a
  ///   second name, which is left as it is.
  @discardableResult
  package static func wipe(_ path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return wipe(descriptor)
  }

  @discardableResult
  private static func wipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_nlink <= 1, lseek(descriptor, 0, SEEK_SET) == 0
    else { return false }
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    var left = Int(status.st_size)
    while left >= zeros.count {
      guard Descriptor.writeAll(descriptor, zeros) == 0 else { return false }
      left -= zeros.count
    }
    guard Descriptor.writeAll(descriptor, Array(zeros.prefix(left))) == 0 else { return false }
    return fsync(descriptor) == 0
  }
}
