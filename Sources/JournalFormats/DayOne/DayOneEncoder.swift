import Journal

/// Writes entries as the JSON of a Day One export, which Day One imports; in a zip it is
/// `Journal.json`, with the files of the entries beside it (``DayOneFiles``).
///
/// The zone is named by its offset (`GMT+0100`), since an entry has no other name of it. Tags at
/// the end of the text are moved to the field of tags. A text that this changes is there a second time
/// (``DayOneExactText``).
struct DayOneEncoder: EntryEncoder {
  private var tally = LossTally(keeping: ["modified", "starred"])
  private var isFirst = true
  /// The files of the export, if it carries them.
  var carried: DayOneFiles?

  init() {}

  /// Appends the opening of the document.
  mutating func begin(_ buffer: inout [UInt8]) {
    buffer.append(contentsOf: "{\n  \"metadata\": {\"version\": \"1.0\"},\n  \"entries\": [".utf8)
  }

  /// Appends an entry.
  mutating func append(_ entry: Entry, to buffer: inout [UInt8]) throws {
    let original = entry.text
    let found = try carried?.carry(entry)
    let entry = tally.withLineFeeds(found?.entry ?? entry)
    tally.add(
      "files that are no photos, videos, recordings or PDFs of", if: found?.lost.isEmpty == false,
      naming: found?.lost ?? [])
    buffer.append(contentsOf: isFirst ? "\n".utf8 : ",\n".utf8)
    isFirst = false
    let tags = entry.tags
    let (plain, text) = DayOneText.written(entry.text, tags: tags)
    let isExact = DayOneText.plain(text).utf8.elementsEqual(plain.utf8)
    count(entry, isExact: isExact)
    let hexadecimal = entry.uuid.filter { $0 != "-" }.uppercased()
    var object = JSONObject(indent: "    ", to: &buffer)
    object.add("uuid", hexadecimal, to: &buffer)
    object.add("creationDate", DayOneEncoder.utc(entry.created), to: &buffer)
    object.add("modifiedDate", DayOneEncoder.utc(entry.modified), to: &buffer)
    object.add("timeZone", DayOneZone.name(ofOffset: entry.created.offset), to: &buffer)
    object.add("text", text, to: &buffer)
    object.add("starred", entry.starred, to: &buffer)
    object.add("isPinned", false, to: &buffer)
    object.add("isAllDay", false, to: &buffer)
    object.add("duration", number: 0, to: &buffer)
    object.add("tags", tags, to: &buffer)
    let items = (found?.items ?? []).enumerated().map { (kind: $1.kind, json: $1.json(order: $0)) }
    for kind in DayOneFiles.Kind.allCases where items.contains(where: { $0.kind == kind }) {
      let objects = items.filter { $0.kind == kind }.map(\.json)
      object.add(kind.member, objects: objects, to: &buffer)
    }
    if !isExact || !entry.text.isSame(as: original) {
      DayOneExactText.append(original, to: &object, &buffer)
    }
    object.end(&buffer)
  }

  /// Appends the end of the document.
  mutating func end(_ buffer: inout [UInt8]) {
    buffer.append(contentsOf: isFirst ? "]\n}\n".utf8 : "\n  ]\n}\n".utf8)
  }

  /// The data that Day One cannot store.
  var losses: [String] { tally.phrases }

  private mutating func count(_ entry: Entry, isExact: Bool) {
    tally.add(fieldsOf: entry)
    tally.add("the exact text (separators, fences) of", if: !isExact)
  }

  /// `2021-03-03T11:48:50Z`.
  private static func utc(_ moment: Moment) -> String {
    "\(Moment(seconds: moment.seconds, offset: 0))".prefix(19) + "Z"
  }
}

/// Writes entries as Day One's export in a zip: `Journal.json`, and the files of the entries.
///
/// A zip has a file's length before its contents, so the JSON is kept in memory until it is
/// complete. The files are streamed.
struct DayOneArchiveEncoder: FileCarryingEncoder {
  private var encoder = DayOneEncoder()
  private var json: [UInt8] = []
  var files: (any ExportedFiles)? {
    didSet { encoder.carried = files.map(DayOneFiles.init) }
  }

  /// Begins the JSON; appends nothing yet.
  mutating func begin(_ buffer: inout [UInt8]) { encoder.begin(&json) }

  /// Adds an entry; appends nothing yet.
  mutating func append(_ entry: Entry, to buffer: inout [UInt8]) throws {
    try encoder.append(entry, to: &json)
  }

  /// Appends the zip.
  ///
  /// - Throws: ``FormatError`` if the library for archives is missing.
  mutating func end(_ buffer: inout [UInt8]) throws {
    var bytes: [UInt8] = []
    try end { bytes += $0 }
    buffer += bytes
  }

  mutating func end(_ write: ([UInt8]) throws -> Void) throws {
    encoder.end(&json)
    try withoutActuallyEscaping(write) { write in
      let zip = try ZipWriter(write)
      try zip.add("Journal.json", size: json.count) { try $0(json) }
      try encoder.carried?.write(into: zip)
      try zip.end()
    }
    json = []
  }

  /// The data that Day One cannot store.
  var losses: [String] { encoder.losses }
}
