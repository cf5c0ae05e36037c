import Glibc

/// Says what is going on, on standard error, so that standard output has the table alone.
enum Console {
  static func tell(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}
