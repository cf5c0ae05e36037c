import Files
import Glibc

/// A journal that is written beside its path and gets its name when it is complete.
///
/// What a killed process left beside the path is removed by the next one that writes a journal there.
struct FreshFile {
  /// Where the file is to stand.
  let path: String
  private let file: AtomicFile

  /// Looks whether the file may be made, before work is put into it.
  ///
  /// - Throws: ``StoreError/Kind/cannotCreate`` when something stands there that may not be replaced.
  init(_ path: String, replacing: Bool) throws {
    self.path = path
    file = AtomicFile(path, existing: replacing ? .replace : .refuse)
    var status = stat()
    guard lstat(path, &status) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw WholeFile.failure("write", path) }
      return
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.cannotCreate, at: path, "it is no regular file; choose another name")
    }
    guard replacing else {
      throw StoreError(
        .cannotCreate, at: path, "there is a file already; choose another name, or use --force")
    }
  }

  /// Has `body` write the file at a temporary path, and gives it its name when it is on the disk.
  ///
  /// - Throws: what `body` throws, and ``StoreError``; then nothing is left of the file.
  func make(_ body: (String) throws -> Void) throws {
    Leftovers.remove(beside: path)
    // SQLite leaves the rollback journal of what it was writing where it may not finish.
    defer { unlink(file.temporary + "-journal") }
    do {
      try file.make { temporary in
        unlink(temporary + "-journal")
        try body(temporary)
      }
    } catch let error as FileError where error.code == EEXIST {
      throw StoreError(.cannotCreate, at: path, "another file has come there; try again")
    } catch let error as FileError {
      throw WholeFile.failure(error, path)
    }
  }
}
