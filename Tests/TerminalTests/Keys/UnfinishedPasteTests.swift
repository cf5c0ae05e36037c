import TestSupport
import Testing
import TextLayout

/// A paste that arrives slowly, or whose end never comes.
struct UnfinishedPasteTests {
  private static let start = Array("\u{1B}[200~".utf8)
  private static let end = Array("\u{1B}[201~".utf8)

  private static func bytes(_ events: [KeyEvent]) -> [UInt8] {
    events.flatMap { event -> [UInt8] in
      if case .paste(let bytes) = event { bytes } else { [0xFF] }
    }
  }

  @Test(
    "what has arrived is text, without a cut character, line end or end",
    arguments: SeededGenerator.seeds(20))
  func parts(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let pieces = ["a", "\r\n", "é", "日", "👩‍👩‍👧", "\u{1B}", "\u{1B}[20", "\n", " "]
    let text = (0..<60).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
    let bytes = Self.start + Array(text.utf8) + Self.end
    var decoder = KeyDecoder()
    var (events, rest): ([KeyEvent], ArraySlice) = ([], bytes[...])
    while !rest.isEmpty {
      let size = Int.random(in: 1...9, using: &generator)
      events += decoder.feed(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
      guard Bool.random(using: &generator) else { continue }
      let part = decoder.takePart()
      let found = Self.bytes(part)
      #expect(String(validating: found, as: UTF8.self) != nil && found.last != 0x0D, "seed \(seed)")
      events += part
    }
    #expect(Self.bytes(events) == Array(text.utf8), "seed \(seed)")
    #expect(!decoder.isPasting)
  }

  @Test("a paste whose first bytes come late is a paste, wherever the start was cut")
  func lateStart() {
    for cut in [1, 2] {
      var decoder = KeyDecoder()
      let early = decoder.feed(Array(Self.start[..<cut])) + decoder.timeOut()
      #expect(early.count == 1, "\(cut)")
      let late = decoder.feed(Array(Self.start[cut...]) + Array("dd words\r".utf8) + Self.end)
      #expect(late == [.paste(Array("dd words\r".utf8))], "\(cut)")
      // Nothing of it is left: the same bytes are keys after a key.
      #expect(decoder.feed(Array("[200~".utf8)).count == 5)
    }
    var decoder = KeyDecoder()
    _ = decoder.feed([0x1B]) + decoder.timeOut()
    #expect(decoder.feed(Array("[".utf8)).count == 1)
    #expect(decoder.feed(Array("200~".utf8)).count == 4)
  }

  @Test("a paste without an end is ended, and then keys are keys")
  func withoutEnd() {
    for way in ["\u{1B}", "\u{3}", "\u{1B}[27u", "\u{1B}[99;5u"] {
      var decoder = KeyDecoder()
      #expect(decoder.feed(Self.start + Array("long text".utf8)) == [])
      #expect(decoder.isWayOut(Array(way.utf8)), "\(way.debugDescription)")
      #expect(Self.bytes(decoder.takePart()) == Array("long text".utf8))
      #expect(decoder.takePart() == [] && decoder.isPasting)
      #expect(decoder.endPaste() == [.paste([])])
      #expect(!decoder.isPasting)
      #expect(!(decoder.feed(Array(way.utf8)) + decoder.timeOut()).isEmpty)
    }
    for text in ["a", "\r", "\u{1B}[A", "text", "\u{1B}\u{1B}", ""] {
      #expect(!KeyDecoder().isWayOut(Array(text.utf8)), "\(text.debugDescription)")
    }
  }
}
