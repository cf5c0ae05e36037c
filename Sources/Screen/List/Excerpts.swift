import Journal
import Markdown

/// Excerpts of entries around search or filter matches, for rows whose titles have none.
///
/// A list has no texts. They are read after the rows are drawn, some at a time and only while no
/// key is pending; then the rows are drawn again. Excerpts are cached while the query stays the
/// same.
package final class Excerpts {
  /// A part of a text on one line, with the matches in it as byte ranges of its UTF-8.
  package struct Excerpt: Codable, Equatable {
    package var text: String
    var matches: [Range<Int>]
  }

  fileprivate struct Key: Codable, Hashable {
    var number: Int64
    var checksum: Int64
  }

  /// The excerpts that were read together, with those of rows that have none.
  package struct Reading: Codable, Equatable {
    fileprivate struct Row: Codable, Equatable {
      var key: Key
      var excerpt: Excerpt?
    }

    /// The query whose matches they show.
    fileprivate var query: Query
    fileprivate var rows: [Row]

    fileprivate init(_ query: Query, _ keys: some Sequence<Key>, _ known: [Key: Excerpt?]) {
      self.query = query
      rows = keys.map { Row(key: $0, excerpt: known[$0] ?? nil) }
    }
  }

  /// Receives what is read, for a record.
  package var record: ((Reading) -> Void)?

  /// The number of texts read together.
  private static let batchSize = 8
  /// The maximum length searched in a text, in bytes, so that keys do not wait.
  private static let searchedBytes = 100_000
  /// The maximum number of cached rows; above it, rows outside the screen are dropped.
  private static let mostKept = 5_000

  private var query: Query?
  private var highlighter = QueryHighlighter(.everything)
  private var known: [Key: Excerpt?] = [:]
  private var missing: [Key] = []

  /// Begins a new frame for the matches of a query.
  package func begin(_ query: Query) {
    missing = []
    if self.query != query || known.count > Self.mostKept {
      known = [:]
      self.query = query
      // A row already contains the tags of its entry.
      highlighter = QueryHighlighter(query).withoutTags
    }
  }

  /// The excerpt for a row whose title has no match; `nil` if there is none or it is not read yet.
  package func excerpt(of row: EntryRow) -> Excerpt? {
    guard !highlighter.isEmpty else { return nil }
    let key = Key(number: row.id.number, checksum: row.checksum)
    if let found = known[key] { return found }
    missing.append(key)
    return nil
  }

  /// Reads the texts that the last frame lacked.
  ///
  /// - Parameters:
  ///   - entries: reads entries by their numbers.
  ///   - isCancelled: called before each read; the remaining texts are read the next time.
  /// - Returns: whether there are new excerpts to show.
  package func read(_ entries: ([Int64]) throws -> [Entry], unless isCancelled: () -> Bool) -> Bool
  {
    var isNew = false
    while !missing.isEmpty, !isCancelled() {
      let batch = missing.prefix(Self.batchSize)
      missing.removeFirst(batch.count)
      for key in batch { known[key] = .some(nil) }
      // An unreadable row has no excerpt; opening it reports the error.
      for entry in (try? entries(batch.map(\.number))) ?? [] {
        let key = Key(number: entry.number, checksum: Entry.checksum(of: entry.text))
        guard let excerpt = Self.excerpt(of: entry.text, highlighter) else { continue }
        known[key] = excerpt
        isNew = true
      }
      if let record, let query { record(Reading(query, batch, known)) }
    }
    return isNew
  }

  /// Takes what was read for the same frame of a record.
  package func take(_ reading: Reading) {
    if query != reading.query { begin(reading.query) }
    for row in reading.rows { known[row.key] = .some(row.excerpt) }
  }

  // MARK: - Cutting an excerpt

  /// The excerpt around the first match after the title; `nil` without one.
  package static func excerpt(of text: String, _ highlighter: QueryHighlighter) -> Excerpt? {
    let bytes = Array(text.utf8.prefix(searchedBytes))
    let searched = String(decoding: bytes, as: UTF8.self)
    // Repairing a character cut at the end makes it longer, which does not affect earlier offsets.
    let titleEnd = endOfTitle(bytes)
    guard
      let place = highlighter.places(in: searched).first(where: { $0.lowerBound >= titleEnd }),
      place.upperBound <= bytes.count
    else { return nil }
    let lineFeed = UInt8(ascii: "\n")
    let start = bytes[..<place.lowerBound].lastIndex(of: lineFeed).map { $0 + 1 } ?? 0
    let end = bytes[place.upperBound...].firstIndex(of: lineFeed) ?? bytes.count
    let text = start + blockMarkers(bytes[start..<end])
    let lead = String(
      decoding: bytes[min(text, place.lowerBound)..<place.lowerBound], as: UTF8.self)
    let match = String(decoding: bytes[place], as: UTF8.self)
    let rest = String(decoding: bytes[place.upperBound..<end], as: UTF8.self)
    let piece = shortened(lead) + match + String(rest.prefix(longestRest))
    let words = piece.split(whereSeparator: \.isWhitespace).map { $0 == "|" ? "│" : $0 }
    let line = (words.last == "│" ? words.dropLast() : words[...]).joined(separator: " ")
    return Excerpt(text: line, matches: highlighter.places(in: line))
  }

  /// The maximum number of characters before a match on its line.
  private static let longestLead = 16
  /// The maximum number of characters after a match; the row shows those that fit.
  private static let longestRest = 200

  /// The end of the first non-blank line.
  private static func endOfTitle(_ bytes: [UInt8]) -> Int {
    let blanks: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
    guard let first = bytes.firstIndex(where: { !blanks.contains($0) }) else { return bytes.count }
    return bytes[first...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
  }

  /// How many bytes of a line are white space and markers of Markdown before its text; a line of a
  /// table begins with one.
  private static func blockMarkers(_ line: ArraySlice<UInt8>) -> Int {
    let text = line.drop { " \t|".utf8.contains($0) }
    let before = text.startIndex - line.startIndex
    return before + PlainTitle.blockMarkers(of: String(decoding: text, as: UTF8.self))
  }

  /// The last whole words of a text.
  private static func shortened(_ lead: String) -> Substring {
    guard lead.count > longestLead else { return lead[...] }
    let end = lead.suffix(longestLead)
    return end.firstIndex(where: \.isWhitespace).map { end[$0...].dropFirst() } ?? ""
  }
}
