import Foundation
import Journal
import ResultsTestSupport
import TestSupport
import Testing

@testable import JournalStore

/// Texts are compared byte by byte here: for Swift two spellings of é are equal.
@Suite("A text of any characters")
struct AnyTextTests {
  private let directory = TemporaryDirectory(isInMemory: true)
  private static let moment = Moment(seconds: 1_794_000_000, offset: 3600)
  private static let kinds: [StoreKind] = [.json, .sqlite]

  /// Difficult characters for readers and writers of files, alone and after an escape.
  private static let pieces: [String] = {
    let marks = ["\u{FEFF}", "\u{FFFE}", "\u{2028}", "\u{2029}", "\u{301}", "\u{200D}", "\u{FE0F}"]
    let escapes = ["\n", "\r", "\r\n", "\t", "\"", "\\", "\u{1}", "\u{7F}", "\u{9B}", "\u{202E}"]
    let others = [
      "é", "e\u{301}", "가", "\u{1100}\u{1161}", "\u{212B}", "👩‍👩‍👧", "\u{10FFFF}", "\u{FFFD}",
      "\\u0000", "\\ud83c", "\\n\u{FEFF}", "\u{85}", "\u{B}", "日本", "#a", " ",
    ]
    return marks + escapes + others + escapes.flatMap { escape in marks.map { escape + $0 } }
  }()

  private static func text(_ random: inout SeededGenerator) -> String {
    var bytes = Array("x".utf8)
    for _ in 0..<Int.random(in: 1...10, using: &random) {
      let any = String(Unicode.Scalar(UInt32.random(in: 1...0x10_FFFF, using: &random)) ?? "?")
      let piece = random.chance(0.7) ? pieces.randomElement(using: &random) ?? "" : any
      bytes += Array(piece.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes of the texts, by number.
  private func bytes(_ store: any EntryStore) throws -> [[UInt8]] {
    try store.entries(store.numbers(matching: nil)).sorted { $0.number < $1.number }
      .map { Array($0.text.utf8) }
  }

  @Test("It is the same byte by byte after the journal was closed and opened", arguments: kinds)
  func closing(kind: StoreKind) throws {
    var random = SeededGenerator(seed: 11)
    let texts = Self.pieces.map { "a\($0)b" } + (0..<300).map { _ in Self.text(&random) }
    do {
      let store = try kind.make(in: directory)
      try store.add(
        texts.map { NewEntry(text: $0, created: Self.moment, day: Self.moment.localDay) })
      #expect(try bytes(store) == texts.map { Array($0.utf8) })
    }
    let store = try kind.make(in: directory)
    #expect(try bytes(store) == texts.map { Array($0.utf8) })
    #expect(try store.check() == [])
    #expect(try store.pendingSteps().undo?.kind == .add)
  }

  @Test(
    "Undo after another start brings it back byte by byte, also over its like", arguments: kinds)
  func undoing(kind: StoreKind) throws {
    var random = SeededGenerator(seed: 12)
    var texts = (0..<40).map { _ in Self.text(&random) }
    // These are equal for Swift, and in every comparison by canonical equivalence.
    texts += ["é", "e\u{301}", "\u{212B}", "Å", "A\u{30A}", "가", "\u{1100}\u{1161}"]
    do {
      let store = try kind.make(in: directory)
      try store.add(
        [NewEntry(text: "first", created: Self.moment, day: Self.moment.localDay)])
      for text in texts { try store.edit(1, text: text) }
    }
    let store = try kind.make(in: directory)
    for text in texts.reversed() {
      #expect(try bytes(store) == [Array(text.utf8)])
      try store.undo()
    }
    #expect(try bytes(store) == [Array("first".utf8)])
    for _ in texts { try store.redo() }
    #expect(try bytes(try kind.make(in: directory)) == [Array((texts.last ?? "").utf8)])
  }

  @Test("A JSON journal that nobody touched is not written again, whatever stands in it")
  func untouched() throws {
    let store = try StoreKind.json.make(in: directory)
    try store.add(
      Self.pieces.map { NewEntry(text: "a\($0)", created: Self.moment, day: Self.moment.localDay) })
    let path = directory.file("journal.json")
    let (stamp, contents) = (FileStamp(path: path), try Data(contentsOf: URL(filePath: path)))
    _ = try bytes(StoreKind.json.make(in: directory))
    #expect(FileStamp(path: path) == stamp)
    // Other programs' escapes mean the same characters.
    let escaped = String(decoding: contents, as: UTF8.self).replacing("\u{FEFF}", with: "\\uFEFF")
    try Data(escaped.utf8).write(to: URL(filePath: path))
    let reopened = try StoreKind.json.make(in: directory)
    #expect(try bytes(reopened) == Self.pieces.map { Array("a\($0)".utf8) })
    #expect(try reopened.pendingSteps().undo?.kind == .add)
  }
}
