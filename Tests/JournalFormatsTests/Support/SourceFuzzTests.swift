import Journal
import JournalFormats
import TestSupport
import Testing

/// Whatever is done to a file, every source ends, without a crash, and names no more than there is.
struct SourceFuzzTests {
  /// Files of a format.
  private static func samples(_ format: ImportFormat) throws -> [[UInt8]] {
    let entries = RandomEntry.many(12, seed: 21)
    switch format {
    case .daybook: return [try encode(.jsonl, entries)]
    case .jrnl:
      return [try fixture("jrnl-export.json"), try encode(.jrnl, entries)]
    case .jrnlText:
      return [try encode(.jrnlText, entries), utf8("2014-01-05 14:30 One *\nbody\n")]
    case .tuiJournal:
      return [try fixture("tui-journal-entries.json"), try encode(.tuiJournal, entries)]
    case .dayOne:
      return [try fixture("dayone-Journal.json"), try encode(.dayOne, entries)]
    case .markdown:
      let note = "---\ntitle: 'a'\ndate: 2024-01-05 10:00\ntags: [a, \"b\"]\n---\n## 09:15 x\ny\n"
      return [try encode(.markdown, entries), utf8(note), utf8("+++\n[time]\ndate = \"x\"\n+++\n")]
    default:
      let sample = try FormatSample.of(format)
      return try [utf8(sample.text())] + (FormatSample.fixtures[format.rawValue] ?? []).map(fixture)
    }
  }

  private static func encode(_ format: ExportFormat, _ entries: [Entry]) throws -> [UInt8] {
    var encoder = try #require(format.encoder() ?? format.encoder(for: .directory))
    var buffer: [UInt8] = []
    try encoder.begin(&buffer)
    for entry in entries { try encoder.append(entry, to: &buffer) }
    try encoder.end(&buffer)
    return buffer
  }

  /// Reads all of a file, and returns how much came.
  private static func count(_ bytes: [UInt8], _ format: ImportFormat, isLossy: Bool) throws -> Int {
    let options = ImportOptions(isLossy: isLossy, clock: paris, name: "2024-01-05.md")
    var count = 0
    do {
      let sample = try FormatSample.of(format)
      var source =
        try sample.isDirectory
        ? sample.source(format, bytes, options)
        : format.source(.file(ByteStream(bytes)), options: options)
      while let item = try source.next() {
        count += 1
        if case .entry(let entry, _) = item { _ = try? entry.entry() }
      }
    } catch is FormatError {}
    return count
  }

  @Test("a changed file is read to its end", arguments: ImportFormat.allCases)
  func mutations(format: ImportFormat) throws {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    let samples = try Self.samples(format)
    for round in 0..<400 {
      var bytes = samples[round % samples.count]
      for _ in 0..<Int.random(in: 1...6, using: &random) { Self.change(&bytes, &random) }
      let lines = bytes.count { $0 == 0x0A } + bytes.count { $0 == UInt8(ascii: "{") } + 3
      #expect(try Self.count(bytes, format, isLossy: round.isMultiple(of: 2)) <= lines)
    }
  }

  private static func change(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let length = min(Int.random(in: 1...40, using: &random), bytes.count - place)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes[place] = .random(in: 0...255, using: &random)
    case 1: bytes.removeSubrange(place..<place + length)
    case 2: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
    case 3:
      let piece = RandomEntry.pieces.randomElement(using: &random) ?? ""
      bytes.insert(contentsOf: piece.utf8, at: place)
    default: bytes.removeSubrange(place...)
    }
  }

  /// Bytes that tempt a reader to look at them again and again.
  private static let nasties = [
    "[", "[2024-01-05 14:30] ", "[2024-01-05 14:30] a\n", "\n", "*", "`", "```\n", "```\n```\n",
    "#",
    "# ", "## 09:15\n", "<!-- daybook \n", "<!-- daybook created=2026-01-01T00:00:00Z -->\n", "\\",
    "---\n", "+++\n", "- a\n", "a: b\n", "tags: [a,\n", "09:15: a\n", "09:15 [", "{", "\"", "[[",
    "{\"a\":", "dayone-moment://A", "dayone-", "\u{200B}*", "\u{2028}", "**a", "_a ", "[a](", "~~a",
    "http://", " #a", "#_", "> ", "![](", "\r", "\r\n", "日", "1", " ", "\t", "\u{0}",
    "\\[", "\\)", "](\\)", "a:: b\n",
  ]

  @Test("a file of one nasty thing is read in one go", arguments: ImportFormat.allCases)
  func nastyFiles(format: ImportFormat) throws {
    for index in Sample(oneIn: 3, of: "\(format)").prefix(while: { $0 <= Self.nasties.count }) {
      let nasty = Self.nasties[index - 1]
      let bytes = utf8(String(repeating: nasty, count: 60_000 / nasty.utf8.count))
      _ = try Self.count(bytes, format, isLossy: false)
    }
  }

  @Test("a text of one nasty thing is written in one go", arguments: ExportFormat.allCases)
  func nastyTexts(format: ExportFormat) throws {
    for index in Sample(oneIn: 3, of: "\(format)").prefix(while: { $0 <= Self.nasties.count }) {
      let nasty = Self.nasties[index - 1]
      guard nasty != "\u{0}" else { continue }
      let text = "a " + String(repeating: nasty, count: 60_000 / nasty.utf8.count)
      _ = try Self.encode(format, [try RandomEntry.plain(text)])
    }
  }
}
