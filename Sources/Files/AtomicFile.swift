import CFiles
import Glibc

/// A file that is written beside its path and renamed when it is complete and on the disk.
///
/// Whoever opens the path finds the old file, or nothing, or the complete new file, also after a
/// power cut: the file is synced before the rename, its directory after it. All files of the program
/// that are replaced as a whole are replaced here.
///
/// ```swift
/// try AtomicFile(path).write(bytes)
/// ```
package struct AtomicFile: Sendable {
  /// What happens to a file that has the path already.
  package enum Existing: Sendable {
    /// It stays, and the new file is given up with `EEXIST`.
    case refuse
    /// It is replaced.
    case replace
  }

  /// Where the file is to be.
  package let path: String
  /// Where it is until it is complete: beside ``path``, so that it can be renamed.
  package let temporary: String
  private let existing: Existing
  private let mode: mode_t

  /// Makes a file; nothing is written yet.
  ///
  /// - Parameter mode: the permissions of the new file, whatever the umask is.
  package init(_ path: String, existing: Existing = .replace, mode: mode_t = 0o600) {
    self.path = path
    self.existing = existing
    self.mode = mode
    temporary = "\(Directory.of(path))/\(Self.temporaryPrefix(of: path))\(getpid())"
  }

  /// What the name of each temporary file for a path begins with; the process's number follows.
  ///
  /// A name has 255 bytes at most, so that of a very long one is cut.
  package static func temporaryPrefix(of path: String, _ suffix: String = ".new-") -> String {
    let room = 255 - suffix.utf8.count - 10
    var name = Directory.name(of: path)
    while name.utf8.count > room { name.unicodeScalars.removeLast() }
    return name + suffix
  }

  /// Writes the file.
  ///
  /// - Throws: ``FileError``; the old file, or none, is still there then, unless it is replaced and the
  ///   call was the `fsync` of the directory: the new file has its name, but might lose it in a power
  ///   cut.
  package func write(_ bytes: [UInt8]) throws(FileError) {
    do {
      try write { descriptor in
        let code = Descriptor.writeAll(descriptor, bytes)
        if code != 0 { throw FileError("write", path, code: code) }
      }
    } catch let error as FileError {
      throw error
    } catch {
      throw FileError("write", path, code: EIO)
    }
  }

  /// Has `body` write the file to a descriptor.
  ///
  /// - Throws: ``FileError`` as ``write(_:)-([UInt8])``, and what `body` throws.
  package func write(_ body: (Int32) throws -> Void) throws {
    unlink(temporary)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = open(temporary, flags, 0o600)
    guard descriptor >= 0 else { throw FileError("open", path) }
    do {
      defer { close(descriptor) }
      try body(descriptor)
      if mode != 0o600, fchmod(descriptor, mode) != 0 { throw FileError("chmod", path) }
      try Directory.sync(descriptor, path)
    } catch {
      unlink(temporary)
      throw error
    }
    try place()
  }

  /// Has `body` write the file at ``temporary`` by its path, as SQLite does.
  ///
  /// - Throws: ``FileError`` as ``write(_:)-([UInt8])``, and what `body` throws.
  package func make(_ body: (String) throws -> Void) throws {
    unlink(temporary)
    do {
      try body(temporary)
      try Self.sync(temporary)
    } catch {
      unlink(temporary)
      throw error
    }
    try place()
  }

  /// Waits until a file that was written by its path is on the disk.
  ///
  /// - Throws: ``FileError``.
  package static func sync(_ path: String) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw FileError("open", path) }
    defer { close(descriptor) }
    try Directory.sync(descriptor, path)
  }

  private func place() throws(FileError) {
    do {
      switch existing {
      case .replace: try Self.rename(temporary, to: path)
      case .refuse: try Self.renameExclusively(temporary, to: path)
      }
    } catch {
      unlink(temporary)
      throw error
    }
    do {
      try Directory.sync(of: path)
    } catch {
      // Where no other file was, an error leaves none; a replaced file cannot be brought back.
      if existing == .refuse { unlink(path) }
      throw error
    }
  }

  /// Renames a file; one that has the new name is replaced.
  ///
  /// - Throws: ``FileError``; both files are as they were.
  package static func rename(_ from: String, to path: String) throws(FileError) {
    guard Glibc.rename(from, path) == 0 else { throw FileError("rename", path) }
  }

  /// Renames a file unless the new name is taken.
  ///
  /// Where the file system cannot do both in one step the name is looked up before; another process
  /// that takes it between the two loses its file.
  ///
  /// - Throws: ``FileError``, with `EEXIST` for a name that is taken; nothing was renamed.
  package static func renameExclusively(_ from: String, to path: String) throws(FileError) {
    if daybook_rename_exclusively(from, path) == 0 { return }
    guard errno == EINVAL || errno == ENOSYS else { throw FileError("rename", path) }
    var status = stat()
    if lstat(path, &status) == 0 { throw FileError("rename", path, code: EEXIST) }
    guard errno == ENOENT else { throw FileError("lstat", path) }
    try rename(from, to: path)
  }

  /// Exchanges two files in one step, so that both names are in use at any time.
  ///
  /// - Returns: `false` where the file system cannot.
  /// - Throws: ``FileError``; nothing was exchanged.
  package static func exchange(_ left: String, _ right: String) throws(FileError) -> Bool {
    if daybook_exchange_files(left, right) == 0 { return true }
    if errno == EINVAL || errno == ENOSYS { return false }
    throw FileError("rename", right)
  }
}
