import Journal

/// The backup of Diaro.
enum DiaroFormat: ReadableFormat {
  static let name = "diaro"
  static let guide = DiaroSource.guide

  static func recognises(files: [String]) -> Bool { DiaroSource.recognises(files: files) }

  static func source(
    _ input: ImportInput, options: ImportOptions
  ) throws -> any EntrySource {
    DiaroSource(try input.directory(for: name), options: options)
  }
}

/// Reads a backup of Diaro: a zip with `DiaroBackup.xml`, whose tables are those of its database, and
/// a directory `media`.
///
/// The tables are in any order, so the XML is read twice: first folders, tags, places, moods and
/// files, which stay in memory, then the entries one by one. Times are shown at the offset of the
/// entry.
struct DiaroSource: EntrySource {
  private let options: ImportOptions
  private let directory: any ImportDirectory
  private let file: String?
  private let attached: AttachedFiles
  private var index = DiaroIndex()
  private var records: XMLRecords?

  /// Makes a source of a directory or an archive.
  init(_ directory: any ImportDirectory, options: ImportOptions) {
    self.directory = directory
    self.options = options
    attached = AttachedFiles(directory.files)
    file = directory.files.first(where: Self.isBackup)
  }

  private static func isBackup(_ path: String) -> Bool {
    "/\(path.lowercased())".hasSuffix("/diarobackup.xml")
  }

  /// Whether a directory or an archive is a backup.
  static func recognises(files: [String]) -> Bool { files.contains(where: isBackup) }

  static let guide = ImportGuide(
    files: "the zip of a backup, or its directory with DiaroBackup.xml",
    ways: ["Diaro: Settings, Backup and Restore, Create backup (without encryption)"])

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    guard let file else { throw FormatError("contains no DiaroBackup.xml") }
    do {
      if records == nil {
        try index.read(Self.records(try directory.open(file), options))
        records = Self.records(try directory.open(file), options)
      }
      while let item = try records?.next() {
        switch item {
        case .broken(let error): return .problem(error).inFile(file)
        case .record(let row, let around):
          guard Self.table(around) == "diaro_entries" else { continue }
          return self.item(of: row).inFile(file)
        }
      }
      return nil
    } catch var error as FormatError {
      error.place.file = file
      throw error
    }
  }

  private static func records(_ stream: ByteStream, _ options: ImportOptions) -> XMLRecords {
    XMLRecords(stream, records: ["r"], isLossy: options.isLossy)
  }

  /// The name of the table around a row.
  fileprivate static func table(_ around: [XMLElement]) -> String? {
    let table = around.last { $0.name == "table" }
    return table?.attributes["name"] ?? table?.attributes["title"]
  }

  private func item(of row: XMLElement) -> ImportItem {
    let place = ImportPlace(line: row.line)
    if row.text("archived") == "1" { return .passedBy("in the trash of Diaro", place) }
    guard let count = Int64(row.text("date")),
      let instant = UnixTime.milliseconds.moment(count, options.clock)
    else { return .problem(entry: "has no date", place) }
    let zone = DateText.read("2000-01-01 00:00\(row.text("tz_offset"))")
    var created = instant
    if case .date(_, _, let offset?) = zone {
      created = Moment(seconds: instant.seconds, offset: offset)
    }
    let note = NoteText(title: row.text("title"), body: row["text"]?.text ?? "")
    var entry = note.entry(created: created, clock: options.clock)
    entry.tags = row.text("tags").split(separator: ",").compactMap {
      index.tags[OneLine.text(String($0))]
    }
    entry.keep(index.folders[row.text("folder_uid")], as: "folder")
    if let location = index.locations[row.text("location_uid")] {
      entry.keep(location.name, as: "place")
      entry.keepCoordinates(location.latitude, location.longitude)
    }
    entry.keep(row.text("weather_description"), as: "weather")
    if let degrees = Double(row.text("weather_temperature")), abs(degrees) < 100,
      !row.text("weather_description").isEmpty
    {
      entry.keep("\(Decimals.text(degrees, 1)) °C", as: "temperature")
    }
    entry.keep(index.mood(row.text("mood")), as: "mood")
    entry.attach(index.files[row.text("uid")] ?? [], in: attached, beside: file ?? "")
    entry.unkept += row.children.filter { child in
      !Self.known.contains(child.name) && !child.saysNothing && child.text != "0"
    }.map(\.name)
    guard !entry.text.isEmpty || !entry.tags.isEmpty || !entry.fields.isEmpty else {
      return .problem(entry: "has no text", place)
    }
    return .entry(entry, place)
  }

  private static let known: Set = [
    "uid", "date", "tz_offset", "title", "text", "folder_uid", "location_uid", "tags", "archived",
    "primary_photo_uid", "weather_temperature", "weather_icon", "weather_description", "mood",
    "sync_id", "synced", "tag_count", "photo_count",
  ]
}

/// The folders, tags, places, moods and files of a backup of Diaro, by their identifiers.
private struct DiaroIndex {
  private(set) var folders: [String: String] = [:]
  private(set) var tags: [String: String] = [:]
  private(set) var locations: [String: (name: String, latitude: Double?, longitude: Double?)] = [:]
  /// The names of the files of each entry.
  private(set) var files: [String: [String]] = [:]
  private var moods: [String: String] = [:]

  mutating func read(_ records: XMLRecords) throws {
    while let item = try records.next() {
      guard case .record(let row, let around) = item else { continue }
      let uid = row.text("uid")
      switch DiaroSource.table(around) {
      case "diaro_folders": folders[uid] = row.text("title")
      case "diaro_tags": tags[uid] = row.text("title")
      case "diaro_moods": moods[uid] = row.text("title")
      case "diaro_locations":
        let title = row.text("title")
        locations[uid] = (
          title.isEmpty ? row.text("address") : title, Double(row.text("lat")),
          Double(row.text("lng"))
        )
      case "diaro_attachments":
        let name = row.text("filename")
        guard !name.isEmpty else { continue }
        let type = row.text("type")
        files[row.text("entry_uid"), default: []].append(
          "media/\(type.isEmpty ? "photo" : type)/\(name)")
      default: continue
      }
    }
  }

  /// The name of a mood: its own, or the number of one that the program names; 0 is none.
  func mood(_ text: String) -> String? {
    if let mood = moods[text] { return mood }
    return Int(text).flatMap { $0 > 0 ? text : nil }
  }
}
