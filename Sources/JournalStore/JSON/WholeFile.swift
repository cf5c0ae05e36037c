import Glibc

/// Reads and replaces whole files.
enum WholeFile {
  /// The bytes of a file.
  static func read(_ path: String, place: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw errno == ENOENT ? StoreError.replaced(at: place) : failure("read", place)
    }
    defer { close(descriptor) }
    return try read(descriptor, place: place)
  }

  /// The bytes from where a descriptor stands.
  static func read(_ descriptor: Int32, place: String) throws -> [UInt8] {
    var status = stat()
    fstat(descriptor, &status)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(status.st_size) + 1)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      guard count > 0 else { throw failure("read", place) }
      bytes.append(contentsOf: buffer[..<count])
    }
  }

  /// Puts a new file in the place of an old one: whoever opens the path finds one of them, whole,
  /// also after a power cut.
  static func replace(_ path: String, with bytes: [UInt8], place: String) throws {
    let temporary = Leftovers.temporary(of: path)
    unlink(temporary)
    do {
      try write(bytes, to: temporary, place: place)
      guard rename(temporary, path) == 0 else { throw failure("write", place) }
    } catch {
      unlink(temporary)
      throw error
    }
    JournalFile.syncFolder(of: path)
  }

  /// Writes a file that only its owner can read, and waits until it is on the disk.
  static func write(_ bytes: [UInt8], to path: String, place: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("write", place) }
    defer { close(descriptor) }
    try write(bytes, to: descriptor, place: place)
  }

  /// Writes to an open file, and waits until it is on the disk.
  static func write(_ bytes: [UInt8], to descriptor: Int32, place: String) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw failure("write", place) }
      rest = rest.dropFirst(count)
    }
    guard fsync(descriptor) == 0 else { throw failure("write", place) }
  }

  static func failure(_ verb: String, _ place: String) -> StoreError {
    let message = JournalFile.message(errno)
    return switch errno {
    case ENOSPC, EDQUOT, EFBIG:
      StoreError(.diskFull, at: place, "it cannot be written (\(message)); make room")
    case EACCES, EPERM, EROFS:
      StoreError(.permission, at: place, "it cannot be \(verb) (\(message))")
    default: StoreError(.io, at: place, "\(verb) failed (\(message)); check the disk")
    }
  }
}
