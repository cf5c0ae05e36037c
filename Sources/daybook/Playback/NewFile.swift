import Glibc
import JournalStore

/// A file that a command makes: it appears whole or not at all, and replaces another only when told.
struct NewFile {
  /// Where it is to stand.
  let path: String
  private let replaces: Bool
  private let removesLeftovers: Bool

  /// Looks before the work begins whether the file may be made.
  ///
  /// - Parameter removesLeftovers: whether what killed writers of this file left is removed; who writes many
  ///   files into one directory does that once.
  /// - Throws: ``Failure`` 73 when one stands there, or something that is no file.
  init(_ path: String, replacing: Bool, removesLeftovers: Bool = true) throws(Failure) {
    self.path = path
    self.removesLeftovers = removesLeftovers
    replaces = replacing
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    // Renaming onto a device would put a file in its place.
    if status.st_mode & S_IFMT != S_IFREG {
      throw Failure(.cannotCreate, "\(path): is no regular file; name another one")
    }
    if !replacing {
      throw Failure(.cannotCreate, "\(path): exists; --force replaces it")
    }
  }

  /// Writes it beside its place and renames it when it is safe on the disk.
  ///
  /// - Throws: ``Failure`` 73, 74 or 77; what stood there still stands.
  func write(_ text: String) throws(Failure) {
    do {
      try write { descriptor in
        let problem = FileDescriptor.writeAll(descriptor, Array(text.utf8))
        guard problem == 0 else { throw Failure.system(problem, path) }
      }
    } catch {
      throw Failure(explaining: error)
    }
  }

  /// The same for what is written bit by bit.
  ///
  /// - Parameter body: writes to a descriptor.
  /// - Throws: ``Failure`` 73, 74 or 77, and what `body` throws; what stood there still stands.
  func write(_ body: (Int32) throws -> Void) throws {
    let fresh = Leftovers.temporary(of: path)
    unlink(fresh)
    if removesLeftovers { Leftovers.remove(beside: path) }
    let descriptor = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure.system(errno, path) }
    defer { unlink(fresh) }
    do {
      defer { close(descriptor) }
      try body(descriptor)
      guard fsync(descriptor) == 0 else { throw Failure.system(errno, path) }
    }
    let problem = place(fresh)
    if problem == EEXIST { throw Failure(.cannotCreate, "\(path): exists; --force replaces it") }
    guard problem == 0 else { throw Failure.system(problem, path) }
  }

  /// Gives the finished file its name; a link refuses where another file has come meanwhile.
  private func place(_ fresh: String) -> Int32 {
    if !replaces {
      if link(fresh, path) == 0 { return 0 }
      // Not every file system has links.
      if errno != EPERM, errno != EOPNOTSUPP { return errno }
    }
    return rename(fresh, path) == 0 ? 0 : errno
  }
}
