import Files
import Glibc
import JournalFormats

/// Pipes, read to their end before anything is done with them: while the journal is being written,
/// nobody has to wait for somebody else's program.
enum Spool {
  /// As much of a pipe is kept in memory, in bytes; more goes to a file without a name.
  private static let memoryLimit = 8 << 20

  /// What came through a pipe.
  struct Contents {
    /// The bytes.
    var stream: ByteStream
    /// How many there are.
    var size: Int
    /// The file they are in, for the receiver to close.
    var file: Int32?
  }

  /// Reads all that comes.
  ///
  /// - Throws: ``Failure`` when reading or writing fails; what `interruption` throws.
  static func contents(
    of source: Int32, _ name: String, _ interruption: Interruption
  ) throws -> Contents {
    var bytes: [UInt8] = []
    while bytes.count < memoryLimit {
      try interruption.wait(for: source)
      let more = try ImportFile.read(source, name)
      if more.isEmpty {
        return Contents(stream: ByteStream(bytes), size: bytes.count)
      }
      bytes += more
    }
    return try spooled(bytes, source, name, interruption)
  }

  private static func spooled(
    _ head: [UInt8], _ source: Int32, _ name: String, _ interruption: Interruption
  ) throws -> Contents {
    let file = try open()
    do {
      var (bytes, size) = (head, 0)
      while !bytes.isEmpty {
        let problem = Descriptor.writeAll(file, bytes)
        guard problem == 0 else { throw Failure.system(problem, "a copy of \(name)") }
        size += bytes.count
        try interruption.wait(for: source)
        bytes = try ImportFile.read(source, name)
      }
      lseek(file, 0, SEEK_SET)
      return Contents(
        stream: ByteStream { try ImportFile.read(file, name) }, size: size, file: file)
    } catch {
      close(file)
      throw error
    }
  }

  /// A file in the folder of the program's state, which no other user may look into.
  private static func open() throws -> Int32 {
    let folder = try Places.state()
    try DraftFile.makeFolder(folder)
    var template = Array("\(folder)/import-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { throw Failure.system(errno, folder) }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    unlink(template)
    return file
  }
}
