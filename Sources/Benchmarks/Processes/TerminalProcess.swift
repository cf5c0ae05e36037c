import Glibc

/// A program on a pseudo-terminal of its own, 80 × 24.
final class TerminalProcess {
  let child: ChildProcess
  /// When it was started.
  let started: UInt64
  /// Our end of the terminal.
  let descriptor: Int32
  /// All that came.
  private(set) var output: [UInt8] = []
  /// `TIOCSPTLCK` and `TIOCGPTN`: Swift does not import macros that compute.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  /// Starts a program on a new terminal.
  init(_ arguments: [String], environment: [String]) throws {
    descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (locked, number): (Int32, Int32) = (0, 0)
    guard descriptor >= 0, ioctl(descriptor, Self.setLock, &locked) == 0,
      ioctl(descriptor, Self.getNumber, &number) == 0
    else { throw BenchError("no pseudo-terminal: \(String(cString: strerror(errno)))") }
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    let path = "/dev/pts/\(number)"
    started = Monotonic.now()
    child = try ChildProcess(arguments, environment: environment, terminal: path)
  }

  deinit { close(descriptor) }

  /// Types keys.
  func send(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }

  /// Reads once, waiting up to `timeout` milliseconds.
  ///
  /// - Returns: whether something came; `nil` when the program has closed the terminal.
  func readOnce(timeout: Int32) -> Bool? {
    var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&item, 1, timeout) > 0 else { return false }
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return nil }
    output += buffer[..<count]
    return true
  }

  /// Reads until all that came contains a text.
  ///
  /// - Returns: when it was there, or now if it was there before.
  /// - Throws: ``BenchError`` after ten seconds, or when the program ends first.
  func wait(for text: String) throws -> UInt64 {
    let wanted = Array(text.utf8)
    var searched = 0
    while !output[searched...].contains(wanted) {
      searched = max(0, output.count - wanted.count)
      switch readOnce(timeout: 10_000) {
      case true?: continue
      case false?: throw BenchError("“\(text)” did not appear within 10 s: \(lastOutput)")
      case nil: throw BenchError("the program ended before “\(text)” appeared: \(lastOutput)")
      }
    }
    return Monotonic.now()
  }

  /// Reads until nothing has come for some milliseconds.
  func settle(milliseconds: Int32) {
    while readOnce(timeout: milliseconds) == true {}
  }

  /// Reads until the program has ended.
  ///
  /// - Returns: when it had.
  func end() throws -> UInt64 {
    while readOnce(timeout: 10_000) == true {}
    try child.wait()
    return Monotonic.now()
  }

  private var lastOutput: String {
    String(decoding: output.suffix(300), as: UTF8.self)
  }
}
