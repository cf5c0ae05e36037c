import Files
import Glibc
import TextLayout

/// Standard output with a buffer and complete error handling.
///
/// A reader that closes the output is not an error: the program ends quietly. A full disk is an
/// error.
///
/// On a terminal every text is sanitised here, so that no command can forget it: names of files and
/// lines of a configuration may come from others as well as entries.
final class Output {
  /// The reader has closed standard output, or has as much as it takes.
  struct Closed: Error {}

  // Written once at startup, and only read after that.
  nonisolated(unsafe) private static var wasClosed = false

  /// Records whether the parent provided standard output, before `/dev/null` replaces it: output
  /// would be lost, and a script must know.
  static func noteIfClosed() {
    wasClosed = fcntl(STDOUT_FILENO, F_GETFD) < 0
  }

  /// Checks that standard output exists, for a command that only prints.
  ///
  /// - Throws: ``Failure`` 74.
  static func checkOpen() throws(Failure) {
    if wasClosed { throw Failure(.inputOutput, "standard output is closed; nothing was printed") }
  }

  /// Whether standard output is a terminal; one behind a pager is.
  let isTerminal: Bool
  private let descriptor: Int32
  /// The pager for output that fills the screen.
  private var pager: Pager?
  private var running: Pager.Running?
  private let name: String
  private var buffer: [UInt8] = []
  /// Whether the text stays in memory.
  private let isCollected: Bool

  /// Whether collected text was cut.
  private var isFull = false

  private static let capacity = 1 << 16

  /// Makes an output over a descriptor, by default standard output.
  ///
  /// - Parameter name: its name in messages.
  init(descriptor: Int32 = STDOUT_FILENO, name: String = "standard output") {
    self.descriptor = descriptor
    self.name = name
    isTerminal = isatty(descriptor) == 1
    isCollected = false
    buffer.reserveCapacity(Self.capacity)
  }

  private init() {
    (descriptor, name, isTerminal, isCollected) = (-1, "", false, true)
  }

  /// An output that collects its first 4 MiB, more than anyone reads on a screen; then it closes.
  static func collecting() -> Output { Output() }

  private static let collectedLimit = 4 << 20

  /// The roles of collected lines that are not plain text, by index.
  private(set) var roles: [Int: Style.Role] = [:]
  /// The number of complete collected lines, and of the bytes up to there.
  private var counted = (lines: 0, bytes: 0)

  /// Writes a line of a role, which the page of a command shows in its colour.
  ///
  /// - Throws: as ``line(_:isSafe:)``.
  func line(_ text: String, _ role: Style.Role) throws {
    if isCollected {
      counted.lines += buffer[counted.bytes...].count { $0 == UInt8(ascii: "\n") }
      counted.bytes = buffer.count
      roles[counted.lines] = role
    }
    try line(text)
  }

  var collectedLines: [String] {
    // In bytes, because CR LF is one character, which CSV has at the ends of its lines.
    var lines = buffer.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { line in
        String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
      }
    // The last line has no end: it is empty, or cut.
    if lines.last == "" || isFull { lines.removeLast() }
    if isFull { lines.append("(the first \(Self.collectedLimit >> 20) MiB; export writes all)") }
    return lines
  }

  /// Writes a text and a line end.
  ///
  /// - Parameter isSafe: whether the text cannot control a terminal as it is, like JSON, which
  ///   escapes such characters, and the lines of an ``Ink``.
  /// - Throws: ``Closed`` or ``Failure`` 74, possibly for text of an earlier call.
  func line(_ text: String, isSafe: Bool = false) throws {
    try write(text, isSafe: isSafe)
    try write("\n")
  }

  /// Writes a text without a line end.
  ///
  /// - Parameter isSafe: as for ``line(_:isSafe:)``.
  /// - Throws: ``Closed`` or ``Failure`` 74, possibly for text of an earlier call.
  func write(_ text: String, isSafe: Bool = false) throws {
    let shown = isTerminal && !isSafe ? Sanitizing.body(text) : text
    buffer.append(contentsOf: shown.utf8)
    if buffer.count >= Self.capacity { try flush() }
  }

  /// Lets `body` append bytes to the buffer.
  ///
  /// - Parameter isSafe: as for ``line(_:isSafe:)``.
  /// - Throws: the error of `body`, ``Closed`` or ``Failure`` 74, possibly for text of an earlier
  ///   call.
  func encode(isSafe: Bool, _ body: (inout [UInt8]) throws -> Void) throws {
    guard !isTerminal || isSafe else {
      var bytes: [UInt8] = []
      try body(&bytes)
      return try write(String(decoding: bytes, as: UTF8.self))
    }
    try body(&buffer)
    if buffer.count >= Self.capacity { try flush() }
  }

  /// Writes the buffer.
  ///
  /// - Throws: ``Closed`` or ``Failure`` 74.
  func flush() throws {
    guard !isCollected else {
      guard buffer.count > Self.collectedLimit else { return }
      isFull = true
      buffer.removeSubrange(Self.collectedLimit...)
      throw Closed()
    }
    if descriptor == STDOUT_FILENO, !buffer.isEmpty { try Self.checkOpen() }
    if let pager, ScreenRows.fill(buffer, columns: size.columns, rows: size.rows) {
      self.pager = nil
      running = pager.start()
    }
    let problem = Descriptor.writeAll(running?.input ?? descriptor, buffer)
    buffer.removeAll(keepingCapacity: true)
    if problem == EPIPE { throw Closed() }
    if problem != 0 {
      throw Failure(.inputOutput, "\(name): \(String(cString: strerror(problem)))")
    }
  }

  /// The width of wrapped text, in columns: the terminal's, else that of `COLUMNS`, else 80.
  var textColumns: Int {
    let asked = Places.variable("COLUMNS").flatMap { Int($0) }.map { min(max($0, 20), 1_000) }
    return columns ?? asked ?? 80
  }

  /// The maximum width of lines, in columns; `nil` without a terminal.
  var columns: Int? { isTerminal ? size.columns : nil }

  /// The terminal's size; 80 columns and very many rows if it is unknown.
  private var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return (80, .max) }
    return (size.ws_col > 0 ? Int(size.ws_col) : 80, size.ws_row > 0 ? Int(size.ws_row) : .max)
  }

  /// Gives what `body` prints to a pager if it fills the terminal, and waits for the pager's end.
  ///
  /// - Throws: the errors of `body`.
  func paged(by pager: Pager?, _ body: () throws -> Void) rethrows {
    self.pager = isTerminal ? pager : nil
    defer {
      self.pager = nil
      running?.end()
      running = nil
    }
    try body()
  }
}
