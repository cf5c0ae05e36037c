import Files
import Glibc
import Journal
import JournalSync

/// A report of a synchronisation in the background to the screen that started it.
///
/// Each one is a line of JSON on a descriptor of its own. Both programs are the same executable.
enum SyncNews: Hashable, Codable {
  case progressed(SyncProgress)
  /// The last one.
  case ended(SyncOutcome)
}

/// The end of a synchronisation that writes its news.
final class SyncNewsWriter {
  private let descriptor: Int32
  private var lastProgress: ContinuousClock.Instant?

  /// The shortest time between two reports of progress.
  private static let interval = Duration.milliseconds(200)

  /// - Parameter descriptor: an inherited pipe; programs that this one starts do not get it.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Writes news; progress only if the reader has read all before it.
  ///
  /// So a screen that is suspended never stops the synchronisation, and there is room for the end.
  func write(_ news: SyncNews) {
    if case .progressed = news {
      var unread: Int32 = 0
      let now = ContinuousClock.now
      if let lastProgress, now - lastProgress < Self.interval { return }
      guard ioctl(descriptor, UInt(FIONREAD), &unread) == 0, unread == 0 else { return }
      lastProgress = now
    }
    guard let json = try? JSONCoding.value(of: news) else { return }
    var line: [UInt8] = []
    json.append(to: &line)
    // Without a reader, the journal still has the outcome.
    _ = Descriptor.writeAll(descriptor, line + [UInt8(ascii: "\n")])
  }
}

/// The end of a screen that reads the news of a synchronisation.
struct SyncNewsReader {
  /// A pipe that does not block.
  let descriptor: Int32
  private var bytes: [UInt8] = []
  /// Whether the writer has ended.
  private(set) var isAtEnd = false

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Reads the news that have arrived; lines that are none are left out.
  mutating func read() -> [SyncNews] {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      isAtEnd = count == 0 || count < 0 && errno != EAGAIN
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    defer { bytes.removeFirst(end + 1) }
    return bytes[..<end].split(separator: UInt8(ascii: "\n")).compactMap {
      try? JSONCoding.decode(SyncNews.self, from: JSONValue(Array($0)))
    }
  }
}

extension SyncOutcome {
  /// The outcome of a synchronisation that ended with a failure.
  init(_ failure: Failure) {
    switch failure.code {
    // Both sides were equal before.
    case Failure.Code.notDone.rawValue: self = .done(failure.message)
    case 128 + SIGINT: self = .cancelled
    default: self = .failed(failure.message)
    }
  }
}
