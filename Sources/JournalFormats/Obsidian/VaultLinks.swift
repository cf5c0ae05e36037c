import Journal
import Markdown

/// The links of an entry's text in a vault.
///
/// Obsidian finds a note by the name of its file, so a link to a title whose file has another name gets
/// that name, and shows what it showed before: `[[Soup: a recipe#Salt]]` is written
/// `[[Soup a recipe#Salt|Soup: a recipe#Salt]]`. The properties say which title a name means, so that
/// reading takes it back. A link for which that would fail stays as it is.
struct VaultLinks {
  /// The text with the names of files in its links.
  private(set) var text: String
  /// The links that were changed: `file|title`, none twice.
  private(set) var properties: [String] = []

  init(_ entry: Entry, _ names: VaultNames) {
    text = entry.text
    let links = Journal.Link.all(in: entry.text)
    guard !links.isEmpty, let changed = Self.changed(entry, links, names),
      Self.text(changed.text, without: changed.properties).isSame(as: text)
    else { return }
    (text, properties) = changed
  }

  /// A property in its two parts.
  private struct Title {
    let file: String
    let title: String

    init(file: String, title: String) { (self.file, self.title) = (file, title) }

    init?(_ property: String) {
      let parts = property.split(separator: "|", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      self.init(file: String(parts[0]), title: String(parts[1]))
    }

    var property: String { "\(file)|\(title)" }
  }

  /// The text with the names of files; `nil` if it has no link that needs one.
  private static func changed(
    _ entry: Entry, _ links: [Journal.Link], _ names: VaultNames
  ) -> (text: String, properties: [String])? {
    let bytes = Array(entry.text.utf8)
    // A name that the text has itself could not be told from one that is written here.
    let own = Set(links.map { $0.target.lowercased() })
    var (titles, edits) = ([Title](), [(range: Range<Int>, text: String)]())
    var tables: [Range<Int>]?
    for link in links {
      guard let file = names.target(of: link.target, in: entry), !own.contains(file.lowercased())
      else { continue }
      let title = Title(file: file, title: link.target)
      let first = titles.first { $0.file == file }
      if link.words == nil {
        let shown = String(decoding: bytes[link.shownRange], as: UTF8.self)
        let lines = tables ?? rows(of: Document(bytes))
        tables = lines
        let bar = lines.contains { $0.overlaps(link.range) } ? "\\|" : "|"
        edits.append((link.targetRange, file))
        edits.append((link.range.upperBound - 2..<link.range.upperBound - 2, bar + shown))
      } else {
        // Reading takes the first title of a file, and words that are the title for none.
        guard first.map({ $0.title.isSame(as: title.title) }) ?? true,
          !isTitle(link, title, in: bytes)
        else { continue }
        edits.append((link.targetRange, file))
      }
      if !titles.contains(where: { $0.property.isSame(as: title.property) }) {
        titles.append(title)
      }
    }
    return edits.isEmpty ? nil : (text(of: bytes, edits), titles.map(\.property))
  }

  /// The text without the names of files.
  static func text(_ text: String, without properties: [String]) -> String {
    let titles = properties.compactMap(Title.init)
    guard !titles.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var edits: [(range: Range<Int>, text: String)] = []
    for link in Journal.Link.all(in: text) {
      let known = titles.filter { $0.file.isSame(as: link.target) }
      guard let first = known.first else { continue }
      guard let same = known.first(where: { isTitle(link, $0, in: bytes) }) else {
        edits.append((link.targetRange, first.title))
        continue
      }
      edits.append((link.targetRange, same.title))
      edits.append(
        (bar(before: link.shownRange.lowerBound, in: bytes)..<link.range.upperBound - 2, ""))
    }
    return Self.text(of: bytes, edits)
  }

  /// Whether the words of a link are what it shows without them, with a title as its target.
  private static func isTitle(_ link: Journal.Link, _ title: Title, in bytes: [UInt8]) -> Bool {
    guard let words = link.words, !words.isEmpty else { return false }
    let bar = bar(before: link.shownRange.lowerBound, in: bytes)
    let rest = String(decoding: bytes[link.targetRange.upperBound..<bar], as: UTF8.self)
    return words.isSame(as: title.title + rest.trimmedAtEnd)
  }

  /// The index of the bar before the words of a link, or of its escape.
  private static func bar(before words: Int, in bytes: [UInt8]) -> Int {
    let bar = bytes[..<words].lastIndex(of: UInt8(ascii: "|")) ?? words
    return bar > 0 && bytes[bar - 1] == UInt8(ascii: "\\") ? bar - 1 : bar
  }

  /// The places of the lines of tables.
  static func rows(of document: Document) -> [Range<Int>] {
    document.blocks.flatMap { block in
      if case .table = block.kind { block.lines.map(\.range) } else { [Range<Int>]() }
    }
  }

  /// A text in which some ranges are replaced, in their order.
  static func text(
    of bytes: [UInt8], _ edits: [(range: Range<Int>, text: String)]
  ) -> String {
    var result: [UInt8] = []
    var copied = 0
    for edit in edits {
      result += bytes[copied..<edit.range.lowerBound] + Array(edit.text.utf8)
      copied = edit.range.upperBound
    }
    return String(decoding: result + bytes[copied...], as: UTF8.self)
  }
}

extension String {
  /// Without the blanks at its end, as links are read.
  fileprivate var trimmedAtEnd: Substring {
    var text = self[...]
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }
}
