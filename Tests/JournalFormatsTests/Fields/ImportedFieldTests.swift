import Journal
import Testing

@testable import JournalFormats

/// Fields of other programs become lines below the text.
struct ImportedFieldTests {
  private static func entry(
    _ text: String, _ fields: [(String, String)], tags: [String] = [], uuid: String? = nil
  ) throws -> ImportedEntry {
    var entry = ImportedEntry(
      uuid: uuid, created: try moment("2024-01-05T10:00:00+01:00"), text: text, tags: tags)
    entry.fields = fields.map { ImportedField(name: $0.0, value: $0.1) }
    return entry
  }

  @Test("fields are a paragraph below the text, and tags one below the fields")
  func lines() throws {
    let fields = [("place", "Vienna"), ("Feels Like", " 3 °C\n(cold) "), ("mood", " "), ("", "x")]
    let both = try Self.entry("Walked.\n", fields, tags: ["walk"])
    #expect(tagged(both) == "Walked.\n\nplace:: Vienna\nfeels-like:: 3 °C (cold)\n\n#walk")
    #expect(tagged(try Self.entry("a", fields)) == "a\n\nplace:: Vienna\nfeels-like:: 3 °C (cold)")
    #expect(tagged(try Self.entry("", [("mood", "good")])) == "mood:: good")
    #expect(tagged(try Self.entry("a #walk", [("x", "1")], tags: ["walk"])) == "a #walk\n\nx:: 1")
    #expect(tagged(try Self.entry("a", [("mood", " ")])) == "a")
  }

  @Test("a line that the text has is not made again, and equal fields are one")
  func present() throws {
    let text = "a\n\nplace:: Vienna"
    #expect(tagged(try Self.entry(text, [("place", "Vienna"), ("place", "Vienna")])) == text)
    #expect(
      tagged(try Self.entry("a", [("x", "1"), ("x", "1"), ("x", "2")])) == "a\n\nx:: 1\nx:: 2")
  }

  @Test("fields do not change an identity, unless there is nothing else")
  func identities() throws {
    let plain = identity(try Self.entry("a", [], tags: ["walk"]))
    #expect(identity(try Self.entry("a", [("place", "Vienna")], tags: ["walk"])) == plain)
    #expect(
      EntryUUID.derived(text: "a #walk", created: try moment("2024-01-05T10:00:00+01:00")) == plain)
    let (good, bad) = (
      identity(try Self.entry("", [("mood", "good")])),
      identity(try Self.entry("", [("mood", "bad")]))
    )
    #expect(good != bad)
    #expect(throws: FormatError(entry: "has no text")) {
      try Self.entry(" ", [("mood", "")]).entry()
    }
  }

  @Test("tags come off the end in exports, and the fields stay")
  func exports() throws {
    let entry = try Self.entry("Walked.", [("place", "Vienna")], tags: ["walk"]).entry()
    #expect(TrailingTags.split(entry.text, tags: entry.tags) == "Walked.\n\nplace:: Vienna")
    for format in [ExportFormat.dayOne, .tuiJournal] {
      let (bytes, _) = try encode(Box(encoder: try #require(format.encoder())), [entry])
      let input = ImportInput.file(ByteStream(bytes))
      let name = format == .dayOne ? ImportFormat.dayOne : .tuiJournal
      var source = try name.source(input, options: options())
      guard case .entry(let read, _)? = try source.next() else {
        Issue.record("no entry of \(format)")
        continue
      }
      #expect(tagged(read) == entry.text)
    }
  }

  @Test("a tag that is added later does not become part of a field")
  func laterTags() {
    #expect(Tag.text(adding: "sea", to: "a\n\nplace:: Vienna") == "a\n\nplace:: Vienna\n\n#sea")
    for text in ["std::vector", "std:: ", "a b:: c", "10:: ", ":: x", "see http://x.org"] {
      let isField = text == "std:: " || text == "10:: "
      #expect(
        Tag.text(adding: "sea", to: text).hasSuffix(isField ? "\n\n#sea" : "#sea"), "\(text)")
    }
  }

  @Test("fields that were made are counted by name")
  func counted() throws {
    var notes = ImportNotes()
    notes.add(try Self.entry("a", [("place", "x"), ("Weather", "y"), ("mood", "")]))
    notes.add(try Self.entry("b", [("place", "x")]))
    #expect(notes.lines == ["made: 2 place, 1 weather fields"])
  }

  @Test("the place, the weather and the activity of Day One are fields")
  func dayOne() {
    let json = """
      {"entries":[{"creationDate":"2024-01-05T10:00:00Z","text":"a","location":{"placeName":"Café",
      "localityName":"Vienna","country":"Austria","latitude":48.2084912,"longitude":16.3720800},
      "weather":{"conditionsDescription":"Mostly Cloudy","temperatureCelsius":2.951},
      "userActivity":{"activityName":"Walking","stepCount":1204},
      "music":{"artist":"A","track":"B"},"duration":3}]}
      """
    let read = entries(DayOneSource(ByteStream(utf8(json)), options: options()))
    #expect(
      read.first?.fields.compactMap(\.line) == [
        "place:: Café, Vienna, Austria", "coordinates:: 48.20849, 16.37208",
        "weather:: Mostly Cloudy", "temperature:: 3 °C", "activity:: Walking", "steps:: 1204",
        "music:: A, B",
      ])
    #expect(read.first?.unkept == ["duration"])
  }

  /// An encoder of any kind.
  private struct Box: EntryEncoder {
    var encoder: any EntryEncoder
    var losses: [String] { encoder.losses }
    mutating func begin(_ buffer: inout [UInt8]) throws { try encoder.begin(&buffer) }
    mutating func append(_ entry: Entry, to buffer: inout [UInt8]) throws {
      try encoder.append(entry, to: &buffer)
    }
    mutating func end(_ buffer: inout [UInt8]) throws { try encoder.end(&buffer) }
  }
}
