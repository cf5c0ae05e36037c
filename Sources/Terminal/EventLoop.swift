import Files
import Glibc

/// The program's only wait: for keys, signals, the store's change watcher and the next timer.
///
/// Without a timeout it sleeps until an event arrives: no wake-ups while idle.
package final class EventLoop {
  private let input: Int32
  private let output: Int32?
  /// The signal pipe, for code that waits elsewhere, such as for an editor.
  package let signals: SignalPipe?
  private var watched: [Int32] = []
  /// Input that was read before the loop.
  private var unread: [UInt8] = []
  private var isInputOpen = true
  private var isReadingInput = true
  private var hasHungUp = false
  private let inputIsTerminal: Bool
  private var buffer = [UInt8](repeating: 0, count: EventLoop.chunk)

  /// The maximum number of bytes per read, so that a paste of megabytes needs few reads.
  private static let chunk = 65_536

  /// Makes a loop over an input and the pipe of signals.
  ///
  /// - Parameters:
  ///   - input: The source of keys, a terminal or any other descriptor.
  ///   - output: The terminal for drawing; its end is watched if keys come from elsewhere.
  ///   - signals: The open signal pipe; nil to ignore signals.
  package init(
    input: Int32 = STDIN_FILENO, output: Int32? = nil, signals: SignalPipe? = nil
  ) {
    self.input = input
    self.output = output
    self.signals = signals
    inputIsTerminal = isatty(input) == 1
  }

  /// Adds a descriptor; it is reported as ``LoopEvent/readable(_:)`` when it can be read.
  package func watch(_ descriptor: Int32) {
    if !watched.contains(descriptor) { watched.append(descriptor) }
  }

  /// Removes a descriptor; call it before closing the descriptor.
  package func unwatch(_ descriptor: Int32) {
    watched.removeAll { $0 == descriptor }
  }

  /// Stops or resumes reading the input, for example while there are more keys than can be handled.
  package func setReadsInput(_ reads: Bool) {
    isReadingInput = reads
  }

  /// Puts bytes that were read from the input before the others.
  package func unread(_ bytes: [UInt8]) { unread = bytes + unread }

  /// Whether keys or signals are pending, so that optional work can wait; it consumes nothing.
  package var isInputWaiting: Bool {
    guard unread.isEmpty else { return true }
    var poll = Poll()
    let requests = descriptors(withInput: true).map { pollfd.reading($0) }
    return (try? poll.wait(for: requests, milliseconds: 0)) != nil
  }

  /// The descriptors that become readable with a signal and, if asked for, with a key: for work that
  /// waits elsewhere and may be cancelled.
  package func descriptors(withInput: Bool) -> [Int32] {
    [signals?.descriptor, withInput && isInputOpen && isReadingInput ? input : nil]
      .compactMap(\.self)
  }

  /// Sleeps until something happens or `timeout` has passed, and returns at least one event.
  ///
  /// Signals come first, input last, so that a hang-up is known before more keys are handled.
  ///
  /// - Parameters:
  ///   - timeout: Rounded up to milliseconds; nil for no limit.
  ///   - withWatched: Whether watched descriptors count. A caller that does not read them leaves them
  ///     out, or a readable one would wake it at once, for ever.
  package func wait(timeout: Duration?, withWatched: Bool = true) -> [LoopEvent] {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    if !unread.isEmpty, isReadingInput {
      defer { unread = [] }
      return [.input(unread)]
    }
    var poll = Poll()
    while true {
      do {
        let milliseconds = Self.milliseconds(until: deadline)
        if let ready = try poll.wait(for: requests(withWatched), milliseconds: milliseconds) {
          let events = events(of: ready)
          if !events.isEmpty { return events }
        }
      } catch {
        // Without memory for a wait nothing more can be heard: as if the terminal had gone.
        return [.signal(.hangUp)]
      }
      if let deadline, ContinuousClock.now >= deadline { return [.timer] }
    }
  }

  private func requests(_ withWatched: Bool) -> [pollfd] {
    var requests: [pollfd] = []
    if let signals { requests.append(.reading(signals.descriptor)) }
    if withWatched { requests += watched.map { .reading($0) } }
    if let output, !hasHungUp { requests.append(.ending(output)) }
    if isInputOpen, isReadingInput { requests.append(.reading(input)) }
    return requests
  }

  /// The time until the deadline, rounded up so that the timer never fires early.
  private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let left = ContinuousClock.now.duration(to: deadline).components
    guard left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
    let whole = min(left.seconds, 86_400) * 1_000
    return Int32(whole + (left.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  private func events(of polls: [pollfd]) -> [LoopEvent] {
    var events: [LoopEvent] = []
    for ready in polls where ready.revents != 0 {
      if ready.fd == signals?.descriptor {
        events += drainSignals()
      } else if watched.contains(ready.fd) {
        // A descriptor that was closed without ``unwatch(_:)`` would always be ready.
        if ready.revents & Int16(POLLNVAL) != 0 { unwatch(ready.fd) }
        events.append(.readable(ready.fd))
      } else if ready.fd == input, ready.events != 0 {
        events += readInput()
      } else if ready.hasEnded {
        events += hangUp()
      }
    }
    return events
  }

  private func drainSignals() -> [LoopEvent] {
    let set = signals?.drain() ?? []
    return TerminalSignal.allCases.filter(set.contains).map { .signal($0) }
  }

  private func readInput() -> [LoopEvent] {
    let count = buffer.withUnsafeMutableBytes { read(input, $0.baseAddress, $0.count) }
    if count > 0 { return [.input(Array(buffer[..<count]))] }
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    isInputOpen = false
    return inputIsTerminal ? hangUp() : [.inputEnded]
  }

  private func hangUp() -> [LoopEvent] {
    defer { hasHungUp = true }
    return hasHungUp ? [] : [.signal(.hangUp)]
  }
}

/// An event that wakes the main loop.
package enum LoopEvent: Hashable, Sendable {
  /// Bytes were read from the input.
  case input([UInt8])

  /// The input has ended (a closed pipe, the end of a file); reported once.
  ///
  /// The end of a terminal is ``signal(_:)`` with ``TerminalSignal/hangUp`` instead.
  case inputEnded

  /// A signal arrived, or the terminal is gone.
  case signal(TerminalSignal)

  /// A watched descriptor can be read.
  case readable(Int32)

  /// The timeout passed without another event.
  case timer
}
