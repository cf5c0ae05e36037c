import Journal
import TestSupport
import Testing

@testable import JournalFormats

struct ZipTests {
  private static func source(_ bytes: [UInt8], limit: Int = 1 << 30) -> ZipSource {
    ZipSource(bytes, limit: limit)
  }

  /// Day One's entries in a zip; a broken zip throws at the first item.
  private struct ZipSource: EntrySource {
    let bytes: [UInt8]
    let limit: Int
    var source: (any EntrySource)?

    init(_ bytes: [UInt8], limit: Int) { (self.bytes, self.limit) = (bytes, limit) }

    mutating func next() throws -> ImportItem? {
      if source == nil {
        var limits = ArchiveDirectory.Limits()
        limits.unpacked = limit
        let archive = try ArchiveDirectory(limits: limits) { [bytes] in ByteStream(bytes) }
        source = try ImportFormat.dayOne.source(.directory(archive), options: options())
      }
      return try source?.next()
    }
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
    let zip = Archives.zip([
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
    let zip = Archives.zip(names.map { ($0, Self.journal($0)) }, areCalledUTF8: areCalledUTF8)
    #expect(entries(Self.source(zip)).map(\.text) == names)
    #expect(
      items(Self.source(zip)).compactMap { item in
        if case .entry(_, let place) = item { place.file } else { nil }
      } == names)
  }

  @Test("a name that is no UTF-8 is no reason to pass a journal by", arguments: [true, false])
  func brokenNames(areCalledUTF8: Bool) {
    let zip = Archives.zip(
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
    var zip = Archives.zip([
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
      if case .problem(let error) = item { error.place.file } else { nil }
    }
    #expect(texts.contains("two") && texts.last == "five")
    #expect(files == ["A.json", "C.json", "D.json"])
  }

  @Test("a zip without any journal has no entries of Day One, and its files are left out")
  func noJournal() {
    let zip = Archives.zip([("2024-01-05.md", "a note"), ("photos/ab.jpeg", "\u{1}")])
    #expect(
      items(Self.source(zip)) == [
        .leftOut(.readable(.markdown)), .leftOut(.file(ending: ".jpeg")),
      ])
  }

  @Test("JSON without a zip is read the same way")
  func alone() {
    #expect(throws: FormatError.self) {
      try ArchiveDirectory { ByteStream(utf8(Self.journal("one"))) }
    }
    let source = DayOneFormat.source(
      .file(ByteStream(utf8(Self.journal("one")))), options: options())
    var read = source
    guard case .entry(let entry, _)? = try? read.next() else {
      Issue.record("no entry")
      return
    }
    #expect(entry.text == "one")
  }

  @Test("a broken journal is named with its file")
  func broken() {
    let zip = Archives.zip([("A.json", "{\"entries\":[\n{\"text\":\"a\"},\n12]}")])
    #expect(
      problems(Self.source(zip)) == [
        "A.json:2: has no creationDate", "A.json:3: a number is not an entry",
      ])
    let cut = Archives.zip([("B.json", "{\"entries\":[\n{\"text\"")])
    #expect(problems(Self.source(cut)).last?.hasPrefix("B.json:2: ") == true)
  }

  @Test("a zip that unpacks to more than it may is refused")
  func bomb() throws {
    let entry = try RandomEntry.plain("a" + String(repeating: " ", count: 4 << 20) + "b")
    let (bytes, _) = try encode(DayOneArchiveEncoder(), [entry])
    #expect(bytes.count < 40_000)
    #expect(
      problems(Self.source(bytes, limit: 1 << 20))
        == ["Journal.json: the archive unpacks to more than 1 MiB"])
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
}
