import Files
import Glibc
import Journal
import JournalStore
import JournalSync
import Screen
import Terminal

/// Synchronises the journal on the screen by a program of its own, so that no key waits for it.
///
/// The program is `daybook sync` on the same journal; what it receives arrives like the commits of
/// any other program. It reports by a pipe, ``SyncNews``.
final class SyncRunner {
  private let store: any EntryStore
  private let loop: EventLoop
  private let send: (Event) -> Void
  private var running: Running?

  /// A program under way.
  private struct Running {
    let process: pid_t
    var news: SyncNewsReader
    var isAsked: Bool
    var progress: SyncProgress?
    var outcome: SyncOutcome?
  }

  init(_ store: any EntryStore, loop: EventLoop, send: @escaping (Event) -> Void) {
    (self.store, self.loop, self.send) = (store, loop, send)
  }

  deinit {
    // The program goes on without a reader; only its news is lost.
    if let running { stopReading(running.news) }
  }

  private func stopReading(_ news: SyncNewsReader) {
    loop.unwatch(news.descriptor)
    close(news.descriptor)
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
      guard isAsked else { return }
      running?.isAsked = true
      return send(.journal(.noted("a sync is running already")))
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
      let process = try start(
        words + ["--news-descriptor", "\(SubProcess.newsDescriptor)"], news: ends.writing)
      running = Running(process: process, news: SyncNewsReader(ends.reading), isAsked: isAsked)
    } catch {
      close(ends.reading)
      throw error
    }
    loop.watch(ends.reading)
    note()
  }

  /// Asks a running synchronisation to stop; the screen gets the news when it has.
  func cancel() {
    guard let running else { return }
    // The child was not reaped yet, so no other process can have its number.
    kill(running.process, SIGINT)
    self.running?.isAsked = true
  }

  /// Starts a synchronisation that nobody waits for, as the program ends.
  func startLast() {
    guard !store.isReadOnly, isLinked else { return }
    // If this fails, the next synchronisation sends everything.
    _ = try? start(["--wait"])
  }

  /// Starts the program; it gets the key of a sealed journal by a pipe, since there may be no keyring.
  private func start(_ words: [String], news: Int32? = nil) throws -> pid_t {
    let words = ["daybook", "sync", "--journal", store.path] + words
    guard let key = store.key else { return try SubProcess.background(words, news: news) }
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
      words + ["--key-on-input"], input: pipe.reading, news: news)
  }

  /// Takes the news of the running program from its descriptor.
  ///
  /// - Returns: whether the descriptor is the program's.
  func read(_ descriptor: Int32) -> Bool {
    guard var current = running, current.news.descriptor == descriptor else { return false }
    for news in current.news.read() {
      switch news {
      case .progressed(let progress): current.progress = progress
      case .ended(let outcome): current.outcome = outcome
      }
    }
    if !current.news.isAtEnd {
      if let progress = current.progress, progress != running?.progress {
        send(.sync(.progressed(progress)))
      }
      running = current
      return true
    }
    running = nil
    stopReading(current.news)
    // The pipe ends with the program, which cannot take long now.
    let code = (try? ProgramStart.exitCode(of: current.process)) ?? nil
    note()
    let outcome = current.outcome ?? .failed(Self.words(forEnd: code ?? -1))
    send(.sync(.ended(outcome, isAsked: current.isAsked)))
    return true
  }

  /// The end of a program that did not report one.
  private static func words(forEnd code: Int32) -> String {
    code > 128
      ? "killed by signal \(code - 128); the next sync does the rest" : "ended with \(code)"
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
            hasFailed: state.outcome?.isFailure == true, isRunning: running != nil,
            progress: running?.progress))))
  }
}
