import Journal
import SectionedResults
import TextLayout

/// Where the reading pane is shown together with the list; the raw value is its name in a
/// configuration.
package enum PaneSide: String, CaseIterable, Codable, Sendable {
  /// Beside the list on a wide screen, below it on a high and narrow one.
  case auto
  /// Beside the list.
  case beside
  /// Below the list.
  case below
}

/// How the list and the reading pane divide the main part of the screen.
///
/// ```
///  beside                    below
///  list      │ pane          list
///  list      ┃ pane          ──────━━━━━───────
///  list      │ pane          pane
/// ```
package struct Split: Equatable, Sendable {
  /// Where the pane is requested.
  package var side: PaneSide
  /// The list's share in percent; `nil` for two fifths, at most 80 columns.
  package var share: Int?
  /// Whether the mouse is dragging the line between both.
  package var isDragged = false

  /// The valid shares, in percent.
  package static let shares = 20...80
  /// The usual share, in percent.
  package static let usualShare = 40
  /// The change of the share by one key, in percent.
  static let step = 5

  package init(side: PaneSide = .auto, share: Int? = nil) {
    self.side = side
    self.share = share
  }

  /// The minimum sizes of a screen that shows both views.
  enum Least {
    /// Columns for a pane beside the list by default.
    static let usualColumns = 110
    /// Columns for a pane beside the list.
    static let columns = 60
    /// Lines for a pane below the list by default, on a screen that is too narrow for both.
    static let usualLines = 40
    /// Lines for a pane below the list.
    static let lines = 16
  }

  /// Where the pane is on a screen; `nil` if the list is alone.
  ///
  /// - Parameter isWanted: whether a pane is requested; `nil` if the size decides.
  func side(on size: Size, isWanted: Bool?) -> PaneSide? {
    let fitsBeside = size.columns >= Least.columns
    let fitsBelow = size.lines >= Least.lines
    let isWide = size.columns >= Least.usualColumns
    let isHigh = size.lines >= Least.usualLines
    switch (side, isWanted) {
    case (_, false?): return nil
    case (.auto, nil): return isWide ? .beside : nil
    case (.auto, true?):
      if isWide || fitsBeside && !isHigh { return .beside }
      return fitsBelow ? .below : nil
    case (.beside, nil): return isWide ? .beside : nil
    case (.beside, true?): return fitsBeside ? .beside : nil
    case (.below, nil): return isHigh || isWide && fitsBelow ? .below : nil
    case (.below, true?): return fitsBelow ? .below : nil
    }
  }

  /// The columns of the list beside a pane.
  func listColumns(of columns: Int) -> Int {
    let wanted =
      share.map { columns * $0 / 100 } ?? min(80, columns * Self.usualShare / 100)
    return max(min(28, columns / 2), min(wanted, columns - 30))
  }

  /// The lines of the list above a pane, of the lines that both have.
  func listLines(of lines: Int) -> Int {
    max(min(4, lines), min(lines * (share ?? Self.usualShare) / 100, lines - 6))
  }
}

/// The reading pane: its entry, and where it is.
package struct PaneState: Equatable, Sendable {
  /// The entry that it shows.
  package var reading: Reading?
  /// How the list and the pane divide the screen.
  package var split = Split()
  /// The selection that it was last filled for.
  package var source: PreviewSource?
  /// Whether it is requested together with the list: `nil` if the size decides.
  package var isWanted: Bool?
  /// The hashes of the pictures that could not be drawn, whose names are shown alone.
  package var undrawable: Set<String> = []

  /// Where it is together with the list on a screen; `nil` if one of them fills the screen.
  func side(on size: Size) -> PaneSide? { split.side(on: size, isWanted: isWanted) }

  /// Gives the list a share in percent, as far as that is valid.
  mutating func setShare(_ share: Int) {
    split.share = min(max(share, Split.shares.lowerBound), Split.shares.upperBound)
  }
}

/// The source of the pane's entry: a selection in one state of the list.
package struct PreviewSource: Equatable, Sendable {
  /// The state of the list.
  package var generation: Int
  package var selection: ListWidget.Position

  package init(generation: Int, selection: ListWidget.Position) {
    self.generation = generation
    self.selection = selection
  }
}

extension State {
  /// Where the pane is shown together with the list; `nil` if one of them fills the screen.
  ///
  /// A screen that is read out shows one pane at a time.
  var paneSide: PaneSide? { environment.isLinear ? nil : pane.side(on: mainSize) }

  /// The size of the screen without the sidebar.
  private var mainSize: Size {
    let taken = showsSidebar ? Sidebar.columns + 2 : 0
    return Size(columns: environment.size.columns - taken, lines: environment.size.lines)
  }

  /// Whether the pane is beside or below the list.
  package var isSplit: Bool { paneSide != nil }

  /// Shows or hides the pane together with the list.
  mutating func togglePreview() -> [Effect] {
    guard !environment.isLinear else {
      status = .failed("--linear has one view at a time; Enter reads the entry")
      return []
    }
    guard pane.split.side(on: mainSize, isWanted: true) != nil else {
      status = .failed("too small for two panes; Enter reads the entry")
      return []
    }
    pane.isWanted = !isSplit
    fit()
    return []
  }

  /// Moves the pane from beside the list to below it, or back, and shows it.
  mutating func turnSplit() -> [Effect] {
    guard !environment.isLinear else { return togglePreview() }
    var sides: [PaneSide] = [.beside, .below]
    if let paneSide { sides.removeAll { $0 == paneSide } }
    guard
      let side = sides.first(where: { Split(side: $0).side(on: mainSize, isWanted: true) != nil })
    else {
      let wanted = sides.count == 1 ? "a pane \(sides[0].rawValue) the list" : "two panes"
      status = .failed("too small for \(wanted)")
      return []
    }
    (pane.split.side, pane.isWanted) = (side, true)
    fit()
    return []
  }

  /// Makes the list larger by steps, or smaller if negative.
  mutating func resizeSplit(by steps: Int) -> [Effect] {
    guard layout.isSplit else {
      status = .failed("there is one pane; p shows the other")
      return []
    }
    let share = pane.split.share ?? layout.listShare
    let (change, _) = steps.multipliedReportingOverflow(by: Split.step)
    let (wanted, isTooFar) = share.addingReportingOverflow(change)
    pane.setShare(isTooFar ? (steps > 0 ? 100 : 0) : wanted)
    fit()
    return []
  }

  /// Moves the line between list and pane to a cell.
  mutating func dragSplit(toColumn column: Int, line: Int) {
    guard layout.isSplit else { return }
    let main = layout.main
    // Half a step up, so that the line stays under the pointer.
    pane.setShare(
      layout.isStacked
        ? ((line - main.lowerBound) * 100 + main.count - 2) / max(1, main.count - 1)
        : ((column - 1 - layout.list.lowerBound) * 100 + mainSize.columns - 1) / mainSize.columns)
    fit()
  }
}
