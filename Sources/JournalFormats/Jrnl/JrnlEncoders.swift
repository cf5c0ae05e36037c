import Journal

/// Writes entries as jrnl's own files, which `jrnl --import` reads.
///
/// jrnl stores local time to the minute, no zone, no identity and no trash. A line of a text that
/// jrnl would take for the start of an entry gets a leading backslash (jrnl itself would strip a
/// space). The first line of an unstarred entry that would be read back as a starred one is moved
/// below its date.
struct JrnlTextEncoder: EntryEncoder {
  private var tally = LossTally(keeping: ["starred"])
  private var isFirst = true

  init() {}

  /// Appends nothing: jrnl has no header.
  mutating func begin(_ buffer: inout [UInt8]) {}

  /// Appends an entry, after a blank line unless it is the first.
  mutating func append(_ entry: Entry, to buffer: inout [UInt8]) {
    let entry = tally.withLineFeeds(entry)
    if !isFirst { buffer.append(0x0A) }
    isFirst = false
    tally.add("the seconds of", if: entry.created.localTime.second != 0)
    tally.add(fieldsOf: entry)
    tally.add("the offset from UTC of", if: entry.created.offset != 0)
    let lines = PlainLines(entry.text)
    tally.add("the white space around the text of", if: lines.isTrimmed)
    appendDate(of: entry, to: &buffer)
    let (title, body) = (lines.title, lines.body)
    tally.add(
      "the missing star (jrnl takes a * at the title's end for one) of",
      if: !entry.starred && title.last == UInt8(ascii: "*"))
    if !entry.starred, JrnlStar.split(title).isStarred {
      buffer.append(0x0A)
      append(PlainLines.joined(title, body), to: &buffer)
    } else {
      buffer.append(contentsOf: title)
      if entry.starred { buffer.append(contentsOf: " *".utf8) }
      buffer.append(0x0A)
      append(body, to: &buffer)
    }
  }

  /// Appends nothing: the last entry has its line end.
  mutating func end(_ buffer: inout [UInt8]) {}

  /// The data that jrnl cannot store.
  var losses: [String] { tally.phrases }

  private func appendDate(of entry: Entry, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: "[\(entry.created.localDay) \(entry.created.clockText)] ".utf8)
  }

  private mutating func append(_ body: ArraySlice<UInt8>, to buffer: inout [UInt8]) {
    guard !body.isEmpty else { return }
    var isEscaped = false
    for line in body.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if JrnlTextEncoder.looksLikeHeading(line) {
        buffer.append(UInt8(ascii: "\\"))
        isEscaped = true
      }
      buffer.append(contentsOf: line)
      buffer.append(0x0A)
    }
    tally.add("the exact text (a backslash before a bracket) of", if: isEscaped)
  }

  /// Whether jrnl might parse the text in a line's bracket as a date; it also accepts words, but
  /// never six characters or fewer.
  private static func looksLikeHeading(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.first == UInt8(ascii: "[") else { return false }
    guard let end = line.firstIndex(of: UInt8(ascii: "]")) else { return true }
    let isFollowed = end + 1 < line.endIndex && line[end + 1] == UInt8(ascii: " ")
    return isFollowed
      && String(decoding: line[..<end].dropFirst(), as: UTF8.self).unicodeScalars.count > 6
  }
}

/// Writes entries as `jrnl --format json`, for tools that read it.
///
/// The counts of tags come after the entries, since they are known only then; the order of members
/// does not matter in JSON.
struct JrnlJSONEncoder: EntryEncoder {
  private var tally = LossTally(keeping: ["starred"])
  private var counts: [String: Int] = [:]
  private var isFirst = true

  init() {}

  /// Appends the opening of the document.
  mutating func begin(_ buffer: inout [UInt8]) {
    buffer.append(contentsOf: "{\n  \"entries\": [".utf8)
  }

  /// Appends an entry.
  mutating func append(_ entry: Entry, to buffer: inout [UInt8]) {
    let entry = tally.withLineFeeds(entry)
    buffer.append(contentsOf: isFirst ? "\n".utf8 : ",\n".utf8)
    isFirst = false
    tally.add("the seconds of", if: entry.created.localTime.second != 0)
    tally.add(fieldsOf: entry)
    tally.add("the offset from UTC of", if: entry.created.offset != 0)
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

  /// The data that jrnl cannot store.
  var losses: [String] { tally.phrases }
}
