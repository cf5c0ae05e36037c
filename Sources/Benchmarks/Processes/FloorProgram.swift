import CNcurses
import Glibc

/// The least that a full-screen program does: this binary, which links what `daybook` links, opens
/// ncurses, draws one line, waits for a key and ends.
enum FloorProgram {
  /// The option that starts it.
  static let option = "--floor"
  /// The line it draws.
  static let line = "floor: any key ends"

  static func run() -> Int32 {
    setlocale(LC_ALL, "")
    guard daybook_newterm(STDOUT_FILENO, STDIN_FILENO) != nil else { return 1 }
    raw()
    noecho()
    mvwaddstr(daybook_stdscr(), 0, 0, line)
    wrefresh(daybook_stdscr())
    var key: UInt8 = 0
    _ = read(STDIN_FILENO, &key, 1)
    endwin()
    return 0
  }
}
