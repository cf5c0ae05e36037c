import Journal

/// Reads what `jrnl --format json` writes: local dates and times, the title apart from the body.
///
/// Times are those of the clock given; an entry's day is the one named. Tags stand in jrnl's text with
/// their signs, so only those that somebody took out of it are added.
struct JrnlJSONSource: EntrySource {
  private let records: JSONRecords
  private let clock: WallClock

  /// Makes a source of a stream.
  init(_ stream: ByteStream, options: ImportOptions) {
    records = JSONRecords(stream, options: JSONOptions(isLossy: options.isLossy))
    clock = options.clock
  }

  private static let members: Set = ["title", "body", "date", "time", "tags", "starred", "uuid"]

  /// The next entry, or what stands where one should.
  mutating func next() throws -> ImportItem? {
    try records.nextItem(members: Self.members) { value, _ in try entry(value) }
  }

  private func entry(_ value: JSONValue) throws(FormatError) -> ImportedEntry {
    let date = try "\(value.text("date")) \(value.text("time"))"
    let time = try JrnlJSONSource.time(date)
    let body = try value.text("body")
    let title = try value.text("title")
    let text = body.isEmpty ? title : title.isEmpty ? body : "\(title)\n\(body)"
    let uuid = value["uuid"]?.string.flatMap(EntryUUID.canonical)
    var entry = ImportedEntry(
      uuid: uuid, created: time.moment(clock), wallTime: time.moment(offset: 0), day: time.day,
      text: text, tags: JrnlJSONSource.tags(value.texts("tags"), missingIn: text),
      starred: value["starred"]?.bool ?? false)
    entry.tagStyle = .jrnl
    return entry
  }

  private static func time(_ text: String) throws(FormatError) -> WallTime {
    switch DateText.read(text) {
    case .date(let time, _, _): return time
    case .ambiguous:
      throw FormatError("the date \(text.excerpt) may be two days; write it as 2024-01-05")
    default:
      let date = text.split(separator: " ").joined(separator: " ")
      throw FormatError(date.isEmpty ? "has no date" : "there is no date \(date.excerpt)")
    }
  }

  /// Tags without jrnl's sign, `@` excepted.
  private static func tags(_ tags: [String], missingIn text: String) -> [String] {
    guard !tags.isEmpty else { return [] }
    let words = JrnlTagWords(text)
    return tags.filter { !words.has($0) }.map { tag in
      let sign = tag.unicodeScalars.first
      let isSign = sign.map { $0 != "@" && !$0.properties.isAlphabetic } ?? false
      return isSign ? String(tag.unicodeScalars.dropFirst()) : tag
    }
  }
}
