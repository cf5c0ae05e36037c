import Journal
import TextLayout

/// One version of an entry's text, with its difference to the version before it, or to the one with
/// which it is in conflict.
package struct VersionPage: Codable, Sendable {
  /// A version in conflict with that of the page.
  package struct Conflict: Equatable, Codable, Sendable {
    /// The number of the version.
    package var index: Int
    /// When its text was written.
    package var written: Moment
    /// Where it was written, in words; `nil` if that is not known.
    package var author: String?
    /// The two texts without equal lines far from a change; the page's is the new one.
    package var difference: AlignedDifference

    /// The equal lines that are shown beside a change.
    package static let context = 2

    package init(
      index: Int, written: Moment, author: String? = nil, difference: AlignedDifference
    ) {
      self.index = index
      self.written = written
      self.author = author
      self.difference = difference
    }
  }

  /// The entry's number.
  package var number: Int64
  /// The number of the version, from 1, the oldest first.
  package var index: Int
  /// The number of versions.
  package var count: Int
  /// When this text was written.
  package var written: Moment
  /// Where it was written, in words such as `came from another device`; `nil` if that is not known.
  package var author: String?
  /// The checksum of the entry's current text: restoring requires that it has not changed.
  package var base: Int64
  /// Whether the entry is in the trash.
  package var isInTrash: Bool
  /// The version with which this one is in conflict, and compared; `nil` for none.
  package var conflict: Conflict?
  /// The lines of this version and the one before; all lines of the first one count as unchanged.
  package var difference: MarkedDifference
  /// The text laid out; `nil` until the page is shown.
  private(set) var layout: VersionLayout?
  /// The first line shown.
  package var offset = 0

  package init(
    number: Int64, index: Int, count: Int, written: Moment, author: String? = nil, base: Int64,
    isInTrash: Bool = false, conflict: Conflict? = nil, difference: MarkedDifference
  ) {
    self.number = number
    self.index = index
    self.count = count
    self.written = written
    self.author = author
    self.base = base
    self.isInTrash = isInTrash
    self.conflict = conflict
    self.difference = difference
  }

  /// All but the layout, which a page does not have before it is shown.
  private enum CodingKeys: CodingKey {
    case number, index, count, written, author, base, isInTrash, conflict, difference, offset
  }

  /// Whether it is the entry's current text.
  package var isPresent: Bool { index == count }

  /// The number of lines at the current width.
  var lineCount: Int { layout?.count ?? 0 }

  /// Lays the page out to the width of the screen.
  mutating func layOut(columns: Int) {
    if layout?.columns != columns { layout = VersionLayout(self, columns: columns) }
  }
}

extension VersionPage: Equatable {
  /// Of the layout only the width is compared: it is derived from the difference.
  package static func == (a: VersionPage, b: VersionPage) -> Bool {
    a.number == b.number && a.index == b.index && a.count == b.count && a.written == b.written
      && a.author == b.author && a.base == b.base && a.isInTrash == b.isInTrash
      && a.offset == b.offset
      && a.conflict == b.conflict
      && a.layout?.columns == b.layout?.columns && a.difference == b.difference
  }
}

/// Events of the versions of an entry.
package enum VersionsEvent: Equatable, Codable, Sendable {
  /// The requested version.
  case opened(VersionPage)
}

/// Reading the versions of an entry, the newest first, and restoring one.
extension State {
  mutating func updateVersions(_ event: VersionsEvent) -> [Effect] {
    switch event {
    case .opened(let page): show(page)
    }
    return []
  }

  /// Shows a version; one that is already shown keeps its scroll offset.
  private mutating func show(_ page: VersionPage) {
    var page = page
    if case .versions(let shown) = pages.mode, shown.number == page.number,
      shown.index == page.index
    {
      page.offset = shown.offset
    }
    open(page)
  }

  /// Goes to an older or a newer version, restores the shown one, or settles a conflict.
  mutating func look(_ action: VersionAction, _ count: Int?) -> [Effect] {
    guard case .versions(let page) = pages.mode else { return [] }
    switch action {
    case .older: return look(at: page, by: -(count ?? 1))
    case .newer: return look(at: page, by: count ?? 1)
    case .restore: return restoreVersion(page)
    case .keepShown: return settle(page) { state, _ in state.restoreVersion(page.index, of: page) }
    case .keepOther: return settle(page) { $0.restoreVersion($1.index, of: page) }
    case .keepBoth, .editBoth:
      return settle(page) { state, conflict in
        state.showPresent(page)
        return [
          .change(
            .keepBoth(
              page.number, versions: [conflict.index, page.index], expecting: page.base,
              thenEdit: action == .editBoth))
        ]
      }
    }
  }

  private mutating func settle(
    _ page: VersionPage, _ body: (inout State, VersionPage.Conflict) -> [Effect]
  ) -> [Effect] {
    guard let conflict = page.conflict else {
      status = .failed("this version is in no conflict; r restores it")
      return []
    }
    return body(&self, conflict)
  }

  private mutating func look(at page: VersionPage, by step: Int) -> [Effect] {
    let index = min(max(1, page.index + step), page.count)
    guard index != page.index else {
      status = .done(step < 0 ? "this is the first version" : "this is the current version")
      return []
    }
    return [.read(.version(page.number, index == page.count ? nil : index))]
  }

  /// Restores the shown version.
  ///
  /// An entry in the trash comes out of it with the text: who wants the text wants the entry. Of two
  /// texts in conflict the restored one stays, also the current one.
  private mutating func restoreVersion(_ page: VersionPage) -> [Effect] {
    guard !page.isPresent || page.isInTrash || page.conflict != nil else {
      status = .done("this is the current version; h shows the older one")
      return []
    }
    return restoreVersion(page.index, of: page)
  }

  private mutating func restoreVersion(_ index: Int, of page: VersionPage) -> [Effect] {
    showPresent(page)
    // The two texts of a conflict are those of the page.
    let other = page.conflict.map { index == page.index ? $0.index : page.index }
    return [
      .change(
        .restoreVersion(page.number, version: index, comparedWith: other, expecting: page.base))
    ]
  }

  /// A change makes a new current version, which is shown next.
  private mutating func showPresent(_ page: VersionPage) {
    var present = page
    present.index = present.count
    pages.mode = .versions(present)
  }
}

extension VersionPage: ScrolledPage {
  package var mode: Mode { .versions(self) }
  package var context: KeyContext { conflict == nil ? .versions : .conflict }
  var subject: PageSubject { .entry(number) }
  func isSame(as page: VersionPage) -> Bool { number == page.number }

  package func title(in state: State) -> String? {
    "entry \(number)  version \(index) of \(count)"
  }

  mutating func layOut(in state: State) {
    layOut(columns: state.textWidth)
    offset = state.clamped(offset, of: lineCount)
  }

  mutating func move(_ movement: Movement, count: Int?, in state: State) -> [Effect] {
    switch movement {
    case .previousSection: goToChange(by: -(count ?? 1), in: state)
    case .nextSection: goToChange(by: count ?? 1, in: state)
    case .up, .down, .halfPageUp, .halfPageDown, .pageUp, .pageDown, .first, .last, .left, .right:
      offset = state.scrolled(offset, of: lineCount, movement, count)
    }
    return []
  }

  /// Goes to a run of changed lines after or before the line at the top; a line above it stays visible.
  private mutating func goToChange(by step: Int, in state: State) {
    let goals = (layout?.changes ?? []).map { state.clamped($0 - 1, of: lineCount) }
    let found =
      step > 0
      ? goals.filter { $0 > offset }.dropFirst(step - 1).first ?? goals.last
      : goals.filter { $0 < offset }.dropLast(-step - 1).last ?? 0
    offset = found.map { step > 0 ? max(offset, $0) : $0 } ?? offset
  }

  var refresh: [Effect] { [.read(.version(number, isPresent ? nil : index))] }

  func draw(_ state: State, in rect: CanvasRect, on canvas: inout Canvas) {
    layout?.draw(self, dates: state.dates, in: rect, on: &canvas)
  }
}
