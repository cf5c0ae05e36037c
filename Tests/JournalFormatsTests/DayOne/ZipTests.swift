import Journal
import TestSupport
import Testing

@testable import JournalFormats

struct ZipTests {
  private static func source(_ bytes: [UInt8], limit: Int = 1 << 30) -> DayOneArchiveSource {
    DayOneArchiveSource(ByteStream(bytes), options: options(), limit: limit)
  }

  private static func journal(_ text: String) -> String {
    "{\"entries\":[\n{\"creationDate\":\"2021-03-03T11:48:50Z\",\"text\":\"\(text)\"}]}"
  }

  @Test("a zip is read back")
  func roundTrip() throws {
    let all = RandomEntry.many(300, seed: 9)
    let (bytes, losses) = try encode(DayOneArchiveEncoder(), all)
    #expect(bytes.starts(with: utf8("PK\u{3}\u{4}")))
    #expect(losses == (try encode(DayOneEncoder(), all).losses))
    let read = items(Self.source(bytes))
    #expect(read.count == 300)
    guard case .entry(_, let place)? = read.first else {
      Issue.record("no entry first")
      return
    }
    #expect(place.description == "Journal.json:4")
  }

  @Test("the same entries are the same bytes")
  func deterministic() throws {
    let all = RandomEntry.many(20, seed: 10)
    #expect(
      try encode(DayOneArchiveEncoder(), all).bytes == encode(DayOneArchiveEncoder(), all).bytes)
  }

  @Test("all journals of a zip are read, and nothing else of it")
  func journals() {
    let zip = Self.stored([
      ("Work.json", Self.journal("one")), ("photos/ab.jpeg", "\u{1}\u{2}"),
      ("__MACOSX/._Work.json", "x"), (".hidden.json", "x"), ("Reisen.json", Self.journal("two")),
      ("readme.txt", "x"),
    ])
    #expect(entries(Self.source(zip)).map(\.text) == ["one", "two"])
  }

  /// A test process has the locale C, since nobody sets another.
  @Test("journals are found whatever their names are", arguments: [true, false])
  func names(areCalledUTF8: Bool) {
    let names = ["Ü日記.json", "Дневник.json", "📓.JSON", "Reise nach Köln.json"]
    let zip = Self.stored(names.map { ($0, Self.journal($0)) }, areCalledUTF8: areCalledUTF8)
    #expect(entries(Self.source(zip)).map(\.text) == names)
    #expect(
      items(Self.source(zip)).compactMap { item in
        if case .entry(_, let place) = item { place.file } else { nil }
      } == names)
  }

  @Test("a name that is no UTF-8 is no reason to pass a journal by", arguments: [true, false])
  func brokenNames(areCalledUTF8: Bool) {
    let zip = Self.stored(
      [
        (utf8("A.json"), utf8(Self.journal("one"))), ([0x9A, 0x62] + utf8(".json"), utf8("[")),
        ([0x9A, 0x62] + utf8(".json"), utf8(" " + Self.journal("two"))),
        ([0x9A, 0x62] + utf8(".jpeg"), utf8("\u{1}\u{2}")),
        (utf8("Z.json"), utf8(Self.journal("three"))),
      ], areCalledUTF8: areCalledUTF8)
    let texts = items(Self.source(zip)).compactMap { item in
      if case .entry(let entry, _) = item { entry.text } else { nil }
    }
    #expect(texts == ["one", "two", "three"])
  }

  @Test("a journal that cannot be read does not hide those behind it")
  func oneBroken() {
    var zip = Self.stored([
      ("A.json", "{\"entries\":[\n{\"text\""), ("B.json", Self.journal("two")),
      ("C.json", "nothing"), ("D.json", Self.journal("four")), ("E.json", Self.journal("five")),
    ])
    // Its bytes and its checksum differ now; the text is JSON all the same.
    if let place = zip.indices.first(where: { zip[$0...].starts(with: utf8("four")) }) {
      zip[place] = UInt8(ascii: "F")
    }
    let all = items(Self.source(zip))
    let texts = all.compactMap { item in
      if case .entry(let entry, _) = item { entry.text } else { nil }
    }
    let files = all.compactMap { item in
      if case .problem(_, let place) = item { place.file } else { nil }
    }
    #expect(texts.contains("two") && texts.last == "five")
    #expect(files == ["A.json", "C.json", "D.json"])
  }

  @Test("a zip without any journal is refused, for nothing of it would go in")
  func noJournal() {
    let zip = Self.stored([("2024-01-05.md", "a note"), ("photos/ab.jpeg", "\u{1}")])
    var source = Self.source(zip)
    #expect(throws: FormatError("is a zip, but not of Day One (2024-01-05.md)")) {
      try source.next()
    }
  }

  @Test("JSON without a zip is read the same way")
  func alone() {
    #expect(entries(Self.source(utf8(Self.journal("one")))).map(\.text) == ["one"])
  }

  @Test("a broken journal is named with its file")
  func broken() {
    let zip = Self.stored([("A.json", "{\"entries\":[\n{\"text\":\"a\"},\n12]}")])
    #expect(
      problems(Self.source(zip)) == [
        "A.json:2: has no creationDate", "A.json:3: a number is not an entry",
      ])
    let cut = Self.stored([("B.json", "{\"entries\":[\n{\"text\"")])
    #expect(problems(Self.source(cut)).last?.hasPrefix("B.json:2: ") == true)
  }

  @Test("a zip that unpacks to more than it may is refused")
  func bomb() throws {
    let entry = try RandomEntry.plain("a" + String(repeating: " ", count: 4 << 20) + "b")
    let (bytes, _) = try encode(DayOneArchiveEncoder(), [entry])
    #expect(bytes.count < 40_000)
    #expect(
      problems(Self.source(bytes, limit: 1 << 20))
        == ["Journal.json: end: the zip unpacks to more than 1 MiB of text"])
  }

  @Test("a zip that is cut or changed anywhere is read as far as it goes, or refused")
  func damaged() throws {
    let (bytes, _) = try encode(DayOneArchiveEncoder(), RandomEntry.many(20, seed: 11))
    for end in stride(from: 4, to: bytes.count, by: 37) {
      _ = items(Self.source(Array(bytes[..<end])))
    }
    var random = SeededGenerator(seed: 12)
    for _ in 0..<500 {
      var copy = bytes
      for _ in 0..<4 {
        copy[.random(in: 4..<copy.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      _ = items(Self.source(copy))
    }
  }

  /// A zip of files that are not compressed.
  private static func stored(
    _ files: [(name: String, text: String)], areCalledUTF8: Bool = true
  ) -> [UInt8] {
    stored(files.map { (utf8($0.name), utf8($0.text)) }, areCalledUTF8: areCalledUTF8)
  }

  private static func stored(
    _ files: [(name: [UInt8], data: [UInt8])], areCalledUTF8: Bool
  ) -> [UInt8] {
    var zip: [UInt8] = []
    var directory: [UInt8] = []
    for (name, data) in files {
      // Flag 11: the name is UTF-8.
      let common =
        little(20, 2) + little(areCalledUTF8 ? 0x800 : 0, 2) + little(0, 2) + little(0, 4)
        + little(crc(data), 4)
        + little(data.count, 4) + little(data.count, 4) + little(name.count, 2) + little(0, 2)
      let offset = zip.count
      zip += utf8("PK\u{3}\u{4}") + common + name + data
      directory += utf8("PK\u{1}\u{2}") + little(20, 2) + common + little(0, 2) + little(0, 2)
      directory += little(0, 2) + little(0, 4) + little(offset, 4) + name
    }
    let start = zip.count
    return zip + directory + utf8("PK\u{5}\u{6}") + little(0, 4) + little(files.count, 2)
      + little(files.count, 2) + little(directory.count, 4) + little(start, 4) + little(0, 2)
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  private static func crc(_ bytes: [UInt8]) -> Int {
    var crc: UInt32 = .max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return Int(~crc)
  }
}
