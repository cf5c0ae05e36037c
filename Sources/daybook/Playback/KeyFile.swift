import Glibc
import TerminalUI

/// Key files: where they are read and what is said of a wrong one.
enum KeyFile {
  /// The largest key file, in bytes.
  private static let limit = 16 << 20

  /// The steps of a file; `-` is standard input.
  ///
  /// - Throws: ``Failure`` 65 naming file and line, 66 when there is no such file.
  static func steps(_ path: String) throws(Failure) -> [KeyScript.Step] {
    let name = path == "-" ? "standard input" : path
    let bytes = path == "-" ? try StandardInput.bytes() : try read(path)
    guard bytes.count <= limit else {
      throw Failure(.badData, "\(name): longer than \(limit >> 20) MiB; play it in parts")
    }
    return try steps(bytes, name: name)
  }

  /// The steps of a file that has been read.
  ///
  /// - Throws: ``Failure`` 65 naming file and line.
  static func steps(_ bytes: [UInt8], name: String) throws(Failure) -> [KeyScript.Step] {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let end = bytes.indices.last { String(validating: bytes[..<$0], as: UTF8.self) != nil } ?? 0
      let line = bytes[..<end].count { $0 == UInt8(ascii: "\n") } + 1
      throw Failure(.badData, "\(name):\(line): invalid UTF-8; nothing played")
    }
    do {
      return try KeyScript.parse(text)
    } catch {
      throw Failure(.badData, "\(name):\(error.line): \(error.message)")
    }
  }

  private static func read(_ path: String) throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR {
        throw Failure(.noInput, "\(path): no such file; name a key file, or - for standard input")
      }
      throw .system(errno, path)
    }
    defer { close(descriptor) }
    return try FileDescriptor.readAll(descriptor, limit: limit, name: path)
  }
}
