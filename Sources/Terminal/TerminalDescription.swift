import CNcurses
import CTerminal
import Glibc

/// What terminfo says about the terminal at hand, read once it has been found.
struct TerminalDescription {
  /// The bytes that put the screen back after a crash.
  let restore: [UInt8]

  /// Its own sequences of keys, by our names.
  let keys: [String: [UInt8]]

  /// Whether it reads control sequences of the ECMA kind, so that a mode it does not know is
  /// ignored and not printed.
  let isANSI: Bool

  /// Bracketed paste.
  static let pasteOn = Array("\u{1B}[?2004h".utf8)
  static let pasteOff = Array("\u{1B}[?2004l".utf8)

  /// Presses and the wheel, in the form that knows no largest column; Shift still selects text.
  static let mouseOn = Array("\u{1B}[?1000h\u{1B}[?1006h".utf8)
  static let mouseOff = Array("\u{1B}[?1006l\u{1B}[?1000l".utf8)

  /// Whether the terminal has a title that can be set, and set back.
  let hasTitle: Bool
  /// Keeps the title and sets ours; nothing of the user's goes into it.
  static let titleOn = Array("\u{1B}[22;2t\u{1B}]2;Daybook\u{07}".utf8)
  static let titleOff = Array("\u{1B}[23;2t".utf8)

  /// Looks up `TERM`, without ending the program as ncurses itself would.
  init(output: Int32) throws(TerminalError) {
    guard let variable = getenv("TERM"), variable.pointee != 0 else { throw .termUnset }
    let name = String(cString: variable)
    var problem: Int32 = 0
    guard setupterm(variable, output, &problem) == OK else {
      // A known one that is too general or a printer is reported as 1.
      throw problem == 1 || name == "dumb" ? .termUnusable(name) : .termUnknown(name)
    }
    guard Self.string("cup") != nil, daybook_terminal_flag("hc") == 0 else {
      throw .termUnusable(name)
    }
    isANSI = Self.string("cup")?.starts(with: Array("\u{1B}[".utf8)) ?? false
    hasTitle =
      isANSI
      && ["xterm", "tmux", "screen", "rxvt", "foot", "alacritty", "kitty", "st-", "wezterm"]
        .contains(where: name.hasPrefix)
    let modes = isANSI ? Self.mouseOff + Self.pasteOff + (hasTitle ? Self.titleOff : []) : nil
    let parts = [Self.string("sgr0"), Self.string("cnorm"), modes]
    restore = (parts + [Self.string("rmkx"), Self.string("rmcup")]).compactMap { $0 }
      .flatMap { $0 }
    keys = Self.keyNames.compactMapValues(Self.string)
  }

  /// A capability without its delays (`$<5>`), which only ncurses knows how to keep.
  private static func string(_ name: String) -> [UInt8]? {
    guard let text = daybook_terminal_string(name) else { return nil }
    var bytes: [UInt8] = []
    var isDelay = false
    let all = Array(String(cString: text).utf8)
    for (index, byte) in all.enumerated() {
      if byte == UInt8(ascii: "$"), index + 1 < all.count, all[index + 1] == UInt8(ascii: "<") {
        isDelay = true
      }
      if !isDelay { bytes.append(byte) }
      if byte == UInt8(ascii: ">") { isDelay = false }
    }
    return bytes
  }

  /// The capabilities of keys.
  ///
  /// Function keys beyond 12 are left out: terminfo counts F1 with Shift as F13.
  private static let keyNames: [String: String] = {
    var names = [
      "<Up>": "kcuu1", "<Down>": "kcud1", "<Left>": "kcub1", "<Right>": "kcuf1",
      "<Home>": "khome", "<End>": "kend", "<PageUp>": "kpp", "<PageDown>": "knp",
      "<Del>": "kdch1", "<Insert>": "kich1", "<S-Tab>": "kcbt",
    ]
    for number in 1...12 { names["<F\(number)>"] = "kf\(number)" }
    return names
  }()
}

/// The character set of the process, which ncurses, readline and `wcwidth` all ask for.
package enum TerminalLocale {
  /// Takes the user's locale, with UTF-8 in any case, and tells whether the terminal is UTF-8.
  ///
  /// The journal is UTF-8 whatever `LANG` says, so under `LANG=C` only the character type is
  /// replaced. readline reads the environment again at each prompt; that is why the variables
  /// change too. To be called before any thread is started.
  ///
  /// - Returns: False when the user's own locale cannot show UTF-8: the screen then shows `?`.
  @discardableResult
  package static func adopt() -> Bool {
    setlocale(LC_ALL, "")
    if isUTF8 { return true }
    if let all = getenv("LC_ALL"), all.pointee != 0 {
      setenv("LANG", all, 1)
      unsetenv("LC_ALL")
    }
    for name in ["C.UTF-8", "en_US.UTF-8"] where setlocale(LC_CTYPE, name) != nil {
      setenv("LC_CTYPE", name, 1)
      break
    }
    return false
  }

  private static var isUTF8: Bool {
    guard let name = nl_langinfo(Int32(CODESET)) else { return false }
    return String(cString: name) == "UTF-8"
  }
}

/// The size of a screen in character cells.
package struct ScreenSize: Hashable, Sendable {
  /// The number of lines, at least 1.
  package var rows: Int

  /// The number of columns, at least 1.
  package var columns: Int

  /// Makes a size; what is below 1 becomes 1.
  package init(rows: Int, columns: Int) {
    self.rows = max(rows, 1)
    self.columns = max(columns, 1)
  }

  /// The largest size taken from the environment or a terminal, in either direction.
  ///
  /// A screen of more cells than a person can see is a mistake that would take all memory.
  package static let limit = 1_000

  /// The size of the terminal `descriptor`; else `LINES` and `COLUMNS`; else 24×80.
  package static func current(descriptor: Int32 = STDOUT_FILENO) -> ScreenSize {
    var rows: Int32 = 0
    var columns: Int32 = 0
    if daybook_window_size(descriptor, &rows, &columns) == 0 {
      return ScreenSize(rows: min(Int(rows), limit), columns: min(Int(columns), limit))
    }
    return ScreenSize(
      rows: positive(environment: "LINES") ?? 24, columns: positive(environment: "COLUMNS") ?? 80)
  }

  private static func positive(environment name: String) -> Int? {
    guard let text = getenv(name), let number = Int(String(cString: text)), number > 0 else {
      return nil
    }
    return min(number, limit)
  }
}
