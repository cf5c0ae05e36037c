import Journal

/// The regions of the screen: the header line, the main part with list and pane, the status line,
/// and the footer.
///
/// A screen of fewer than ``headerLines`` lines has no header; there its contents are in the status
/// line, while that has no error message.
///
/// The footer is the hint line or an open prompt; the prompt has priority over all other parts,
/// because users must see their typing. In the main part the reading pane is beside the list or below
/// it if both fit; otherwise the focused one fills it.
package struct Layout: Equatable, Sendable {
  /// The line of the header; empty on low screens.
  package var header: Range<Int>
  /// Lines of the list and the pane, or of a page.
  package var main: Range<Int>
  /// The line of the status; empty on the smallest screens.
  package var status: Range<Int>
  /// Lines of the prompt or of the hints.
  package var foot: Range<Int>
  /// The line below the prompt with its keys; empty without a prompt, and on a screen without a
  /// header line, where the status line has them.
  package var keys: Range<Int>
  /// Columns of the sidebar; empty if it is hidden.
  package var sidebar: Range<Int>
  /// Columns of the list; empty if the pane replaces it.
  package var list: Range<Int>
  /// Lines of the list.
  package var listLines: Range<Int>
  /// Columns of the reading pane; empty if it is hidden.
  package var pane: Range<Int>
  /// Lines of the reading pane, or of a page.
  package var paneLines: Range<Int>

  /// The maximum width of wrapped text: longer lines are tiring to read.
  package static let widestText = 88

  /// The minimum height of a screen with a header line.
  package static let headerLines = 20

  /// Divides a screen.
  ///
  /// - Parameters:
  ///   - size: the screen.
  ///   - promptLines: the requested lines of the prompt; `nil` without a prompt.
  ///   - isFull: whether the prompt fills the screen, below the status line.
  ///   - side: where the pane is; `nil` if it is not shown together with the list.
  ///   - split: the shares of both.
  ///   - sidebar: whether the sidebar is shown.
  ///   - reading: whether the pane has the focus.
  package init(
    size: Size, promptLines: Int?, isFull: Bool = false, side: PaneSide? = nil,
    split: Split = Split(),
    sidebar: Bool = false, reading: Bool = false
  ) {
    let wanted = promptLines.map { max(1, $0) } ?? (size.lines > 2 ? 1 : 0)
    let keyLines = promptLines != nil && size.lines >= Self.headerLines ? 1 : 0
    let most = isFull ? size.lines - 1 : size.lines - 2
    let footLines =
      isFull
      ? max(1, most)
      : min(wanted, promptLines == nil ? size.lines : max(1, most - keyLines)) + keyLines
    let statusLines = size.lines - footLines > (isFull ? 0 : 1) ? 1 : 0
    let bottom = size.lines - footLines - statusLines
    header = 0..<(size.lines >= Self.headerLines && bottom > 2 ? 1 : 0)
    main = header.upperBound..<bottom
    status = bottom..<(bottom + statusLines)
    foot = (bottom + statusLines)..<(size.lines - keyLines)
    keys = (size.lines - keyLines)..<size.lines
    (listLines, paneLines) = (main, main)
    self.sidebar = 0..<(sidebar ? Sidebar.columns : 0)
    // A line and a blank are between the sidebar and the list.
    let left = sidebar ? Sidebar.columns + 2 : 0
    switch side {
    case .below? where main.count > 6:
      (list, pane) = (left..<size.columns, left..<size.columns)
      let end = main.lowerBound + split.listLines(of: main.count - 1)
      (listLines, paneLines) = (main.lowerBound..<end, (end + 1)..<main.upperBound)
    case .beside?, .auto?:
      let end = left + split.listColumns(of: size.columns - left)
      list = left..<end
      pane = (end + 2)..<max(end + 2, size.columns)
    case .below?, nil:
      list = left..<(reading ? left : size.columns)
      pane = left..<(reading ? size.columns : left)
    }
  }

  /// Whether list and pane are shown together, with a line between them.
  package var isSplit: Bool { !list.isEmpty && !pane.isEmpty }

  /// Whether the pane is below the list.
  package var isStacked: Bool { listLines.upperBound < paneLines.lowerBound }

  /// The list's share of the main part, in percent.
  var listShare: Int {
    isStacked
      ? listLines.count * 100 / max(1, main.count - 1)
      : list.count * 100 / max(1, pane.upperBound - list.lowerBound)
  }

  /// Whether a cell is on the line between list and pane.
  func isDivider(column: Int, line: Int) -> Bool {
    guard isSplit else { return false }
    return isStacked
      ? line == listLines.upperBound
      : main.contains(line) && (list.upperBound..<pane.lowerBound).contains(column)
  }

  /// Whether a cell is in the reading pane.
  func isInPane(column: Int, line: Int) -> Bool {
    pane.contains(column) && paneLines.contains(line)
  }

  /// The width of an entry's wrapped text, in columns.
  ///
  /// A blank column is left on both sides, as in the bar above it, unless the pane is very narrow.
  package var textColumns: Int {
    max(1, min(pane.count - (pane.count > 30 ? 2 : 0), Self.widestText))
  }
}
