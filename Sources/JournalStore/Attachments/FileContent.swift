import Files
import Glibc
import Journal

/// A file outside the journal whose bytes it is to take: open, and read once for its hash.
///
/// Between this and the transaction that takes it another program may change it; then the hash differs, and
/// nothing is kept. It is read in pieces, so that its size costs no memory.
package final class FileContent {
  /// The file's row in the journal.
  package let stored: StoredFile
  /// The time of exposure, if the photograph records it.
  package let taken: CameraTime?
  /// Whether the content shows the type, whatever the name is.
  let isTypeOfContent: Bool
  /// The path as it was given.
  package let path: String
  private let descriptor: Int32

  /// The number of bytes of a piece.
  package static let pieceSize = 256 << 10

  /// Opens a file and reads it once.
  ///
  /// - Parameters:
  ///   - name: its name; `nil` for that of the path.
  ///   - step: called after each piece with the number of its bytes; what it throws ends the reading.
  /// - Throws: ``FileContentError``, for a directory, a device and a file above the limit before anything is
  ///   read; the errors of `step`.
  package init(
    _ path: String, named name: String? = nil, step: (Int) throws -> Void = { _ in }
  ) throws {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileContentError(.system(errno), path) }
    do {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw FileContentError(.system(errno), path) }
      let size = try Self.size(of: status, path)
      let name = name ?? Self.lastComponent(of: path)
      let kind = try FileKind(named: name) { try Self.bytes(descriptor, path, $0, $1) }
      let hash = try Self.hash(of: descriptor, path, size: size, step)
      stored = StoredFile(
        hash: hash, size: size, type: kind.type, name: name, pixels: kind.pixels)
      (taken, isTypeOfContent) = (kind.taken, kind.isOfContent)
    } catch {
      close(descriptor)
      throw error
    }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// The size of a file that can be attached, without reading it.
  ///
  /// - Throws: ``FileContentError``.
  package static func size(of path: String) throws -> Int {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileContentError(.system(errno), path) }
    return try size(of: status, path)
  }

  /// Whether a file that can be attached is a picture; only its header is read.
  ///
  /// - Throws: ``FileContentError``.
  package static func isPicture(at path: String) throws -> Bool {
    // A pipe or a device is not even opened.
    _ = try size(of: path)
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileContentError(.system(errno), path) }
    defer { close(descriptor) }
    let kind = try FileKind(named: lastComponent(of: path)) {
      try bytes(descriptor, path, $0, $1)
    }
    return MediaType.isPicture(kind.type)
  }

  private static func size(of status: stat, _ path: String) throws -> Int {
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileContentError(status.st_mode & S_IFMT == S_IFDIR ? .directory : .notRegular, path)
    }
    let size = Int(status.st_size)
    guard size <= StoredFile.largest else { throw FileContentError(.tooLarge(size), path) }
    return size
  }

  private static func lastComponent(of path: String) -> String {
    String(path.split(separator: "/").last ?? "file")
  }

  /// The link that a text has to the file.
  ///
  /// - Parameter target: the beginning of its hash, long enough for the journal.
  package func link(_ target: String) -> FileLink {
    FileLink(
      toFileNamed: stored.name, target: target, isPicture: MediaType.isPicture(stored.type))
  }

  /// Calls `body` with each piece again.
  ///
  /// - Throws: ``FileContentError`` if the bytes are others now; the errors of `body`.
  func forEachPiece(_ body: (_ place: Int, UnsafeRawBufferPointer) throws -> Void) throws {
    var hash = SHA256()
    var (place, size) = (0, 0)
    try Self.forEachPiece(descriptor, path) { bytes in
      size += bytes.count
      guard size <= stored.size else { throw FileContentError(.changed, path) }
      hash.update(bytes)
      try body(place, bytes)
      place += 1
    }
    guard size == stored.size, hash.hex() == stored.hash else {
      throw FileContentError(.changed, path)
    }
  }

  private static func hash(
    of descriptor: Int32, _ path: String, size: Int, _ step: (Int) throws -> Void
  ) throws -> String {
    var hash = SHA256()
    var done = 0
    try forEachPiece(descriptor, path) { bytes in
      done += bytes.count
      // A file that grows could be read without end.
      guard done <= size else { throw FileContentError(.changed, path) }
      hash.update(bytes)
      try step(bytes.count)
    }
    guard done == size else { throw FileContentError(.changed, path) }
    return hash.hex()
  }

  /// Reads from the beginning in whole pieces, the last one excepted.
  private static func forEachPiece(
    _ descriptor: Int32, _ path: String, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
    defer { buffer.deallocate() }
    var offset = 0
    while true {
      let count = try fill(buffer, descriptor, path, offset)
      if count > 0 { try body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      offset += count
      if count < buffer.count { return }
    }
  }

  private static func fill(
    _ buffer: UnsafeMutableRawBufferPointer, _ descriptor: Int32, _ path: String, _ offset: Int
  ) throws -> Int {
    var done = 0
    while done < buffer.count {
      let count = pread(
        descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done, offset + done)
      if count == 0 { break }
      if count < 0 {
        if errno == EINTR { continue }
        throw FileContentError(.system(errno), path)
      }
      done += count
    }
    return done
  }

  private static func bytes(
    _ descriptor: Int32, _ path: String, _ offset: Int, _ count: Int
  ) throws -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { buffer.deallocate() }
    return Array(buffer[..<(try fill(buffer, descriptor, path, offset))])
  }
}

/// The reason that a file was not taken, with its path.
package struct FileContentError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A failed call with its `errno`.
    case system(Int32)
    case directory
    /// A pipe, a socket or a device.
    case notRegular
    /// So many bytes, which are too many.
    case tooLarge(Int)
    /// Its bytes changed while it was read.
    case changed
  }

  package var kind: Kind
  package var path: String

  init(_ kind: Kind, _ path: String) { (self.kind, self.path) = (kind, path) }
}

extension FileContentError: CustomStringConvertible {
  /// The path, the fault and the remedy, on one line.
  package var description: String {
    switch kind {
    case .system(let code): "\(path): \(String(cString: strerror(code)))"
    case .directory: "\(path): is a directory; name the files in it"
    case .notRegular: "\(path): is no regular file"
    case .tooLarge(let size):
      "\(path): has \(Numbers.bytes(size)); a file may have 1 GiB"
    case .changed: "\(path): changed while it was read; try again"
    }
  }
}
