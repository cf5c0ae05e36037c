import CFiles
import Glibc

/// A temporary file that replaces its target by a rename when it is complete and synced.
///
/// The path holds the old file, no file, or the complete new file at any time, also after a power
/// cut: the file is synced before the rename, its directory after it. All whole files of the
/// program are replaced in this way. A file that is worth no wait for the disk is not synced: a power
/// cut may leave an empty or an old one.
///
/// ```swift
/// try AtomicFile(path).write(bytes)
/// ```
package struct AtomicFile: Sendable {
  /// The treatment of an existing file at the path.
  package enum Existing: Sendable {
    /// The existing file stays, and the write fails with `EEXIST`.
    case refuse
    /// The existing file is replaced.
    case replace
  }

  /// The path of the complete file.
  package let path: String
  /// The path of the incomplete file, in the same directory so that it can be renamed.
  package let temporary: String
  private let existing: Existing
  private let mode: mode_t
  private let isSynced: Bool

  /// Prepares a file without writing it.
  ///
  /// - Parameters:
  ///   - mode: the permissions of the new file, regardless of the umask.
  ///   - isSynced: whether the file must be complete after a power cut, too.
  package init(
    _ path: String, existing: Existing = .replace, mode: mode_t = 0o600, isSynced: Bool = true
  ) {
    self.path = path
    self.existing = existing
    self.mode = mode
    self.isSynced = isSynced
    temporary = "\(Directory.of(path))/\(Self.temporaryPrefix(of: path))\(getpid())"
  }

  /// The prefix of all temporary names for a path; the process number follows.
  ///
  /// A name has at most 255 bytes, so a very long one is cut.
  package static func temporaryPrefix(of path: String, _ suffix: String = ".new-") -> String {
    let room = 255 - suffix.utf8.count - 10
    var name = Directory.name(of: path)
    while name.utf8.count > room { name.unicodeScalars.removeLast() }
    return name + suffix
  }

  /// Writes the file.
  ///
  /// - Throws: ``FileError``; the old file, or none, still exists. If the failed call is the
  ///   `fsync` of the directory, the new file has its name but may lose it in a power cut.
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

  /// Lets `body` write the file through a descriptor.
  ///
  /// - Throws: ``FileError`` as ``write(_:)-([UInt8])``, and the errors of `body`.
  package func write(_ body: (Int32) throws -> Void) throws {
    unlink(temporary)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = open(temporary, flags, 0o600)
    guard descriptor >= 0 else { throw FileError("open", path) }
    do {
      defer { close(descriptor) }
      try body(descriptor)
      if mode != 0o600, fchmod(descriptor, mode) != 0 { throw FileError("chmod", path) }
      if isSynced { try Directory.sync(descriptor, path) }
    } catch {
      unlink(temporary)
      throw error
    }
    try place()
  }

  /// Lets `body` write the file at ``temporary`` by its path, as SQLite does.
  ///
  /// - Throws: ``FileError`` as ``write(_:)-([UInt8])``, and the errors of `body`.
  package func make(_ body: (String) throws -> Void) throws {
    unlink(temporary)
    do {
      try body(temporary)
      if isSynced { try Self.sync(temporary) }
    } catch {
      unlink(temporary)
      throw error
    }
    try place()
  }

  /// Syncs a file that was written by its path.
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
    guard isSynced else { return }
    do {
      try Directory.sync(of: path)
    } catch {
      // If there was no file before, an error leaves none; a replaced file cannot be restored.
      if existing == .refuse { unlink(path) }
      throw error
    }
  }

  /// Renames a file and replaces an existing file with the new name.
  ///
  /// - Throws: ``FileError``; both files are unchanged.
  package static func rename(_ from: String, to path: String) throws(FileError) {
    guard Glibc.rename(from, path) == 0 else { throw FileError("rename", path) }
  }

  /// Renames a file unless the new name exists.
  ///
  /// If the file system cannot do both in one step, the name is checked first; a file that another
  /// process creates in between is lost.
  ///
  /// - Throws: ``FileError``, with `EEXIST` for an existing name; nothing was renamed.
  package static func renameExclusively(_ from: String, to path: String) throws(FileError) {
    if daybook_rename_exclusively(from, path) == 0 { return }
    guard errno == EINVAL || errno == ENOSYS else { throw FileError("rename", path) }
    var status = stat()
    if lstat(path, &status) == 0 { throw FileError("rename", path, code: EEXIST) }
    guard errno == ENOENT else { throw FileError("lstat", path) }
    try rename(from, to: path)
  }

  /// Exchanges two files in one step, so that both names always exist.
  ///
  /// - Returns: `false` if the file system does not support it.
  /// - Throws: ``FileError``; nothing was exchanged.
  package static func exchange(_ left: String, _ right: String) throws(FileError) -> Bool {
    if daybook_exchange_files(left, right) == 0 { return true }
    if errno == EINVAL || errno == ENOSYS { return false }
    throw FileError("rename", right)
  }
}
