import Glibc

/// A file that is made beside its place and gets its name when it is whole: whoever looks finds
/// nothing, or the file that was there, or all of the new one.
///
/// What a killed process left beside the place is removed by the next one that makes a file there.
struct FreshFile {
  /// Where the file is to stand.
  let path: String
  /// Whether it may take the place of another file.
  let replaces: Bool
  /// Where it stands until then.
  let temporary: String

  /// Looks whether the file may be made, before work is put into it.
  ///
  /// - Throws: ``StoreError/Kind/cannotCreate`` when something stands there that may not be replaced.
  init(_ path: String, replacing: Bool) throws {
    self.path = path
    replaces = replacing
    temporary = Leftovers.temporary(of: path)
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.cannotCreate, at: path, "it is no regular file; choose another name")
    }
    guard replacing else {
      throw StoreError(
        .cannotCreate, at: path, "there is a file already; choose another name, or use --force")
    }
  }

  /// Has `body` write the file at ``temporary``, and gives it its name when it is safe on the disk.
  ///
  /// - Throws: what `body` throws, and ``StoreError``; then nothing is left of the file.
  func make(_ body: (String) throws -> Void) throws {
    Leftovers.remove(beside: path)
    remove()
    // SQLite leaves the rollback journal of what it was writing where it may not finish.
    defer { unlink(temporary + "-journal") }
    do {
      try body(temporary)
      try FreshFile.sync(temporary)
      try place()
    } catch {
      remove()
      throw error
    }
    JournalFile.syncFolder(of: path)
  }

  private func remove() {
    for suffix in ["", "-journal"] { unlink(temporary + suffix) }
  }

  /// A link refuses where another file has come meanwhile; not every file system has links.
  private func place() throws {
    if !replaces {
      if link(temporary, path) == 0 {
        unlink(temporary)
        return
      }
      if errno == EEXIST {
        throw StoreError(.cannotCreate, at: path, "another file has come there; try again")
      }
    }
    guard rename(temporary, path) == 0 else { throw WholeFile.failure("write", path) }
  }

  /// Waits until a file is on the disk.
  static func sync(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw WholeFile.failure("write", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw WholeFile.failure("write", path) }
  }
}
