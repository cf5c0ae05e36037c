import Journal

/// The JSON export of Diarium.
enum DiariumFormat: ReadableFormat {
  static let name = "diarium"
  static let guide = DiariumSource.guide

  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    DiariumSource.recognises(head, path: path)
  }

  static func recognises(files: [String]) -> Bool { DiariumSource.recognises(files: files) }

  static func source(_ input: ImportInput, options: ImportOptions) -> any EntrySource {
    switch input {
    case .file(let stream): DiariumSource(stream, options: options)
    case .directory(let directory): DiariumSource(directory, options: options)
    }
  }
}

/// Reads the JSON export of Diarium, alone or in its zip with media.
///
/// Times are local without a zone. The heading is the first line, texts are HTML, people are tags
/// with `@`; rating, place, weather and trackers become fields.
struct DiariumSource: EntrySource {
  private let directory: (any ImportDirectory)?
  private let file: String?
  private let media: DiariumMedia
  private let options: ImportOptions
  private var records: JSONRecords?

  /// Makes a source of the JSON.
  init(_ stream: ByteStream, options: ImportOptions) {
    self.options = options
    (directory, file, media) = (nil, nil, DiariumMedia([]))
    records = JSONRecords(stream, options: JSONOptions(isLossy: options.isLossy))
  }

  /// Makes a source of a directory or an archive with the JSON and the directory `media`.
  init(_ directory: any ImportDirectory, options: ImportOptions) {
    self.options = options
    self.directory = directory
    media = DiariumMedia(directory.files)
    file = directory.files.first(where: Self.isJSON)
  }

  private static func isJSON(_ path: String) -> Bool {
    path.lowercased().hasSuffix(".json") && !"/\(path)".contains("/media/")
  }

  /// Whether a file is an export: a list of objects with a date and a text in HTML.
  static func recognises(_ head: [UInt8], path: String?) -> Bool {
    guard let names = JSONHead(head), names.isList else { return false }
    return names.record.isSuperset(of: ["date", "html"])
  }

  /// Whether a directory or an archive is an export: one JSON file, and at most media beside it.
  ///
  /// Without media the name of the file must be the program's.
  static func recognises(files: [String]) -> Bool {
    let others = files.filter { DiariumMedia.key($0) == nil }
    guard others.count == 1, let only = others.first, isJSON(only) else { return false }
    return files.count > 1 || only.lowercased().contains("diarium")
  }

  static let guide = ImportGuide(
    files: "the JSON file, or the zip with it and the directory media",
    ways: ["Diarium: Settings, Export, JSON (with all dates in one file)"])

  private static let members: Set = [
    "date", "heading", "html", "text", "rating", "tags", "people", "location", "weather", "tracker",
    "trackers", "starred", "favorite",
  ]

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    if records == nil {
      guard let directory, let file else { throw FormatError("contains no JSON of Diarium") }
      records = JSONRecords(
        try directory.open(file), options: JSONOptions(isLossy: options.isLossy))
    }
    let (media, clock) = (media, options.clock)
    do {
      let item = try records?.nextItem(members: Self.members) { value, _ in
        try DiariumSource.entry(value, media, clock)
      }
      return file.flatMap { file in item.map { $0.inFile(file) } } ?? item
    } catch var error as FormatError {
      error.place.file = file
      throw error
    }
  }

  private static func entry(
    _ value: JSONValue, _ media: DiariumMedia, _ clock: WallClock
  ) throws(FormatError) -> ImportedEntry {
    let date = try value.text("date")
    guard case .date(let time, _, let offset) = DateText.read(date) else {
      throw FormatError.noDate(date)
    }
    let html = try value.text("html")
    let content = html.isEmpty ? .plain(try value.text("text")) : try HTMLText.convert(html)
    let note = NoteText(title: try value.text("heading"), body: content.text)
    var entry = ImportedEntry(
      created: time.moment(offset: offset, clock),
      wallTime: offset == nil ? time.moment(offset: 0) : nil, day: time.day, text: note.joined)
    entry.isAloneAtItsTime = true
    entry.remarks += content.remarks
    entry.tags = texts(value["tags"]) + texts(value["people"]).map { "@\($0)" }
    entry.starred = [value["starred"], value["favorite"]].contains { $0?.bool == true }
    keepFields(of: value, in: &entry)
    for path in media.files(at: time) {
      entry.text += (entry.text.isEmpty ? "" : "\n\n") + AttachedFiles.link(path)
      entry.remarkFileLinks()
    }
    guard !entry.text.isEmpty || !entry.tags.isEmpty || !entry.fields.isEmpty else {
      throw FormatError(entry: "has no text")
    }
    return entry
  }

  /// The texts of a list, or a single one.
  private static func texts(_ value: JSONValue?) -> [String] {
    let values = value?.array ?? [value].compactMap(\.self)
    return values.map(\.plainText).filter { !$0.isEmpty }
  }

  private static func keepFields(of value: JSONValue, in entry: inout ImportedEntry) {
    let numbers = (value["location"]?.array ?? []).compactMap(\.double)
    if numbers.count == 2 {
      entry.keepCoordinates(numbers[0], numbers[1])
    } else {
      for place in texts(value["location"]) {
        let parts = place.split(separator: ",").compactMap {
          Double(OneLine.text(String($0)))
        }
        if parts.count == 2 {
          entry.keepCoordinates(parts[0], parts[1])
        } else {
          entry.keep(place, as: "place")
        }
      }
    }
    for weather in texts(value["weather"]) { entry.keep(weather, as: "weather") }
    if let rating = value["rating"]?.double, rating > 0, rating < 1000 {
      entry.keep(Decimals.text(rating, 2), as: "rating")
    }
    for name in ["tracker", "trackers"] {
      let trackers = texts(value[name]).map(OneLine.text)
      entry.keep(trackers.joined(separator: ", "), as: "trackers")
      if trackers.isEmpty, let other = value[name], !other.saysNothing {
        entry.unkept.append(name)
      }
    }
  }
}

/// The files in the directory `media` of an export of Diarium, which has a directory per entry with
/// its time as name: `media/2024-05-17_214000000/photo.jpg`.
private struct DiariumMedia {
  private var files: [String: [String]] = [:]

  init(_ files: [String]) {
    for file in files {
      if let key = DiariumMedia.key(file) { self.files[key, default: []].append(file) }
    }
  }

  /// The time in the name of a file's directory, to the second.
  static func key(_ file: String) -> String? {
    let parts = file.split(separator: "/")
    guard parts.count >= 3, let media = parts.lastIndex(of: "media"), media + 2 < parts.count
    else { return nil }
    let name = parts[media + 1]
    let shape = name.utf8.prefix(17).map { ASCII.isDigit($0) ? UInt8(ascii: "0") : $0 }
    return shape == Array("0000-00-00_000000".utf8) ? String(name.prefix(17)) : nil
  }

  /// The files of the entry at a time.
  func files(at time: WallTime) -> [String] {
    var clock: [UInt8] = []
    for part in [time.second / 3600, time.second / 60 % 60, time.second % 60] {
      ASCII.append(part, width: 2, to: &clock)
    }
    return files["\(time.day)_\(String(decoding: clock, as: UTF8.self))"] ?? []
  }
}
