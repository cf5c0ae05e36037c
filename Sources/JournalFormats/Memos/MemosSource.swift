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
    let source = MemosSource(database, options: options)
    return EnclosedFilesSource(source, source.directory)
  }
}

/// Reads the SQLite file of memos, the server for notes.
///
/// Texts are Markdown with tags in them; pinned memos are starred; those that were archived are read,
/// too. Attached files come along if they are in the database, or in a directory beside it where the server
/// keeps them; others are named, or linked if they have an address.
struct MemosSource: EntrySource {
  private let database: any ForeignDatabase
  private let clock: WallClock
  private var rows: ForeignRows
  /// The table of attached files, whose name changed.
  private let files: String?
  /// The directories beside the database with files; `nil` if there are none.
  let directory: (any ImportDirectory)?
  private let paths: Set<String>

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
    directory = database.files(in: files.map { Self.directories(in: $0, of: database) } ?? [])
    paths = Set(directory?.files ?? [])
  }

  /// The columns with the path of a file that is not in the database.
  private static let places = ["external_link", "reference", "internal_path"]

  /// The directories in which the server keeps files, from where its data are.
  private static func directories(in table: String, of database: any ForeignDatabase) -> Set<String>
  {
    var rows = ForeignRows(ForeignSelection(table, places), in: database)
    var found: Set<String> = ["assets"]
    while found.count < 100, let row = try? rows.next() {
      for place in places {
        let path = row[place].text
        if !path.hasPrefix("/"), !path.contains("://"), path.contains("/") {
          found.insert(String(path.prefix { $0 != "/" }))
        }
      }
    }
    return found
  }

  /// The path of a file in a directory beside the database: as the server says, or as its end says.
  private func path(_ place: String) -> String? {
    let parts = place.split(separator: "/")
    return parts.indices.lazy.map { parts[$0...].joined(separator: "/") }
      .first { paths.contains($0) }
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
    let found = try attachments(of: row.id)
    if !found.isEmpty {
      entry.former = ImportedEntry.Former(text: text, time: created)
      MemosFields.attach(found, to: &entry)
    }
    guard !entry.text.isEmpty else { return .problem(entry: "has no text", place) }
    return .entry(entry, place)
  }

  /// The files of a memo, of which many fit into memory.
  private func attachments(of memo: Int64) throws -> [MemosFields.Attachment] {
    guard let files else { return [] }
    let columns = ["filename", "blob", "reference", "internal_path", "external_link"]
    var found: [MemosFields.Attachment] = []
    var (after, size) = (Int64.min, 0)
    while size < XMLRecords.filesLimit, found.count < 1000 {
      var selection = ForeignSelection(
        files, columns, where: .init(column: "memo_id", value: .integer(memo)))
      (selection.after, selection.limit) = (after, 1)
      guard let row = try database.rows(selection).first, row.id > after else { break }
      after = row.id
      let places = Self.places.map { row[$0].text }
      var file = MemosFields.Attachment(
        name: row["filename"].text, address: places.first { !$0.isEmpty } ?? "")
      if case .blob(let bytes) = row["blob"] { file.bytes = bytes }
      file.path = path(file.address)
      size += file.bytes.count
      found.append(file)
    }
    return found
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
    var entry = ImportedEntry(created: created, text: text)
    entry.uuid = value["uid"]?.string.flatMap(EntryUUID.canonical)
    entry.modified = moment(["updateTime", "update_time", "updatedTs"])
    entry.tags = value.texts("tags")
    entry.starred = value["pinned"]?.bool ?? false
    entry.tagStyle = .markdown
    let state = (value["state"] ?? value["rowStatus"])?.string
    if state == "ARCHIVED" { entry.unkept.append("archived") }
    let files = ["attachments", "resources", "resourceList"].lazy.compactMap { value[$0]?.array }
    if let files = files.first, !files.isEmpty {
      entry.former = ImportedEntry.Former(text: text, time: created)
      let found = files.map { file in
        MemosFields.Attachment(
          name: file["filename"]?.string ?? "", address: file["externalLink"]?.string ?? "")
      }
      MemosFields.attach(found, to: &entry)
    }
    guard !entry.text.isEmpty else { throw FormatError(entry: "has no text") }
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

  /// A file of a memo.
  struct Attachment {
    var name: String
    /// Where the server keeps it, if it is not in the database: a path or an address.
    var address: String
    var bytes: [UInt8] = []
    /// Its path in the import.
    var path: String?
  }

  /// Adds the files of a memo below its text, and names those that are not at hand.
  static func attach(_ files: [Attachment], to entry: inout ImportedEntry) {
    var names = EnclosedNames()
    for (index, file) in files.enumerated() {
      let name = names.name(file.name, else: "file \(index + 1)")
      if !file.bytes.isEmpty {
        entry.append(AttachedFiles.link(name))
        entry.files.append(
          ImportedFile(
            path: "\(MD5.digest(of: file.bytes))/\(name)", name: name, enclosing: file.bytes))
      } else if let path = file.path {
        entry.append(AttachedFiles.link(path))
        entry.files.append(ImportedFile(path: path, name: name))
      } else if ["https://", "http://"].contains(where: file.address.hasPrefix) {
        entry.append(
          "[\(FileLink.escaped(name))](<\(file.address.filter { !"<>".contains($0) && !$0.isNewline })>)"
        )
      } else {
        entry.miss(name, "file is kept by the server and is not in the export")
      }
    }
  }
}

extension ImportedEntry {
  /// Adds a paragraph below the text.
  fileprivate mutating func append(_ paragraph: String) {
    text += (text.isEmpty ? "" : "\n\n") + paragraph
  }
}
