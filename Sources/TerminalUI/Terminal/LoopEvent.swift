/// What woke the main loop.
public enum LoopEvent: Hashable, Sendable {
  /// Bytes were read from the input.
  case input([UInt8])

  /// The input has ended (a pipe was closed, a file read to its end); it comes once.
  ///
  /// The end of a terminal comes as ``signal(_:)`` with ``TerminalSignal/hangUp`` instead.
  case inputEnded

  /// A signal has come, or the terminal has gone.
  case signal(TerminalSignal)

  /// A watched descriptor can be read.
  case readable(Int32)

  /// The timeout has passed with nothing else to tell.
  case timer
}
