import Journal

/// Writes entries as `jrnl --format json` does, for the tools that read that.
///
/// The counts of tags stand behind the entries, since they are known only then; to JSON the order of
/// members is nothing.
struct JrnlJSONEncoder: EntryEncoder {
  private var tally = LossTally()
  private var counts: [String: Int] = [:]
  private var isFirst = true

  /// Makes an encoder.
  init() {}

  /// Appends the opening of the document.
  mutating func begin(_ buffer: inout [UInt8]) {
    buffer.append(contentsOf: "{\n  \"entries\": [".utf8)
  }

  /// Appends an entry.
  mutating func append(_ entry: Entry, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: isFirst ? "\n".utf8 : ",\n".utf8)
    isFirst = false
    tally.add(lostBy: entry, keepsStar: true)
    let lines = PlainLines(entry.text)
    tally.add("the white space around the text of", if: lines.isTrimmed)
    let tags = Set(entry.tags.map { Tag.typed($0).lowercased() }).sorted()
    for tag in tags { counts[tag, default: 0] += 1 }
    var object = JSONObject(indent: "    ", to: &buffer)
    object.add("title", String(decoding: lines.title, as: UTF8.self), to: &buffer)
    object.add("body", String(decoding: lines.body, as: UTF8.self), to: &buffer)
    object.add("date", "\(entry.created.localDay)", to: &buffer)
    object.add("time", entry.created.clockText, to: &buffer)
    object.add("tags", tags, to: &buffer)
    object.add("starred", entry.starred, to: &buffer)
    object.end(&buffer)
  }

  /// Appends the counts of tags and the end of the document.
  mutating func end(_ buffer: inout [UInt8]) {
    buffer.append(contentsOf: isFirst ? "],\n  \"tags\": ".utf8 : "\n  ],\n  \"tags\": ".utf8)
    var object = JSONObject(indent: "  ", to: &buffer, isInside: true)
    for (tag, count) in counts.sorted(by: { $0.key < $1.key }) {
      object.add(tag, number: count, to: &buffer)
    }
    object.end(&buffer)
    buffer.append(contentsOf: "\n}\n".utf8)
  }

  /// What jrnl cannot hold.
  var losses: [String] { tally.phrases }
}
