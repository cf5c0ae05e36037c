import Glibc

/// A signal that the main loop hears of, long after the handler has returned.
public enum TerminalSignal: CaseIterable, Hashable, Sendable {
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
  public var number: Int32 {
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
  public var endsProgram: Bool {
    switch self {
    case .hangUp, .terminate, .quit: true
    case .interrupt, .windowChanged, .continued, .stop: false
    }
  }
}
