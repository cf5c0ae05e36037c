import Journal
import Markdown
import SectionedResults
import TextLayout

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
  /// The links of an entry; again after a commit that changes it.
  case linked(EntryLinks)
  /// The entries of some days, as one page.
  case daysRead(ClosedRange<Day>, [Entry], count: Int)
  /// The picture with this hash cannot be drawn.
  case pictureFailed(String)
  /// Where a followed link leads.
  case ledTo(LinkGoal)
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
      comeBack(to: entry)
      return wantedLinks()
    case .previewed(let entry, let versions):
      preview(entry)
      guard pages.mode != .reading else { break }
      pane.reading?.versions = versions
      return wantedLinks()
    case .gone(let number):
      places.reading = nil
      close(number)
    case .linksFound(let links, let count): return choose(from: links, count)
    case .linked(let links): show(links)
    case .pictureFailed(let hash): pane.undrawable.insert(hash)
    case .daysRead(let days, let entries, let count):
      var page = DayPage(days: days, entries: entries, count: count)
      if case .day(let shown) = pages.mode, shown.days == days { page.offset = shown.offset }
      open(page)
    case .ledTo(let goal): return go(to: goal)
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
      return Reading(
        entry: entry, columns: readingColumns, room: pictureRoom, strikes: environment.strikes)
    }
    var reading = pane.updated(entry, columns: readingColumns, room: pictureRoom)
    let isLaidOut = reading.columns != pane.columns || reading.room != pane.room
    let top = isLaidOut ? pane.anchor : nil
    reading.offset = clamped(
      top.map { reading.offset(of: $0) } ?? reading.offset, of: reading.lines)
    if isLaidOut { reading.hold(top) }
    return reading
  }

  /// Lays the pane out again when its width changed, or the room for pictures in it; the text at its top
  /// stays there.
  ///
  /// - Parameters:
  ///   - top: what was at the top before.
  ///   - number: the entry that this was in.
  mutating func layOutPane(keeping top: ReadingAnchor?, of number: Int64?) {
    guard !layout.pane.isEmpty, let reading = pane.reading else { return }
    let (width, room) = (readingColumns, pictureRoom)
    guard reading.columns != width || reading.room != room else { return }
    let top = reading.entry.number == number ? top : reading.anchor
    pane.reading?.layOut(columns: width, room: room)
    highlightPane()
    scrollPane(to: top.flatMap { pane.reading?.offset(of: $0) } ?? pane.reading?.offset ?? 0)
    pane.reading?.hold(top)
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
    if case .files(let page) = pages.mode, page.number == number { leaveMode() }
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
