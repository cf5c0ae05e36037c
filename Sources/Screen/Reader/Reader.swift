import Journal
import SectionedResults

/// An entry in the reading pane.
package struct Reading: Equatable, Sendable {
  /// The entry.
  package var entry: Entry
  /// How many lines it takes at the pane's width.
  package var lines: Int
  /// The first line shown.
  package var offset: Int
  /// Whether the entry was deleted while it was shown; its last text stays to be read.
  package var isGone: Bool
  /// The lines in which the search found something, ascending.
  package var matches: [Int]

  /// Makes the view of an entry, at its beginning.
  package init(
    entry: Entry, lines: Int, offset: Int = 0, isGone: Bool = false, matches: [Int] = []
  ) {
    self.entry = entry
    self.lines = lines
    self.offset = offset
    self.isGone = isGone
    self.matches = matches
  }
}

/// The reading pane: beside the list it follows the selection, in the list's place it has the keys.
extension State {
  /// Asks for the selected entry, when the pane beside the list shows another one or an older state.
  mutating func fillPane() -> [Effect] {
    guard isSplit, mode.showsList else {
      previewed = nil
      if mode == .list || mode == .order { pane = nil }
      return []
    }
    guard let selection = list.selection else {
      previewed = nil
      if mode != .reading { pane = nil }
      return []
    }
    let wanted = PreviewSource(generation: list.generation, selection: selection)
    guard mode != .reading, wanted != previewed else { return [] }
    previewed = wanted
    guard let path = selection.path else {
      pane = nil
      return []
    }
    return [.preview(.row(path))]
  }

  /// Shows an entry beside the list.
  mutating func preview(_ entry: Entry?, lines: Int) -> [Effect] {
    guard mode != .reading, isSplit else { return [] }
    pane = entry.map { reading($0, lines: lines) }
    return matchLines()
  }

  /// Shows an entry and gives it the keys; one that is already open keeps its place.
  mutating func open(_ entry: Entry, lines: Int) -> [Effect] {
    mode = .reading
    pane = reading(entry, lines: lines)
    fit()
    return matchLines()
  }

  /// An entry for the pane: at its beginning, or where it was if it is shown already.
  private func reading(_ entry: Entry, lines: Int) -> Reading {
    let isSame = pane?.entry.number == entry.number
    let offset = isSame ? clamped(pane?.offset ?? 0, of: lines) : 0
    return Reading(entry: entry, lines: lines, offset: offset)
  }

  /// Asks which lines of the entry in the pane the search matches.
  mutating func matchLines() -> [Effect] {
    guard pane != nil else { return [] }
    guard let search else {
      pane?.matches = []
      return []
    }
    return [.matchLines(search.text)]
  }

  /// Says that the entry that was asked for is gone; one that is being read stays to be read.
  mutating func close(_ number: Int64) {
    if case .versions(let page) = mode, page.number == number { leaveMode() }
    guard pane?.entry.number == number else {
      status = .failed("no entry has the number \(number)")
      return
    }
    pane?.isGone = true
    if status == nil { status = .done("entry \(number) was deleted; its last text is shown") }
  }

  /// Asks for the open entry again, because something was committed.
  func refreshedReading() -> [Effect] {
    if case .versions(let page) = mode {
      return [.showVersion(page.number, page.isPresent ? nil : page.index)]
    }
    guard mode == .reading, let pane, !pane.isGone else { return [] }
    return [.read(.entry(pane.entry.number))]
  }

  /// Shows the pane beside the list, or takes it away.
  mutating func togglePreview() -> [Effect] {
    guard size.columns >= Layout.leastPaneColumns else {
      status = .failed("too narrow for two panes; Enter reads the entry")
      return []
    }
    wantsPreview = !isSplit
    fit()
    return [.measure]
  }

  /// Ticks an open item: while reading the first one on the screen, in the list the first one of the
  /// selected entry; with a count any item, counted from there.
  mutating func tick(_ count: Int?) -> [Effect] {
    guard !scope.isTrash else {
      status = .failed(Self.inTrash)
      return []
    }
    guard mode == .reading else {
      if let target { return [.tick(target, fromLine: 0, item: count)] }
      status = .failed("no entry selected")
      return []
    }
    guard let pane, !pane.isGone else {
      status = .failed("the entry was deleted; u brings it back")
      return []
    }
    return [.tick(.entry(pane.entry.number), fromLine: pane.offset, item: count)]
  }

  /// Reads the next entry of the list, or one before.
  mutating func readNeighbour(_ step: Int, _ count: Int?) -> [Effect] {
    var moved = list
    moved.moveSelection(by: step * (count ?? 1))
    guard moved.selection != list.selection, let path = moved.selection?.path else {
      status = .done(step > 0 ? "no entry behind this one" : "no entry before this one")
      return []
    }
    list = moved
    return [.read(.row(path))]
  }
}
