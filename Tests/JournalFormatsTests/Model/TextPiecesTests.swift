import Journal
import TestSupport
import Testing

@testable import JournalFormats

/// Large text files, which are read in pieces.
struct TextPiecesTests {
  /// A file with many entries, and what each has as its text.
  struct Sample: CustomTestStringConvertible, Sendable {
    let path: String
    let entry: @Sendable (_ index: Int) -> String
    let source: @Sendable (ByteStream) -> any EntrySource
    /// Before the first entry.
    var head = ""

    var testDescription: String { path }

    func file(_ count: Int) -> String { head + (0..<count).map(entry).joined() }
  }

  private static func day(_ index: Int) -> String {
    "\(Day("1900-01-01")?.adding(days: index) ?? .earliest)"
  }

  /// Lines with all that a boundary could be taken for.
  private static func text(_ index: Int) -> String {
    "entry \(index)\n" + String(repeating: "x [1] ** a * b Date: é 2024-01-05\n", count: index % 40)
  }

  private static let samples = [
    Sample(
      path: "jrnl.txt", entry: { "[\(day($0)) 10:00] \(text($0))\n" },
      source: { JrnlTextSource($0, options: options()) }),
    Sample(
      path: "dayone.txt", entry: { "\tDate:\t\(day($0)) at 10:00:00 GMT+1\n\n\(text($0))\n" },
      source: { DayOnePlainSource($0, options: options()) }),
    Sample(
      path: "journal.org", entry: { "* \(day($0))\n** 10:00 \(text($0))" },
      source: { OrgSource($0, path: "journal.org", options: options()) },
      head: "#+FILETAGS: :all:\n\n"),
  ]

  /// A stream of pieces of a few bytes, and how many bytes of it were read.
  private final class Source {
    private let bytes: [UInt8]
    private let size: Int
    private(set) var position = 0

    init(_ text: String, size: Int) { (bytes, self.size) = (utf8(text), size) }

    var stream: ByteStream {
      ByteStream { [self] in
        let end = min(position + size, bytes.count)
        defer { position = end }
        return Array(bytes[position..<end])
      }
    }
  }

  @Test("each entry of a large file is read once, at its line", arguments: samples)
  func whole(sample: Sample) {
    let count = 2_000
    let file = sample.file(count)
    #expect(file.utf8.count > 4 * TextPieces.size)
    let read = items(sample.source(Source(file, size: 40_001).stream))
    #expect(read.count == count)
    var number = 1 + sample.head.utf8.count { $0 == 0x0A }
    for (index, item) in read.enumerated() {
      guard case .entry(let entry, let place) = item else {
        Issue.record("\(item)")
        return
      }
      let isOrg = sample.path.hasSuffix(".org")
      #expect(entry.text.hasPrefix("entry \(index)"), "entry \(index)")
      #expect(entry.text.split(separator: "\n").count == 1 + index % 40, "entry \(index)")
      #expect("\(entry.day ?? entry.created.localDay)" == Self.day(index))
      #expect(place.line == number + (isOrg ? 1 : 0), "entry \(index)")
      #expect(entry.tags == (isOrg ? ["all"] : []))
      number += sample.entry(index).utf8.count { $0 == 0x0A }
    }
  }

  @Test("no more than a few pieces of a file are read before its first entry", arguments: samples)
  func memory(sample: Sample) throws {
    let source = Source(sample.file(10_000), size: 4096)
    var entries = sample.source(source.stream)
    _ = try entries.next()
    #expect(source.position < 3 * TextPieces.size)
  }

  @Test("a date far below shows the order of day and month of all")
  func order() {
    let filler = String(repeating: "some words\n", count: 60_000)
    let jrnl = "[05/01/2024 10:00] a\n\(filler)[25/01/2024 10:00] b\n"
    #expect(
      entries(JrnlTextSource(ByteStream(utf8(jrnl)), options: options())).map(
        \.created.localDay.month)
        == [1, 1])
    let org = "* 05/01/2024\n** 10:00 a\n\(filler)* 25/01/2024\n** 10:00 b\n"
    #expect(
      entries(OrgSource(ByteStream(utf8(org)), path: "j.org", options: options()))
        .map(\.created.localDay.month) == [1, 1])
  }

  @Test("a large note of Org with a date of its own is one entry")
  func note() {
    let text = "#+date: 2024-01-05\n* a\n" + String(repeating: "words\n* b\n", count: 60_000)
    let read = entries(OrgSource(ByteStream(utf8(text)), path: "Walk.org", options: options()))
    #expect(read.count == 1)
    #expect(read[0].text.split(separator: "\n").count == 120_002)
  }

  @Test("a text is the same however its bytes arrive, in every encoding and with all line ends")
  func encodings() throws {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    let words = ["a", "b c", "\r\n", "\n", "\r", "\r\r\n", "é", "ÄÖ", "€", "日本", "🎉", "2024", " "]
    for round in 0..<400 {
      let latin = round % 3 == 0
      let count = Int.random(in: 0..<60, using: &random)
      let text = (0..<count).map { _ in
        let all = latin ? Array(words.prefix(9)) : words
        return all.randomElement(using: &random) ?? ""
      }.joined()
      var bytes = utf8(text)
      if latin {
        bytes = text.unicodeScalars.map { $0 == "€" ? 0x80 : UInt8(truncatingIfNeeded: $0.value) }
      }
      if round % 3 == 1 {
        bytes = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
      }
      let encoding = TextEncoding.recognised(bytes) ?? .utf8
      var position = 0
      let size = Int.random(in: 1..<9, using: &random)
      let pieces = ByteStream {
        let end = min(position + size, bytes.count)
        defer { position = end }
        return Array(bytes[position..<end])
      }
      var options = options()
      if latin || round % 3 == 1 { options.encoding = latin ? .latin1 : .utf16 }
      let given = options.encoding ?? encoding
      let read = try ForeignText(pieces, options).stream.rest()
      #expect(
        read == LineEnds.unified(given.utf8(bytes)),
        "seed \(SeededGenerator.runSeed), round \(round): \(bytes)")
    }
  }

  @Test("Latin-1 is recognised far into a file, and said", arguments: samples)
  func latin(sample: Sample) throws {
    let file = sample.file(1_500).replacing("é", with: "e")
    let bytes = utf8(file) + utf8(sample.entry(1_500).replacing("é", with: "e")) + [0xE9, 0x0A]
    var format = ImportFormat(OrgFormat.self)
    if sample.path == "jrnl.txt" { format = .jrnlText }
    if sample.path == "dayone.txt" { format = .dayOne }
    var options = options()
    options.name = sample.path
    let read = items(try format.source(.file(ByteStream(bytes)), options: options))
    #expect(read.contains(.passedBy("read as latin-1; --encoding decides", ImportPlace())))
    let texts = read.compactMap { if case .entry(let entry, _) = $0 { entry.text } else { nil } }
    #expect(texts.count == 1_501)
    #expect(texts.last?.hasSuffix("é") == true)
  }
}
