import Files
import Glibc
import Journal

/// Reads and replaces whole files.
enum WholeFile {
  /// The bytes of a file.
  static func read(_ path: String, shownPath: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw errno == ENOENT ? StoreError.replaced(at: shownPath) : failure("read", shownPath)
    }
    defer { close(descriptor) }
    return try read(descriptor, shownPath: shownPath)
  }

  /// The largest JSON journal, in bytes: memory holds it several times.
  static let largestJSON: off_t = 1 << 30

  /// The bytes of a JSON journal.
  ///
  /// - Throws: ``StoreError/Kind/unusableFile`` for a larger file.
  static func readJSON(_ path: String, shownPath: String) throws -> [UInt8] {
    var status = stat()
    if stat(path, &status) == 0, status.st_size > largestJSON {
      throw StoreError(
        .unusableFile, at: shownPath,
        "it has \(status.st_size >> 20) MiB; a JSON journal has \(largestJSON >> 20) at most")
    }
    return try read(path, shownPath: shownPath)
  }

  /// The bytes from the offset of a descriptor to the end.
  static func read(_ descriptor: Int32, shownPath: String) throws -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("read", shownPath) }
    let contents = Descriptor.readAll(descriptor, expecting: Int(status.st_size))
    if let error = contents.failure {
      throw failure("read", shownPath, code: (error as? Descriptor.Errno)?.code ?? EIO)
    }
    return contents.bytes
  }

  /// Replaces a file atomically, also across a power cut.
  ///
  /// - Returns: the state of the new file, from before it had its name: another program may replace it
  ///   at once.
  static func replace(_ path: String, with bytes: [UInt8], shownPath: String) throws -> FileStamp {
    var status = stat()
    do {
      try AtomicFile(path).write { descriptor in
        let code = Descriptor.writeAll(descriptor, bytes)
        guard code == 0, fstat(descriptor, &status) == 0 else {
          throw FileError("write", path, code: code == 0 ? errno : code)
        }
      }
    } catch let error as FileError {
      throw failure(error, shownPath)
    }
    return FileStamp(status)
  }

  /// Writes a new file that only its owner can read, and syncs it.
  static func write(_ bytes: [UInt8], to path: String, shownPath: String) throws {
    try writing(path, shownPath) { descriptor in
      let code = Descriptor.writeAll(descriptor, bytes)
      guard code == 0 else { throw failure("write", shownPath, code: code) }
    }
  }

  private static func writing(
    _ path: String, _ shownPath: String, _ body: (Int32) throws -> Void
  ) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("write", shownPath) }
    defer { close(descriptor) }
    try body(descriptor)
    guard fsync(descriptor) == 0 else { throw failure("write", shownPath) }
  }

  /// Copies a file of any size into a new one that only its owner can read, and syncs it.
  ///
  /// - Throws: ``StoreError``; ``GivenUp``, and then a part of the copy is left.
  static func copy(
    _ source: String, to path: String, shownPath: String, _ attendance: WorkAttendance
  ) throws {
    let descriptor = open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw errno == ENOENT ? StoreError.replaced(at: shownPath) : failure("read", shownPath)
    }
    defer { close(descriptor) }
    try copy(from: descriptor, to: path, shownPath: shownPath, attendance)
  }

  /// The bytes copied at once.
  private static let piece = 1 << 20

  /// The same from a descriptor, from its first byte on.
  static func copy(
    from source: Int32, to path: String, shownPath: String, _ attendance: WorkAttendance
  ) throws {
    var status = stat()
    guard fstat(source, &status) == 0 else { throw failure("read", shownPath) }
    let size = Int(status.st_size)
    try writing(path, shownPath) { target in
      var bytes = [UInt8](repeating: 0, count: min(piece, max(size, 1)))
      var done = 0
      while true {
        let count = pread(source, &bytes, bytes.count, off_t(done))
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw failure("read", shownPath) }
        if count == 0 { return }
        let code = Descriptor.writeAll(target, Array(bytes.prefix(count)))
        guard code == 0 else { throw failure("write", shownPath, code: code) }
        done += count
        try attendance.step("copying", min(done, size), size)
      }
    }
  }

  /// Whether this process may write files up to a limit only (`ulimit -f`).
  static var isSizeLimited: Bool {
    var limit = rlimit()
    return getrlimit(Int32(RLIMIT_FSIZE.rawValue), &limit) == 0
      && limit.rlim_cur != rlim_t(bitPattern: -1)
  }

  /// The journal's error for a failed call while writing a file.
  static func failure(_ error: FileError, _ shownPath: String) -> StoreError {
    failure("write", shownPath, code: error.code)
  }

  /// The journal's error for a failed call.
  ///
  /// - Parameter verb: the attempted operation: `read`, `write`, `lock`.
  static func failure(_ verb: String, _ shownPath: String, code: Int32 = errno) -> StoreError {
    let message = JournalFile.message(code)
    let past = ["write": "written", "lock": "locked"][verb] ?? verb
    return switch code {
    case ENOSPC, EDQUOT, EFBIG:
      StoreError(.diskFull, at: shownPath, "it cannot be written (\(message)); make room")
    case EACCES, EPERM, EROFS:
      StoreError(.permission, at: shownPath, "it cannot be \(past) (\(message))")
    default: StoreError(.io, at: shownPath, "\(verb) failed (\(message)); check the disk")
    }
  }
}

/// An identifier of one state of a file, without reading the file.
struct FileStamp: Hashable {
  let device: UInt
  let inode: UInt
  let size: Int
  let seconds: Int
  let nanoseconds: Int

  /// The state of the file at a path; `nil` if there is none.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
    size = Int(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}
