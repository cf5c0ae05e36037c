import Journal
import TextLayout

/// One version of an entry's text, with what it changed in the version before it.
package struct VersionPage: Sendable {
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
  /// The text laid out; `nil` until the page is shown.
  private(set) var layout: VersionLayout?
  /// The first line shown.
  package var offset = 0

  /// Makes a page at its beginning.
  package init(
    number: Int64, index: Int, count: Int, written: Moment, base: Int64, isInTrash: Bool = false,
    difference: MarkedDifference
  ) {
    self.number = number
    self.index = index
    self.count = count
    self.written = written
    self.base = base
    self.isInTrash = isInTrash
    self.difference = difference
  }

  /// Whether it is the text that the entry has now.
  package var isPresent: Bool { index == count }

  /// The lines that it takes at the width it is laid out to.
  package var lines: Int { layout?.count ?? 0 }

  /// Lays the page out to the width of the screen.
  mutating func layOut(columns: Int) {
    if layout?.columns != columns { layout = VersionLayout(difference, columns: columns) }
  }
}

extension VersionPage: Equatable {
  /// The layout is not compared but for its width: it follows from the difference.
  package static func == (a: VersionPage, b: VersionPage) -> Bool {
    a.number == b.number && a.index == b.index && a.count == b.count && a.written == b.written
      && a.base == b.base && a.isInTrash == b.isInTrash && a.offset == b.offset
      && a.layout?.columns == b.layout?.columns && a.difference == b.difference
  }
}

/// News of the versions of an entry.
package enum VersionsEvent: Equatable, Sendable {
  /// The version that was asked for.
  case opened(VersionPage)
}

/// Looking through the versions of an entry, the newest first, and taking one back.
extension State {
  mutating func updateVersions(_ event: VersionsEvent) -> [Effect] {
    switch event {
    case .opened(let page): show(page)
    }
    return []
  }

  /// Shows a version; one that is shown already keeps its place.
  private mutating func show(_ page: VersionPage) {
    var page = page
    page.layOut(columns: size.columns)
    if case .versions(let shown) = mode, shown.number == page.number, shown.index == page.index {
      page.offset = clamped(shown.offset, of: page.lines)
    }
    mode = .versions(page)
  }

  /// Lays the version out again when the screen has another width.
  mutating func layOutVersion() {
    guard case .versions(var page) = mode else { return }
    page.layOut(columns: size.columns)
    page.offset = clamped(page.offset, of: page.lines)
    mode = .versions(page)
  }

  /// Goes to an older or a newer version, or takes the shown one back.
  mutating func look(_ action: VersionAction, _ count: Int?) -> [Effect] {
    guard case .versions(let page) = mode else { return [] }
    if action == .restore { return restoreVersion(page) }
    let step = (count ?? 1) * (action == .older ? -1 : 1)
    let index = min(max(1, page.index + step), page.count)
    guard index != page.index else {
      status = .done(step < 0 ? "this is the first version" : "this is the present text")
      return []
    }
    return [.read(.version(page.number, index == page.count ? nil : index))]
  }

  /// An entry in the trash comes out of it with the text: who wants the text wants the entry.
  private mutating func restoreVersion(_ page: VersionPage) -> [Effect] {
    guard !page.isPresent || page.isInTrash else {
      status = .done("this is the present text; h shows what it was before")
      return []
    }
    // What follows is the news of the present text, and that is what is to be seen then.
    var present = page
    present.index = present.count
    mode = .versions(present)
    return [.change(.restoreVersion(page.number, version: page.index, expecting: page.base))]
  }

  /// Goes back to the entry that was being read, else to the list.
  mutating func leave(_ page: VersionPage) -> [Effect] {
    guard !isSplit, pane?.entry.number == page.number else {
      leaveMode()
      return []
    }
    mode = .reading
    fit()
    return [.read(.entry(.entry(page.number)))]
  }
}
