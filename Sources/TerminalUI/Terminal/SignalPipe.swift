import CTerminal
import Glibc

/// Signals as bytes in a pipe, so that the one `poll` of the main loop wakes up for them.
///
/// There is one in a process. While it is open, SIGPIPE and SIGXFSZ are ignored: a closed pipe
/// and a full disk are errors of the call that met them. A second signal that ends the program,
/// sent before the first was drained, ends it at once.
public final class SignalPipe {
  /// The descriptor to poll for reading.
  public let descriptor: Int32

  /// Installs the handlers.
  ///
  /// Signals that the parent has set to be ignored (`nohup`) stay ignored.
  ///
  /// - Throws: ``TerminalError/system(call:code:)`` when there is no pipe to be had.
  public init() throws(TerminalError) {
    descriptor = daybook_signals_open()
    guard descriptor >= 0 else { throw .system(call: "pipe", code: errno) }
  }

  deinit {
    daybook_signals_close()
  }

  /// The signals since the last call; a storm of one kind counts once.
  public func drain() -> Set<TerminalSignal> {
    let bits = daybook_signals_drain()
    return Set(TerminalSignal.allCases.filter { bits & (1 << UInt64($0.number)) != 0 })
  }
}
