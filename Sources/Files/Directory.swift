import CFiles
import Glibc

/// File names and their directories.
package enum Directory {
  /// The directory of a path.
  package static func of(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Makes a directory with mode 0700, its missing parents too.
  ///
  /// - Throws: ``FileError`` with the part that cannot be made.
  package static func make(_ path: String) throws(FileError) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/" + part
      if mkdir(made, 0o700) != 0, errno != EEXIST {
        // A parent directory may exist without being writable (EROFS, EACCES on /).
        var status = stat()
        let code = errno
        guard stat(made, &status) == 0 else { throw FileError("mkdir", made, code: code) }
      }
    }
  }

  /// Makes many new files below a directory durable at once.
  ///
  /// - Throws: ``FileError``.
  package static func syncAll(below path: String) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError("open", path) }
    defer { close(descriptor) }
    guard daybook_sync_file_system(descriptor) == 0 else { throw FileError("syncfs", path) }
  }

  /// The last component of a path.
  package static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.index(after: slash)...])
  }

  /// The names in a directory, sorted; none if it cannot be read.
  package static func names(in path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let item = readdir(stream) {
      // The name is a C array in the record, which Swift imports as a tuple.
      let name = withUnsafeBytes(of: &item.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether a path is on a file system in memory.
  package static func isInMemory(_ path: String) -> Bool {
    let (tmpfs, ramfs): (UInt32, UInt32) = (0x0102_1994, 0x8584_58F6)
    return [tmpfs, ramfs].contains(fileSystemType(of: path))
  }

  /// The type of a path's file system, a number of `statfs`; 0 if it is unknown.
  package static func fileSystemType(of path: String) -> UInt32 { daybook_file_system_type(path) }

  /// Makes the names in the directory of a file durable across a power cut.
  ///
  /// A directory with search but no read permission cannot be synced, and some file systems do not
  /// sync directories: neither is an error.
  ///
  /// - Throws: ``FileError`` when the disk fails.
  package static func sync(of path: String) throws(FileError) {
    var descriptor: Int32 = -1
    repeat {
      descriptor = open(of(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    } while descriptor < 0 && errno == EINTR
    guard descriptor >= 0 else {
      if errno == EACCES || errno == EPERM { return }
      throw FileError("open", of(path))
    }
    defer { close(descriptor) }
    try sync(descriptor, of(path), ignoring: [EINVAL, EROFS, ENOTSUP])
  }

  /// Waits until the contents of a descriptor are on the disk.
  static func sync(
    _ descriptor: Int32, _ path: String, ignoring: Set<Int32> = []
  ) throws(FileError) {
    while fsync(descriptor) != 0 {
      if errno == EINTR { continue }
      if ignoring.contains(errno) { return }
      throw FileError("fsync", path)
    }
  }
}
