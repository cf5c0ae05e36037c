import CTerminal
import Glibc

/// Signals as bytes in a pipe, so that the one `poll` of the main loop wakes up for them.
///
/// There is one in a process. While it is open, SIGPIPE and SIGXFSZ are ignored: a closed pipe
/// and a full disk are errors of the call that met them. A second signal that ends the program,
/// sent before the first was drained, ends it at once.
package final class SignalPipe {
  /// The descriptor to poll for reading.
  package let descriptor: Int32

  /// Installs the handlers.
  ///
  /// Signals that the parent has set to be ignored (`nohup`) stay ignored.
  ///
  /// - Throws: ``TerminalError/system(call:code:)`` when there is no pipe to be had.
  package init() throws(TerminalError) {
    descriptor = daybook_signals_open()
    guard descriptor >= 0 else { throw .system(call: "pipe", code: errno) }
  }

  deinit {
    daybook_signals_close()
  }

  /// The signals since the last call; a storm of one kind counts once.
  package func drain() -> Set<TerminalSignal> {
    let bits = daybook_signals_drain()
    return Set(TerminalSignal.allCases.filter { bits & (1 << UInt64($0.number)) != 0 })
  }
}

/// A signal that the main loop hears of, long after the handler has returned.
package enum TerminalSignal: CaseIterable, Hashable, Sendable {
  /// The terminal has gone (SIGHUP, or the descriptor said so).
  case hangUp
  /// Asked to end (SIGTERM).
  case terminate
  /// Interrupted from outside (SIGINT); the key ^C never comes this way.
  case interrupt
  /// Asked to end by ^\ from outside (SIGQUIT).
  case quit
  /// The window has another size (SIGWINCH).
  case windowChanged
  /// Continued after a stop (SIGCONT).
  case continued
  /// Asked to stop from outside (SIGTSTP); the key ^Z never comes this way.
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

  /// Whether it asks the program to save what is typed and end with 128 + n.
  package var endsProgram: Bool {
    switch self {
    case .hangUp, .terminate, .quit: true
    case .interrupt, .windowChanged, .continued, .stop: false
    }
  }
}
