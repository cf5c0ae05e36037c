import Journal
import Markdown
import TextLayout

/// The links of an entry that lead nowhere, and the entries that link to it.
package struct EntryLinks: Equatable, Codable, Sendable {
  /// The entry's number.
  package var number: Int64
  /// The keys of its links that lead nowhere.
  package var broken: Set<String>
  /// The entries that link to it, the newest first, at most ``mostSources`` of them.
  package var sources: [FoundTitle]
  /// The number of entries that link to it.
  package var count: Int
  /// The journal's descriptions of the files that it names, by the beginnings of their hashes; `nil` in
  /// records from before entries had files.
  package var files: [String: String]?
  /// The pictures among them whose size is known, by the beginnings of their hashes.
  package var pictures: [String: ShownPicture]?

  package init(
    number: Int64, broken: Set<String> = [], sources: [FoundTitle] = [], count: Int? = nil
  ) {
    (self.number, self.broken, self.sources) = (number, broken, sources)
    self.count = count ?? sources.count
  }

  /// The most entries that are named; a last line counts the others.
  package static let mostSources = 20
}

/// A place of a text that Tab selects and Enter follows.
package enum LinkStop: Equatable, Sendable {
  /// A link to an entry or to days.
  case link(Journal.Link)
  /// A link to an address.
  case address(DocumentLink)
  /// An entry that links to the text's.
  case source(FoundTitle)
  /// The line that counts the other entries.
  case otherSources

  /// Its place in the bytes of the text; `nil` below the text.
  var range: Range<Int>? {
    switch self {
    case .link(let link): link.range
    case .address(let link): link.range
    case .source, .otherSources: nil
    }
  }
}

/// The lines below the text of an entry: which entries link to it.
struct SourceLines: Sendable {
  /// The lines, with a blank one at the top; none without such entries.
  private(set) var lines: [StyledLine] = []
  /// The stop of each line.
  private(set) var stops: [LinkStop?] = []

  init() {}

  init(_ links: EntryLinks, dates: DateStyle, columns: Int) {
    guard links.count > 0, !links.sources.isEmpty else { return }
    add(StyledLine(), nil)
    let title = "Linked from \(Numbers.entries(links.count))"
    add(StyledLine(field: title, columns: columns, style: Style(.heading, bold: true)), nil)
    let days = links.sources.map { dates.shortText(of: $0.day) }
    let width = days.reduce(0) { max($0, TextWidth.columns(of: $1)) }
    for (source, day) in zip(links.sources, days) {
      // In a narrow pane the title needs all of the line.
      let isWide = columns >= width + 2 + Self.leastTitle
      let date = isWide ? TextFit.pad(day, columns: width) + "  " : ""
      let head = StyledLine(field: date, columns: columns, style: Style(.time)).cells
      let name = StyledLine(
        field: Entry.plainTitle(of: source.title),
        columns: columns - head.reduce(0) { $0 + $1.cluster.columns },
        style: Style(.link, underline: true))
      add(StyledLine(head + name.cells), .source(source))
    }
    let others = links.count - links.sources.count
    guard others > 0 else { return }
    let more = "and \(Numbers.grouped(others)) more"
    add(StyledLine(field: more, columns: columns, style: Style(.hint, dim: true)), .otherSources)
  }

  private static let leastTitle = 16

  /// Adds a line, which has no place in the text.
  private mutating func add(_ line: StyledLine, _ stop: LinkStop?) {
    lines.append(StyledLine(line.cells.map { StyledCluster($0.cluster, style: $0.style) }))
    stops.append(stop)
  }
}
