/// One key press, or one character of typed text.
///
/// Key tables, key files and the help screen use the name; readline uses the bytes, since it
/// identifies keys by their bytes only.
package struct KeyStroke: Hashable, Sendable {
  /// The key in the notation of key files: `a`, `日`, ` `, `<Enter>`, `<C-x>`, `<A-Enter>`,
  /// `<S-Tab>`, `<PageDown>`, `<F1>`, `<lt>` for `<`.
  ///
  /// Modifiers have the order `C-`, `A-`, `S-`. A key has one name, independent of the terminal's
  /// encoding.
  package let name: String

  /// The received bytes, valid UTF-8.
  ///
  /// For invalid input the key has the name and the bytes of U+FFFD.
  package let bytes: [UInt8]

  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// The character that this key types, nil for Enter, Esc and all other command keys.
  package var text: String? {
    guard let first = bytes.first, first >= 0x20, first != 0x7F else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The key Esc alone.
  package static let escape = KeyStroke(name: "<Esc>", bytes: [0x1B])

  /// The same key without Alt; `nil` if it has no Alt.
  package init?(withoutAlt stroke: KeyStroke) {
    guard stroke.name.hasPrefix("<A-"), stroke.name.hasSuffix(">") else { return nil }
    let key = stroke.name.dropFirst(3).dropLast()
    let name = key.unicodeScalars.count == 1 ? String(key) : "<\(key)>"
    if stroke.mayBeEscapeAndKey {
      self.init(name: name, bytes: Array(stroke.bytes.dropFirst()))
    } else {
      self.init(named: name)
    }
  }

  /// Whether the bytes of a key with Alt are also those of Esc and the key, as opposed to a sequence that
  /// has the modifiers.
  package var mayBeEscapeAndKey: Bool {
    bytes.count > 1 && bytes[0] == 0x1B && (!isControlSequence || bytes[1] == 0x1B)
  }

  /// The replacement for invalid UTF-8: one visible U+FFFD for each maximal invalid part.
  ///
  /// Rejecting is impossible, because a stream of keys has no sender to inform, and dropping would
  /// hide the loss.
  package static let replacement = KeyStroke(name: "\u{FFFD}", bytes: [0xEF, 0xBF, 0xBD])
}

extension KeyStroke {
  /// Whether the bytes are a control sequence, which no editor interprets as text with Alt.
  package var isControlSequence: Bool {
    guard bytes.count > 2, bytes[0] == 0x1B else { return false }
    return bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") || bytes[1] == 0x1B
  }
}

extension KeyStroke {
  /// Parses one key in the notation of key files, such as `x`, `<C-x>` or `<a-enter>`; nil if the
  /// key does not exist.
  ///
  /// Names and modifiers are parsed without case, in any order, with their common aliases (`<CR>`,
  /// `<PgUp>`, `<M-x>`). The bytes are those of xterm.
  package init?(named text: String) {
    if text.unicodeScalars.count == 1, let scalar = text.unicodeScalars.first {
      self.init(scalar, [])
      return
    }
    guard text.hasPrefix("<"), text.hasSuffix(">"), text.count > 2 else { return nil }
    var inner = String(text.dropFirst().dropLast())
    var modifiers: KeyModifiers = []
    while let (modifier, rest) = KeyNames.leadingModifier(of: inner) {
      modifiers.insert(modifier)
      inner = rest
    }
    self.init(inner: inner, modifiers)
  }

  private init?(inner: String, _ modifiers: KeyModifiers) {
    if inner.unicodeScalars.count == 1, let scalar = inner.unicodeScalars.first {
      // Only Control and Alt turn a character into a key.
      guard !modifiers.isEmpty, !modifiers.contains(.shift) else { return nil }
      self.init(scalar, modifiers)
      return
    }
    let word = inner.lowercased()
    if word == "lt" || word == "space" {
      self.init(word == "lt" ? "<" : " ", modifiers)
      return
    }
    if let (name, byte) = Self.controlWords[word] {
      self.init(controlWord: name, byte, modifiers)
      return
    }
    guard let (name, start, end) = Self.sequences[word] else { return nil }
    self.init(name: KeyNames.special(name, modifiers), start: start, end: end, modifiers)
  }

  private init(_ scalar: Unicode.Scalar, _ modifiers: KeyModifiers) {
    let held = modifiers.subtracting(.shift)
    var bytes = Array(String(Character(scalar)).utf8)
    if held.contains(.control), let byte = KeyNames.controlByte(of: scalar) { bytes = [byte] }
    if held.contains(.alt) { bytes.insert(0x1B, at: 0) }
    self.init(name: KeyNames.character(scalar, held), bytes: bytes)
  }

  private init(controlWord name: String, _ byte: UInt8, _ modifiers: KeyModifiers) {
    let prefix: [UInt8] = modifiers.contains(.alt) ? [0x1B] : []
    var bytes = prefix + [byte]
    if modifiers.contains(.shift), name == "Tab" {
      bytes = prefix + Array("\u{1B}[Z".utf8)
    } else if !modifiers.subtracting(.alt).isEmpty {
      bytes = Array("\u{1B}[27;\(modifiers.rawValue + 1);\(byte)~".utf8)
    }
    self.init(name: KeyNames.special(name, modifiers), bytes: bytes)
  }

  private init(name: String, start: String, end: String, _ modifiers: KeyModifiers) {
    guard !modifiers.isEmpty else {
      // xterm sends F1 to F4, and only these, by SS3 if there is no modifier.
      let introducer = start.isEmpty && "PQRS".contains(end) ? "O" : "["
      self.init(name: name, bytes: Array("\u{1B}\(introducer)\(start)\(end)".utf8))
      return
    }
    let number = start.isEmpty ? "1" : start
    self.init(
      name: name, bytes: Array("\u{1B}[\(number);\(modifiers.rawValue + 1)\(end)".utf8))
  }

  /// Keys that are one control character, by all of their names.
  private static let controlWords: [String: (String, UInt8)] = [
    "enter": ("Enter", 0x0D), "cr": ("Enter", 0x0D), "return": ("Enter", 0x0D),
    "esc": ("Esc", 0x1B), "escape": ("Esc", 0x1B), "tab": ("Tab", 0x09),
    "bs": ("BS", 0x7F), "backspace": ("BS", 0x7F),
  ]

  /// Keys that are a control sequence: canonical name, parameter and final.
  private static let sequences: [String: (String, String, String)] = {
    var table: [String: (String, String, String)] = [
      "up": ("Up", "", "A"), "down": ("Down", "", "B"), "right": ("Right", "", "C"),
      "left": ("Left", "", "D"), "home": ("Home", "", "H"), "end": ("End", "", "F"),
      "pgup": ("PageUp", "5", "~"), "pgdn": ("PageDown", "6", "~"),
      "pgdown": ("PageDown", "6", "~"), "delete": ("Del", "3", "~"), "ins": ("Insert", "2", "~"),
    ]
    for (final, name) in EscapeSequences.finals where name.hasPrefix("F") {
      table[name.lowercased()] = (name, "", String(Character(Unicode.Scalar(final))))
    }
    for (number, name) in EscapeSequences.numbers.sorted(by: { $0.key < $1.key })
    where table[name.lowercased()] == nil {
      table[name.lowercased()] = (name, String(number), "~")
    }
    return table
  }()
}

/// Canonical names of keys, shared by the decoder and the key files.
enum KeyNames {
  /// The name of a key with a word, such as `Up`, with its modifiers.
  static func special(_ word: String, _ modifiers: KeyModifiers = []) -> String {
    "<" + modifiers.prefix + word + ">"
  }

  /// The name of a character with its modifiers.
  ///
  /// Shift is not in the name: the character already includes it.
  static func character(_ scalar: Unicode.Scalar, _ modifiers: KeyModifiers = []) -> String {
    let held = modifiers.subtracting(.shift)
    if scalar.value < 0x20 || scalar.value == 0x7F {
      return control(UInt8(scalar.value), modifiers)
    }
    if held.isEmpty { return scalar == "<" ? "<lt>" : String(Character(scalar)) }
    if held.contains(.control), let byte = controlByte(of: scalar) {
      return control(byte, held.subtracting(.control))
    }
    let word = words[scalar] ?? String(Character(scalar))
    return special(word, held)
  }

  /// The name of a control character: its word, if it has one, or `C-` and a letter.
  static func control(_ byte: UInt8, _ modifiers: KeyModifiers = []) -> String {
    switch byte {
    case 0x09: return special("Tab", modifiers)
    // Both line ends mean Enter: a pipe sends LF instead of a terminal's CR.
    case 0x0A, 0x0D: return special("Enter", modifiers)
    case 0x1B: return special("Esc", modifiers)
    case 0x08, 0x7F: return special("BS", modifiers)
    default:
      let letter = byte < 0x1B ? byte | 0x60 : byte | 0x40
      let shown = byte == 0 ? UInt8(ascii: "@") : letter
      return special(String(Character(Unicode.Scalar(shown))), modifiers.union(.control))
    }
  }

  /// The byte that a terminal sends for a character with Control, if there is one.
  static func controlByte(of scalar: Unicode.Scalar) -> UInt8? {
    switch scalar {
    case "a"..."z", "A"..."Z", "@", "[", "\\", "]", "^", "_":
      return UInt8(truncatingIfNeeded: scalar.value) & 0x1F
    case " ": return 0
    case "?": return 0x7F
    default: return nil
    }
  }

  /// Characters that are written as a word together with a modifier.
  private static let words: [Unicode.Scalar: String] = ["<": "lt", " ": "Space"]
}

extension KeyNames {
  /// The same key with Alt: `ESC` precedes its bytes.
  static func addingAlt(to key: KeyStroke) -> KeyStroke {
    var inner = key.name
    var modifiers: KeyModifiers = .alt
    if inner.count > 1 {
      inner = String(inner.dropFirst().dropLast())
      while let (modifier, rest) = leadingModifier(of: inner) {
        modifiers.insert(modifier)
        inner = rest
      }
    }
    return KeyStroke(name: special(inner, modifiers), bytes: [0x1B] + key.bytes)
  }

  /// The first modifier inside a name, and the rest.
  static func leadingModifier(of inner: String) -> (KeyModifiers, String)? {
    guard inner.count > 2, inner.dropFirst().first == "-" else { return nil }
    let rest = String(inner.dropFirst(2))
    switch inner.first {
    case "C", "c": return (.control, rest)
    case "A", "a", "M", "m": return (.alt, rest)
    case "S", "s": return (.shift, rest)
    default: return nil
    }
  }
}

/// The modifiers of a key.
struct KeyModifiers: OptionSet, Hashable, Sendable {
  let rawValue: Int

  static let shift = KeyModifiers(rawValue: 1)
  static let alt = KeyModifiers(rawValue: 2)
  static let control = KeyModifiers(rawValue: 4)

  init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Decodes xterm's parameter: 1 plus the bits shift 1, alt 2, control 4, meta 8.
  init(parameter: Int) {
    let bits = max(parameter, 1) - 1
    var modifiers = KeyModifiers(rawValue: bits & 7)
    if bits & 8 != 0 { modifiers.insert(.alt) }
    self = modifiers
  }

  /// The canonical prefix of a key's name, such as `C-A-`.
  var prefix: String {
    (contains(.control) ? "C-" : "") + (contains(.alt) ? "A-" : "")
      + (contains(.shift) ? "S-" : "")
  }
}
