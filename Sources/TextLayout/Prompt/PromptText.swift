/// The rules for text in a prompt.
package enum PromptText {
  /// The text with line ends as line feeds, or as spaces in a one-line answer.
  ///
  /// readline uses C strings, so a NUL would cut the text: it becomes a visible U+FFFD.
  package static func clean(_ text: String, kind: PromptKind) -> String {
    let lineEnd: UInt8 = kind.isMultiline ? 0x0A : 0x20
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var previous: UInt8 = 0
    for byte in text.utf8 {
      switch byte {
      case 0x0A where previous == 0x0D: break
      case 0x0A, 0x0D: bytes.append(lineEnd)
      case 0x00: bytes.append(contentsOf: KeyStroke.replacement.bytes)
      default: bytes.append(byte)
      }
      previous = byte
    }
    // A pasted line includes its line end, which is meaningless in a one-line answer.
    if !kind.isMultiline, previous == 0x0A || previous == 0x0D { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The kind of answer of a prompt.
package enum PromptKind: CaseIterable, Hashable, Sendable {
  /// The text of an entry: many lines, never written to a history.
  case entry
  /// A command after `:`.
  case command
  /// A search after `/` or a filter.
  case search
  /// Tags of an entry.
  case tags
  case date
  /// Any other answer, such as yes or no.
  case other

  /// Whether the text may contain line feeds; elsewhere they become spaces.
  package var isMultiline: Bool { self == .entry }
}
