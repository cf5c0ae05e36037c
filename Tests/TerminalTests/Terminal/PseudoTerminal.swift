import Glibc
import Testing

/// A pseudo-terminal: what a person types into and reads from, and the program's side of it.
struct PseudoTerminal {
  let keyboard: Int32
  let terminal: Int32

  init(rows: UInt16 = 24, columns: UInt16 = 80) throws {
    keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
    var unlocked: Int32 = 0
    var number: UInt32 = 0
    // TIOCSPTLCK and TIOCGPTN, which are macros: unlock it and ask for its number.
    try #require(ioctl(keyboard, 0x4004_5431, &unlocked) == 0)
    try #require(ioctl(keyboard, 0x8004_5430, &number) == 0)
    terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    try #require(terminal >= 0)
    resize(rows: rows, columns: columns)
  }

  func resize(rows: UInt16, columns: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    #expect(ioctl(keyboard, UInt(TIOCSWINSZ), &size) == 0)
  }

  /// Everything that the program has written so far.
  func output() -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(keyboard, &buffer, buffer.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }

  /// The settings of the terminal: input, output, control and local modes.
  func settings() -> [tcflag_t] {
    var settings = termios()
    #expect(tcgetattr(terminal, &settings) == 0)
    return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
  }

  func close() {
    _ = Glibc.close(keyboard)
    _ = Glibc.close(terminal)
  }
}
