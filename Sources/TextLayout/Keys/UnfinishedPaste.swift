/// A paste that arrives slowly, or whose end never comes: what is there of it is text already.
extension KeyDecoder {
  /// Whether a paste has begun and not ended.
  package var isPasting: Bool { state == .paste }

  /// Returns what has arrived of an unfinished paste, without what may be a part of its end, of a character or
  /// of a line end.
  package mutating func takePart() -> [KeyEvent] {
    guard isPasting else { return [] }
    let kept = max(matched, Self.unfinished(pasted[..<(pasted.count - matched)]) + matched)
    let part = pasted.dropLast(kept)
    guard !part.isEmpty else { return [] }
    pasted = pasted.suffix(kept)
    return [.paste(Array(part))]
  }

  /// Begins a paste whose first bytes came so late that a timeout took the one before them for a key: its text
  /// must not act as keys.
  ///
  /// - Returns: how many bytes belong to the start of the paste.
  mutating func beginLatePaste(_ bytes: [UInt8]) -> Int {
    defer { if !bytes.isEmpty { lateStart = [] } }
    guard !lateStart.isEmpty, state == .ground, bytes.starts(with: lateStart) else { return 0 }
    state = .paste
    return lateStart.count
  }

  /// Ends a paste whose end the terminal has not sent, and returns the rest of it.
  package mutating func endPaste() -> [KeyEvent] {
    isPasting ? finish() : []
  }

  /// Whether some bytes that arrived alone are a key by which a person wants to get out: Esc or `^C`.
  package func isWayOut(_ bytes: [UInt8]) -> Bool {
    var decoder = KeyDecoder()
    let events = decoder.feed(bytes) + decoder.timeOut()
    guard events.count == 1, case .stroke(let stroke) = events[0] else { return false }
    return ["<Esc>", "<C-c>"].contains(stroke.name)
  }

  /// The number of bytes at the end of a text that the next ones may belong to: of a character that is cut, or
  /// a carriage return.
  private static func unfinished(_ bytes: ArraySlice<UInt8>) -> Int {
    if bytes.last == 0x0D { return 1 }
    for (count, byte) in bytes.suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > count + 1 ? count + 1 : 0
    }
    return 0
  }
}
