import Files
import Glibc
import Journal
import JournalStore
import JournalSync
import Screen

/// Synchronises the journal on the screen by a program of its own, so that no key waits for it.
///
/// The program is `daybook sync` on the same journal; what it receives arrives like the commits of
/// any other program. Its last line is the news.
final class SyncRunner {
  private let store: any EntryStore
  private let setTimer: (Timers.Kind, Duration) -> Void
  private let send: (Event) -> Void
  private var running: Running?

  /// A program under way.
  private struct Running {
    var process: pid_t
    var output: Int32
    var text: [UInt8] = []
    var isAsked: Bool
    /// The last line of progress that the screen got.
    var progress: String?
    /// Whether it got the signal to stop.
    var isCancelled = false
  }

  /// The interval of looks at a running program.
  private static let interval = Duration.milliseconds(200)
  /// The most bytes of its output that are kept.
  private static let longestOutput = 16_384

  init(
    _ store: any EntryStore, setTimer: @escaping (Timers.Kind, Duration) -> Void,
    send: @escaping (Event) -> Void
  ) {
    (self.store, self.setTimer, self.send) = (store, setTimer, send)
  }

  deinit {
    // The program goes on without a reader; only its news is lost.
    if let running { close(running.output) }
  }

  /// Whether the journal has a remote.
  var isLinked: Bool {
    (try? store.syncState()) ?? nil != nil
  }

  /// Starts a synchronisation, unless one runs already.
  ///
  /// - Parameter words: the options of the command.
  /// - Throws: ``Failure`` when it cannot be started.
  func start(_ words: [String] = [], isAsked: Bool) throws {
    guard running == nil else {
      if isAsked { running?.isAsked = true }
      return
    }
    guard !store.isReadOnly else {
      if isAsked { throw Failure(.noPermission, "this journal is open read-only") }
      return
    }
    let ends: (reading: Int32, writing: Int32)
    do throws(Descriptor.Errno) {
      ends = try Descriptor.pipe()
    } catch {
      throw Failure.system(error.code, "a pipe")
    }
    _ = fcntl(ends.reading, F_SETFL, O_NONBLOCK)
    defer { close(ends.writing) }
    do {
      let process = try start(words + ["--progress-lines"], output: ends.writing)
      running = Running(process: process, output: ends.reading, isAsked: isAsked)
    } catch {
      close(ends.reading)
      throw error
    }
    note()
    setTimer(.sync, Self.interval)
  }

  /// Asks a running synchronisation to stop; the screen gets the news when it has.
  func cancel() {
    guard var current = running else { return }
    // The child was not reaped yet, so no other process can have its number.
    kill(current.process, SIGINT)
    (current.isCancelled, current.isAsked) = (true, true)
    running = current
  }

  /// Starts a synchronisation that nobody waits for, as the program ends.
  func startLast() {
    guard !store.isReadOnly, isLinked else { return }
    // If this fails, the next synchronisation sends everything.
    _ = try? start(["--wait"], output: nil)
  }

  /// Starts the program; it gets the key of a sealed journal by a pipe, since there may be no keyring.
  private func start(_ words: [String], output: Int32?) throws -> pid_t {
    let words = ["daybook", "sync", "--journal", store.path] + words
    guard let key = store.key else { return try SubProcess.background(words, output: output) }
    let pipe: (reading: Int32, writing: Int32)
    do throws(Descriptor.Errno) {
      pipe = try Descriptor.pipe()
    } catch {
      throw Failure.system(error.code, "a pipe")
    }
    defer { close(pipe.reading) }
    let isSent = key.send(to: pipe.writing)
    close(pipe.writing)
    guard isSent else { throw Failure.system(EPIPE, "a pipe") }
    return try SubProcess.background(
      words + ["--key-on-input"], input: pipe.reading, output: output)
  }

  /// Looks at the running program; when it has ended, sends the news.
  func look() {
    guard var current = running else { return }
    read(&current)
    tellProgress(&current)
    running = current
    guard let code = try? ProgramStart.exitCode(of: current.process, waits: false) else {
      return setTimer(.sync, Self.interval)
    }
    read(&current)
    close(current.output)
    running = nil
    let last = Self.lines(of: current).last { !$0.hasPrefix(SyncRun.progressMark) } ?? ""
    let news = last.hasPrefix("daybook: ") ? String(last.dropFirst(9)) : last
    note()
    if current.isCancelled, code > 1 {
      let text = "sync cancelled; everything is kept for the next time"
      send(.sync(.ended(text, failed: false, isAsked: true)))
    } else if code <= 1 {
      send(.sync(.ended(news, failed: false, isAsked: current.isAsked)))
    } else {
      let reason = news.isEmpty ? "ended with \(code)" : news
      send(.sync(.ended("sync: \(reason)", failed: true, isAsked: current.isAsked)))
    }
  }

  private static func lines(of running: Running) -> [String] {
    String(decoding: running.text, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Sends the screen the last line of progress, if it is a new one.
  private func tellProgress(_ current: inout Running) {
    let line = Self.lines(of: current).last { $0.hasPrefix(SyncRun.progressMark) }
    guard let line, line != current.progress else { return }
    current.progress = line
    send(.sync(.progressed(String(line.dropFirst(SyncRun.progressMark.count)))))
  }

  private func read(_ current: inout Running) {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = Glibc.read(current.output, &buffer, buffer.count)
      guard count > 0 else { return }
      current.text.append(contentsOf: buffer.prefix(count))
      if current.text.count > Self.longestOutput {
        current.text.removeFirst(current.text.count - Self.longestOutput)
      }
    }
  }

  /// Sends the screen what is unsent.
  func note() {
    guard let state = (try? store.syncState()) ?? nil else {
      return send(.sync(.noted(running == nil ? nil : SyncNote(isRunning: true))))
    }
    let unsent = (try? store.unsentCount(state)) ?? 0
    let conflicts = (try? store.numbers(matching: .flag(.conflict)).count) ?? 0
    send(
      .sync(
        .noted(
          SyncNote(
            unsent: unsent, conflicts: conflicts,
            hasFailed: state.outcome?.hasPrefix("failed: ") == true, isRunning: running != nil,
            progress: running?.progress.map { String($0.dropFirst(SyncRun.progressMark.count)) }))))
  }
}
