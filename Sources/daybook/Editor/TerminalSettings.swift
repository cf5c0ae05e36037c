import Glibc

/// The settings of the terminal on standard input, to be put back after a program that died.
struct TerminalSettings {
  private var settings = termios()

  /// Remembers the present settings; `nil` where there is no terminal.
  init?() {
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
  }

  /// Puts them back, also while another process group has the terminal.
  func restore() {
    var settings = settings
    let before = signal(SIGTTOU, SIG_IGN)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    signal(SIGTTOU, before)
  }
}
