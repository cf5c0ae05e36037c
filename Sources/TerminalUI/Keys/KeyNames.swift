/// Canonical names of keys, in one place, so that the decoder and the key files agree.
enum KeyNames {
  /// The name of a key that has a word, such as `Up`, with the modifiers held.
  static func special(_ word: String, _ modifiers: KeyModifiers = []) -> String {
    "<" + modifiers.prefix + word + ">"
  }

  /// The name of a character with the modifiers held.
  ///
  /// Shift is not named: it has already chosen the character.
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

  /// The name of a control character: the keys that have a word first, then `C-` and a letter.
  static func control(_ byte: UInt8, _ modifiers: KeyModifiers = []) -> String {
    switch byte {
    case 0x09: return special("Tab", modifiers)
    // Both line ends mean Enter: a pipe sends LF where a terminal sends CR.
    case 0x0A, 0x0D: return special("Enter", modifiers)
    case 0x1B: return special("Esc", modifiers)
    case 0x08, 0x7F: return special("BS", modifiers)
    default:
      let letter = byte < 0x1B ? byte | 0x60 : byte | 0x40
      let shown = byte == 0 ? UInt8(ascii: "@") : letter
      return special(String(Character(Unicode.Scalar(shown))), modifiers.union(.control))
    }
  }

  /// The byte that a terminal sends for a character with Control, where there is one.
  static func controlByte(of scalar: Unicode.Scalar) -> UInt8? {
    switch scalar {
    case "a"..."z", "A"..."Z", "@", "[", "\\", "]", "^", "_":
      return UInt8(truncatingIfNeeded: scalar.value) & 0x1F
    case " ": return 0
    case "?": return 0x7F
    default: return nil
    }
  }

  /// Characters that have a word when a modifier is held.
  private static let words: [Unicode.Scalar: String] = ["<": "lt", " ": "Space"]
}

extension KeyNames {
  /// The same key with Alt held, its bytes preceded by `ESC`.
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

  /// The first modifier of the inside of a name, and what follows it.
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
