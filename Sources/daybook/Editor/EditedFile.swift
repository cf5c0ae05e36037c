import Files
import Glibc

/// The file that an editor left, which may be anything by now.
struct EditedFile {
  /// Where it should be.
  let path: String

  /// Its bytes.
  ///
  /// Read by path, because editors replace files, and never through a link or from a pipe.
  ///
  /// - Throws: ``Failure`` that says what stands there instead.
  func bytes() throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw problem(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw problem(errno) }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
      throw Failure(.badData, "\(path): the editor left no regular file of yours; nothing saved")
    }
    let bytes = try FileDescriptor.readAll(descriptor, limit: TextInput.limit, name: path)
    guard bytes.count <= TextInput.limit else { throw .tooLong(path) }
    return bytes
  }

  /// Moves what is no regular file out of the way, so that a text can be written there.
  func clear() {
    if DraftFile.size(path) == nil { try? AtomicFile.rename(path, to: path + ".left") }
  }

  private func problem(_ number: Int32) -> Failure {
    switch number {
    case ENOENT: Failure(.badData, "\(path): the editor removed the file; nothing saved")
    case ELOOP: Failure(.badData, "\(path): the editor left a link to elsewhere; nothing saved")
    default: .system(number, "\(path): nothing saved")
    }
  }
}
