import Journal

/// Reads the JSON of a Day One export.
///
/// An entry's offset and calendar day are those of its own time zone; when that is not known, of the
/// offset its date is written with, else UTC. Its text is cleaned of Day One's signs (``DayOneText``),
/// and attached files become links to where the export has them: `![](photos/MD5.jpeg)`, at the end
/// where the text does not name them. An entry without text begins with the name of its place; one that
/// has neither that nor files nor tags is a problem (``DayOneParts``). Weather, device and all other
/// fields are not kept, nor is the place of an entry that has a text.
struct DayOneSource: EntrySource {
  private let records: JSONRecords
  private var zones: DayOneZone

  /// Makes a source of a stream.
  ///
  /// - Parameter zone: finds a zone by its name.
  init(
    _ stream: ByteStream, options: ImportOptions,
    zone: @escaping (String) -> ZoneFile? = ZoneFile.named
  ) {
    records = JSONRecords(stream, options: JSONOptions(isLossy: options.isLossy))
    zones = DayOneZone(zone)
  }

  private static let members: Set = [
    "uuid", "creationDate", "modifiedDate", "timeZone", "text", "starred", "tags", "location",
    "photos", "videos", "audios", "pdfAttachments",
  ]

  /// The text once more with its markup, and what follows from other fields.
  private static let derived: Set = [
    "richText", "creationDateTimestamp", "modifiedDateTimestamp", "entryType", "isAllDay",
  ]

  /// The next entry, or what stands where one should.
  mutating func next() throws -> ImportItem? {
    var zones = self.zones
    defer { self.zones = zones }
    return try records.nextItem(members: Self.members, derived: Self.derived) { value, _ in
      try DayOneSource.entry(value, &zones)
    }
  }

  private static func entry(
    _ value: JSONValue, _ zones: inout DayOneZone
  ) throws(FormatError) -> ImportedEntry {
    guard let created = try moment("creationDate", of: value, &zones) else {
      throw FormatError("has no creationDate")
    }
    let media = DayOneMedia(value)
    var used: Set<String> = []
    let text = DayOneText.plain(try value.text("text")) { identifier in
      guard let path = media.path(of: identifier) else { return nil }
      used.insert(path)
      return path
    }
    let location = value["location"]
    var parts = DayOneParts(text: text)
    parts.files = media.paths.filter { !used.contains($0) }
    parts.place = ["placeName", "localityName"].lazy.compactMap { location?[$0]?.string }
      .first { !$0.isEmpty }
    parts.tags = value.texts("tags")
    var entry = ImportedEntry(
      uuid: value["uuid"]?.string.flatMap(EntryUUID.canonical), created: created,
      modified: try moment("modifiedDate", of: value, &zones), day: created.localDay,
      text: try parts.joined(), tags: parts.tags, starred: value["starred"]?.bool ?? false)
    if location?.members?.isEmpty == false, !parts.isPlaceInText { entry.unkept = ["location"] }
    let zoneNames = DayOneSource.zoneNames(value)
    if let name = zoneNames.first,
      zoneNames.allSatisfy({ zones.offset(of: $0, at: created.seconds) == nil })
    {
      entry.remarks = ["unknown time zone \"\(name.excerpt)\", so dates keep their own offset"]
    }
    return entry
  }

  private static func zoneNames(_ value: JSONValue) -> [String] {
    [value["timeZone"], value["location"]?["timeZoneName"]].compactMap { $0?.string }
      .filter { !$0.isEmpty }
  }

  /// A moment with the offset of the entry's zone.
  private static func moment(
    _ name: String, of value: JSONValue, _ zones: inout DayOneZone
  ) throws(FormatError) -> Moment? {
    let date = try value.text(name)
    guard !date.isEmpty else { return nil }
    guard let moment = Moment(date) else {
      throw FormatError("there is no \(name) \(date.excerpt)")
    }
    for zone in zoneNames(value) {
      if let offset = zones.offset(of: zone, at: moment.seconds) {
        return Moment(seconds: moment.seconds, offset: offset)
      }
    }
    return moment
  }
}

/// What the text of an entry of Day One is made of.
struct DayOneParts {
  /// What somebody wrote.
  var text: String
  /// The paths of attached files that the text does not name.
  var files: [String] = []
  /// The name of the place.
  var place: String?
  var tags: [String] = []

  /// Makes parts of a text alone.
  init(text: String) { self.text = text }

  private var isBlank: Bool { text.utf8.allSatisfy(ASCII.isSpace) }

  /// Whether the name of the place is in the text, since nobody wrote one.
  var isPlaceInText: Bool { isBlank && place != nil }

  /// The text, and links to the files that it does not name; without a text the name of the place
  /// comes first, and tags alone make an entry too.
  ///
  /// - Throws: ``FormatError`` when there is nothing at all: a text is never made up.
  func joined() throws(FormatError) -> String {
    if !isBlank {
      return ([text] + files.map { "![](\($0))" }).joined(separator: "\n\n")
    }
    let lines = [place].compactMap(\.self) + files.map { "![\(DayOneParts.kind($0))](\($0))" }
    guard !lines.isEmpty || !tags.isEmpty else {
      throw FormatError("has no text, and no photo, place or tag to name instead")
    }
    return lines.joined(separator: "\n\n")
  }

  /// What a file is called: `photo`.
  private static func kind(_ path: String) -> String {
    let kinds = ["photos": "photo", "videos": "video", "audios": "recording", "pdfs": "PDF"]
    return kinds[String(path.prefix { $0 != "/" })] ?? "file"
  }
}

/// The files that an entry of Day One has attached.
struct DayOneMedia {
  /// Where the export has them, in order, each once.
  private(set) var paths: [String] = []
  private var seen: Set<String> = []
  private var byIdentifier: [String: String] = [:]

  /// Reads them from the entry.
  init(_ value: JSONValue) {
    for (member, folder) in [
      ("photos", "photos"), ("videos", "videos"), ("audios", "audios"), ("pdfAttachments", "pdfs"),
    ] {
      for file in value[member]?.array ?? [] { add(file, folder) }
    }
  }

  /// The path of the file of an identifier in upper case.
  func path(of identifier: String) -> String? { byIdentifier[identifier] }

  private mutating func add(_ file: JSONValue, _ folder: String) {
    guard let md5 = file["md5"]?.string, DayOneMedia.isPlain(md5) else { return }
    let type = file["type"]?.string ?? ""
    let standard = ["photos": "jpeg", "videos": "mov", "pdfs": "pdf"][folder]
    // Recordings are m4a whatever the file says.
    let ending = folder == "audios" ? "m4a" : DayOneMedia.isPlain(type) ? type : standard ?? "bin"
    let path = "\(folder)/\(md5).\(ending)"
    if seen.insert(path).inserted { paths.append(path) }
    byIdentifier[md5.uppercased()] = path
    if let identifier = file["identifier"]?.string { byIdentifier[identifier.uppercased()] = path }
  }

  /// Whether a text may be part of a path: it comes from the file and leads nowhere else.
  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) }
  }
}
