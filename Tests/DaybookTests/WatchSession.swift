import Foundation
import TestSupport
import Testing

/// `daybook watch` running beside a test, read line by line.
final class WatchSession {
  private struct TookTooLong: Error {}

  let pid: pid_t
  private var descriptor: Int32
  private var buffer: [UInt8] = []
  private var status: Int32?

  /// Starts it; without a journal's name over the usual one.
  init(_ program: Program, _ arguments: [String], journal: String) throws {
    // A named pipe, so that no other child of this process can inherit an end of it.
    let pipe = program.home.appending(path: "pipe-\(UUID().uuidString)").path
    try #require(mkfifo(pipe, 0o600) == 0)
    descriptor = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try #require(descriptor >= 0)
    let place = journal.isEmpty ? [] : ["--journal", journal]
    pid = try ChildProcess.start(
      Program.binary.path, place + ["watch"] + arguments, environment: program.environment
    ) { actions in
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 1, pipe, O_WRONLY, 0)
    }
  }

  deinit {
    hangUp()
    if status == nil {
      kill(pid, SIGKILL)
      var status: Int32 = 0
      waitpid(pid, &status, 0)
    }
  }

  /// The next line, waited for.
  func line() throws -> String {
    while true {
      if let end = buffer.firstIndex(of: 10) {
        defer { buffer.removeFirst(end + 1) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, Int32(patience * 1_000)) > 0 else { throw TookTooLong() }
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { throw TookTooLong() }
      buffer += chunk[..<count]
    }
  }

  /// The next line without its stamp, which no test can foretell.
  func stamplessLine() throws -> String {
    try line().replacing(#/"stamp":"[0-9]+-[0-9a-f]{16}",/#, with: "")
  }

  /// How many bytes wait to be read.
  var unread: Int32 {
    var count: Int32 = 0
    _ = ioctl(descriptor, UInt(FIONREAD), &count)
    return count
  }

  /// Stops reading for good.
  func hangUp() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// Sends a signal.
  func send(_ signal: Int32) { kill(pid, signal) }

  /// Waits for the end; the exit code, or 128+n after a signal.
  func exitCode() throws -> Int32 {
    let deadline = Date(timeIntervalSinceNow: Double(patience))
    while Date() < deadline {
      var status: Int32 = 0
      if waitpid(pid, &status, WNOHANG) == pid {
        self.status = status
        return ChildProcess.code(status)
      }
      usleep(2_000)
    }
    throw TookTooLong()
  }
}
