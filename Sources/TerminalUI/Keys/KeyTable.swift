/// The escape sequences of xterm, tmux, screen, the Linux console and rxvt, as key names.
///
/// The families barely overlap, so one table reads all of them: input through ssh and tmux
/// often does not match what `TERM` says.
struct KeyTable: Sendable {
  /// Whole sequences that this terminal's terminfo entry adds to the built-in ones.
  var extra: [[UInt8]: String] = [:]

  /// Finals of `CSI` and `SS3`: `ESC [ A`, `ESC O A`.
  static let finals: [UInt8: String] = [
    UInt8(ascii: "A"): "Up", UInt8(ascii: "B"): "Down", UInt8(ascii: "C"): "Right",
    UInt8(ascii: "D"): "Left", UInt8(ascii: "H"): "Home", UInt8(ascii: "F"): "End",
    UInt8(ascii: "P"): "F1", UInt8(ascii: "Q"): "F2", UInt8(ascii: "R"): "F3",
    UInt8(ascii: "S"): "F4",
  ]

  /// Finals of `SS3` alone: the keypad in application mode.
  static let keypad: [UInt8: String] = [
    UInt8(ascii: "M"): "Enter", UInt8(ascii: "I"): "Tab",
  ]

  /// First parameters of `CSI n ~`.
  static let numbers: [Int: String] = [
    1: "Home", 2: "Insert", 3: "Del", 4: "End", 5: "PageUp", 6: "PageDown", 7: "Home", 8: "End",
    11: "F1", 12: "F2", 13: "F3", 14: "F4", 15: "F5", 17: "F6", 18: "F7", 19: "F8", 20: "F9",
    21: "F10", 23: "F11", 24: "F12", 25: "F13", 26: "F14", 28: "F15", 29: "F16", 31: "F17",
    32: "F18", 33: "F19", 34: "F20",
  ]

  /// Finals of the Linux console's function keys: `ESC [ [ A`.
  static let console: [UInt8: String] = [
    UInt8(ascii: "A"): "F1", UInt8(ascii: "B"): "F2", UInt8(ascii: "C"): "F3",
    UInt8(ascii: "D"): "F4", UInt8(ascii: "E"): "F5",
  ]

  /// Code points of `CSI code ; modifiers u` that are keys and not characters.
  static let codes: [Int: String] = [
    9: "Tab", 13: "Enter", 27: "Esc", 127: "BS", 8: "BS", 57_414: "Enter",
  ]
}
