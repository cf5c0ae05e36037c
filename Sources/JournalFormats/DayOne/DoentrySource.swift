import Journal

/// Reads an entry of Day One Classic, a property list in a file of its own, `entries/UUID.doentry`.
///
/// The offset and the day are those of the entry's time zone, else of the computer's, as in jrnl.
/// The text is Markdown as typed. The photo of an entry is `photos/UUID.jpg`, and becomes a link if
/// the directory has it. Location, weather and the like are fields (``DayOneFields``); the creator and
/// all others are dropped.
struct DoentrySource: EntrySource {
  private let bytes: [UInt8]
  private let options: ImportOptions
  private let photos: [String: String]
  private let zone: (String) -> NamedZone?
  private var isAtEnd = false

  /// Makes a source of a file's bytes.
  ///
  /// - Parameters:
  ///   - photos: the paths of the directory's photos, by their names in upper case without
  ///     extensions.
  ///   - zone: returns a zone by its name.
  init(
    _ bytes: [UInt8], options: ImportOptions, photos: [String: String] = [:],
    zone: @escaping (String) -> NamedZone? = NamedZone.init
  ) {
    self.bytes = bytes
    self.options = options
    self.photos = photos
    self.zone = zone
  }

  private static let used: Set = [
    "Creation Date", "Entry Text", "Starred", "Tags", "Time Zone", "UUID",
  ]

  /// The entry or its problem.
  mutating func next() throws -> ImportItem? {
    guard !isAtEnd else { return nil }
    isAtEnd = true
    do throws(FormatError) {
      return .entry(try entry(), ImportPlace(line: 1))
    } catch {
      return .problem(error, error.place.line == nil ? ImportPlace(line: 1) : error.place)
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
      throw FormatError("is a property list, but not an entry")
    }
    guard case .date(let date)? = fields["Creation Date"] else {
      throw FormatError(entry: "has no Creation Date")
    }
    guard let created = Moment(date) else { throw FormatError("there is no date \(date.excerpt)") }
    let uuid = fields["UUID"]?.string
    var parts = DayOneParts(text: fields["Entry Text"]?.string?.trimmingBlankLines ?? "")
    if let photo = uuid.flatMap({ photos[$0.uppercased()] }) { parts.files = [photo] }
    let location = fields["Location"]
    parts.place = ["Place Name", "Locality"].lazy.compactMap { location?[$0]?.string }
      .first { !$0.isEmpty }
    if case .array(let tags)? = fields["Tags"] {
      // jrnl writes its tags without their signs, and the text has them.
      let words = JrnlTagWords(parts.text)
      parts.tags = tags.compactMap(\.string).filter { !words.has("@\($0)") }
    }
    let moment = local(created, zone: fields["Time Zone"]?.string)
    var entry = ImportedEntry(
      uuid: uuid.flatMap(EntryUUID.canonical), created: moment, day: moment.localDay,
      text: try parts.joined(), tags: parts.tags, starred: fields["Starred"] == .bool(true))
    let made = DayOneFields(fields, isPlaceInText: parts.isPlaceInText)
    entry.fields = made.fields
    let missing = made.missing(of: fields, isPlaceInText: parts.isPlaceInText)
    entry.unkept = fields.keys.sorted().filter { name in
      if Self.used.contains(name) || fields[name]?.saysNothing ?? true { return false }
      return !DayOneFields.classicKeys.contains(name) || missing.contains(name)
    }
    entry.unkept += DayOneFields.unread(of: fields).filter { name in
      !missing.contains { name.hasPrefix("\($0) ") }
    }
    return entry
  }

  /// The photos among the files of a directory: `Journal.dayone/photos/UUID.jpg` as
  /// `photos/UUID.jpg`.
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

/// A value of an XML property list, as Apple's programs write them.
enum PropertyList: Hashable {
  /// A string.
  case string(String)
  /// A date, spelled as in the file: `2013-07-17T18:38:08Z`.
  case date(String)
  /// `<true/>` or `<false/>`.
  case bool(Bool)
  /// An integer or real number, spelled as in the file.
  case number(String)
  /// Bytes, which are not used here.
  case data
  /// A list.
  case array([PropertyList])
  /// Values by their keys.
  case dictionary([String: PropertyList])

  /// The text of a string.
  var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The value of a key.
  subscript(key: String) -> PropertyList? {
    if case .dictionary(let values) = self { values[key] } else { nil }
  }

  /// Whether the value is empty, so that dropping it loses no data.
  var saysNothing: Bool {
    switch self {
    case .string(let text): text.utf8.allSatisfy(ASCII.isSpace)
    case .bool(let value): !value
    case .number(let text): Double(text) == 0
    case .array(let values): values.allSatisfy(\.saysNothing)
    case .dictionary(let values): values.values.allSatisfy(\.saysNothing)
    case .date, .data: false
    }
  }
}

/// Reads an XML property list.
///
/// It supports the usual contents: elements whose attributes are ignored, the five entities of XML
/// and numeric references, CDATA, comments, and a document type that is skipped. Entities defined
/// by a document are rejected, so that the input cannot grow.
struct PropertyListReader {
  /// The maximum nesting depth.
  static let depthLimit = 64

  private let bytes: [UInt8]
  private var index = 0

  /// Makes a reader of a file's bytes, which must be UTF-8.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether a file begins as a property list in XML does.
  static func begins(_ head: ArraySlice<UInt8>) -> Bool {
    let head = head.drop(while: ASCII.isSpace)
    if head.starts(with: "<plist".utf8) || head.starts(with: "<!DOCTYPE plist".utf8) { return true }
    guard head.starts(with: "<?xml".utf8) else { return false }
    return String(decoding: head.prefix(1024), as: UTF8.self).contains("plist")
  }

  /// Reads the file.
  ///
  /// - Throws: ``FormatError`` with the line of the error.
  /// - Complexity: linear in the bytes.
  mutating func read() throws(FormatError) -> PropertyList {
    var name = try element()
    if name == "plist" { name = try element() }
    return try value(name, depth: 0)
  }

  private func broken(_ reason: String) -> FormatError {
    let line = 1 + bytes.prefix(index).count { $0 == 0x0A }
    return FormatError("is a broken property list: \(reason)", at: ImportPlace(line: line))
  }

  private var rest: ArraySlice<UInt8> { bytes[min(index, bytes.count)...] }

  /// Skips past the next occurrence of some bytes.
  private mutating func skip(past end: StaticString) throws(FormatError) {
    let wanted = end.withUTF8Buffer { Array($0) }
    while index < bytes.count {
      guard let next = rest.firstIndex(of: wanted[0]) else { break }
      index = next
      if rest.starts(with: wanted) {
        index += wanted.count
        return
      }
      index += 1
    }
    throw broken("\(end) is missing")
  }

  /// Reads the next tag, `<name>`, and returns its name, with `/` after it for an empty element and
  /// before it for an end tag.
  private mutating func element() throws(FormatError) -> String {
    while true {
      index += rest.prefix(while: ASCII.isSpace).count
      guard rest.first == UInt8(ascii: "<") else {
        throw broken(
          rest.isEmpty ? "unexpected end of the file" : "expected an element, found text")
      }
      if rest.starts(with: "<!--".utf8) {
        try skip(past: "-->")
      } else if rest.starts(with: "<?".utf8) {
        try skip(past: "?>")
      } else if rest.starts(with: "<!DOCTYPE".utf8) {
        let isOpen = rest.prefix { $0 != UInt8(ascii: ">") }.contains(UInt8(ascii: "["))
        guard !isOpen else { throw broken("it defines its own entities") }
        try skip(past: ">")
      } else {
        break
      }
    }
    let start = index + 1
    guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { throw broken("> is missing") }
    index = end + 1
    let tag = bytes[start..<end]
    let isEmpty = tag.last == UInt8(ascii: "/")
    let name = tag.prefix { !ASCII.isSpace($0) }
    let text = String(decoding: name, as: UTF8.self)
    return isEmpty && !text.hasSuffix("/") ? text + "/" : text
  }

  private mutating func value(_ name: String, depth: Int) throws(FormatError) -> PropertyList {
    guard depth < PropertyListReader.depthLimit else { throw broken("it is nested too deeply") }
    switch name {
    case "string/": return .string("")
    case "string": return .string(try text(of: "string"))
    case "date": return .date(try text(of: "date"))
    case "integer", "real": return .number(try text(of: name))
    case "true/", "false/": return .bool(name == "true/")
    case "true", "false":
      _ = try text(of: name)
      return .bool(name == "true")
    case "data/": return .data
    case "data":
      _ = try text(of: "data")
      return .data
    case "array/": return .array([])
    case "dict/": return .dictionary([:])
    case "array":
      var values: [PropertyList] = []
      while true {
        let name = try element()
        if name == "/array" { return .array(values) }
        values.append(try value(name, depth: depth + 1))
      }
    case "dict":
      var values: [String: PropertyList] = [:]
      while true {
        let name = try element()
        if name == "/dict" { return .dictionary(values) }
        guard name == "key" || name == "key/" else {
          throw broken("expected <key>, found <\(name)>")
        }
        let key = name == "key" ? try text(of: "key") : ""
        values[key] = try value(try element(), depth: depth + 1)
      }
    default: throw broken("<\(name.prefix(40))> is not a value")
    }
  }

  /// The text up to the end tag of an element, with its entities resolved.
  private mutating func text(of name: String) throws(FormatError) -> String {
    var text: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "&"): try appendEntity(to: &text)
      case UInt8(ascii: "<") where rest.starts(with: "<![CDATA[".utf8):
        let start = index + 9
        try skip(past: "]]>")
        text.append(contentsOf: bytes[start..<(index - 3)])
      case UInt8(ascii: "<") where rest.starts(with: "<!--".utf8): try skip(past: "-->")
      case UInt8(ascii: "<"):
        let end = try element()
        guard end == "/\(name)" else { throw broken("expected </\(name)>, found <\(end)>") }
        guard let decoded = String(validating: text, as: UTF8.self) else {
          throw broken("invalid UTF-8")
        }
        return decoded
      case 0x0D:
        // XML normalises every line end to a line feed.
        text.append(0x0A)
        if index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
        index += 1
      default:
        text.append(byte)
        index += 1
      }
    }
    throw broken("</\(name)> is missing")
  }

  private mutating func appendEntity(to text: inout [UInt8]) throws(FormatError) {
    let name = rest.dropFirst().prefix(12).prefix { $0 != UInt8(ascii: ";") }
    guard name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: ";") else {
      throw broken("& without an entity")
    }
    index = name.endIndex + 1
    switch String(decoding: name, as: UTF8.self) {
    case "amp": text.append(UInt8(ascii: "&"))
    case "lt": text.append(UInt8(ascii: "<"))
    case "gt": text.append(UInt8(ascii: ">"))
    case "quot": text.append(UInt8(ascii: "\""))
    case "apos": text.append(UInt8(ascii: "'"))
    case let number where number.hasPrefix("#"):
      let isHexadecimal = number.hasPrefix("#x") || number.hasPrefix("#X")
      let digits = number.dropFirst(isHexadecimal ? 2 : 1)
      guard let value = UInt32(digits, radix: isHexadecimal ? 16 : 10),
        let scalar = Unicode.Scalar(value), value > 0
      else { throw broken("&\(number); is not a character") }
      text.append(contentsOf: String(Character(scalar)).utf8)
    case let other: throw broken("&\(other); is not an XML entity")
    }
  }
}
