import Foundation
import Journal

/// Reads a backup of Daylio: a zip with `backup.daylio`, JSON in Base64, and photos.
///
/// The JSON is in memory, since entries refer to moods and activities anywhere in it; it is read
/// twice. The time is the one that its writer saw, with its offset.
struct DaylioBackupSource: EntrySource {
  /// The maximum size of `backup.daylio` in bytes: an entry has some hundred.
  static let sizeLimit = 512 << 20

  private let directory: any ImportDirectory
  private let file: String?
  private let options: ImportOptions
  private let attached: AttachedFiles
  private var index = DaylioIndex()
  private var document: JSONDocument?

  /// Makes a source of a directory or an archive.
  init(_ directory: any ImportDirectory, options: ImportOptions) {
    self.directory = directory
    self.options = options
    attached = AttachedFiles(directory.files)
    file = directory.files.first(where: Self.isBackup)
  }

  private static func isBackup(_ path: String) -> Bool {
    path == "backup.daylio" || path.hasSuffix("/backup.daylio")
  }

  /// Whether an archive is a backup.
  static func recognises(files: [String]) -> Bool { files.contains(where: isBackup) }

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    do {
      if document == nil { try open() }
      while let record = try document?.next() {
        do throws(FormatError) {
          let value = try record.value.get()
          guard value.members != nil else { throw FormatError("\(value.kind) is not an entry") }
          let entry = DaylioEntry(value: value, index: index, clock: options.clock)
          return .entry(
            try entry.entry(attached, file ?? ""),
            ImportPlace(file: file, record: "entry \(value["id"]?.plainText ?? "")"))
        } catch {
          return .problem(error, ImportPlace(file: file, line: record.line))
        }
      }
      return nil
    } catch var error as FormatError {
      error.place.file = file
      throw error
    }
  }

  private mutating func open() throws {
    guard let file else { throw FormatError("contains no backup.daylio") }
    let stream = try directory.open(file)
    stream.windowLimit = Self.sizeLimit
    let bytes = try stream.rest()
    let decoded = Data(base64Encoded: Data(bytes), options: .ignoreUnknownCharacters)
    // A backup that somebody decoded is read, too.
    let json = bytes.first == UInt8(ascii: "{") ? bytes : decoded.map(Array.init) ?? []
    guard json.first == UInt8(ascii: "{") else {
      throw FormatError("is not a backup of Daylio: it is not JSON in Base64")
    }
    try index.read(json, options)
    document = JSONDocument(
      ByteStream(json), sections: ["dayEntries"],
      options: JSONOptions(isLossy: options.isLossy))
  }
}

/// The moods, activities and photos of a backup of Daylio, by their numbers.
private struct DaylioIndex {
  private(set) var moods: [Int: String] = [:]
  private(set) var activities: [Int: String] = [:]
  private(set) var assets: [Int: (name: String, isPhoto: Bool)] = [:]

  /// The names that the program itself gives moods, whose texts are not in a backup.
  private static let names = [1: "rad", 2: "good", 3: "meh", 4: "bad", 5: "awful"]

  mutating func read(_ json: [UInt8], _ options: ImportOptions) throws {
    let document = JSONDocument(
      ByteStream(json), sections: ["customMoods", "tags", "assets"],
      options: JSONOptions(isLossy: options.isLossy))
    while let record = try document.next() {
      guard case .success(let value) = record.value, let id = value["id"]?.integer else { continue }
      switch record.section {
      case "customMoods":
        let own = OneLine.text(value["custom_name"]?.string ?? "")
        let name = value["predefined_name_id"]?.integer.flatMap { DaylioIndex.names[$0] }
        moods[id] = own.isEmpty ? name : own
      case "tags": activities[id] = value["name"]?.string
      default:
        let name = value["checksum"]?.plainText ?? ""
        if !name.isEmpty { assets[id] = (name, value["type"]?.integer != 2) }
      }
    }
  }

  func mood(_ id: Int) -> String? { moods[id] ?? DaylioIndex.names[id] }
}

/// An entry in a backup of Daylio.
private struct DaylioEntry {
  let value: JSONValue
  let index: DaylioIndex
  let clock: WallClock

  private static let known: Set = [
    "id", "datetime", "year", "month", "day", "hour", "minute", "timeZoneOffset", "mood", "note",
    "note_title", "tags", "assets", "isFavorite", "createdAt", "scaleEntries",
  ]

  func entry(_ attached: AttachedFiles, _ file: String) throws(FormatError) -> ImportedEntry {
    let created = try moment()
    let note = NoteText(
      title: value["note_title"]?.string ?? "",
      body: try DaylioNote.markdown(value["note"]?.string ?? ""))
    var entry = ImportedEntry(created: created, day: created.localDay, text: note.joined)
    entry.starred = value["isFavorite"]?.bool ?? false
    entry.keep(value["mood"]?.integer.flatMap(index.mood), as: "mood")
    let activities = (value["tags"]?.array ?? []).compactMap(\.integer)
    let names = activities.compactMap { index.activities[$0] }.map(OneLine.text)
    entry.keep(names.joined(separator: ", "), as: "activities")
    for asset in (value["assets"]?.array ?? []).compactMap(\.integer) {
      guard let (name, isPhoto) = index.assets[asset] else {
        if !entry.unkept.contains("photos") { entry.unkept.append("photos") }
        continue
      }
      guard let path = attached.path(of: name, beside: file) else {
        entry.miss(name, DirectoryFiles.missing)
        continue
      }
      let link = AttachedFiles.link(path, isPicture: isPhoto)
      entry.text += (entry.text.isEmpty ? "" : "\n\n") + link
      entry.remarkFileLinks()
    }
    entry.unkept += value.unkept(but: Self.known)
    if value["scaleEntries"]?.saysNothing == false { entry.unkept.append("scales") }
    guard !entry.text.isEmpty || !entry.fields.isEmpty else {
      throw FormatError(entry: "has no text")
    }
    return entry
  }

  /// The moment: the day and the time that its writer saw, at the offset of then.
  private func moment() throws(FormatError) -> Moment {
    let offset = value["timeZoneOffset"]?.integer.flatMap { count -> Int? in
      let seconds = abs(count) <= 1440 ? count * 60 : count / 1000
      return abs(seconds) < 86_400 ? seconds : nil
    }
    let instant = UnixTime.milliseconds.moment(value["datetime"], clock)
    guard let year = value["year"]?.integer, let month = value["month"]?.integer,
      let number = value["day"]?.integer, (0...11).contains(month),
      let day = Day(year: year, month: month + 1, day: number)
    else {
      guard let instant else { throw FormatError(entry: "has no date") }
      return Moment(seconds: instant.seconds, offset: offset ?? instant.offset)
    }
    let hour = min(max(value["hour"]?.integer ?? 0, 0), 23)
    let minute = min(max(value["minute"]?.integer ?? 0, 0), 59)
    let wall = WallTime(day: day, second: hour * 3600 + minute * 60)
    guard let offset else { return wall.moment(clock) }
    let seen = wall.moment(offset: offset)
    // The instant has seconds, too, unless the time was changed later.
    guard let instant, (0..<60).contains(instant.seconds - seen.seconds) else { return seen }
    return Moment(seconds: instant.seconds, offset: offset)
  }
}
