import Files
import Glibc
import JournalFormats

/// A directory to import, with its subdirectories, including symbolic links; each directory is read
/// once.
///
/// Pipes, devices and broken links are not notes; they are counted. Of hidden ones only the files in
/// the trash and the backups of other programs are.
struct DirectoryOnDisk: ImportDirectory {
  let files: [String]
  let leftOut: [LeftOutKind]
  private let path: String

  /// The maximum depth of directories; deeper ones are skipped.
  private static let depthLimit = 32

  /// Lists a directory.
  ///
  /// - Throws: ``Failure`` when it, or a subdirectory, cannot be read.
  init(_ path: String) throws(Failure) {
    self.path = path
    var found = Found()
    try Self.list(path, "", 0, &found)
    leftOut = found.leftOut
    files = found.files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  func open(_ file: String) throws -> ByteStream {
    let opened = try OpenFile("\(path)/\(file)")
    return ByteStream { try ImportFile.read(opened.descriptor, opened.path) }
  }

  func isInside(_ file: String) -> Bool {
    guard let root = Self.resolved(path), let place = Self.resolved("\(path)/\(file)") else {
      return false
    }
    return place.hasPrefix(root.hasSuffix("/") ? root : root + "/")
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// A file that is closed when nobody reads it any more.
  private final class OpenFile {
    let path: String
    let descriptor: Int32

    /// - Throws: ``Failure`` when it cannot be opened, or is no regular file.
    init(_ path: String) throws(Failure) {
      self.path = path
      descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
      guard descriptor >= 0 else { throw .reading(errno, path) }
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw .reading(errno, path) }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw Failure(.badData, "\(path): no longer a regular file; nothing was added")
      }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
  }

  /// The contents of a directory and its subdirectories.
  private struct Found {
    var files: [String] = []
    var leftOut: [LeftOutKind] = []
    var seen: Set<DirectoryIdentity> = []
  }

  /// The next name in a directory; a read error must not look like its end.
  private static func next(
    _ stream: OpaquePointer, _ directory: String
  ) throws(Failure) -> UnsafeMutablePointer<dirent>? {
    errno = 0
    if let item = readdir(stream) { return item }
    guard errno == 0 else { throw .reading(errno, directory) }
    return nil
  }

  private static func list(
    _ directory: String, _ prefix: String, _ depth: Int, _ found: inout Found
  ) throws(Failure) {
    guard let stream = opendir(directory) else { throw .reading(errno, directory) }
    defer { closedir(stream) }
    guard found.seen.insert(DirectoryIdentity(stream)).inserted else { return }
    while let item = try next(stream, directory) {
      let name = withUnsafeBytes(of: &item.pointee.d_name) { bytes in
        String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let name else {
        if item.pointee.d_name.0 != CChar(bitPattern: UInt8(ascii: ".")) {
          found.leftOut.append(.strangeName)
        }
        continue
      }
      guard !name.hasPrefix(".") else {
        if LeftOutKind.isBackupDirectory(name) {
          var hidden = Found()
          try list("\(directory)/\(name)", "", depth + 1, &hidden)
          found.leftOut += hidden.files.map { _ in .backup(name) }
        }
        continue
      }
      var status = stat()
      guard stat("\(directory)/\(name)", &status) == 0 else {
        if [ENOENT, ELOOP, ENOTDIR, EACCES].contains(errno) {
          found.leftOut.append(.unreachable)
          continue
        }
        throw .reading(errno, "\(directory)/\(name)")
      }
      switch status.st_mode & S_IFMT {
      case S_IFREG: found.files.append(prefix + name)
      case S_IFDIR where depth < depthLimit:
        try list("\(directory)/\(name)", "\(prefix)\(name)/", depth + 1, &found)
      case S_IFDIR: found.leftOut.append(.deepDirectory)
      default: found.leftOut.append(.special)
      }
    }
  }
}

/// The identity of a directory, independent of its path.
private struct DirectoryIdentity: Hashable {
  let device: dev_t
  let inode: ino_t

  init(_ stream: OpaquePointer) {
    var status = stat()
    fstat(dirfd(stream), &status)
    (device, inode) = (status.st_dev, status.st_ino)
  }
}
