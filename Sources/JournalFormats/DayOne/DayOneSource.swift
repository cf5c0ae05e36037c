import Journal

/// Reads the JSON of a Day One export.
///
/// An entry's offset and calendar day are those of its own time zone; if that is unknown, of the
/// offset in its date, else of the clock. Its text is cleaned of Day One's markup (``DayOneText``), and
/// attached files become links to their paths in the export: `![](photos/MD5.jpeg)`, at the end if
/// the text does not mention them. An entry without text begins with the name of its location; one
/// without text, location, files and tags is a problem (``DayOneParts``). Location, weather, activity
/// and music are fields (``DayOneFields``); the device and all others are dropped.
struct DayOneSource: EntrySource {
  private let records: JSONRecords
  private let clock: WallClock
  private var zones: DayOneZone

  /// Makes a source of a stream.
  ///
  /// - Parameter zone: returns a zone by its name.
  init(
    _ stream: ByteStream, options: ImportOptions,
    zone: @escaping (String) -> NamedZone? = NamedZone.init
  ) {
    records = JSONRecords(stream, options: JSONOptions(isLossy: options.isLossy))
    clock = options.clock
    zones = DayOneZone(zone)
  }

  private static let members: Set = [
    "uuid", "creationDate", "modifiedDate", "timeZone", "text", "starred", "tags", "location",
    "photos", "videos", "audios", "pdfAttachments", "weather", "userActivity", "music", "daybook",
  ]

  /// The text again with its markup, and values derived from other fields.
  private static let derived: Set = [
    "richText", "creationDateTimestamp", "modifiedDateTimestamp", "entryType", "isAllDay",
  ]

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    var zones = self.zones
    defer { self.zones = zones }
    return try records.nextItem(members: Self.members, derived: Self.derived) { value, _ in
      try DayOneSource.entry(value, &zones, clock)
    }
  }

  private static func entry(
    _ value: JSONValue, _ zones: inout DayOneZone, _ clock: WallClock
  ) throws(FormatError) -> ImportedEntry {
    guard let created = try moment("creationDate", of: value, &zones, clock) else {
      throw FormatError(entry: "has no creationDate")
    }
    let media = DayOneMedia(value)
    let written = try value.text("text")
    var entry = ImportedEntry(
      uuid: value["uuid"]?.string.flatMap(EntryUUID.canonical), created: created,
      modified: try moment("modifiedDate", of: value, &zones, clock), day: created.localDay,
      text: "", starred: value["starred"]?.bool ?? false)
    if let exact = DayOneExactText.read(value, written, media) {
      (entry.text, entry.files, entry.isExact) = (exact.text, exact.files, true)
    } else {
      try addParts(of: value, written, media, to: &entry)
    }
    let zoneNames = DayOneSource.zoneNames(value)
    if let name = zoneNames.first,
      zoneNames.allSatisfy({ zones.offset(of: $0, at: created.seconds) == nil })
    {
      entry.remarks = [
        "unknown time zone \"\(name.excerpt)\", so the offset of the date or the local zone is used"
      ]
    }
    return entry
  }

  /// Adds text, tags and fields.
  private static func addParts(
    of value: JSONValue, _ written: String, _ media: DayOneMedia, to entry: inout ImportedEntry
  ) throws(FormatError) {
    var used: Set<String> = []
    var missing: [String] = []
    let text = DayOneText.plain(written) { identifier in
      guard let path = media.path(of: identifier) else {
        missing.append(identifier)
        return nil
      }
      used.insert(path)
      return path
    }
    let location = value["location"]
    var parts = DayOneParts(text: text)
    parts.files = media.paths.filter { !used.contains($0) }
    parts.place = ["placeName", "localityName"].lazy.compactMap { location?[$0]?.string }
      .first { !$0.isEmpty }
    parts.tags = value.texts("tags")
    (entry.text, entry.tags) = (try parts.joined(), parts.tags)
    for identifier in missing {
      entry.miss(identifier, "file that the text names is not in the export")
    }
    entry.files = media.files.map { ImportedFile(path: $0.path, name: $0.name) }
    if entry.uuid == nil, written.utf8.contains(UInt8(ascii: "\\")) {
      // Earlier builds removed every backslash.
      parts.text = DayOneText.plain(written, keepsEscapes: false, link: media.path)
      entry.former = ImportedEntry.Former(text: try parts.joined(), time: entry.created)
    }
    let fields = DayOneFields(value, isPlaceInText: parts.isPlaceInText)
    (entry.fields, entry.unkept) = (fields.fields, fields.unkept)
  }

  private static func zoneNames(_ value: JSONValue) -> [String] {
    [value["timeZone"], value["location"]?["timeZoneName"]].compactMap { $0?.string }
      .filter { !$0.isEmpty }
  }

  /// A moment with the offset of the entry's zone.
  private static func moment(
    _ name: String, of value: JSONValue, _ zones: inout DayOneZone, _ clock: WallClock
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
    // UTC alone says nothing of where the entry was written.
    return DateText.isUniversal(Array(date.utf8)[...]) ? clock.moment(at: moment.seconds) : moment
  }
}

/// The parts of a Day One entry's text.
struct DayOneParts {
  /// The written text.
  var text: String
  /// The paths of attached files that the text does not mention.
  var files: [String] = []
  /// The name of the location.
  var place: String?
  var tags: [String] = []

  init(text: String) { self.text = text }

  private var isBlank: Bool { text.utf8.allSatisfy(ASCII.isSpace) }

  /// Whether the text contains the name of the location because it would be empty otherwise.
  var isPlaceInText: Bool { isBlank && place != nil }

  /// The text, and links to the files that it does not mention; the name of the location replaces
  /// an empty text, and tags alone make an entry, too.
  ///
  /// - Throws: ``FormatError`` when all parts are empty: a text is never made up.
  func joined() throws(FormatError) -> String {
    if !isBlank {
      return ([text] + files.map { "![](\($0))" }).joined(separator: "\n\n")
    }
    let lines = [place].compactMap(\.self) + files.map { "![\(DayOneParts.kind($0))](\($0))" }
    guard !lines.isEmpty || !tags.isEmpty else {
      throw FormatError(entry: "has no text, photo, place or tag")
    }
    return lines.joined(separator: "\n\n")
  }

  /// The kind of a file in words: `photo`.
  private static func kind(_ path: String) -> String {
    let kinds = ["photos": "photo", "videos": "video", "audios": "recording", "pdfs": "PDF"]
    return kinds[String(path.prefix { $0 != "/" })] ?? "file"
  }
}

/// The zones of Day One's entries, by name.
struct DayOneZone {
  private let find: (String) -> NamedZone?
  private var known: [String: NamedZone?] = [:]

  /// Makes zones of what finds a zone of the database.
  init(_ find: @escaping (String) -> NamedZone?) {
    self.find = find
  }

  /// The offset of a zone at an instant, in seconds east of Greenwich; `nil` for an unknown name.
  mutating func offset(of name: String, at seconds: Int64) -> Int? {
    if let zone = zone(name) { return zone.offset(at: seconds) }
    return DayOneZone.offset(of: name)
  }

  private mutating func zone(_ name: String) -> NamedZone? {
    if let zone = known[name] { return zone }
    let zone = find(name)
    // A file could have a new zone name per entry; there are about 600 zones.
    if known.count > 2000 { known = [:] }
    known[name] = zone
    return zone
  }

  /// `GMT+0100`, Apple's name for a zone with a fixed offset.
  static func name(ofOffset offset: Int) -> String {
    guard offset != 0 else { return "GMT" }
    var buffer = Array("GMT\(offset < 0 ? "-" : "+")".utf8)
    ASCII.append(abs(offset) / 3600, width: 2, to: &buffer)
    ASCII.append(abs(offset) / 60 % 60, width: 2, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// The offset in such a name.
  static func offset(of name: String) -> Int? {
    guard name.hasPrefix("GMT") || name.hasPrefix("UTC") else { return nil }
    let digits = name.dropFirst(3)
    if digits.isEmpty { return 0 }
    // With a date before it, it parses as any other offset.
    guard case .date(_, _, let offset?) = DateText.read("2000-01-01 00:00\(digits)") else {
      return nil
    }
    return offset
  }
}

/// Day One's Markdown: a backslash before punctuation, zero-width spaces around emphasis, U+2028
/// for line breaks inside a paragraph, a fence around every line of code, and identifiers for
/// attached files.
enum DayOneText {
  /// The text as typed.
  ///
  /// - Parameters:
  ///   - keepsEscapes: whether backslashes stay where they mean something; earlier builds removed all.
  ///   - link: the path of the file with an identifier in upper case.
  /// - Complexity: linear in the bytes.
  static func plain(
    _ text: String, keepsEscapes: Bool = true, link: (String) -> String? = { _ in nil }
  ) -> String {
    let bytes = DayOneLinks.resolve(withLineFeeds(Array(text.utf8)), link)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var fences = CodeFences()
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
    var wasCode = false
    var isFirst = true
    while let line = lines.popFirst() {
      let isCode = fences.holds(line)
      if wasCode, isCode, !fences.isOpen, let next = lines.first, isBareFence(line, next) {
        // One block in many fences: the end of one and the start of the next are removed.
        _ = fences.holds(lines.removeFirst())
        continue
      }
      if !isFirst { result.append(0x0A) }
      isFirst = false
      if isCode {
        result.append(contentsOf: line)
      } else {
        append(line, to: &result, keepsEscapes: keepsEscapes)
      }
      wasCode = isCode
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// A text in Day One's form: a backslash of its own before a sign is one there, too.
  static func escaped(_ text: String) -> String {
    var result: [UInt8] = []
    var fences = CodeFences()
    var isFirst = true
    for line in Array(text.utf8).split(separator: 0x0A, omittingEmptySubsequences: false) {
      if !isFirst { result.append(0x0A) }
      isFirst = false
      if fences.holds(line) {
        result.append(contentsOf: line)
        continue
      }
      let escapes = DayOneEscapes(line)
      var index = line.startIndex
      while index < line.endIndex {
        let isEscape =
          line[index] == UInt8(ascii: "\\") && index + 1 < line.endIndex
          && ASCII.isPunctuation(line[index + 1])
        guard isEscape else {
          result.append(line[index])
          index += 1
          continue
        }
        // One that an import would remove is written as a backslash and an escaped sign.
        let isKept = escapes.isNeeded(at: index + 1)
        result.append(contentsOf: isKept ? [] : [line[index], line[index]])
        result.append(contentsOf: line[index...(index + 1)])
        index += 2
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether a line that ends code and the next line are the same fence without further text.
  private static func isBareFence(_ line: ArraySlice<UInt8>, _ next: ArraySlice<UInt8>) -> Bool {
    let fence = Array("```".utf8)
    return line.elementsEqual(fence) && next.elementsEqual(fence)
  }

  /// A copy with U+2028 replaced by line feeds.
  private static func withLineFeeds(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(0xE2) else { return bytes }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let isSeparator = bytes[index...].prefix(3).elementsEqual([0xE2, 0x80, 0xA8])
      result.append(isSeparator ? 0x0A : bytes[index])
      index += isSeparator ? 3 : 1
    }
    return result
  }

  /// Appends a line of prose without the backslashes that say nothing (``DayOneEscapes``) and the
  /// zero-width spaces beside emphasis.
  private static func append(
    _ line: ArraySlice<UInt8>, to result: inout [UInt8], keepsEscapes: Bool
  ) {
    let escapes = keepsEscapes ? DayOneEscapes(line) : nil
    var index = line.startIndex
    while index < line.endIndex {
      let byte = line[index]
      if byte == UInt8(ascii: "\\"), index + 1 < line.endIndex,
        ASCII.isPunctuation(line[index + 1])
      {
        if let escapes, escapes.isNeeded(at: index + 1) { result.append(byte) }
        result.append(line[index + 1])
        index += 2
      } else if byte == 0xE2, line[index...].prefix(3).elementsEqual([0xE2, 0x80, 0x8B]),
        isEmphasis(result.last) || isEmphasis(line[(index + 3)...].first)
      {
        index += 3
      } else {
        result.append(byte)
        index += 1
      }
    }
  }

  private static func isEmphasis(_ byte: UInt8?) -> Bool {
    byte.map { "*_~=`".utf8.contains($0) } ?? false
  }
}

/// References to attached files in a text: `dayone-moment://ID`, `dayone-moment:/video/ID`,
/// `dayone-photo://ID`, usually as the target of an image.
enum DayOneLinks {
  /// Replaces known references by paths; those outside a link become links.
  ///
  /// - Complexity: linear in the bytes.
  static func resolve(_ bytes: [UInt8], _ link: (String) -> String?) -> [UInt8] {
    var result: [UInt8] = []
    var copied = 0
    var index = 0
    let opening = Array("dayone-".utf8)
    while let start = bytes[index...].firstIndex(of: opening[0]) {
      index = start + 1
      guard bytes[start...].starts(with: opening), let name = name(bytes[start...]),
        let path = link(name.identifier)
      else { continue }
      let isTarget = ["](", "](<"].contains {
        bytes[..<start].suffix($0.utf8.count).elementsEqual($0.utf8)
      }
      result.append(contentsOf: bytes[copied..<start])
      result.append(contentsOf: (isTarget ? path : "![](\(path))").utf8)
      copied = name.end
      index = name.end
    }
    guard copied > 0 else { return bytes }
    result.append(contentsOf: bytes[copied...])
    return result
  }

  /// The identifier of a reference, in upper case, and its end.
  private static func name(_ rest: ArraySlice<UInt8>) -> (identifier: String, end: Int)? {
    // No scheme is longer.
    guard let colon = rest.prefix(24).firstIndex(of: UInt8(ascii: ":")),
      rest[rest.startIndex..<colon].allSatisfy({ ASCII.isLetter($0) || $0 == UInt8(ascii: "-") })
    else { return nil }
    let path = rest[(colon + 1)...].prefix(200).prefix { byte in
      ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: "/")
    }
    guard path.first == UInt8(ascii: "/"), let last = path.split(separator: 0x2F).last,
      last.endIndex == path.endIndex
    else { return nil }
    return (String(decoding: last, as: UTF8.self).uppercased(), path.endIndex)
  }
}
