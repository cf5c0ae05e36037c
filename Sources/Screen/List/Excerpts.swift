import Journal
import Markdown

/// Pieces of entries around what the search or the filter found, for rows whose titles do not show it.
///
/// A list has no texts. They are read when the rows have been drawn, some at a time and only while no
/// key waits; the rows are then drawn again. What was found is kept as long as the query is the same.
package final class Excerpts {
  /// A piece of a text in one line, with what matches in it, in bytes of its UTF-8.
  package struct Excerpt: Equatable {
    var text: String
    var matches: [Range<Int>]
  }

  private struct Key: Hashable {
    var number: Int64
    var checksum: Int64
  }

  /// So many texts are read at a time.
  private static let batchSize = 8
  /// A longer text is searched only so far, in bytes, so that no key waits for it.
  private static let searchedBytes = 100_000
  /// When so many rows were looked at, those that are not on the screen are forgotten.
  private static let mostKept = 5_000

  private var query: Query?
  private var highlighter = QueryHighlighter(.everything)
  private var known: [Key: Excerpt?] = [:]
  private var missing: [Key] = []

  /// Begins a new picture of rows that a query matches.
  package func begin(_ query: Query) {
    missing = []
    if self.query != query || known.count > Self.mostKept {
      known = [:]
      self.query = query
      // The tags of an entry are in its row anyway.
      highlighter = QueryHighlighter(query).withoutTags
    }
  }

  /// The piece to show for a row whose title has no match; `nil` for none, or as long as it is not read.
  package func excerpt(of row: EntryRow) -> Excerpt? {
    guard !highlighter.isEmpty else { return nil }
    let key = Key(number: row.id.number, checksum: row.checksum)
    if let found = known[key] { return found }
    missing.append(key)
    return nil
  }

  /// Reads texts that the last picture lacked.
  ///
  /// - Parameters:
  ///   - entries: reads entries by their numbers.
  ///   - isCancelled: asked before each read; what is left is read the next time.
  /// - Returns: whether there is something new to show.
  package func read(_ entries: ([Int64]) throws -> [Entry], unless isCancelled: () -> Bool) -> Bool
  {
    var isNew = false
    while !missing.isEmpty, !isCancelled() {
      let batch = missing.prefix(Self.batchSize)
      missing.removeFirst(batch.count)
      for key in batch { known[key] = .some(nil) }
      // A row that cannot be read has no piece; why it cannot is told where it is opened.
      for entry in (try? entries(batch.map(\.number))) ?? [] {
        let key = Key(number: entry.number, checksum: Entry.checksum(of: entry.text))
        guard let excerpt = Self.excerpt(of: entry.text, highlighter) else { continue }
        known[key] = excerpt
        isNew = true
      }
    }
    return isNew
  }

  // MARK: - Cutting a piece out of a text

  /// The piece around the first match behind the title; `nil` without one.
  package static func excerpt(of text: String, _ highlighter: QueryHighlighter) -> Excerpt? {
    let bytes = Array(text.utf8.prefix(searchedBytes))
    let searched = String(decoding: bytes, as: UTF8.self)
    // A character cut in two at the end is longer when it is repaired, which no earlier place notices.
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

  /// So many characters of the line before a match are shown.
  private static let longestLead = 16
  /// So many characters behind it are kept; the row shows what fits.
  private static let longestRest = 200

  /// Where the first line with something in it ends.
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
