import Journal

/// One version of an entry's text, with what it changed in the version before it.
package struct VersionPage: Equatable, Sendable {
  /// The entry's number.
  package var number: Int64
  /// Which version it is, from 1, the oldest first.
  package var index: Int
  /// How many versions there are.
  package var count: Int
  /// When this text was written.
  package var written: Moment
  /// The checksum of the entry's present text: what a version takes the place of must still be it.
  package var base: Int64
  /// Whether the entry is in the trash.
  package var isInTrash: Bool
  /// The lines of this version and the one before; those of the first one all count as the same.
  package var difference: MarkedDifference
  /// How many lines it takes at the present width.
  package var lines: Int
  /// The first line shown.
  package var offset = 0

  /// Makes a page at its beginning.
  package init(
    number: Int64, index: Int, count: Int, written: Moment, base: Int64, isInTrash: Bool = false,
    difference: MarkedDifference, lines: Int
  ) {
    self.number = number
    self.index = index
    self.count = count
    self.written = written
    self.base = base
    self.isInTrash = isInTrash
    self.difference = difference
    self.lines = lines
  }

  /// Whether it is the text that the entry has now.
  package var isPresent: Bool { index == count }
}

/// Looking through the versions of an entry, the newest first, and taking one back.
extension State {
  /// Shows a version; one that is shown already keeps its place.
  mutating func show(_ page: VersionPage) {
    var page = page
    if case .versions(let shown) = mode, shown.number == page.number, shown.index == page.index {
      page.offset = clamped(shown.offset, of: page.lines)
    }
    mode = .versions(page)
  }

  /// Goes to an older or a newer version, or takes the shown one back.
  mutating func look(_ action: Action, _ count: Int?) -> [Effect] {
    guard case .versions(let page) = mode else { return [] }
    if action == .takeBack { return takeBack(page) }
    let step = (count ?? 1) * (action == .olderVersion ? -1 : 1)
    let index = min(max(1, page.index + step), page.count)
    guard index != page.index else {
      status = .done(step < 0 ? "this is the first version" : "this is the present text")
      return []
    }
    return [.showVersion(page.number, index == page.count ? nil : index)]
  }

  /// An entry in the trash comes out of it with the text: who wants the text wants the entry.
  private mutating func takeBack(_ page: VersionPage) -> [Effect] {
    guard !page.isPresent || page.isInTrash else {
      status = .done("this is the present text; h shows what it was before")
      return []
    }
    // What follows is the news of the present text, and that is what is to be seen then.
    var present = page
    present.index = present.count
    mode = .versions(present)
    return [.takeBack(page.number, version: page.index, expecting: page.base)]
  }

  /// Goes back to the entry that was being read, else to the list.
  mutating func leave(_ page: VersionPage) -> [Effect] {
    guard !isSplit, pane?.entry.number == page.number else {
      leaveMode()
      return []
    }
    mode = .reading
    fit()
    return [.read(.entry(page.number))]
  }
}
