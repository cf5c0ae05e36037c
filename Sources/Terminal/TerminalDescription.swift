import CNcurses
import CTerminal
import Glibc

/// The terminfo description of the terminal, read once.
struct TerminalDescription {
  /// The name of the description: the value of `TERM`, or that of a terminal it is compatible with.
  let name: String

  /// The value of `TERM`, if no description of it is installed and ``name`` is another one.
  let unknownName: String?

  /// The description that terminals of today have in common.
  private static let common = "xterm-256color"

  /// The starts of names of terminals that understand what ``common`` says.
  ///
  /// Their descriptions are younger than many systems, and absent on the servers that people reach
  /// from them.
  private static let compatible = [
    "xterm", "alacritty", "contour", "foot", "ghostty", "gnome", "iterm", "kitty", "konsole",
    "mlterm", "rio", "rxvt", "st-", "vte", "wezterm",
  ]

  /// Those of multiplexers, which understand it, too.
  private static let multiplexers = ["tmux", "screen"]

  /// The descriptions of terminals of which nothing is known, the first one that is installed: they move
  /// the cursor, and have no colours that could be wrong.
  private static let plain = ["vt100", "ansi"]

  /// Whether a terminal understands what ``common`` says, by its name: that of a family, or one that
  /// promises as many colours.
  private static func isCompatible(_ name: String) -> Bool {
    let name = name.lowercased()
    return (compatible + multiplexers).contains(where: name.hasPrefix)
      || ["-256color", "-direct", "-truecolor"].contains(where: name.hasSuffix)
  }

  /// The keys that were typed while the terminal was asked what it is.
  let typed: [UInt8]

  /// Normal text and a visible cursor.
  private let attributes: [UInt8]
  /// The end of the alternate screen.
  private let mainScreen: [UInt8]

  /// The bytes that restore the screen after a crash.
  ///
  /// - Parameter leaving: those that end the features in use.
  func restore(leaving: [UInt8]) -> [UInt8] { attributes + leaving + mainScreen }

  /// Begins and ends struck text, which ncurses has no attribute for; nil where the terminal has none.
  let strike: (on: [UInt8], off: [UInt8])?

  /// The terminal's own key sequences, by the program's key names.
  let keys: [String: [UInt8]]

  /// Whether the terminal parses ECMA-48 control sequences, so that it ignores unknown modes and
  /// does not print them.
  let isANSI: Bool

  /// Whether the terminal is of a family that has what terminals of today have, or ignores it: titles,
  /// links, questions.
  let isFamily: Bool
  static let saveCursor = Array("\u{1B}7".utf8)
  static let restoreCursor = Array("\u{1B}8".utf8)

  /// Looks up `TERM` without ending the program, unlike ncurses itself.
  ///
  /// A terminal without a description, and with a name that says nothing, is asked whether it understands
  /// control sequences; one that does not answer is taken for a plain one.
  init(input: Int32, output: Int32) throws(TerminalError) {
    guard let variable = getenv("TERM"), variable.pointee != 0 else { throw .termUnset }
    let term = String(cString: variable)
    var problem: Int32 = 0
    if setupterm(variable, output, &problem) == OK {
      (name, unknownName, typed) = (term, nil, [])
    } else {
      // ncurses reports a generic or hard-copy terminal as 1.
      guard problem != 1, term != "dumb" else { throw .termUnusable(term) }
      let isKnown = Self.isCompatible(term)
      let asked = isKnown ? nil : DeviceAttributes(input: input, output: output)
      let similar = isKnown || asked?.isAnswered == true ? [Self.common] : []
      guard
        let found = (similar + Self.plain).first(where: { setupterm($0, output, &problem) == OK })
      else { throw .termUnknown(term) }
      (name, unknownName, typed) = (found, term, asked?.typed ?? [])
    }
    guard Self.string("cup") != nil, daybook_terminal_flag("hc") == 0 else {
      throw .termUnusable(term)
    }
    isANSI = Self.string("cup")?.starts(with: Array("\u{1B}[".utf8)) ?? false
    isFamily = isANSI && (Self.compatible + Self.multiplexers).contains(where: name.hasPrefix)
    strike = Self.string("smxx").flatMap { on in Self.string("rmxx").map { (on, $0) } }
    attributes = ["sgr0", "cnorm"].compactMap(Self.string).flatMap(\.self)
    mainScreen = ["rmkx", "rmcup"].compactMap(Self.string).flatMap(\.self)
    keys = Self.keyNames.compactMapValues(Self.string)
  }

  /// A capability without its delays (`$<5>`), which only ncurses can perform.
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

  /// The terminfo capabilities of keys.
  ///
  /// Function keys beyond 12 are omitted: terminfo counts Shift-F1 as F13.
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

/// The character set of the process, for ncurses, readline and `wcwidth`.
package enum TerminalLocale {
  /// Sets the user's locale, always with UTF-8.
  ///
  /// The journal is UTF-8 regardless of `LANG`, so under `LANG=C` only the character type is
  /// replaced. readline reads the environment at each prompt; so the variables change, too. Call it
  /// before any thread starts.
  ///
  /// - Returns: False if the user's own locale cannot show UTF-8: the screen then shows `?`.
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

  /// Makes a size; values below 1 become 1.
  package init(rows: Int, columns: Int) {
    self.rows = max(rows, 1)
    self.columns = max(columns, 1)
  }

  /// The maximum size from the environment or a terminal, in either direction.
  ///
  /// A larger screen is an error and would exhaust the memory.
  package static let limit = 1_000

  /// The size of the terminal `descriptor`; else `LINES` and `COLUMNS`; else 24×80.
  package static func current(descriptor: Int32 = STDOUT_FILENO) -> ScreenSize {
    window(descriptor: descriptor)
      ?? ScreenSize(
        rows: positive(environment: "LINES") ?? 24, columns: positive(environment: "COLUMNS") ?? 80)
  }

  /// The size that the terminal `descriptor` says it has; nil if it knows none.
  static func window(descriptor: Int32) -> ScreenSize? {
    var rows: Int32 = 0
    var columns: Int32 = 0
    guard daybook_window_size(descriptor, &rows, &columns) == 0 else { return nil }
    return ScreenSize(rows: min(Int(rows), limit), columns: min(Int(columns), limit))
  }

  private static func positive(environment name: String) -> Int? {
    guard let text = getenv(name), let number = Int(String(cString: text)), number > 0 else {
      return nil
    }
    return min(number, limit)
  }
}
