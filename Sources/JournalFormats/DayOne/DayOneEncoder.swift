import CArchive
import Journal

/// Writes entries as the JSON of a Day One export, which Day One imports; in a zip it is
/// `Journal.json`.
///
/// The zone is named by its offset (`GMT+0100`), since an entry has no other name of it. Tags at
/// the end of the text are moved to the field of tags.
struct DayOneEncoder: EntryEncoder {
  private var tally = LossTally(keeping: ["modified", "starred"])
  private var isFirst = true

  init() {}

  /// Appends the opening of the document.
  mutating func begin(_ buffer: inout [UInt8]) {
    buffer.append(contentsOf: "{\n  \"metadata\": {\"version\": \"1.0\"},\n  \"entries\": [".utf8)
  }

  /// Appends an entry.
  mutating func append(_ entry: Entry, to buffer: inout [UInt8]) {
    let entry = tally.withLineFeeds(entry)
    buffer.append(contentsOf: isFirst ? "\n".utf8 : ",\n".utf8)
    isFirst = false
    let plain = TrailingTags.split(entry.text, tags: entry.tags)
    let text = DayOneText.escaped(plain)
    count(entry, isExact: DayOneText.plain(text).utf8.elementsEqual(plain.utf8))
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
    object.add("tags", entry.tags, to: &buffer)
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

/// Writes entries as Day One's export in a zip: `Journal.json`, without pictures.
///
/// A zip has a file's length before its contents, so the JSON is kept in memory until it is
/// complete.
struct DayOneArchiveEncoder: EntryEncoder {
  private var encoder = DayOneEncoder()
  private var json: [UInt8] = []

  /// Begins the JSON; appends nothing yet.
  mutating func begin(_ buffer: inout [UInt8]) { encoder.begin(&json) }

  /// Adds an entry; appends nothing yet.
  mutating func append(_ entry: Entry, to buffer: inout [UInt8]) {
    encoder.append(entry, to: &json)
  }

  /// Appends the zip.
  ///
  /// - Throws: ``FormatError`` if the library for archives is missing.
  mutating func end(_ buffer: inout [UInt8]) throws {
    encoder.end(&json)
    var reason = CReason()
    let zip = Zip()
    let result = json.withUnsafeBytes { bytes in
      reason.fill { reason, size in
        daybook_zip_write(
          "Journal.json", bytes.baseAddress, bytes.count, DayOneArchiveEncoder.write,
          Unmanaged.passUnretained(zip).toOpaque(), reason, size)
      }
    }
    guard result == 0 else { throw reason.error }
    json = []
    buffer.append(contentsOf: zip.bytes)
  }

  /// The data that Day One cannot store.
  var losses: [String] { encoder.losses }

  /// The bytes of the zip, at an address for C.
  private final class Zip {
    var bytes: [UInt8] = []
  }

  /// Receives bytes of the zip from the library.
  private static let write: daybook_zip_output = { context, bytes, count in
    guard let context else { return -1 }
    let zip = Unmanaged<Zip>.fromOpaque(context).takeUnretainedValue()
    zip.bytes.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
  }
}
