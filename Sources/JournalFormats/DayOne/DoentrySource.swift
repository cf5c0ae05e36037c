import Journal

/// Reads an entry of Day One Classic, a property list in a file of its own, `entries/UUID.doentry`.
///
/// The offset and the day are those of the entry's time zone, else of the computer's, as jrnl has it.
/// The text is Markdown as it was typed. The photo of an entry lies in `photos/UUID.jpg`, and becomes a
/// link where the folder has it. Weather, creator and all other fields are not kept.
struct DoentrySource: EntrySource {
  private let bytes: [UInt8]
  private let options: ImportOptions
  private let photos: [String: String]
  private let zone: (String) -> ZoneFile?
  private var isAtEnd = false

  /// Makes a source of a file's bytes.
  ///
  /// - Parameters:
  ///   - photos: the paths of the folder's photos by their names in upper case without endings.
  ///   - zone: finds a zone by its name.
  init(
    _ bytes: [UInt8], options: ImportOptions, photos: [String: String] = [:],
    zone: @escaping (String) -> ZoneFile? = ZoneFile.named
  ) {
    self.bytes = bytes
    self.options = options
    self.photos = photos
    self.zone = zone
  }

  private static let used: Set = [
    "Creation Date", "Entry Text", "Starred", "Tags", "Time Zone", "UUID",
  ]

  /// The entry, or what stands where it should.
  mutating func next() throws -> ImportItem? {
    guard !isAtEnd else { return nil }
    isAtEnd = true
    do throws(FormatError) {
      return .entry(try entry(), ImportPlace(line: 1))
    } catch {
      return .problem(error.reason, error.place.line == nil ? ImportPlace(line: 1) : error.place)
    }
  }

  private func entry() throws(FormatError) -> ImportedEntry {
    if bytes.starts(with: "bplist".utf8) {
      throw FormatError("is a binary property list; plistutil -i FILE -o FILE.xml converts it")
    }
    if !options.isLossy { _ = try UTF8Text.decode(bytes, isLossy: false) }
    var reader = PropertyListReader(
      options.isLossy ? Array(String(decoding: bytes, as: UTF8.self).utf8) : bytes)
    guard case .dictionary(let fields) = try reader.read() else {
      throw FormatError("is a property list, but no entry")
    }
    guard case .date(let date)? = fields["Creation Date"] else {
      throw FormatError("has no Creation Date")
    }
    guard let created = Moment(date) else { throw FormatError("there is no date \(date.excerpt)") }
    let uuid = fields["UUID"]?.string
    var parts = DayOneParts(text: fields["Entry Text"]?.string?.trimmingBlankLines ?? "")
    if let photo = uuid.flatMap({ photos[$0.uppercased()] }) { parts.files = [photo] }
    let location = fields["Location"]
    parts.place = ["Place Name", "Locality"].lazy.compactMap { location?[$0]?.string }
      .first { !$0.isEmpty }
    if case .array(let tags)? = fields["Tags"] { parts.tags = tags.compactMap(\.string) }
    let moment = local(created, zone: fields["Time Zone"]?.string)
    var entry = ImportedEntry(
      uuid: uuid.flatMap(EntryUUID.canonical), created: moment, day: moment.localDay,
      text: try parts.joined(), tags: parts.tags, starred: fields["Starred"] == .bool(true))
    entry.unkept = fields.keys.sorted().filter { name in
      if Self.used.contains(name) || fields[name]?.saysNothing ?? true { return false }
      return !(name == "Location" && parts.isPlaceInText)
    }
    return entry
  }

  /// The photos among the files of a folder: `Journal.dayone/photos/UUID.jpg` as `photos/UUID.jpg`.
  static func photos(_ files: [String]) -> [String: String] {
    var photos: [String: String] = [:]
    for file in files {
      let parts = file.split(separator: "/")
      guard let name = parts.last, parts.dropLast().last == "photos" else { continue }
      photos[String(name.prefix { $0 != "." }).uppercased()] = "photos/\(name)"
    }
    return photos
  }

  private func local(_ moment: Moment, zone name: String?) -> Moment {
    var zones = DayOneZone(zone)
    if let name, let offset = zones.offset(of: name, at: moment.seconds) {
      return Moment(seconds: moment.seconds, offset: offset)
    }
    return options.clock.moment(at: moment.seconds)
  }
}
