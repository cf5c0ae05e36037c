import Journal
import Markdown
import SectionedResults
import TextLayout

/// An entry in the reading pane, laid out at the pane's width.
package struct Reading: Sendable {
  /// The entry as it was read; two readings with the same source are equal without comparing bytes.
  private let source: Source
  /// The columns that the text is laid out to.
  package private(set) var columns: Int
  /// The room for a picture; `nil` where pictures are named and not drawn.
  package private(set) var room: PictureRoom?
  /// The text in lines of that width.
  package private(set) var body: MarkdownLayout
  /// The first visible line.
  package var offset: Int
  /// The anchor kept at the top across layouts, with its offset; cleared by scrolling.
  private(set) var held: (anchor: ReadingAnchor, offset: Int)?
  /// Whether the terminal strikes text out.
  private let strikes: Bool
  /// Whether the entry was deleted while it was open; its last text stays readable.
  package var isGone: Bool
  /// The number of words in the text.
  package private(set) var words: Int
  /// The number of texts that the entry had, this one included.
  package var versions = 1
  /// The links of the text that can be opened, in its order.
  package private(set) var links: [DocumentLink]
  /// The links of the text to entries and days, in its order.
  package private(set) var references: [Journal.Link]
  /// The files that the text names.
  private var files: [FileLink.Place]
  /// The journal's links of the entry; `nil` until they are found.
  package private(set) var linked: EntryLinks?
  /// The lines below the text, about the entries that link to this one.
  private var sources = SourceLines()
  /// The format of their dates.
  private var dates = DateStyle()
  /// The selected link.
  package var stop: LinkStop?
  /// The matches of the search or the filter, in bytes of the text.
  package var places: [Range<Int>] = []
  /// The lines with search matches, ascending.
  package var matches: [Int] = []

  /// Lays an entry out, scrolled to its beginning.
  ///
  /// - Parameters:
  ///   - columns: the width of the text.
  ///   - strikes: whether the terminal strikes text out.
  /// - Complexity: linear in the bytes of the text.
  package init(
    entry: Entry, columns: Int, room: PictureRoom? = nil, offset: Int = 0, isGone: Bool = false,
    strikes: Bool = false
  ) {
    source = Source(entry)
    self.columns = columns
    self.room = room
    self.strikes = strikes
    references = Marks.mayBeIn(entry.text) ? Journal.Link.all(in: entry.text) : []
    files = FileLink.places(in: entry.text)
    body = Self.body(of: entry, columns: columns, room, references, files, nil, strikes: strikes)
    words = entry.wordCount
    links = Self.links(of: entry.text)
    self.offset = offset
    self.isGone = isGone
  }

  /// A newer reading of the same entry at the same offset; an unchanged text keeps its layout.
  func updated(_ entry: Entry, columns: Int, room: PictureRoom?) -> Reading {
    guard columns == self.columns, room == self.room,
      entry.text.utf8.elementsEqual(self.entry.text.utf8)
    else {
      var reading = Reading(
        entry: entry, columns: columns, room: room, offset: offset, strikes: strikes)
      if let linked { reading.show(linked, dates: dates) }
      return reading
    }
    return Reading(self, entry)
  }

  private init(_ before: Reading, _ entry: Entry) {
    source = Source(entry)
    (columns, body, offset, isGone) = (before.columns, before.body, before.offset, false)
    (words, links, references) = (before.words, before.links, before.references)
    (files, room, strikes) = (before.files, before.room, before.strikes)
    (linked, sources, dates, stop) = (before.linked, before.sources, before.dates, before.stop)
    held = before.held
  }

  /// An entry with an identity for each time that it is read.
  private final class Source: Sendable {
    let entry: Entry

    init(_ entry: Entry) { self.entry = entry }

    func isEqual(to other: Source) -> Bool {
      self === other
        || entry == other.entry && entry.text.utf8.elementsEqual(other.entry.text.utf8)
    }
  }

  package var entry: Entry { source.entry }

  /// The lines of the bar, the blank line below it, the text, and the entries that link to it.
  package var lines: Int { EntryBar.headLines + body.count + sources.lines.count }

  /// A line of the text or below it; `nil` in the header.
  package func textLine(_ index: Int) -> StyledLine? {
    let line = index - EntryBar.headLines
    if line < 0 { return nil }
    return line < body.count ? body[line] : sources.lines[line - body.count]
  }

  /// The first line that shows a heading of the text, by its words without case and accents.
  func line(ofHeading name: String) -> Int? {
    let key = Folding.fold(name)
    let source = entry.text.split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" })
    let found = source.firstIndex { line in
      guard let mark = Journal.Link.headingMarks.first(where: line.hasPrefix) else { return false }
      let words = line.dropFirst(mark.count).drop { $0 == " " }
      let end = words.lastIndex { $0 != "#" && $0 != " " }
      return end.map { Folding.fold(String(words[...$0])) == key } ?? false
    }
    return found.flatMap { index in body.indices.first { body[$0].sourceLine == index } }
      .map { $0 + EntryBar.headLines }
  }

  /// Lays the text out to another width, or with other pictures.
  mutating func layOut(columns: Int, room: PictureRoom?) {
    guard columns != self.columns || room != self.room else { return }
    (self.columns, self.room) = (columns, room)
    layOutLinks()
  }

  /// Takes what the journal knows of the links.
  mutating func show(_ linked: EntryLinks, dates: DateStyle) {
    let (broken, known) = (self.linked?.broken ?? [], self.linked?.files)
    let pictures = self.linked?.pictures
    // A place to go back to is one of the text with its pictures, which come with the first of these.
    let top = self.linked == nil ? nil : anchor
    (self.linked, self.dates) = (linked, dates)
    if broken != linked.broken || known != linked.files || pictures != linked.pictures {
      layOutLinks()
      if let top {
        offset = offset(of: top)
        hold(top)
      }
    } else {
      sources = SourceLines(linked, dates: dates, columns: columns)
    }
    if let stop, !stops.contains(stop) { self.stop = nil }
  }

  /// Keeps what is at the top at the present offset.
  mutating func hold(_ anchor: ReadingAnchor?) { held = anchor.map { ($0, offset) } }

  private mutating func layOutLinks() {
    body = Self.body(of: entry, columns: columns, room, references, files, linked, strikes: strikes)
    sources = linked.map { SourceLines($0, dates: dates, columns: columns) } ?? SourceLines()
  }

  /// Finds the matches of a query, and their lines if it is the search.
  mutating func highlight(_ query: Query?, isSearch: Bool) {
    places = query.map { QueryHighlighter($0).places(in: entry.text) } ?? []
    matches = []
    guard isSearch, !places.isEmpty else { return }
    matches = (EntryBar.headLines..<lines).filter { textLine($0)?.shows(places) == true }
  }

  /// The source line of the first task item from a line of the pane on.
  func sourceOfTask(from line: Int) -> Int? {
    (line..<max(line, lines)).lazy.compactMap { textLine($0) }.first { $0.task != nil }?.sourceLine
  }

  /// The lines of a text, without what the journal knows of its links.
  static func body(of entry: Entry, columns: Int, strikes: Bool) -> MarkdownLayout {
    let links = Marks.mayBeIn(entry.text) ? Journal.Link.all(in: entry.text) : []
    return body(
      of: entry, columns: columns, nil, links, FileLink.places(in: entry.text), nil,
      strikes: strikes)
  }

  private static func body(
    of entry: Entry, columns: Int, _ room: PictureRoom?, _ links: [Journal.Link],
    _ files: [FileLink.Place], _ linked: EntryLinks?, strikes: Bool
  ) -> MarkdownLayout {
    let broken = linked?.broken ?? []
    var spans = links.map { link in
      LinkSpan(
        range: link.range, shown: link.shownRange,
        isBroken: !broken.isEmpty && broken.contains(link.key))
    }
    if !files.isEmpty {
      spans += files.map { file in
        LinkSpan(
          range: file.range, shown: file.shown,
          note: linked?.files?[file.link.target].map { "  (\($0))" } ?? "",
          picture: file.link.isPicture ? room?.drawn(linked?.pictures?[file.link.target]) : nil)
      }
      spans.sort { $0.start < $1.start }
    }
    return MarkdownLayout(
      entry.text, columns: columns, tags: Tag.places(in: entry.text), links: spans,
      pictureRows: room?.rows ?? 0, pictureCell: room?.cell, strikes: strikes)
  }
}

// MARK: - Links

extension Reading {
  /// Everything that Tab selects, in the order of the lines.
  package var stops: [LinkStop] {
    let inText = references.map(LinkStop.link) + links.map(LinkStop.address)
    return inText.sorted { ($0.range?.lowerBound ?? 0) < ($1.range?.lowerBound ?? 0) }
      + sources.stops.compactMap(\.self)
  }

  /// The lines of the pane that show a stop.
  func lines(of stop: LinkStop) -> ClosedRange<Int>? {
    let shown: [Int]
    if let range = stop.range {
      shown = (EntryBar.headLines..<(EntryBar.headLines + body.count)).filter {
        textLine($0)?.shows([range]) == true
      }
    } else {
      shown =
        sources.stops.firstIndex(of: stop).map { [EntryBar.headLines + body.count + $0] } ?? []
    }
    return shown.first.flatMap { first in shown.last.map { first...$0 } }
  }

  /// The first stop on some lines or below them; the last one on them or above.
  func nearestStop(to lines: Range<Int>, isForward: Bool) -> LinkStop? {
    let inText = stops.filter { $0.range != nil }
    let found = { (line: Int) -> LinkStop? in
      let below = line - EntryBar.headLines - body.count
      if below >= 0 { return sources.stops[below] }
      guard let cells = textLine(line)?.cells else { return nil }
      let places = isForward ? cells : cells.reversed()
      return places.lazy.compactMap { cell in
        cell.source.flatMap { source in
          let index = partitionPoint(inText.count) { (inText[$0].range?.upperBound ?? 0) <= source }
          return index < inText.count && inText[index].range?.contains(source) == true
            ? inText[index] : nil
        }
      }.first
    }
    if isForward {
      return (lines.lowerBound..<max(lines.lowerBound, self.lines)).lazy.compactMap(found).first
    }
    return (0..<min(lines.upperBound, self.lines)).reversed().lazy.compactMap(found).first
  }

  /// Whether a line shows a stop.
  func shows(_ stop: LinkStop, on line: Int) -> Bool {
    guard line < lines else { return false }
    let below = line - EntryBar.headLines - body.count
    guard let range = stop.range else { return below >= 0 && sources.stops[below] == stop }
    return below < 0 && textLine(line)?.shows([range]) == true
  }

  /// The stop at a cell of the text.
  func stop(line: Int, column: Int) -> LinkStop? {
    guard line < lines, let shown = textLine(line) else { return nil }
    let below = line - EntryBar.headLines - body.count
    if below >= 0 { return sources.stops[below] }
    var end = 0
    let cell = shown.cells.first { cell in
      end += cell.cluster.columns
      return column < end
    }
    guard let source = cell?.source else { return nil }
    return stops.first { $0.range?.contains(source) == true }
  }

  /// The line with the selected link marked.
  func selecting(_ line: StyledLine, at index: Int) -> StyledLine {
    guard let stop else { return line }
    if let range = stop.range { return line.selecting(range) }
    let below = index - EntryBar.headLines - body.count
    guard below >= 0, sources.stops[below] == stop else { return line }
    var line = line
    for cell in line.cells.indices { line.cells[cell].style.selected = true }
    return line
  }
}

extension Reading: Equatable {
  /// The body is not compared: it is derived from the entry and the columns.
  package static func == (a: Reading, b: Reading) -> Bool {
    a.columns == b.columns && a.room == b.room && a.offset == b.offset && a.isGone == b.isGone
      && a.places == b.places
      && a.versions == b.versions && a.showsSameLinks(as: b) && a.stop == b.stop
      && a.matches == b.matches && a.source.isEqual(to: b.source)
  }
}

extension Reading {
  /// Whether the links look the same; those that are not found yet look as if there was nothing to say.
  fileprivate func showsSameLinks(as other: Reading) -> Bool {
    let (own, others) = (linked ?? EntryLinks(number: 0), other.linked ?? EntryLinks(number: 0))
    return own.broken == others.broken && own.sources == others.sources && own.count == others.count
      && own.files ?? [:] == others.files ?? [:] && own.pictures ?? [:] == others.pictures ?? [:]
  }
}
