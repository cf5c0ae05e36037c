import Journal

/// Writes entries as one Markdown file.
///
/// Each day has a heading, and each entry one with its time and title, then the text. Nothing is lost:
/// what a reader does not see stands in comments (``EntryMark``), and ``MarkdownSource`` reads all of
/// it back.
struct MarkdownEncoder: EntryEncoder {
  private let level: Int
  private var last: Day?

  /// Makes an encoder.
  ///
  /// - Parameter level: the level of a day's heading; an entry's is the next.
  init(level: Int = 2) {
    self.level = level
  }

  /// Begins a file, which gets a heading for its first day.
  mutating func begin(_ buffer: inout [UInt8]) { last = nil }

  /// Appends an entry, below a new heading when its day is not that of the one before.
  mutating func append(_ entry: Entry, to buffer: inout [UInt8]) {
    if last != nil { buffer.append(0x0A) }
    EntryMark(entry).append(to: &buffer)
    if entry.day != last {
      appendHeading(level, SectionTitle.long(entry.day), to: &buffer)
      buffer.append(0x0A)
    }
    last = entry.day
    let (title, body) = MarkdownEncoder.parts(of: entry.text)
    let words = ["\(entry.created.clockText)", title, entry.starred ? "★" : nil]
    appendHeading(
      level + 1, words.compactMap(\.self).joined(separator: " "), to: &buffer)
    guard let body else { return }
    buffer.append(0x0A)
    MarkdownEncoder.append(body, to: &buffer)
  }

  /// Appends nothing: the last entry has its line end.
  mutating func end(_ buffer: inout [UInt8]) {}

  /// Always empty.
  var losses: [String] { [] }

  private func appendHeading(_ level: Int, _ text: String, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: repeatElement(UInt8(ascii: "#"), count: level))
    buffer.append(UInt8(ascii: " "))
    buffer.append(contentsOf: text.utf8)
    buffer.append(0x0A)
  }

  /// The first line and the rest, or no title and the whole text where the first line would not come
  /// back from a heading as it is.
  private static func parts(of text: String) -> (title: String?, body: ArraySlice<UInt8>?) {
    let bytes = Array(text.utf8)
    let end = bytes.firstIndex(of: 0x0A)
    let first = bytes[..<(end ?? bytes.endIndex)]
    guard !first.isEmpty, ASCII.trimmed(first).count == first.count else {
      return (nil, bytes[...])
    }
    return (String(decoding: first, as: UTF8.self), end.map { bytes[($0 + 1)...] })
  }

  private static func append(_ body: ArraySlice<UInt8>, to buffer: inout [UInt8]) {
    for line in body.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if EntryMark.begins(line) || EntryMark.isEscaped(line) { buffer.append(UInt8(ascii: "\\")) }
      buffer.append(contentsOf: line)
      buffer.append(0x0A)
    }
  }
}
