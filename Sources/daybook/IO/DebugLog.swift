import Files
import Glibc
import Journal

/// The debug log of a run, for reports of faults: `DAYBOOK_LOG=FILE`.
///
/// A line for each thing that happens: the time in UTC, the process, the level, and what it was. No line has
/// a text, a name or a path of the user's, unless `DAYBOOK_LOG_LEVEL=text` asks for them. Several processes
/// may write to one file: each line is one write at its end.
struct DebugLog {
  /// How much is written; each level has the lines of those before it.
  enum Level: String, CaseIterable, Comparable {
    /// Starts, ends and failures, with their exit codes.
    case info
    /// Each event and effect of the screen, by its name.
    case debug
    /// The same with all contents: texts of entries, too.
    case text

    static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The log of this process; `nil` for none.
  static let ofProcess: DebugLog? = {
    guard let path = Places.variable("DAYBOOK_LOG"), !path.isEmpty else { return nil }
    let level = Places.variable("DAYBOOK_LOG_LEVEL").flatMap(Level.init) ?? .debug
    return DebugLog(Places.expanded(path), level)
  }()

  private let descriptor: Int32
  private let level: Level

  /// Opens a log, a private file; without it the program runs all the same.
  ///
  /// A file that is no log, such as a journal, is not written to.
  init?(_ path: String, _ level: Level) {
    let flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK
    descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { return nil }
    guard Self.isLog(descriptor) else {
      close(descriptor)
      return nil
    }
    self.level = level
  }

  /// Whether a file is empty, or begins with the year of a line.
  private static func isLog(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    var year = [UInt8](repeating: 0, count: 5)
    let count = pread(descriptor, &year, year.count, 0)
    return count == 0
      || count == 5 && year[4] == UInt8(ascii: "-")
        && year[..<4].allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Notes the beginning of the program.
  func noteStart(_ words: [String]) {
    write(.info, "start \(Release.version)")
    write(.text, "words \(words)")
  }

  /// Notes why the program ends.
  func noteFailure(_ failure: Failure) { write(.text, "failure \(failure.message)") }

  /// Notes the end of the program.
  func noteEnd(_ code: Int32) { write(.info, "end \(code)") }

  /// Notes an event, an effect, or another value of an enum.
  func note(_ kind: String, _ value: @autoclosure () -> Any) {
    guard level >= .debug else { return }
    if level >= .text {
      write(.text, "\(kind) \(value())")
    } else {
      write(.debug, "\(kind) \(Self.name(of: value()))")
    }
  }

  /// The names of the cases of nested enums, without their contents: `prompt.submitted`.
  static func name(of value: Any) -> String {
    var names: [String] = []
    var value = value
    while Mirror(reflecting: value).displayStyle == .enum {
      guard let child = Mirror(reflecting: value).children.first else {
        names.append(String(reflecting: value).split(separator: ".").last.map(String.init) ?? "")
        break
      }
      names.append(child.label ?? "")
      value = child.value
    }
    return names.joined(separator: ".")
  }

  private func write(_ wanted: Level, _ text: String) {
    guard wanted <= level else { return }
    let line = "\(Self.now()) \(getpid()) \(wanted.rawValue) \(Sanitizing.line(text))\n"
    _ = Descriptor.writeAll(descriptor, Array(line.utf8))
  }

  /// `2026-11-26T19:20:01.123Z`.
  private static func now() -> String {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let moment = Moment(seconds: Int64(time.tv_sec), offset: 0)
    let milliseconds = String(1_000 + time.tv_nsec / 1_000_000).dropFirst()
    return "\(moment.description.prefix(19)).\(milliseconds)Z"
  }
}
