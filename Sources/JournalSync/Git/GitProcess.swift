import Files
import Glibc
import Journal

/// A run of git: writes its input, reads its output and messages, all at once, by one `poll`.
///
/// Both directions are served whenever they are ready, so neither side waits for the other. The
/// memory needed does not depend on how much passes.
struct GitProcess {
  /// The end of a run.
  struct Outcome {
    /// The exit code, 128 + n after a signal.
    var code: Int32
    /// The messages of git and the remote, without progress.
    var lines: [String]

    /// Whether a signal ended it, so that it could not remove its lock files.
    var wasKilled: Bool { code > 128 && code < 128 + 65 }
  }

  let program: GitProgram
  let repository: String
  /// More variables, as `NAME=value`.
  var variables: [String] = []

  /// The time between two checks of `isCancelled`, in milliseconds.
  private static let interval: Int32 = 100
  /// The time that git has to end after SIGTERM, in milliseconds.
  private static let grace: Int32 = 1_000
  /// The most bytes given or taken at a time.
  private static let chunk = 1 << 18

  /// Runs git.
  ///
  /// - Parameters:
  ///   - arguments: the command and its arguments.
  ///   - silenceLimit: the longest time without a byte in any direction, in seconds.
  ///   - isCancelled: checked about ten times a second.
  ///   - progress: called at most five times a second, and for the beginning of each phase.
  ///   - input: gives the next part of the standard input, nil for its end.
  ///   - output: takes the next part of the standard output.
  /// - Throws: ``GitError`` `cancelled`, `unreachable` after a silence, `gitMissing`, and the errors
  ///   of the closures; git has ended.
  func run(
    _ arguments: [String], silenceLimit: Double? = nil, isCancelled: () -> Bool = { false },
    progress: ((GitProgress) -> Void)? = nil, input: () throws -> [UInt8]? = { nil },
    output: (UnsafeRawBufferPointer) throws -> Void = { _ in }
  ) throws -> Outcome {
    var channels = try Channels()
    defer { channels.close() }
    let start = ProgramStart(
      program.path, GitProgram.arguments + arguments,
      environment: program.environment(of: repository) + variables,
      redirections: channels.redirections,
      ownSession: program.questions == .fail, endsWithParent: true)
    let process: pid_t
    do {
      process = try start.run()
    } catch {
      throw GitError(error.code == ENOENT ? .gitMissing : .failed, error.description)
    }
    channels.closeOfChild()
    var messages = Messages(progress: progress)
    let code: Int32
    do {
      code = try exchange(
        with: process, &channels, &messages, silenceLimit, isCancelled, input, output)
    } catch {
      end(process)
      throw error
    }
    messages.finish()
    let outcome = Outcome(code: code, lines: messages.lines)
    if code == 129 {
      throw GitError(.gitTooOld, messages.lines.first ?? "git lacks an option")
    }
    return outcome
  }

  /// Serves the channels until git has ended.
  ///
  /// - Returns: the exit code.
  private func exchange(
    with process: pid_t, _ channels: inout Channels, _ messages: inout Messages,
    _ silenceLimit: Double?, _ isCancelled: () -> Bool, _ input: () throws -> [UInt8]?,
    _ output: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Int32 {
    var poll = Poll()
    var pending = ArraySlice<UInt8>()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 16)
    defer { buffer.deallocate() }
    let clock = ContinuousClock()
    var lastByte = clock.now
    var lastCheck = clock.now
    var ended: Int32?
    while channels.output >= 0 || channels.errors >= 0 {
      if pending.isEmpty, channels.input >= 0 {
        if let next = try input() {
          pending = next[...]
        } else {
          channels.closeInput()
        }
      }
      let requests: [pollfd] = [
        .reading(channels.output), .reading(channels.errors),
        channels.input >= 0 && !pending.isEmpty ? .writing(channels.input) : .reading(nil),
      ]
      let ready = try poll.wait(for: requests, milliseconds: Self.interval)
      let now = clock.now
      if now - lastCheck >= .milliseconds(Int64(Self.interval)) {
        lastCheck = now
        if isCancelled() { throw GitError(.cancelled, "cancelled") }
      }
      guard let ready else {
        // A server that a helper left behind may keep the channels open.
        if let code = ended { return code }
        ended = try ProgramStart.exitCode(of: process, waits: false)
        // Bytes that git wrote since the last look are read first.
        if ended != nil { continue }
        if let silenceLimit, now - lastByte > .seconds(silenceLimit) {
          throw GitError(.unreachable, "the remote was silent for \(Int(silenceLimit)) seconds")
        }
        continue
      }
      lastByte = now
      if ready[1].revents != 0 {
        let count = try Descriptor.read(channels.errors, into: buffer).get()
        if count == 0 { channels.closeErrors() }
        messages.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
      if ready[0].revents != 0 {
        let count = try Descriptor.read(channels.output, into: buffer).get()
        if count == 0 { channels.closeOutput() }
        if count > 0 { try output(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      }
      if ready[2].revents != 0 { try channels.send(&pending) }
    }
    if let ended { return ended }
    // Git has closed its channels and is about to end, unless it was told to stop.
    let descriptor = ProcessDescriptor(process)
    while true {
      if let code = try ProgramStart.exitCode(of: process, waits: false) { return code }
      if isCancelled() { throw GitError(.cancelled, "cancelled") }
      descriptor?.wait(milliseconds: Self.interval)
    }
  }

  /// Ends git and the programs that it started: politely, so that it removes its lock files, then
  /// at once.
  private func end(_ process: pid_t) {
    let target = program.questions == .fail ? -process : process
    kill(target, SIGTERM)
    ProcessDescriptor(process)?.wait(milliseconds: Self.grace)
    // Until it is waited for, no other process has its number.
    kill(target, SIGKILL)
    _ = try? ProgramStart.exitCode(of: process)
    guard target < 0 else { return }
    // Its helpers may write until they are gone; without an init process they never quite are. There is
    // no descriptor that tells the end of a group.
    for _ in 0..<200 where kill(target, 0) == 0 { usleep(1_000) }
  }
}

/// The descriptors of a run.
private struct Channels {
  private(set) var input: Int32 = -1
  private(set) var output: Int32 = -1
  private(set) var errors: Int32 = -1
  /// The ends of git.
  private var child: [Int32] = []

  /// - Throws: ``GitError`` when there are too many descriptors.
  init() throws {
    // Unlike a pipe, a socket can report its closed end without a signal.
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw GitError(.failed, FileError("socketpair", "git").description)
    }
    input = ends[0]
    child.append(ends[1])
    do {
      var pipe = try Descriptor.pipe()
      output = pipe.reading
      child.append(pipe.writing)
      pipe = try Descriptor.pipe()
      errors = pipe.reading
      child.append(pipe.writing)
    } catch {
      close()
      throw GitError(.failed, "git: pipe: \(error.reason)")
    }
  }

  /// Standard input is never the terminal.
  var redirections: [ProgramStart.Redirection] {
    child.enumerated().map { .descriptor($0.element, as: Int32($0.offset)) }
  }

  /// Writes as much as fits.
  ///
  /// - Parameter pending: loses what was written, or all if git no longer reads.
  mutating func send(_ pending: inout ArraySlice<UInt8>) throws {
    let count = pending.withUnsafeBytes {
      Glibc.send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
    if count >= 0 {
      pending = pending.dropFirst(count)
    } else if errno == EPIPE || errno == ECONNRESET {
      // Its exit code and its message say why.
      pending = []
      closeInput()
    } else if errno != EAGAIN && errno != EINTR {
      throw GitError(.failed, FileError("send", "git").description)
    }
  }

  mutating func closeOfChild() {
    for descriptor in child { Glibc.close(descriptor) }
    child = []
  }

  mutating func closeInput() { Self.close(&input) }
  mutating func closeOutput() { Self.close(&output) }
  mutating func closeErrors() { Self.close(&errors) }

  mutating func close() {
    closeInput()
    closeOutput()
    closeErrors()
    closeOfChild()
  }

  private static func close(_ descriptor: inout Int32) {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }
}

/// The messages on the standard error of git.
private struct Messages {
  /// The lines that are no progress: the first and the last ones.
  private(set) var lines: [String] = []
  private var line: [UInt8] = []
  private let progress: ((GitProgress) -> Void)?
  private var last: (phase: GitProgress.Phase, time: ContinuousClock.Instant)?
  private let clock = ContinuousClock()

  /// The number of lines kept at either end.
  private static let most = 32

  init(progress: ((GitProgress) -> Void)?) {
    self.progress = progress
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        endLine()
      } else if line.count < GitText.longestLine {
        line.append(byte)
      }
    }
  }

  mutating func finish() { endLine() }

  private mutating func endLine() {
    guard !line.isEmpty else { return }
    let text = GitText.clean(line)
    line.removeAll(keepingCapacity: true)
    guard !text.isEmpty else { return }
    if let report = GitProgress.read(text) {
      let now = clock.now
      if let last, last.phase == report.phase, now - last.time < .milliseconds(200) { return }
      last = (report.phase, now)
      progress?(report)
      return
    }
    lines.append(text)
    if lines.count > 2 * Self.most { lines.remove(at: Self.most) }
  }
}
