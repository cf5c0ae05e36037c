import Files
import Glibc
import Journal
import SectionedResults
import Terminal
import TextLayout

/// Standard output of a command that runs until a signal ends it.
///
/// It reacts to signals while it waits for a slow reader, so that a stopped reader cannot keep the
/// program alive. Signals end it between two writes, never within a complete line.
final class LiveOutput {
  /// A signal asked the program to end, or the reader is gone.
  struct Ended: Error {
    /// The exit code: 0 unless the signal requires another one.
    var code: Int32 = 0
  }

  private let descriptor: Int32
  private let signals: SignalPipe
  private var ending: Ended?
  private var poll = Poll()
  private var buffer: [UInt8] = []

  /// The bytes that a blocking pipe accepts without waiting once `poll` reports it as writable.
  private static let atomicWrite = Int(PIPE_BUF)
  private static let capacity = 1 << 16

  /// - Parameter signals: the signals that end the output.
  init(descriptor: Int32 = STDOUT_FILENO, signals: SignalPipe) {
    self.descriptor = descriptor
    self.signals = signals
    buffer.reserveCapacity(Self.capacity)
  }

  /// Lets `body` append to the buffer.
  func append(_ body: (inout [UInt8]) throws -> Void) rethrows {
    try body(&buffer)
  }

  /// Writes the buffer if it is long.
  ///
  /// - Throws: ``Ended``, or ``Failure`` 74.
  func flushIfLong() throws {
    if buffer.count >= Self.capacity { try flush() }
  }

  /// Writes the buffer.
  ///
  /// - Throws: ``Ended``, or ``Failure`` 74.
  func flush() throws {
    var done = 0
    while done < buffer.count {
      let isWritable = try look(for: .writing(descriptor), timeout: ending == nil ? -1 : 0)
      if isWritable {
        done += try write(buffer[done..<min(done + Self.atomicWrite, buffer.count)])
      } else if let ending {
        throw ending
      }
    }
    buffer.removeAll(keepingCapacity: true)
    if let ending { throw ending }
  }

  /// Sleeps until `other` is readable, the time is over, or the program must end.
  ///
  /// - Parameters:
  ///   - other: a descriptor to wake up for, if any.
  ///   - timeout: in milliseconds; -1 for no limit.
  /// - Throws: ``Ended``.
  func sleep(until other: Int32?, timeout: Int32) throws {
    _ = try look(for: .ending(descriptor), other, timeout: timeout)
    if let ending { throw ending }
  }

  /// Polls the reader, the signals and another descriptor; returns whether writing is possible.
  private func look(for reader: pollfd, _ other: Int32? = nil, timeout: Int32) throws -> Bool {
    let ready: [pollfd]?
    do {
      ready = try poll.wait(
        for: [reader, .reading(signals.descriptor), .reading(other)], milliseconds: timeout)
    } catch let error {
      throw Failure(.inputOutput, "waiting failed: \(error.reason)")
    }
    guard let ready else { return false }
    if ready[1].revents != 0 { noteSignals() }
    if ready[0].hasEnded { throw Ended() }
    return Int32(ready[0].revents) & POLLOUT != 0
  }

  private func noteSignals() {
    for signal in signals.drain() {
      switch signal {
      case .terminate, .interrupt: ending = ending ?? Ended()
      case .hangUp, .quit: ending = Ended(code: 128 + signal.number)
      case .stop: raise(SIGSTOP)
      case .windowChanged, .continued: break
      }
    }
  }

  private func write(_ bytes: ArraySlice<UInt8>) throws -> Int {
    let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count >= 0 { return count }
    switch errno {
    case EINTR, EAGAIN: return 0
    case EPIPE: throw Ended()
    default:
      throw Failure(.inputOutput, "standard output: \(String(cString: strerror(errno)))")
    }
  }
}

/// A row of `watch`: the entry's JSON without its text, or with it.
enum LiveItem {
  case row(EntryRow)
  case entry(Entry)
}

/// A batch with the rows that its line contains.
struct LiveBatch {
  var batch: ResultsBatch
  /// The key and the rows of each inserted section.
  var sections: [(key: String, items: [LiveItem])]
  /// The rows at the other new paths.
  var items: [RowPath: LiveItem]
}

/// Writes the lines of `watch`: JSON with fields in a fixed order.
enum LiveLines {
  /// Starts the line of a reset; its sections follow.
  static func openReset(
    _ generation: Int, at position: WatchPosition, _ line: inout [UInt8]
  ) {
    start("reset", at: position, &line)
    line += ",\"generation\":\(generation),\"sections\":[".utf8
  }

  /// Appends the line that continues a list.
  static func appendResume(
    _ generation: Int, at position: WatchPosition, _ line: inout [UInt8]
  ) {
    start("resume", at: position, &line)
    line += ",\"generation\":\(generation)}\n".utf8
  }

  private static func start(
    _ event: String, at position: WatchPosition, _ line: inout [UInt8]
  ) {
    line += "{\"event\":\"\(event)\",\"stamp\":\"\(position)\"".utf8
  }

  /// Starts a section of a reset; its rows follow.
  static func openSection(_ key: String, isFirst: Bool, _ line: inout [UInt8]) {
    line += (isFirst ? "{\"key\":" : ",{\"key\":").utf8
    JSONText.append(key, to: &line)
    line += ",\"rows\":[".utf8
  }

  /// Appends a row, with a comma before all but the first.
  static func append(_ item: LiveItem, isFirst: Bool, _ line: inout [UInt8]) {
    if !isFirst { line.append(UInt8(ascii: ",")) }
    append(item, &line)
  }

  /// Ends a section.
  static func closeSection(_ line: inout [UInt8]) { line += "]}".utf8 }

  /// Ends the line of a reset.
  static func closeReset(_ line: inout [UInt8]) { line += "]}\n".utf8 }

  /// Appends the line of a batch.
  ///
  /// - Parameter base: the offset of the controller's generations.
  static func append(
    _ change: LiveBatch, base: Int, at position: WatchPosition, _ line: inout [UInt8]
  ) {
    let batch = change.batch
    start("batch", at: position, &line)
    line += ",\"from\":\(batch.from + base),\"to\":\(batch.to + base)".utf8
    list("deletedSections", batch.deletedSections, &line) { $1 += "\($0)".utf8 }
    list("insertedSections", Array(batch.insertedSections.indices), &line) { index, line in
      section(change.sections[index], at: batch.insertedSections[index], &line)
    }
    list("deletedRows", batch.deletedRows, &line) { append($0, &$1) }
    list("insertedRows", batch.insertedRows, &line) { path, line in
      line += "{\"at\":".utf8
      append(path, &line)
      row(change.items[path], &line)
    }
    list("moves", batch.moves, &line) { move($0, change, &$1) }
    list("updates", batch.updates, &line) { move($0, change, &$1) }
    list("counts", batch.sectionCountsAfter, &line) { $1 += "\($0)".utf8 }
    line += "}\n".utf8
  }
}

extension LiveLines {
  private static func list<Element>(
    _ name: String, _ elements: [Element], _ line: inout [UInt8],
    _ body: (Element, inout [UInt8]) -> Void
  ) {
    line += ",\"\(name)\":[".utf8
    for (index, element) in elements.enumerated() {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      body(element, &line)
    }
    line.append(UInt8(ascii: "]"))
  }

  private static func section(
    _ section: (key: String, items: [LiveItem]), at index: Int, _ line: inout [UInt8]
  ) {
    line += "{\"index\":\(index),\"key\":".utf8
    JSONText.append(section.key, to: &line)
    list("rows", section.items, &line) { append($0, &$1) }
    line.append(UInt8(ascii: "}"))
  }

  private static func move(
    _ move: ResultsBatch.Move, _ change: LiveBatch, _ line: inout [UInt8]
  ) {
    line += "{\"from\":".utf8
    append(move.from, &line)
    line += ",\"to\":".utf8
    append(move.to, &line)
    row(change.items[move.to], &line)
  }

  private static func row(_ item: LiveItem?, _ line: inout [UInt8]) {
    line += ",\"row\":".utf8
    if let item { append(item, &line) }
    line.append(UInt8(ascii: "}"))
  }

  private static func append(_ path: RowPath, _ line: inout [UInt8]) {
    line += "[\(path.section),\(path.row)]".utf8
  }

  private static func append(_ item: LiveItem, _ line: inout [UInt8]) {
    switch item {
    case .row(let row): EntryJSON.append(row, to: &line)
    case .entry(let entry): EntryJSON.append(entry, to: &line)
    }
  }
}
