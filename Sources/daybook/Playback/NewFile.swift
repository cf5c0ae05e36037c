import Files
import Glibc
import JournalStore

/// A file that a command makes: it appears whole or not at all, and replaces another only when told.
struct NewFile {
  /// Where it is to stand.
  let path: String
  private let replaces: Bool
  private let removesLeftovers: Bool
  /// Whether a file stood there when the work began.
  let replacesOther: Bool

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
    guard stat(path, &status) == 0 else {
      // A link to nothing counts as nothing; of anything else it is not known what is there.
      guard errno == ENOENT || errno == ENOTDIR else { throw .system(errno, path) }
      replacesOther = false
      return
    }
    replacesOther = true
    // Renaming onto a device would put a file in its place.
    if status.st_mode & S_IFMT != S_IFREG {
      throw Failure(.cannotCreate, "\(path): is no regular file; name another one")
    }
    if !replacing {
      throw Failure(.cannotCreate, "\(path): exists; --force replaces it")
    }
  }

  /// Writes a text, whole or not at all.
  ///
  /// - Throws: ``Failure`` 73, 74 or 77; what stood there still stands.
  func write(_ text: String) throws(Failure) {
    do {
      try write { descriptor in
        let problem = Descriptor.writeAll(descriptor, Array(text.utf8))
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
    if removesLeftovers { Leftovers.remove(beside: path) }
    do {
      try AtomicFile(path, existing: replaces ? .replace : .refuse).write(body)
    } catch let error as FileError where error.code == EEXIST {
      throw Failure(.cannotCreate, "\(path): exists; --force replaces it")
    } catch let error as FileError {
      throw Failure.system(error.code, path)
    }
  }
}
