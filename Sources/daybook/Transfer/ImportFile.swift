import Files
import Glibc
import JournalFormats

/// A file, folder or pipe that is imported, open.
final class ImportFile {
  /// What messages call it.
  let name: String
  /// Its path; `nil` for standard input.
  let path: String?
  /// What is in it.
  let input: ImportInput
  /// How many bytes it has; `nil` where nobody knows before the end.
  let size: Int?
  /// The bytes, for looking at their beginning and for counting them; `nil` for a folder.
  let stream: ByteStream?

  /// The file to close in the end.
  private let descriptor: Int32?

  private static let chunk = 1 << 18

  /// Opens what a word of the command line names; `-` is standard input.
  ///
  /// A pipe is read to its end first.
  ///
  /// - Throws: ``Failure`` 66 when it is not there, 77 when it may not be read, 74 when it cannot be;
  ///   what `interruption` throws.
  init(_ word: String, _ interruption: Interruption) throws {
    path = word == "-" ? nil : word
    let name = path ?? "standard input"
    self.name = name
    let opened = try path.map { try Self.open($0) } ?? StandardInput.descriptor()
    var status = stat()
    guard fstat(opened, &status) == 0 else { throw Failure.reading(errno, name) }
    switch (status.st_mode & S_IFMT, path) {
    case (S_IFDIR, let path?):
      close(opened)
      input = .folder(try FolderOnDisk(path))
      (descriptor, size, stream) = (nil, nil, nil)
    case (S_IFREG, _):
      let bytes = ByteStream { try Self.read(opened, name) }
      input = .file(bytes)
      (descriptor, size, stream) = (path.map { _ in opened }, Int(status.st_size), bytes)
    case (S_IFBLK, _):
      throw Failure(.noInput, "\(name): is a device; name a file, folder or pipe")
    case (S_IFCHR, _) where isatty(opened) == 0 && !Self.isNull(status):
      throw Failure(.noInput, "\(name): is a device; name a file, folder or pipe")
    default:
      let contents = try Spool.contents(of: opened, name, interruption)
      if opened != STDIN_FILENO { close(opened) }
      input = .file(contents.stream)
      (descriptor, size, stream) = (contents.file, contents.size, contents.stream)
    }
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  /// How much of it has been read, from 0 to 1.
  var share: Double? {
    guard let size, size > 0, let stream else { return nil }
    return Double(stream.offset) / Double(size)
  }

  /// Opens a file or folder for reading.
  private static func open(_ path: String) throws(Failure) -> Int32 {
    // Without waiting: a pipe that nobody writes to is waited for where ^C is heard.
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .reading(errno, path) }
    return descriptor
  }

  /// Whether it is `/dev/null`; other devices give bytes without end.
  private static func isNull(_ status: stat) -> Bool { status.st_rdev == (1 << 8 | 3) }

  /// The next bytes of a file.
  static func read(_ descriptor: Int32, _ name: String) throws(Failure) -> [UInt8] {
    var problem: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
      switch Descriptor.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer)) {
      case .success(let read): count = read
      case .failure(let error): problem = error.code
      }
    }
    guard problem == 0 else { throw .reading(problem, name) }
    return bytes
  }
}

extension Failure {
  /// Why something that was named could not be read.
  static func reading(_ number: Int32, _ name: String) -> Failure {
    let code: Code =
      switch number {
      case ENOENT, ENOTDIR: .noInput
      case EACCES, EPERM: .noPermission
      default: .inputOutput
      }
    return Failure(code, "\(name): \(String(cString: strerror(number)))")
  }
}
