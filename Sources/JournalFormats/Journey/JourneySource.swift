import Journal

/// The export of Journey.
enum JourneyFormat: ReadableFormat {
  static let name = "journey"
  static let guide = JourneySource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    JourneySource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { JourneySource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    switch input {
    case .file(let stream): JourneySource(stream, options: options)
    case .directory(let directory): JourneySource(directory, options: options)
    }
  }
}

/// Reads an export of Journey: a JSON file per entry, with its pictures beside it, in a zip or a
/// directory; also the newer files of Journey Cloud.
///
/// The time is shown in the entry's own zone. Texts are HTML or Markdown. Place, weather, mood and
/// music become fields.
struct JourneySource: EntrySource {
  private var source: JSONFileSource

  /// Makes a source of a directory or an archive.
  init(_ directory: any ImportDirectory, options: ImportOptions) {
    self.init(.directory(directory), options, AttachedFiles(directory.files))
  }

  /// Makes a source of a single entry.
  init(_ stream: ByteStream, options: ImportOptions) {
    self.init(.file(stream), options, AttachedFiles())
  }

  private init(_ input: ImportInput, _ options: ImportOptions, _ files: AttachedFiles) {
    let zones = JourneyZones()
    source = JSONFileSource(
      input, options, recognises: { Self.recognises($0, path: nil) },
      reader: { value, file in
        let entry = JourneyEntry(
          value: value, file: file, files: files, clock: options.clock, zones: zones)
        do throws(FormatError) {
          return [.entry(try entry.entry(), ImportPlace())]
        } catch {
          return [.problem(error, ImportPlace())]
        }
      })
  }

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? { try source.next() }

  /// Whether a file is an entry.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    guard let names = JSONHead(head), !names.isList else { return false }
    return !names.root.isDisjoint(with: ["date_journal", "dateOfJournal", "date_of_journal"])
  }

  /// Whether a directory or an archive is an export: files with names such as
  /// `1704445200000-3fa1b2c3d4e5f607.json`.
  static func recognises(files: [String]) -> Bool {
    files.contains { path in
      let name = path.split(separator: "/").last ?? ""
      guard name.hasSuffix(".json") else { return false }
      let parts = name.dropLast(5).split(separator: "-")
      return parts.count == 2 && (12...13).contains(parts[0].utf8.count)
        && parts[0].utf8.allSatisfy(ASCII.isDigit) && parts[1].utf8.count >= 8
        && parts[1].utf8.allSatisfy { ASCII.isDigit($0) || ASCII.isLetter($0) }
    }
  }

  static let guide = ImportGuide(
    files: "the zip, or the directory with a JSON file per entry",
    ways: ["Journey: Settings, Export, ZIP (on the web: Account, Export)"])
}

/// The zones of Journey's entries.
private final class JourneyZones {
  private var zones = DayOneZone(NamedZone.init)

  func offset(of name: String, at seconds: Int64) -> Int? {
    name.isEmpty ? nil : zones.offset(of: name, at: seconds)
  }
}

/// An entry of Journey.
private struct JourneyEntry {
  let value: JSONValue
  let file: String
  let files: AttachedFiles
  let clock: WallClock
  let zones: JourneyZones

  /// The members that are used, repeat others, or are Journey's own.
  private static let known: Set = [
    "id", "text", "type", "version", "schemaVersion", "schema_version", "preview_text",
    "previewText", "date_journal", "dateOfJournal", "date_of_journal", "date_modified",
    "updatedAt", "updated_at", "createdAt", "created_at", "timezone", "tags", "favourite",
    "favorite", "address", "lat", "lon", "location", "weather", "sentiment", "music_artist",
    "music_title", "photos", "attachments", "linkedAccountId", "linked_account_id", "title",
    "externalId", "journalId",
  ]

  private static let knownInLocation: Set = [
    "name", "address", "lat", "lng", "latitude", "longitude",
  ]
  private static let knownInWeather: Set = [
    "id", "icon", "place", "description", "condition", "degree_c", "degreeC", "temperature",
  ]

  func entry() throws(FormatError) -> ImportedEntry {
    guard
      let instant = moment("date_journal") ?? moment("dateOfJournal") ?? moment("date_of_journal")
    else { throw FormatError(entry: "has no date") }
    let zone = value["timezone"]?.string ?? ""
    let offset = zones.offset(of: zone, at: instant.seconds)
    let created = offset.map { Moment(seconds: instant.seconds, offset: $0) } ?? instant
    let content = try text()
    let note = NoteText(title: value["title"]?.string ?? "", body: content.text)
    var entry = note.entry(created: created, clock: clock)
    entry.remarks += content.remarks
    entry.modified = moment("date_modified") ?? moment("updatedAt") ?? moment("updated_at")
    entry.uuid = value["id"]?.string.flatMap(EntryUUID.canonical)
    entry.tags = value.texts("tags")
    entry.starred = [value["favourite"], value["favorite"]].contains { $0?.bool == true }
    entry.attach(
      value.texts("photos") + value.texts("attachments"), in: files, beside: file)
    entry.unkept += value.unkept(but: Self.known)
    entry.unkept += value.unkept(in: "location", but: Self.knownInLocation)
    entry.unkept += value.unkept(in: "weather", but: Self.knownInWeather)
    keepFields(of: &entry)
    if offset == nil, !zone.isEmpty {
      entry.remark("unknown time zone \"\(zone.excerpt)\", so the local zone is used")
    }
    guard !entry.text.isEmpty || !entry.tags.isEmpty || !entry.fields.isEmpty else {
      throw FormatError(entry: "has no text")
    }
    return entry
  }

  private func moment(_ name: String) -> Moment? {
    UnixTime.milliseconds.moment(value[name], clock) ?? InstantText.moment(value[name], clock)
  }

  /// The text as Markdown; entries of old versions do not say what theirs is.
  private func text() throws(FormatError) -> HTMLConversion {
    let text = value["text"]?.string ?? ""
    let type = value["type"]?.string ?? ""
    let looksLikeHTML = text.hasPrefix("<") && text.contains("</")
    let isHTML = type == "html" || (type.isEmpty && looksLikeHTML)
    return isHTML ? try HTMLText.convert(text) : .plain(text)
  }

  private func keepFields(of entry: inout ImportedEntry) {
    let (weather, location) = (value["weather"], value["location"])
    let places = [value["address"], location?["name"], location?["address"], weather?["place"]]
    entry.keep(places.lazy.compactMap { $0?.string }.first { !$0.isEmpty }, as: "place")
    entry.keepCoordinates(
      value["lat"]?.double ?? location?["lat"]?.double ?? location?["latitude"]?.double,
      value["lon"]?.double ?? location?["lng"]?.double ?? location?["longitude"]?.double)
    entry.keep(
      weather?["description"]?.string ?? weather?["condition"]?.string, as: "weather")
    let degrees =
      weather?["degree_c"]?.double ?? weather?["degreeC"]?.double
      ?? weather?["temperature"]?.double
    // A number that no weather has means none.
    if let degrees, abs(degrees) < 100, entry.fields.contains(where: { $0.name == "weather" }) {
      entry.keep("\(Decimals.text(degrees, 1)) °C", as: "temperature")
    }
    if let sentiment = value["sentiment"]?.double, sentiment > 0, sentiment < 100 {
      entry.keep(Decimals.text(sentiment, 2), as: "mood")
    } else if let mood = value["mood"]?.double, mood > 0, mood < 100 {
      entry.keep(Decimals.text(mood, 2), as: "mood")
      entry.unkept.removeAll { $0 == "mood" }
    }
    let music = [value["music_artist"], value["music_title"]].compactMap { $0?.string }
    entry.keep(music.filter { !$0.isEmpty }.joined(separator: " – "), as: "music")
  }
}
