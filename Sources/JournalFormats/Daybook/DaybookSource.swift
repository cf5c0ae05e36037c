import Journal

/// Daybook's own JSON and JSON Lines.
enum DaybookFormat: ReadableFormat {
  static let name = "daybook"
  static let guide = ImportGuide(
    files: "JSON, JSON Lines, and journals of Daybook",
    ways: ["Daybook: daybook export -o FILE.json, or the journal's own file"])

  static func recognises(json: JSONSketch) -> Bool { json.formatName == "daybook" }

  /// A record with a text, or a list without records.
  static func accepts(json: JSONSketch) -> Bool {
    if json.names.contains("text") { return true }
    return json.isList && json.record.isEmpty && json.root.isDisjoint(with: ["tags", "version"])
  }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    StreamFileSource(input, options, endings: [".json", ".jsonl", ".ndjson"]) {
      DaybookSource($0, options: options)
    }
  }
}

/// Reads Daybook's own JSON and JSON Lines: exports, listings, JSON journals, and files written by
/// hand.
///
/// Only `text` and `created` are required. A date without an offset, such as `2024-01-01 10:00` or
/// `2024-01-01`, is local time on that calendar day. `number` belongs to the other journal and is
/// ignored; unknown fields are skipped.
struct DaybookSource: EntrySource {
  private let records: JSONRecords
  private let clock: WallClock
  private var isOpen = false

  init(_ stream: ByteStream, options: ImportOptions) {
    records = JSONRecords(stream, options: JSONOptions(isLossy: options.isLossy))
    clock = options.clock
  }

  mutating func next() throws -> ImportItem? {
    if !isOpen { try open() }
    let clock = self.clock
    let next = try records.next { reader, line throws(JSONError) in
      try Self.item(&reader, line, clock)
    }
    switch next {
    case nil: return nil
    case .value(let item, _): return item
    case .broken(let error): return .problem(error)
    }
  }

  /// Rejects a file of a newer version of this program.
  private mutating func open() throws {
    try records.open()
    isOpen = true
    let version = records.root.last { $0.name == "version" }?.value.integer
    let isOurs = records.root.contains { $0.name == "format" && $0.value.string == "daybook" }
    if isOurs, let version, version > 1 {
      throw FormatError("made by a newer daybook (version \(version), this one knows 1); update it")
    }
  }

  private static func item(
    _ reader: inout JSONReader, _ line: Int, _ clock: WallClock
  ) throws(JSONError) -> ImportItem {
    let place = ImportPlace(line: line)
    guard try reader.kind() == .object else {
      try reader.skip()
      return .problem(entry: "is not an object", place)
    }
    var fields = DaybookFields(clock)
    try reader.object { name, reader throws(JSONError) in try fields.take(name, &reader) }
    switch fields.entry() {
    case .success(let entry): return .entry(entry, place)
    case .failure(let error): return .problem(error, place)
    }
  }
}

/// The fields of one entry in Daybook's JSON, as read so far.
struct DaybookFields {
  private var uuid: String?
  private var created: Moment?
  /// The local date in ``created`` if it has no offset.
  private var wall: WallTime?
  private var modified: Moment?
  private var day: Day?
  private var text: String?
  private var tags: [String] = []
  /// The fields that most entries go without.
  private var others = EntrySchema.blank
  /// The names of fields that say something and have no place in an entry.
  private var unkept: [String] = []
  /// The error of the first invalid field.
  private var problem: FormatError?
  /// The clock with the zone of dates without an offset.
  private let clock: WallClock

  init(_ clock: WallClock) {
    self.clock = clock
  }

  /// Reads the value of a field; after an invalid one, the rest of the record is skipped.
  mutating func take(_ name: String, _ reader: inout JSONReader) throws(JSONError) {
    switch name {
    case "uuid": uuid = try string(name, &reader)
    case "text": text = try string(name, &reader)
    case "created":
      let date = try date(name, &reader)
      (created, wall) = (date?.moment, date?.wall)
    case "modified": modified = try date(name, &reader)?.moment
    case "day": day = try value(name, &reader, "2026-11-21") { Day($0) }
    case "tags": try takeTags(&reader)
    // The number is the other journal's own, the title is the text's first line, and the checksum
    // in a JSON journal is derived from the rest.
    case "number", "title", "check": try reader.skip()
    default:
      if let field = EntrySchema.optional.first(where: { $0.name == name }) {
        try take(field, &reader)
      } else if try !reader.skipSayingNothing() {
        unkept.append(name)
      }
    }
  }

  /// Takes a field that most entries go without; `null` is as good as none.
  private mutating func take(
    _ field: EntrySchema.Field, _ reader: inout JSONReader
  ) throws(JSONError) {
    let (name, blank) = (field.name, EntrySchema.blank)
    switch field.kind {
    case .integer(let access):
      access.set(&others, try integer(name, &reader) ?? access.get(blank))
    case .text(let access):
      let text = try string(name, &reader) ?? access.get(blank)
      if text.utf8.contains(0) { fail("has a NUL in its \"\(name)\"") }
      access.set(&others, text)
    case .flag(let access):
      access.set(&others, try bool(name, &reader) ?? access.get(blank))
    case .day(let access):
      let day = try value(name, &reader, "2026-11-21") { Day($0) }
      access.set(&others, day ?? access.get(blank))
    case .moment(let access):
      access.set(&others, try date(name, &reader)?.moment ?? access.get(blank))
    case .optionalMoment(let access): access.set(&others, try date(name, &reader)?.moment)
    }
  }

  /// The entry, or the error.
  func entry() -> Result<ImportedEntry, FormatError> {
    if let problem { return .failure(problem) }
    guard let text else { return .failure(FormatError(entry: "has no text")) }
    guard let created else { return .failure(FormatError(entry: "has no date")) }
    var entry = ImportedEntry(
      uuid: uuid, created: created, wallTime: wall?.moment(offset: 0), modified: modified,
      day: day ?? wall?.day, text: text, tags: tags)
    entry.others = others
    entry.unkept = unkept
    entry.isExact = true
    return .success(entry)
  }

  /// An instant; without an offset it is local time.
  private mutating func date(
    _ name: String, _ reader: inout JSONReader
  ) throws(JSONError) -> (moment: Moment, wall: WallTime?)? {
    let clock = self.clock
    if try reader.kind() == .number {
      let text = try reader.number()
      if let moment = EpochText.moment(text, clock) { return (moment, nil) }
      fail("has \(text) as \"\(name)\" instead of 2026-11-21T09:15:00+01:00 or the like")
      return nil
    }
    return try value(name, &reader, "2026-11-21T09:15:00+01:00") { text in
      if let moment = Moment(text) { return (moment, nil) }
      if let moment = EpochText.moment(text, clock) { return (moment, nil) }
      guard case .date(let wall, _, let offset) = DateText.read(text) else { return nil }
      return (wall.moment(offset: offset, clock), offset == nil ? wall : nil)
    }
  }

  /// A string in a required form; `null` counts as a missing field.
  private mutating func value<Value>(
    _ name: String, _ reader: inout JSONReader, _ example: String, _ parse: (String) -> Value?
  ) throws(JSONError) -> Value? {
    guard let text = try string(name, &reader) else { return nil }
    guard let value = parse(text) else {
      fail("has \"\(text.prefix(40))\" as \"\(name)\" instead of \(example) or the like")
      return nil
    }
    return value
  }

  private mutating func string(
    _ name: String, _ reader: inout JSONReader
  ) throws(JSONError) -> String? {
    switch try reader.kind() {
    case .string: return try reader.string()
    case .null: try reader.skip()
    default: try failKind(name, &reader, "a string")
    }
    return nil
  }

  private mutating func integer(
    _ name: String, _ reader: inout JSONReader
  ) throws(JSONError) -> Int64? {
    switch try reader.kind() {
    case .number:
      let text = try reader.number()
      if let number = Int64(text) { return number }
      fail("has \(text) as \"\(name)\" instead of a whole number")
    case .null: try reader.skip()
    default: try failKind(name, &reader, "a whole number")
    }
    return nil
  }

  private mutating func bool(
    _ name: String, _ reader: inout JSONReader
  ) throws(JSONError) -> Bool? {
    switch try reader.kind() {
    case .bool: return try reader.bool()
    case .null: try reader.skip()
    default: try failKind(name, &reader, "true or false")
    }
    return nil
  }

  private mutating func takeTags(_ reader: inout JSONReader) throws(JSONError) {
    switch try reader.kind() {
    case .null: try reader.skip()
    case .array:
      var (fields, read) = (self, [String]())
      try reader.array { reader throws(JSONError) in
        if let tag = try fields.string("tags", &reader) { read.append(tag) }
      }
      self = fields
      tags = read
    default: try failKind("tags", &reader, "an array of strings")
    }
  }

  private mutating func failKind(
    _ name: String, _ reader: inout JSONReader, _ expected: String
  ) throws(JSONError) {
    let found = try reader.value().kind
    fail("has \(found) as \"\(name)\" instead of \(expected)")
  }

  private mutating func fail(_ reason: String) {
    if problem == nil { problem = FormatError(entry: reason) }
  }
}
