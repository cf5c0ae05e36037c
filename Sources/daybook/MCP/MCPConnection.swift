import Files
import Glibc
import Journal
import JournalStore
import Terminal

/// The lines of a client and the lines to it.
///
/// While a tool runs, lines are still read, so that the client can cancel it; what else arrives
/// meanwhile waits.
final class MCPConnection {
  /// The client cancelled the running request.
  struct Cancelled: Error {}

  private let input: Int32
  private let output: LiveOutput
  /// The bytes of a line whose end has not come yet.
  private var line: [UInt8] = []
  /// Whether the rest of the line is left out, because it is too long.
  private var isSkipping = false
  private var waiting: [MCPMessage] = []
  private var isAtEnd = false
  /// The id of the running request.
  private var running: JSONValue?
  private var isCancelled = false
  /// The error that ends the program, if it came where nothing can be thrown.
  private var ending: (any Error)?

  /// The longest line in bytes: the longest text of an entry has room in it.
  static let longestLine = 2 * TextInput.limit
  /// The number of messages that are read ahead.
  private static let mostWaiting = 1_000

  /// - Parameter input: the descriptor to read from.
  init(input: Int32, output: LiveOutput) {
    (self.input, self.output) = (input, output)
  }

  /// The next message; `nil` at the end.
  ///
  /// - Throws: `LiveOutput.Ended` when the client or a signal ends the program; ``Failure`` 74.
  func next() throws -> MCPMessage? {
    while waiting.isEmpty, !isAtEnd {
      try output.sleep(until: input, timeout: -1)
      try readOnce()
    }
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }

  /// Writes a message.
  ///
  /// - Throws: `LiveOutput.Ended`, ``Failure`` 74.
  func send(_ message: JSONValue) throws {
    output.append { buffer in
      message.append(to: &buffer)
      buffer.append(UInt8(ascii: "\n"))
    }
    try output.flush()
  }

  /// Runs a request, which a notification of the client cancels.
  ///
  /// - Throws: ``Cancelled``, and the errors of `body`.
  func running<Value>(_ id: JSONValue, _ body: () throws -> Value) throws -> Value {
    (running, isCancelled) = (id, false)
    defer { running = nil }
    let before = waiting
    waiting = []
    for message in before where try !answerPing(message) { waiting.append(message) }
    // It may have been cancelled while it waited.
    try lookForCancellation()
    // A wait for another program is cancelled, too.
    let attendant = BusyAttendant { [self] _ in isGivenUp() }
    do {
      let value = try BusyAttendant.$current.withValue(attendant) { try body() }
      guard !isCancelled else { throw Cancelled() }
      return value
    } catch {
      guard !isCancelled else { throw Cancelled() }
      throw ending ?? error
    }
  }

  private func isGivenUp() -> Bool {
    do {
      try lookForCancellation()
    } catch is Cancelled {
      return true
    } catch {
      ending = error
    }
    return ending != nil
  }

  /// - Throws: ``Cancelled``; `LiveOutput.Ended`.
  private func lookForCancellation() throws {
    while !isCancelled, !isAtEnd, waiting.count < Self.mostWaiting {
      try output.sleep(until: nil, timeout: 0)
      var poll = Poll()
      guard try poll.wait(for: [.reading(input)], milliseconds: 0) != nil else { break }
      try readOnce()
    }
    if isCancelled { throw Cancelled() }
  }

  // MARK: Reading

  /// Reads what is there, without waiting once the input is readable.
  private func readOnce() throws {
    // A signal or the time may have ended the wait.
    var poll = Poll()
    guard try poll.wait(for: [.reading(input)], milliseconds: 0) != nil else { return }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count: Int
    do {
      count = try chunk.withUnsafeMutableBytes { try Descriptor.read(input, into: $0).get() }
    } catch let error as Descriptor.Errno {
      throw Failure.system(error.code, "standard input")
    }
    guard count > 0 else {
      isAtEnd = true
      // The last line may have no end.
      return try endLine()
    }
    var rest = chunk[..<count]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      append(rest[..<end])
      try endLine()
      rest = rest[(end + 1)...]
    }
    append(rest)
  }

  private func append(_ bytes: ArraySlice<UInt8>) {
    if !isSkipping, line.count + bytes.count > Self.longestLine {
      isSkipping = true
      line = []
    }
    if !isSkipping { line += bytes }
  }

  private func endLine() throws {
    defer {
      line = []
      isSkipping = false
    }
    if isSkipping {
      let limit = "\(Self.longestLine >> 20) MiB"
      let error = MCPError(.invalidRequest, "the message is longer than \(limit)")
      return waiting.append(.invalid(id: .null, error))
    }
    // A client may end lines with CR LF.
    guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { return }
    let message = MCPMessage(line)
    if let id = message.cancelledID {
      if id == running { isCancelled = true } else { withdraw(id) }
    } else if try !answerPing(message) {
      waiting.append(message)
    }
  }

  /// Answers a ping while a tool runs: it asks whether the program is there, not whether the tool is
  /// done.
  ///
  /// - Returns: whether it was one.
  private func answerPing(_ message: MCPMessage) throws -> Bool {
    guard running != nil, case .request(let id, "ping", _) = message else { return false }
    try send(["jsonrpc": "2.0", "id": id, "result": [:]])
    return true
  }

  /// Removes a request that has not begun.
  private func withdraw(_ id: JSONValue) {
    waiting.removeAll { message in
      // The beginning of a session cannot be cancelled.
      guard case .request(id, let method, _) = message else { return false }
      return method != "initialize"
    }
  }
}

extension MCPConnection: WorkObserver {
  /// Progress is not shown.
  var isWatched: Bool { false }

  func show(progress line: String?, share: Double?) {}

  func listen() throws -> any CancellationSource { self }
}

extension MCPConnection: CancellationSource {
  var descriptors: [Int32] { isAtEnd ? [] : [input] }

  func check(_ work: String, outcome: String) throws { try lookForCancellation() }
}
