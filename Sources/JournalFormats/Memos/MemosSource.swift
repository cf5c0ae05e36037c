import Journal

/// The database of memos, and the JSON of its API.
enum MemosFormat: ReadableFormat {
  static let name = "memos"
  static let guide = MemosSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    MemosJSONSource.recognises(head, path: path)
  }

  static func recognises(tables: [String: Set<String>]) -> Bool {
    MemosSource.recognises(tables: tables)
  }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    StreamFileSource(input, options, endings: [".json"]) { MemosJSONSource($0, options: options) }
  }

  static func source(
    _ database: any ForeignDatabase, options: ImportOptions
  ) -> any EntrySource {
    MemosSource(database, options: options)
  }
}

/// Reads the SQLite file of memos, the server for notes.
///
/// Texts are Markdown with tags in them; pinned memos are starred; those that were archived are read,
/// too. Attached files stay where the server has them, and are counted.
struct MemosSource: EntrySource {
  private let database: any ForeignDatabase
  private let clock: WallClock
  private var rows: ForeignRows
  /// The table of attached files, whose name changed.
  private let files: String?

  /// Makes a source of a database.
  init(_ database: any ForeignDatabase, options: ImportOptions) {
    self.database = database
    clock = options.clock
    rows = ForeignRows(
      ForeignSelection(
        "memo",
        [
          "uid", "created_ts", "updated_ts", "row_status", "content", "visibility", "pinned",
          "payload",
        ]), in: database)
    files = ["attachment", "resource"].first { database.has($0, ["memo_id", "filename"]) }
  }

  /// Whether a database is one of memos.
  static func recognises(tables: [String: Set<String>]) -> Bool {
    tables["memo"]?.isSuperset(of: [
      "creator_id", "created_ts", "row_status", "content", "visibility",
    ]) ?? false
  }

  static let guide = ImportGuide(
    files: "its SQLite file, and the JSON of its API",
    ways: [
      "memos: the file memos_prod.db in its data directory, copied while the server is stopped",
      "memos, without access to its files: curl -H \"Authorization: Bearer TOKEN\" "
        + "\"https://SERVER/api/v1/memos?pageSize=1000\" > memos.json",
    ])

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    guard let row = try rows.next() else { return nil }
    let place = ImportPlace(record: "memo \(row.id)")
    guard let created = row["created_ts"].integer.flatMap({ UnixTime.seconds.moment($0, clock) })
    else { return .problem(entry: "has no date", place) }
    let text = LineEnds.unified(row["content"].text).trimmingBlankLines
    var entry = ImportedEntry(created: created, text: text)
    entry.uuid = EntryUUID.canonical(row["uid"].text)
    entry.modified = row["updated_ts"].integer.flatMap { UnixTime.seconds.moment($0, clock) }
    entry.starred = try isPinned(row)
    entry.tagStyle = .markdown
    if row["row_status"].text == "ARCHIVED" { entry.unkept.append("archived") }
    let payload = try? JSONValue(Array(row["payload"].text.utf8))
    MemosFields.keep(payload?["location"], in: &entry)
    if let files {
      let id = ForeignValue.integer(row.id)
      let found = try database.rows(of: files, ["filename"], where: "memo_id", is: id, limit: 1)
      if !found.isEmpty { entry.unkept.append("attachments") }
    }
    guard !text.isEmpty else { return .problem(entry: "has no text", place) }
    return .entry(entry, place)
  }

  /// Whether a memo is pinned; old versions have a table of their own for that.
  private func isPinned(_ row: ForeignRow) throws -> Bool {
    if row["pinned"].integer == 1 { return true }
    guard database.has("memo_organizer", ["memo_id", "pinned"]) else { return false }
    let pins = try database.rows(
      of: "memo_organizer", ["pinned"], where: "memo_id", is: .integer(row.id))
    return pins.contains { $0["pinned"].integer == 1 }
  }
}

/// Reads the memos that the API of the server returns as JSON.
struct MemosJSONSource: EntrySource {
  private let records: JSONRecords
  private let clock: WallClock

  init(_ stream: ByteStream, options: ImportOptions) {
    records = JSONRecords(
      stream, member: "memos", options: JSONOptions(isLossy: options.isLossy))
    clock = options.clock
  }

  /// Whether a file is an answer of the API.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    guard let names = JSONHead(head), names.isList || names.root.contains("memos") else {
      return false
    }
    let record = names.record
    return record.isSuperset(of: ["content", "visibility"])
      && !record.isDisjoint(with: ["createTime", "createdTs", "create_time"])
  }

  private static let members: Set = [
    "name", "uid", "state", "rowStatus", "createTime", "createdTs", "create_time", "updateTime",
    "updatedTs", "update_time", "content", "pinned", "tags", "attachments", "resources",
    "resourceList", "location",
  ]
  /// What the server derives, or what is its own.
  private static let derived: Set = [
    "id", "creator", "creatorId", "creatorName", "creatorUsername", "displayTime", "displayTs",
    "visibility", "property", "snippet", "nodes", "relations", "relationList", "parent",
  ]

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    let clock = clock
    return try records.nextItem(members: Self.members, derived: Self.derived) { value, _ in
      try Self.entry(value, clock)
    }
  }

  private static func entry(
    _ value: JSONValue, _ clock: WallClock
  ) throws(FormatError) -> ImportedEntry {
    func moment(_ names: [String]) -> Moment? {
      names.lazy.compactMap { name in
        InstantText.moment(value[name], clock) ?? UnixTime.seconds.moment(value[name], clock)
      }.first
    }
    guard let created = moment(["createTime", "create_time", "createdTs"]) else {
      throw FormatError(entry: "has no date")
    }
    let text = LineEnds.unified(try value.text("content")).trimmingBlankLines
    guard !text.isEmpty else { throw FormatError(entry: "has no text") }
    var entry = ImportedEntry(created: created, text: text)
    entry.uuid = value["uid"]?.string.flatMap(EntryUUID.canonical)
    entry.modified = moment(["updateTime", "update_time", "updatedTs"])
    entry.tags = value.texts("tags")
    entry.starred = value["pinned"]?.bool ?? false
    entry.tagStyle = .markdown
    let state = (value["state"] ?? value["rowStatus"])?.string
    if state == "ARCHIVED" { entry.unkept.append("archived") }
    if ["attachments", "resources", "resourceList"].contains(where: {
      value[$0]?.array?.isEmpty == false
    }) {
      entry.unkept.append("attachments")
    }
    MemosFields.keep(value["location"], in: &entry)
    return entry
  }
}

/// The fields of a memo.
enum MemosFields {
  /// Keeps the place of a memo.
  static func keep(_ location: JSONValue?, in entry: inout ImportedEntry) {
    entry.keep(location?["placeholder"]?.string, as: "place")
    entry.keepCoordinates(location?["latitude"]?.double, location?["longitude"]?.double)
  }
}
