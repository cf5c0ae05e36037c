/// One press of a key, or one character of typed text.
///
/// The name is what key tables, key files and the help screen use; the bytes are what arrived,
/// for readline, which knows keys by their bytes only.
public struct KeyStroke: Hashable, Sendable {
  /// The key in the notation of key files: `a`, `日`, ` `, `<Enter>`, `<C-x>`, `<A-Enter>`,
  /// `<S-Tab>`, `<PageDown>`, `<F1>`, `<lt>` for `<`.
  ///
  /// Modifiers stand in the order `C-`, `A-`, `S-`. A key has one name however the terminal
  /// encodes it.
  public let name: String

  /// The bytes as they arrived, valid UTF-8.
  ///
  /// Ill-formed input is the one exception: its stroke has the name and the bytes of U+FFFD.
  public let bytes: [UInt8]

  /// Makes a stroke from a canonical name and its bytes.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// The character that this stroke types, nil for Enter, Esc and every other key that is a
  /// command.
  public var text: String? {
    guard let first = bytes.first, first >= 0x20, first != 0x7F else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The key Esc alone.
  public static let escape = KeyStroke(name: "<Esc>", bytes: [0x1B])

  /// The name of the same key without Alt; `nil` for a key without it.
  public var withoutAlt: String? {
    guard name.hasPrefix("<A-"), name.hasSuffix(">") else { return nil }
    let key = name.dropFirst(3).dropLast()
    return key.count == 1 ? String(key) : "<\(key)>"
  }

  /// What ill-formed UTF-8 becomes: one visible U+FFFD for each maximal ill-formed part.
  ///
  /// Replacing is chosen over refusing because a key stream has nobody to refuse to, and over
  /// dropping because a loss must be seen.
  public static let replacement = KeyStroke(name: "\u{FFFD}", bytes: [0xEF, 0xBF, 0xBD])
}

extension KeyStroke {
  /// Whether the bytes are a control sequence, which no editor takes for text with Alt.
  var isControlSequence: Bool {
    guard bytes.count > 2, bytes[0] == 0x1B else { return false }
    return bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") || bytes[1] == 0x1B
  }
}
