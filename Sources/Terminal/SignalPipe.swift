import CTerminal
import Glibc

/// Signals as bytes in a pipe, which wakes the main loop's `poll`.
///
/// There is one per process. While it is open, SIGPIPE and SIGXFSZ are ignored: a closed pipe and a
/// full disk are errors of the failing call. A second terminating signal before the first was
/// drained ends the program at once.
package final class SignalPipe {
  /// The descriptor to poll for reading.
  package let descriptor: Int32

  /// Installs the handlers.
  ///
  /// Signals that the parent ignores (`nohup`) stay ignored.
  ///
  /// - Throws: ``TerminalError/system(call:code:)`` when no pipe can be made.
  package init() throws(TerminalError) {
    descriptor = daybook_signals_open()
    guard descriptor >= 0 else { throw .system(call: "pipe", code: errno) }
  }

  deinit {
    daybook_signals_close()
  }

  /// The signals since the last call, without duplicates.
  package func drain() -> Set<TerminalSignal> {
    let bits = daybook_signals_drain()
    return Set(TerminalSignal.allCases.filter { bits & (1 << UInt64($0.number)) != 0 })
  }
}

/// A signal as the main loop receives it, after the handler has returned.
package enum TerminalSignal: CaseIterable, Hashable, Sendable {
  /// The terminal is gone (SIGHUP, or an error of the descriptor).
  case hangUp
  /// A request to end (SIGTERM).
  case terminate
  /// An interrupt by another process (SIGINT); the key ^C is not a signal here.
  case interrupt
  /// A request to quit (SIGQUIT) by another process.
  case quit
  /// The size of the window changed (SIGWINCH).
  case windowChanged
  /// The process continued after a stop (SIGCONT).
  case continued
  /// A request to stop (SIGTSTP) by another process; the key ^Z is not a signal here.
  case stop

  /// The number of the signal, for the exit code 128 + n.
  package var number: Int32 {
    switch self {
    case .hangUp: SIGHUP
    case .terminate: SIGTERM
    case .interrupt: SIGINT
    case .quit: SIGQUIT
    case .windowChanged: SIGWINCH
    case .continued: SIGCONT
    case .stop: SIGTSTP
    }
  }

  /// Whether it asks the program to save the typed text and to end with 128 + n.
  package var endsProgram: Bool {
    switch self {
    case .hangUp, .terminate, .quit: true
    case .interrupt, .windowChanged, .continued, .stop: false
    }
  }
}
