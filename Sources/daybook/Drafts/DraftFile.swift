import Files
import Glibc

/// The file operations of drafts: private, durable, and never through a symbolic link.
enum DraftFile {
  /// Creates a directory and its parents, mode 0700.
  ///
  /// - Throws: ``Failure`` with the directory that cannot be created.
  static func makeDirectory(_ path: String) throws(Failure) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      throw .system(errno, path)
    }
    try makeDirectory(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(errno, path) }
  }

  /// Creates a directory, mode 0700, in an existing one.
  ///
  /// - Returns: whether it is new.
  /// - Throws: ``Failure`` when it cannot be created.
  static func makeNewDirectory(_ path: String) throws(Failure) -> Bool {
    if mkdir(path, 0o700) == 0 { return true }
    guard errno == EEXIST else { throw .system(errno, path) }
    return false
  }

  /// Replaces a file atomically, mode 0600.
  ///
  /// - Throws: ``Failure`` when a step fails; an older file with that name then remains.
  static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    do {
      try AtomicFile(path).write(bytes)
    } catch {
      throw .system(error.code, path)
    }
  }

  /// Appends the bytes of a descriptor to a file, a part at a time.
  ///
  /// - Returns: the number of bytes, at most `limit`.
  /// - Throws: ``Failure`` when reading or writing fails; the parts written before remain.
  static func append(
    _ source: Int32, to path: String, limit: Int, name: String
  ) throws(Failure) -> Int {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(errno, path) }
    defer { close(descriptor) }
    var count = 0
    while count < limit {
      let piece = min(1 << 20, limit - count)
      let bytes = try Descriptor.readAll(source, limit: piece - 1).whole(name)
      if bytes.isEmpty { break }
      let problem = Descriptor.writeAll(descriptor, bytes)
      guard problem == 0 else { throw .system(problem, path) }
      count += bytes.count
    }
    guard fsync(descriptor) == 0 else { throw .system(errno, path) }
    return count
  }

  /// Reads a regular file of at most `limit` bytes; `nil` otherwise.
  static func read(_ path: String, limit: Int) -> [UInt8]? {
    try? RegularFile.read(path, limit: limit)
  }

  /// The size of a regular file in bytes; `nil` otherwise.
  static func size(_ path: String) -> Int? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// The seconds since a file was last written; 0 if it does not exist.
  static func age(_ path: String) -> Int {
    var status = stat()
    guard lstat(path, &status) == 0 else { return 0 }
    let (age, isBeyond) = time(nil).subtractingReportingOverflow(status.st_mtim.tv_sec)
    return isBeyond ? 0 : age
  }

  /// When a file was last written, in seconds since 1970; 0 if it does not exist.
  static func modified(_ path: String) -> Int64 {
    var status = stat()
    return lstat(path, &status) == 0 ? Int64(status.st_mtim.tv_sec) : 0
  }

  /// Sets when a file was last written, in seconds since 1970; an error leaves the time as it is.
  static func setModified(_ path: String, _ seconds: Int64) {
    let time = timespec(tv_sec: Int(seconds), tv_nsec: 0)
    utimensat(AT_FDCWD, path, [time, time], AT_SYMLINK_NOFOLLOW)
  }

  /// Removes a directory and the files in it, including those of an editor.
  static func removeDirectory(_ path: String) {
    for name in Directory.names(in: path) { unlink("\(path)/\(name)") }
    rmdir(path)
  }
}
