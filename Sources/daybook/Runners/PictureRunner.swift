import Files
import Glibc
import Journal
import JournalStore
import Screen
import Terminal
import TextLayout

/// Decodes the pictures in the reading pane, in processes of their own, so that no key waits for it.
///
/// A picture is read from the journal piece by piece while no key is pending, checked by its hash, and
/// handed to the process as a file in memory.
final class PictureRunner {
  typealias Key = Pictures.Key

  private let store: any EntryStore
  private let loop: EventLoop
  /// Sets the timer that ends a process.
  private let setTimer: (Duration) -> Void
  /// Receives a picture; `nil` for one that cannot be drawn.
  private let take: (Key, PicturePixels?) -> Void
  /// Starts a process; tests have others.
  private let start: (Int32, PictureBox) throws -> PictureProcess
  private var running: [Running] = []
  private var reading: Reading?
  private var failed: Set<String> = []

  /// The most processes at a time; decoding one picture takes one processor.
  static let mostProcesses = 2
  /// The time that a process has, in which most decode a hundred pictures.
  static let limit = Duration.seconds(10)

  private struct Running {
    let key: Key
    var process: PictureProcess
    let end: ContinuousClock.Instant
  }

  /// A file of which some pieces are in memory.
  private struct Reading {
    let key: Key
    let file: StoredFile
    let descriptor: Int32
    var hash = SHA256()
    var pieces = 0
  }

  init(
    _ store: any EntryStore, loop: EventLoop, setTimer: @escaping (Duration) -> Void,
    start: @escaping (Int32, PictureBox) throws -> PictureProcess = {
      try PictureProcess($0, width: $1.width, height: $1.height)
    },
    take: @escaping (Key, PicturePixels?) -> Void
  ) {
    (self.store, self.loop, self.setTimer) = (store, loop, setTimer)
    (self.start, self.take) = (start, take)
  }

  deinit {
    dropReading()
    for running in running { end(running) }
  }

  /// Whether nothing is read or decoded.
  var isIdle: Bool { reading == nil && running.isEmpty }

  /// Begins to decode pictures that a frame lacked; a pending key interrupts it until later.
  func draw(_ missing: [Key], unless isInputWaiting: () -> Bool) {
    if let reading, !missing.contains(reading.key) { dropReading() }
    while running.count < Self.mostProcesses,
      let key = reading?.key ?? missing.first(where: isNew)
    {
      do {
        guard try read(key, unless: isInputWaiting) else { return }
      } catch {
        dropReading()
        // Another program has the journal: the next frame tries again.
        if (error as? StoreError)?.kind == .busy { return }
        fail(key)
      }
    }
  }

  private func isNew(_ key: Key) -> Bool {
    !failed.contains(key.hash) && !running.contains { $0.key == key }
  }

  // MARK: Reading

  /// Reads a picture, and starts its process at the end.
  ///
  /// - Returns: `false` if a key interrupted it.
  private func read(_ key: Key, unless isInputWaiting: () -> Bool) throws -> Bool {
    if reading == nil { reading = try begin(key) }
    while var current = reading {
      guard current.pieces * FileContent.pieceSize < current.file.size else {
        guard current.hash.hex() == current.file.hash else {
          throw Failure(.badData, "\(current.file.name) is damaged")
        }
        try start(current)
        return true
      }
      guard !isInputWaiting() else { return false }
      guard let piece = try store.inspect({ try $0.piece(current.pieces, of: current.file) }) else {
        throw Failure(.badData, "\(current.file.name) is damaged")
      }
      piece.withUnsafeBytes { current.hash.update($0) }
      let problem = Descriptor.writeAll(current.descriptor, piece)
      guard problem == 0 else { throw Failure.system(problem, "a file in memory") }
      current.pieces += 1
      reading = current
    }
    return true
  }

  private func begin(_ key: Key) throws -> Reading {
    guard let file = try store.inspect({ try $0.file(key.hash) }), PictureProcess.takes(file) else {
      throw Failure(.noInput, "there is no such picture")
    }
    let descriptor = MemoryFile.open("daybook-picture")
    guard descriptor >= 0 else { throw Failure.system(errno, "a file in memory") }
    return Reading(key: key, file: file, descriptor: descriptor)
  }

  private func start(_ read: Reading) throws {
    defer { dropReading() }
    lseek(read.descriptor, 0, SEEK_SET)
    let process = try start(read.descriptor, read.key.box)
    running.append(Running(key: read.key, process: process, end: .now + Self.limit))
    loop.watch(process.output)
    setNextEnd(.now)
  }

  private func dropReading() {
    if let reading { close(reading.descriptor) }
    reading = nil
  }

  // MARK: Processes

  /// Takes the answer of a process.
  ///
  /// - Returns: whether the descriptor is that of a process.
  func read(_ descriptor: Int32) -> Bool {
    guard let index = running.firstIndex(where: { $0.process.output == descriptor }) else {
      return false
    }
    if running[index].process.read() { finish(running.remove(at: index)) }
    return true
  }

  /// Ends the processes whose time is over.
  func endLate(at now: ContinuousClock.Instant = .now) {
    let late = running.filter { $0.end <= now }
    running.removeAll { $0.end <= now }
    for running in late { finish(running) }
    setNextEnd(now)
  }

  /// Sets the timer for the process that began first.
  private func setNextEnd(_ now: ContinuousClock.Instant) {
    if let next = running.map(\.end).min() { setTimer(max(.zero, now.duration(to: next))) }
  }

  private func finish(_ ended: Running) {
    guard let pixels = end(ended) else { return fail(ended.key) }
    take(ended.key, pixels)
  }

  @discardableResult
  private func end(_ ended: Running) -> PicturePixels? {
    // Before the descriptor is closed.
    loop.unwatch(ended.process.output)
    return ended.process.end()
  }

  private func fail(_ key: Key) {
    failed.insert(key.hash)
    take(key, nil)
  }
}
