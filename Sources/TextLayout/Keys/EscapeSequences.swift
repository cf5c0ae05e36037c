/// The escape sequences of xterm, tmux, screen, the Linux console and rxvt, as key names.
///
/// The families barely overlap, so one table decodes all of them: input through ssh and tmux often
/// does not match `TERM`.
struct EscapeSequences: Sendable {
  /// Complete sequences from this terminal's terminfo entry, in addition to the built-in ones.
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

  /// Code points of kitty's protocol for the keypad and for function keys without other sequences.
  static let kittyKeys: [Int: String] = {
    let pad = [
      "Left", "Right", "Up", "Down", "PageUp", "PageDown", "Home", "End", "Insert", "Del",
    ]
    var keys = Dictionary(uniqueKeysWithValues: zip(57_417..., pad))
    for number in 13...20 { keys[57_376 + number - 13] = "F\(number)" }
    return keys
  }()

  /// The characters that kitty's protocol numbers as keys of the keypad, from 57,399 on.
  static let kittyPad: [Unicode.Scalar] = Array("0123456789./*-+".unicodeScalars)
}

extension EscapeSequences {
  /// The key of a complete control sequence `ESC [ parameters final`, nil if it is unknown or not a
  /// key (mouse, focus, reports).
  func controlSequence(parameters: [UInt8], final: UInt8, bytes: [UInt8]) -> KeyStroke? {
    if let name = extra[bytes] { return KeyStroke(name: name, bytes: bytes) }
    guard let numbers = Self.parse(parameters) else { return nil }
    let first = numbers.first ?? 1
    let numbered = numbers.first.flatMap { Self.numbers[$0] }
    let modifiers = KeyModifiers(parameter: numbers.count > 1 ? numbers[1] : 1)
    switch final {
    case UInt8(ascii: "~"):
      if first == 27, numbers.count == 3 { return codeKey(numbers[2], modifiers) }
      return Self.special(numbered, modifiers, bytes)
    case UInt8(ascii: "u"): return codeKey(first, modifiers)
    case UInt8(ascii: "Z"): return Self.special("Tab", modifiers.union(.shift), bytes)
    // rxvt marks modifiers by the final byte: ^ control, $ shift, @ both.
    case UInt8(ascii: "^"): return Self.special(numbered, [.control], bytes)
    case UInt8(ascii: "$"): return Self.special(numbered, [.shift], bytes)
    case UInt8(ascii: "@"): return Self.special(numbered, [.control, .shift], bytes)
    case UInt8(ascii: "a")...UInt8(ascii: "d"):
      return Self.special(Self.finals[final - 0x20], [.shift], bytes)
    default:
      // F3 and the cursor position report have the same final byte; a report has a row above 1.
      if final == UInt8(ascii: "R"), first != 1 { return nil }
      return Self.special(Self.finals[final], modifiers, bytes)
    }
  }

  /// The key of `ESC O final`, with an optional modifier in between.
  func singleShift(parameters: [UInt8], final: UInt8, bytes: [UInt8]) -> KeyStroke? {
    if let name = extra[bytes] { return KeyStroke(name: name, bytes: bytes) }
    guard let numbers = Self.parse(parameters) else { return nil }
    let modifiers = KeyModifiers(parameter: numbers.last ?? 1)
    switch final {
    case UInt8(ascii: "a")...UInt8(ascii: "d"):
      return Self.special(Self.finals[final - 0x20], [.control], bytes)
    case UInt8(ascii: "j")...UInt8(ascii: "y"):
      // The keypad sends its character plus 0x40.
      let scalar = Unicode.Scalar(final - 0x40)
      return KeyStroke(name: KeyNames.character(scalar), bytes: [final - 0x40])
    case UInt8(ascii: "M"): return Self.special("Enter", modifiers, [0x0D])
    default:
      return Self.special(Self.finals[final] ?? Self.keypad[final], modifiers, bytes)
    }
  }

  /// The key of the Linux console's `ESC [ [ final`.
  func consoleFunction(final: UInt8, bytes: [UInt8]) -> KeyStroke? {
    Self.special(Self.console[final], [], bytes)
  }

  /// A key encoded by its code point (xterm's modifyOtherKeys, `CSI u`).
  ///
  /// Its bytes are those of the older encoding, the only one that readline supports.
  private func codeKey(_ code: Int, _ modifiers: KeyModifiers) -> KeyStroke? {
    let prefix: [UInt8] = modifiers.contains(.alt) ? [0x1B] : []
    if let word = Self.codes[code] {
      let byte: UInt8 = word == "Enter" ? 0x0D : UInt8(truncatingIfNeeded: code)
      if word == "Tab", modifiers.contains(.shift) {
        return Self.special(word, modifiers, Array("\u{1B}[Z".utf8))
      }
      return Self.special(word, modifiers, prefix + [byte])
    }
    if let word = Self.kittyKeys[code], let plain = KeyStroke(named: "<\(modifiers.prefix)\(word)>")
    {
      return plain
    }
    if Self.kittyPad.indices.contains(code - 57_399) {
      return codeKey(Int(Self.kittyPad[code - 57_399].value), modifiers)
    }
    if code == 57_415 || code == 57_416 {
      return codeKey(code == 57_415 ? 0x3D : 0x2C, modifiers)
    }
    // The private use area numbers keys without a character: media keys, lone modifiers.
    guard code >= 0x20, !(0xE000...0xF8FF).contains(code), let scalar = Unicode.Scalar(UInt32(code))
    else { return nil }
    var bytes = Array(String(Character(scalar)).utf8)
    if modifiers.contains(.control), let byte = KeyNames.controlByte(of: scalar) { bytes = [byte] }
    return KeyStroke(name: KeyNames.character(scalar, modifiers), bytes: prefix + bytes)
  }

  private static func special(
    _ word: String?, _ modifiers: KeyModifiers, _ bytes: [UInt8]
  ) -> KeyStroke? {
    word.map { KeyStroke(name: KeyNames.special($0, modifiers), bytes: bytes) }
  }

  /// The numbers between semicolons, each up to a colon; nil for private forms, which are not keys
  /// (`ESC [ < ...` is a mouse report, `ESC [ ? ...` a response).
  private static func parse(_ parameters: [UInt8]) -> [Int]? {
    guard !parameters.isEmpty else { return [] }
    var numbers: [Int] = []
    for field in parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
      var number = 0
      for byte in field {
        if byte == UInt8(ascii: ":") { break }
        guard byte >= 0x30, byte <= 0x39 else { return nil }
        // Far above any existing code; a longer number is not a key.
        guard number < 1_000_000 else { return nil }
        number = number * 10 + Int(byte - 0x30)
      }
      numbers.append(number)
    }
    return numbers
  }
}
