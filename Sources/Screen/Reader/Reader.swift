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
  /// The text in lines of that width.
  package private(set) var body: MarkdownLayout
  /// The first visible line.
  package var offset: Int
  /// Whether the entry was deleted while it was open; its last text stays readable.
  package var isGone: Bool
  /// The number of words in the text.
  package private(set) var words: Int
  /// The number of texts that the entry had, this one included.
  package var versions = 1
  /// The links of the text that can be opened, in its order.
  package private(set) var links: [DocumentLink]
  /// The matches of the search or the filter, in bytes of the text.
  package var places: [Range<Int>] = []
  /// The lines with search matches, ascending.
  package var matches: [Int] = []

  /// Lays an entry out, scrolled to its beginning.
  ///
  /// - Parameter columns: the width of the text.
  /// - Complexity: linear in the bytes of the text.
  package init(entry: Entry, columns: Int, offset: Int = 0, isGone: Bool = false) {
    source = Source(entry)
    self.columns = columns
    body = Self.body(of: entry, columns: columns)
    words = entry.wordCount
    links = Self.links(of: entry.text)
    self.offset = offset
    self.isGone = isGone
  }

  /// A newer reading of the same entry at the same offset; an unchanged text keeps its layout.
  func updated(_ entry: Entry, columns: Int) -> Reading {
    guard columns == self.columns, entry.text.utf8.elementsEqual(self.entry.text.utf8) else {
      return Reading(entry: entry, columns: columns, offset: offset)
    }
    return Reading(self, entry)
  }

  private init(_ before: Reading, _ entry: Entry) {
    source = Source(entry)
    (columns, body, offset, isGone) = (before.columns, before.body, before.offset, false)
    (words, links) = (before.words, before.links)
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

  /// The entry.
  package var entry: Entry { source.entry }

  /// The lines of the bar, the blank line below it and the text.
  package var lines: Int { EntryBar.headLines + body.count }

  /// A line of the text; `nil` in the header.
  package func textLine(_ index: Int) -> StyledLine? {
    index < EntryBar.headLines ? nil : body[index - EntryBar.headLines]
  }

  /// Lays the text out to another width.
  mutating func layOut(columns: Int) {
    guard columns != self.columns else { return }
    self.columns = columns
    body = Self.body(of: entry, columns: columns)
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

  private static func body(of entry: Entry, columns: Int) -> MarkdownLayout {
    MarkdownLayout(entry.text, columns: columns, tags: Tag.places(in: entry.text))
  }
}

extension Reading: Equatable {
  /// The body is not compared: it is derived from the entry and the columns.
  package static func == (a: Reading, b: Reading) -> Bool {
    a.columns == b.columns && a.offset == b.offset && a.isGone == b.isGone && a.places == b.places
      && a.versions == b.versions
      && a.matches == b.matches && a.source.isEqual(to: b.source)
  }
}

/// Events of whole entries.
package enum ReaderEvent: Equatable, Codable, Sendable {
  /// The entry to read.
  case opened(Entry, versions: Int = 1)
  /// The entry for the pane beside the list; `nil` if it was removed.
  case previewed(Entry?, versions: Int = 1)
  /// The entry with this number was removed.
  case gone(Int64)
  /// The links of an entry to open, one of which a count chose.
  case linksFound([DocumentLink], count: Int?)
}

/// The reading pane: beside the list it follows the selection, in place of it it has the focus.
extension State {
  /// Requests the selected entry if the pane beside the list shows another one or an older state.
  mutating func fillPane() -> [Effect] {
    guard isSplit, pages.mode.showsList else {
      pane.source = nil
      if pages.mode == .list || pages.mode == .order { pane.reading = nil }
      return []
    }
    guard let selection = list.widget.selection else {
      pane.source = nil
      if pages.mode != .reading { pane.reading = nil }
      return []
    }
    let wanted = PreviewSource(generation: list.widget.generation, selection: selection)
    guard pages.mode != .reading, wanted != pane.source else { return [] }
    pane.source = wanted
    guard let path = selection.path else {
      pane.reading = nil
      return []
    }
    return [.read(.preview(.row(path)))]
  }

  /// Whether the entry of a preview effect is still the selected one.
  package func wants(_ effect: Effect) -> Bool {
    guard pane.source != nil, let path = list.widget.selection?.path else { return false }
    return effect == .read(.preview(.row(path)))
  }

  mutating func updateReader(_ event: ReaderEvent) -> [Effect] {
    switch event {
    case .opened(let entry, let versions):
      open(entry)
      pane.reading?.versions = versions
    case .previewed(let entry, let versions):
      preview(entry)
      if pages.mode != .reading { pane.reading?.versions = versions }
    case .gone(let number): close(number)
    case .linksFound(let links, let count): return choose(from: links, count)
    }
    return []
  }

  /// Shows an entry beside the list.
  private mutating func preview(_ entry: Entry?) {
    guard pages.mode != .reading, isSplit else { return }
    pane.reading = entry.map(reading)
    highlightPane()
  }

  /// Opens an entry and focuses it; one that is already open keeps its scroll offset.
  private mutating func open(_ entry: Entry) {
    pages.focus(.reading)
    pane.reading = reading(entry)
    highlightPane()
    fit()
  }

  /// An entry for the pane: at its beginning, or at its old offset if it is already shown.
  private func reading(_ entry: Entry) -> Reading {
    guard let pane = pane.reading, pane.entry.number == entry.number else {
      return Reading(entry: entry, columns: layout.textColumns)
    }
    var reading = pane.updated(entry, columns: layout.textColumns)
    reading.offset = clamped(reading.offset, of: reading.lines)
    return reading
  }

  /// Lays the pane out again when its width changed.
  mutating func layOutPane() {
    guard !layout.pane.isEmpty, let columns = pane.reading?.columns, columns != layout.textColumns
    else {
      return
    }
    let width = layout.textColumns
    pane.reading?.layOut(columns: width)
    highlightPane()
    scrollPane(to: pane.reading?.offset ?? 0)
  }

  /// Finds the matches of the search, else of the filter, in the pane.
  mutating func highlightPane() {
    let query = highlight
    let isSearch = search?.text.isEmpty == false
    pane.reading?.highlight(query, isSearch: isSearch)
  }

  /// Reports that the requested entry was removed; an open one stays readable.
  mutating func close(_ number: Int64) {
    if case .versions(let page) = pages.mode, page.number == number { leaveMode() }
    guard pane.reading?.entry.number == number else {
      status = .failed("no entry has the number \(number)")
      return
    }
    pane.reading?.isGone = true
    if status == nil { status = .done("entry \(number) was deleted; its last text is shown") }
  }

  /// Requests the open entry again after a commit.
  func refreshedReading() -> [Effect] {
    guard pages.mode == .reading, let pane = pane.reading, !pane.isGone else { return [] }
    return [.read(.entry(.entry(pane.entry.number)))]
  }

  /// Ticks an open item: while reading the first one on the screen, in the list the first one of
  /// the selected entry; with a count any item, counted from there.
  mutating func tick(_ count: Int?) -> [Effect] {
    guard !list.scope.isTrash else {
      status = .failed(Self.inTrash)
      return []
    }
    guard pages.mode == .reading else {
      if let target { return [.change(.tick(target, fromLine: 0, item: count))] }
      status = .failed("no entry selected")
      return []
    }
    guard let pane = pane.reading, !pane.isGone else {
      status = .failed("the entry was deleted; u restores it")
      return []
    }
    // The first item below the bar; below the last one none is found.
    let line = pane.offset == 0 ? 0 : pane.sourceOfTask(from: pane.offset + 1) ?? Int.max
    return [.change(.tick(.entry(pane.entry.number), fromLine: line, item: count))]
  }

  /// Opens the next or a previous entry of the list.
  mutating func readNeighbour(_ step: Int, _ count: Int?) -> [Effect] {
    var moved = list.widget
    moved.moveSelection(by: step * (count ?? 1))
    guard moved.selection != list.widget.selection, let path = moved.selection?.path else {
      status = .done(step > 0 ? "no entry after this one" : "no entry before this one")
      return []
    }
    list.widget = moved
    return [.read(.entry(.row(path)))]
  }
}
