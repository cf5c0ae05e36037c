/// What text must be like to enter a prompt.
package enum PromptText {
  /// The text with line ends as line feeds, or as spaces where the answer is one line.
  ///
  /// readline keeps C strings, so a NUL would cut the text: it becomes U+FFFD, to be seen.
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
    // A pasted line brings its end along, which means nothing in an answer of one line.
    if !kind.isMultiline, previous == 0x0A || previous == 0x0D { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// What a prompt asks for.
package enum PromptKind: CaseIterable, Hashable, Sendable {
  /// The text of an entry: many lines, never written to a history.
  case entry
  /// A command after `:`.
  case command
  /// A search after `/` or a filter.
  case search
  /// Tags of an entry.
  case tags
  /// A date.
  case date
  /// Anything else, as a yes or no.
  case other

  /// Whether a line feed may stand in the text; elsewhere it becomes a space.
  package var isMultiline: Bool { self == .entry }

  /// Whether its history is kept in a file: what commands are, and nothing of the journal's text.
  package var isRemembered: Bool { self == .command || self == .search }
}
