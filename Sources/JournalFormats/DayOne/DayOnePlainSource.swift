import Journal

/// Reads the plain text that Day One exports: `Date:` between two tabs begins an entry, other
/// fields follow on lines of their own, then the text after a blank line.
///
/// ```
/// 	Date:	July 17, 2013 at 11:38:08 AM PDT
/// 	Weather:	18°C Clear
///
/// Walked to the lake.
/// ```
///
/// Names and dates are in the language of the device: English, German, French, Spanish and others
/// (``DateVocabulary``). The abbreviation of a zone at the end of a date is an offset if it is unique;
/// without it the clock's zone applies. `Tags` are kept, a `Photo` becomes a link, place and weather
/// become fields.
struct DayOnePlainSource: EntrySource {
  private let pieces: TextPieces
  private var lines = TextLines([])
  private let options: ImportOptions
  private var heading: TextLines.Line?

  /// Makes a source of a text with line feeds, which is read in pieces.
  init(_ text: ByteStream, options: ImportOptions) {
    pieces = TextPieces(text)
    self.options = options
  }

  /// Makes a source of a file's bytes.
  init(_ bytes: [UInt8], options: ImportOptions) {
    self.init(ByteStream(LineEnds.unified(bytes)), options: options)
  }

  /// Whether a file begins in this format.
  static func begins(_ head: ArraySlice<UInt8>) -> Bool {
    let text = head.drop { ASCII.isSpace($0) && $0 != 0x09 }
    return date(text.prefix { $0 != 0x0A && $0 != 0x0D }) != nil
  }

  /// The date in a line that begins an entry; `nil` for any other line.
  private static func date(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard line.first == 0x09, let colon = line.prefix(20).firstIndex(of: UInt8(ascii: ":")),
      line[(colon + 1)...].first == 0x09
    else { return nil }
    let word = String(decoding: line[(line.startIndex + 1)..<colon], as: UTF8.self)
    return dateNames.contains(Record.name(word)) ? line[(colon + 1)...] : nil
  }

  private static let dateNames: Set = ["date", "datum", "fecha", "data", "dato"]

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    while heading == nil, let piece = try pieces.next(where: { Self.date($0) != nil }) {
      lines = TextLines(piece.bytes, from: piece.line)
      if let stray = takeContent().first(where: { !lines.isBlank($0) }) {
        return .problem(
          "text before the first entry; an entry begins with Date: between two tabs",
          ImportPlace(line: stray.number))
      }
    }
    guard let heading else { return nil }
    var content = takeContent()[...]
    let place = ImportPlace(line: heading.number)
    do throws(FormatError) {
      var entry = Record(Self.date(lines.bytes[heading.range]) ?? [])
      while let line = content.first, let field = Record.field(lines.bytes[line.range]) {
        entry.take(field)
        content.removeFirst()
      }
      while let last = content.last, lines.isBlank(last) { content.removeLast() }
      content = content.drop(while: lines.isBlank)
      let text = Array(content.map { lines.bytes[$0.range] }.joined(separator: [0x0A]))
      let plain = try UTF8Text.decode(text, isLossy: options.isLossy, at: place)
      return .entry(try entry.imported(plain, options.clock), place)
    } catch {
      return .problem(error, place)
    }
  }

  /// Reads the lines up to the next entry.
  private mutating func takeContent() -> [TextLines.Line] {
    heading = nil
    var content: [TextLines.Line] = []
    while let line = lines.next() {
      if Self.date(lines.bytes[line.range]) != nil {
        heading = line
        break
      }
      content.append(line)
    }
    return content
  }

  /// The fields before a text.
  private struct Record {
    private let date: String
    private var parts = DayOneParts(text: "")
    private var isStarred = false
    private var fields: [ImportedField] = []
    private var unkept: [String] = []

    /// A name without case, accents and spaces, also those that French has before a colon.
    static func name(_ word: String) -> String {
      Folding.fold(word).filter { $0.isLetter }
    }

    init(_ date: ArraySlice<UInt8>) {
      self.date = String(decoding: ASCII.trimmed(date), as: UTF8.self)
    }

    /// The name and value in a line of a tab, a name, a colon and a tab.
    static func field(_ line: ArraySlice<UInt8>) -> (name: String, value: String)? {
      guard line.first == 0x09, let colon = line.prefix(40).firstIndex(of: UInt8(ascii: ":")),
        line[(colon + 1)...].first.map(ASCII.isSpace) ?? true
      else { return nil }
      return (
        String(decoding: ASCII.trimmed(line[..<colon]), as: UTF8.self),
        String(decoding: ASCII.trimmed(line[(colon + 1)...]), as: UTF8.self)
      )
    }

    mutating func take(_ field: (name: String, value: String)) {
      guard !field.value.isEmpty else { return }
      switch Self.name(field.name) {
      case "tags", "schlagworter", "stichworter", "etiquetas", "etiquettes", "motscles", "tag":
        parts.tags += field.value.split(separator: ",").map {
          String(decoding: ASCII.trimmed(Array($0.utf8)[...]), as: UTF8.self)
        }
      case "photo", "photos", "foto", "fotos":
        parts.files.append("photos/\(field.value)")
      case "starred", "favorit", "favori", "favorito":
        isStarred = ["yes", "true", "1", "ja", "oui", "si"].contains(Folding.fold(field.value))
      case "location", "ort", "standort", "lieu", "localisation", "emplacement", "ubicacion",
        "lugar":
        parts.place = field.value
      case "weather", "wetter", "meteo", "tiempo", "clima":
        fields.append(ImportedField(name: "weather", value: field.value))
      default: unkept.append(field.name)
      }
    }

    func imported(_ text: String, _ clock: WallClock) throws(FormatError) -> ImportedEntry {
      let (time, offset, zone) = try DayOnePlainSource.time(date)
      var parts = self.parts
      parts.text = text
      var entry = ImportedEntry(
        created: time.moment(offset: offset, clock), day: time.day, text: try parts.joined(),
        tags: parts.tags, starred: isStarred)
      if offset == nil { entry.wallTime = time.moment(offset: 0) }
      if let place = parts.place, !parts.isPlaceInText {
        entry.fields = [ImportedField(name: "place", value: place)]
      }
      entry.fields += fields
      entry.unkept = unkept
      if let zone {
        entry.remarks = ["time zone \"\(zone)\" is unknown, so the computer's is used"]
      }
      return entry
    }
  }

  /// The date and time, and the offset of its zone, or else the zone's name.
  private static func time(
    _ date: String
  ) throws(FormatError) -> (WallTime, offset: Int?, unknownZone: String?) {
    guard !date.isEmpty else { throw FormatError(entry: "has no date") }
    switch DateText.read(date) {
    case .date(let time, _, let offset): return (time, offset, nil)
    case .ambiguous:
      throw FormatError("the date \(date.excerpt) is ambiguous; write it as 2024-01-05")
    case .impossible, .other: break
    }
    // A zone ends it, after a space.
    guard let space = date.lastIndex(of: " ") else {
      throw FormatError("there is no date \(date.excerpt)")
    }
    let zone = String(date[date.index(after: space)...])
    guard case .date(let time, true, _) = DateText.read(String(date[..<space])),
      zone.utf8.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || "+-:/_".utf8.contains($0) })
    else { throw FormatError("there is no date \(date.excerpt)") }
    let offset = hours[zone].map { Int($0 * 3600) } ?? DayOneZone.offset(of: zone)
    return (time, offset, offset == nil ? zone : nil)
  }

  /// Abbreviations as Apple's systems print them, in hours east of Greenwich.
  private static let hours: [String: Double] = [
    "UTC": 0, "GMT": 0, "WET": 0, "WEST": 1, "CET": 1, "CEST": 2, "MEZ": 1, "MESZ": 2, "EET": 2,
    "EEST": 3, "MSK": 3, "NST": -3.5, "NDT": -2.5, "AST": -4, "ADT": -3, "EST": -5, "EDT": -4,
    "CST": -6,
    "CDT": -5, "BST": 1, "IST": 5.5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "AKST": -9,
    "AKDT": -8, "HST": -10, "JST": 9,
    "KST": 9, "ACST": 9.5, "ACDT": 10.5, "AEST": 10, "AEDT": 11, "AWST": 8, "NZST": 12,
    "NZDT": 13,
  ]
}
