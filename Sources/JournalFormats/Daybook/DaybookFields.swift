import Journal

/// The fields of one entry in Daybook's JSON, as far as they have been read.
struct DaybookFields {
  private var uuid: String?
  private var created: Moment?
  private var modified: Moment?
  private var day: Day?
  private var text: String?
  private var tags: [String] = []
  private var isStarred = false
  private var deleted: Moment?
  /// What is wrong with the first field that is wrong.
  private var problem: FormatError?

  /// Takes the value of a field; the rest of a record with a wrong one is passed by.
  mutating func take(_ name: String, _ reader: inout JSONReader) throws(JSONError) {
    switch name {
    case "uuid": uuid = try string(name, &reader)
    case "text": text = try string(name, &reader)
    case "created": created = try moment(name, &reader)
    case "modified": modified = try moment(name, &reader)
    case "deleted": deleted = try moment(name, &reader)
    case "day": day = try value(name, &reader, "2026-11-21") { Day($0) }
    case "starred": isStarred = try bool(name, &reader) ?? false
    case "tags": try takeTags(&reader)
    default: try reader.skip()
    }
  }

  /// The entry, or what is wrong.
  func entry() -> Result<ImportedEntry, FormatError> {
    if let problem { return .failure(problem) }
    guard let text else { return .failure(FormatError("has no text")) }
    guard let created else { return .failure(FormatError("has no date")) }
    return .success(
      ImportedEntry(
        uuid: uuid, created: created, modified: modified, day: day, text: text, tags: tags,
        starred: isStarred, deleted: deleted))
  }

  private mutating func moment(
    _ name: String, _ reader: inout JSONReader
  ) throws(JSONError) -> Moment? {
    try value(name, &reader, "2026-11-21T09:15:00+01:00") { Moment($0) }
  }

  /// A string that must have a form; `null` is as good as no field.
  private mutating func value<Value>(
    _ name: String, _ reader: inout JSONReader, _ example: String, _ parse: (String) -> Value?
  ) throws(JSONError) -> Value? {
    guard let text = try string(name, &reader) else { return nil }
    guard let value = parse(text) else {
      fail("has \"\(text.prefix(40))\" as \"\(name)\", where \(example) would do")
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
    fail("has \(found) as \"\(name)\", where \(expected) belongs")
  }

  private mutating func fail(_ reason: String) {
    if problem == nil { problem = FormatError(reason) }
  }
}
