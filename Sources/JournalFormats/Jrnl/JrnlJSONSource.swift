import Journal

/// Reads the output of `jrnl --format json`: local dates and times, title and body in separate
/// fields.
///
/// Times are on the given clock; an entry's day is the one in the file. jrnl's text contains the
/// tags with their signs, so only tags missing there are added.
struct JrnlJSONSource: EntrySource {
  private let records: JSONRecords
  private let clock: WallClock

  init(_ stream: ByteStream, options: ImportOptions) {
    records = JSONRecords(stream, options: JSONOptions(isLossy: options.isLossy))
    clock = options.clock
  }

  private static let members: Set = ["title", "body", "date", "time", "tags", "starred", "uuid"]

  /// The next entry or problem.
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
      throw FormatError("the date \(text.excerpt) is ambiguous; write it as 2024-01-05")
    default:
      let date = text.split(separator: " ").joined(separator: " ")
      throw FormatError.noDate(date)
    }
  }

  /// Tags without jrnl's sign, except `@`.
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

/// Reads a directory journal of jrnl, `YYYY/MM/DD.txt`: the path gives the day, regardless of the
/// file's contents; other text files are skipped, as in jrnl.
struct JrnlDirectorySource: EntrySource {
  private var source: TextFileSource
  private var strangers: ArraySlice<String>

  /// Makes a source of a directory; `nil` if its files are not days of jrnl.
  init?(_ input: ImportInput, options: ImportOptions) {
    guard case .directory(let directory) = input else { return nil }
    var days: [String: Day] = [:]
    for file in directory.files {
      if let day = JrnlDirectorySource.day(file) { days[file] = day }
    }
    guard let first = directory.files.first(where: { days[$0] != nil }),
      let bytes = try? directory.open(first).rest(),
      JrnlTextSource.recognises(bytes, day: days[first])
    else { return nil }
    let notes = directory.files.filter { file in
      [".md", ".markdown", ".txt"].contains(where: file.lowercased().hasSuffix)
    }
    // A directory that also has notes is a mixed collection, and all of it is read.
    guard !notes.contains(where: { !$0.lowercased().hasSuffix(".txt") }) else { return nil }
    strangers = notes.filter { days[$0] == nil }[...]
    source = TextFileSource(
      .directory(Days(directory: directory, files: directory.files.filter { days[$0] != nil })),
      options,
      endings: [".txt"]
    ) { bytes, path in JrnlTextSource(bytes, options: options, day: days[path]) }
  }

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    if let item = try source.next() { return item }
    return strangers.popFirst().map {
      .passedBy("not read: jrnl reads only YYYY/MM/DD.txt", ImportPlace(file: $0))
    }
  }

  /// The days of a directory.
  private struct Days: ImportDirectory {
    let directory: any ImportDirectory
    let files: [String]

    func open(_ file: String) throws -> ByteStream { try directory.open(file) }
  }

  /// The day of `2020/08/31.txt`, at the end of any path.
  static func day(_ path: String) -> Day? {
    let parts = path.split(separator: "/").suffix(3).map { Array($0.utf8) }
    guard parts.count == 3, parts[2].count == 6, parts[2].suffix(4).elementsEqual(".txt".utf8),
      let year = number(parts[0], digits: 4), let month = number(parts[1], digits: 2),
      let day = number(Array(parts[2].prefix(2)), digits: 2)
    else { return nil }
    return Day(year: year, month: month, day: day)
  }

  private static func number(_ bytes: [UInt8], digits: Int) -> Int? {
    guard bytes.count == digits, bytes.allSatisfy(ASCII.isDigit) else { return nil }
    return Int(String(decoding: bytes, as: UTF8.self))
  }
}
