import Screen

/// A text that waits while a file for it is asked for.
struct WaitingText {
  let purpose: PromptPurpose
  /// The texts of its prompt.
  let texts: [String]
  /// Which of them it is.
  let index: Int
  /// The checksum of the text that is edited.
  let edited: Int64?
  let text: String
  /// The cursor, in bytes.
  let point: Int

  /// A link as it goes to the place of the cursor: apart from words around it.
  func spaced(_ link: String) -> String {
    let before = text.utf8.prefix(point).last.map(Self.isBlank) ?? true
    let after = text.utf8.dropFirst(point).first.map(Self.isBlank) ?? true
    return (before ? "" : " ") + link + (after ? "" : " ")
  }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x20].contains(byte) }
}
