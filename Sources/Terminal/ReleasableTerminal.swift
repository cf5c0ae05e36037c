import CTerminal

/// A terminal that other programs may use for a while.
package protocol ReleasableTerminal: AnyObject {
  /// Restores the terminal for another program.
  func release()
  /// Takes the terminal over again after another program has changed it.
  func reclaim()
}

extension ReleasableTerminal {
  /// Restores the terminal, runs `body`, and takes the terminal over again.
  ///
  /// For an editor or a shell command. ^C is ignored meanwhile; afterwards the size is read again
  /// and the next canvas is drawn completely.
  package func withTerminalReleased<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    release()
    daybook_signals_pause_keyboard(1)
    defer {
      daybook_signals_pause_keyboard(0)
      reclaim()
    }
    return try body()
  }

  /// Stops the program and its process group, as ^Z does in a shell, until it is continued.
  package func suspend() {
    release()
    daybook_stop_group()
    reclaim()
  }
}
