extension KeyStroke {
  /// Reads one key in the notation of key files, such as `x`, `<C-x>` or `<a-enter>`; nil when
  /// there is no such key.
  ///
  /// Words and modifiers are read without case, in any order, with their usual other names
  /// (`<CR>`, `<PgUp>`, `<M-x>`). The bytes are those that xterm sends.
  public init?(named text: String) {
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
      // Only Control and Alt make a key of their own of a character.
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
      // F1 to F4 are the only ones that xterm sends by SS3 when nothing else is held.
      let introducer = start.isEmpty && "PQRS".contains(end) ? "O" : "["
      self.init(name: name, bytes: Array("\u{1B}\(introducer)\(start)\(end)".utf8))
      return
    }
    let number = start.isEmpty ? "1" : start
    self.init(
      name: name, bytes: Array("\u{1B}[\(number);\(modifiers.rawValue + 1)\(end)".utf8))
  }

  /// Keys that are one control character, by every word for them.
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
    for (final, name) in KeyTable.finals where name.hasPrefix("F") {
      table[name.lowercased()] = (name, "", String(Character(Unicode.Scalar(final))))
    }
    for (number, name) in KeyTable.numbers.sorted(by: { $0.key < $1.key })
    where table[name.lowercased()] == nil {
      table[name.lowercased()] = (name, String(number), "~")
    }
    return table
  }()
}
