import Journal

/// The regions of the screen: the header line, the main part with list and pane, the status line,
/// and the footer.
///
/// A screen of fewer than ``headerLines`` lines has no header; there its contents are in the status
/// line, while that has no message.
///
/// The footer is the hint line or an open prompt; the prompt has priority over all other parts,
/// because users must see their typing. In the main part the reading pane is beside the list if
/// both fit; otherwise the focused one fills it.
package struct Layout: Equatable, Sendable {
  /// The line of the header; empty on low screens.
  package var header: Range<Int>
  /// Lines of the list, the pane or the help.
  package var main: Range<Int>
  /// The line of the status; empty on the smallest screens.
  package var status: Range<Int>
  /// Lines of the prompt or of the hints.
  package var foot: Range<Int>
  /// The line below the prompt with its keys; empty without a prompt, and on a screen without a
  /// header line, where the status line has them.
  package var keys: Range<Int>
  /// Columns of the list; empty if the pane replaces it.
  package var list: Range<Int>
  /// Columns of the reading pane; empty if it is hidden.
  package var pane: Range<Int>

  /// The maximum width of wrapped text: longer lines are tiring to read.
  package static let widestText = 88

  /// The minimum width of a screen that shows the pane by default.
  package static let paneColumns = 110

  /// The minimum width of a screen that can show the pane.
  package static let leastPaneColumns = 60

  /// The minimum height of a screen with a header line.
  package static let headerLines = 20

  /// Divides a screen.
  ///
  /// - Parameters:
  ///   - size: the screen.
  ///   - promptLines: the requested lines of the prompt; `nil` without a prompt.
  ///   - split: whether list and pane are side by side.
  ///   - reading: whether the pane has the focus.
  package init(size: Size, promptLines: Int?, split: Bool = false, reading: Bool = false) {
    let wanted = promptLines.map { max(1, $0) } ?? (size.lines > 2 ? 1 : 0)
    let keyLines = promptLines != nil && size.lines >= Self.headerLines ? 1 : 0
    let footLines =
      min(wanted, promptLines == nil ? size.lines : max(1, size.lines - 2 - keyLines)) + keyLines
    let statusLines = size.lines - footLines > 1 ? 1 : 0
    let bottom = size.lines - footLines - statusLines
    header = 0..<(size.lines >= Self.headerLines && bottom > 2 ? 1 : 0)
    main = header.upperBound..<bottom
    status = bottom..<(bottom + statusLines)
    foot = (bottom + statusLines)..<(size.lines - keyLines)
    keys = (size.lines - keyLines)..<size.lines
    if split {
      let listColumns = max(28, min(80, size.columns * 2 / 5))
      list = 0..<listColumns
      pane = (listColumns + 2)..<max(listColumns + 2, size.columns)
    } else {
      list = 0..<(reading ? 0 : size.columns)
      pane = 0..<(reading ? size.columns : 0)
    }
  }

  /// Whether list and pane are side by side, with a line between them.
  package var isSplit: Bool { !list.isEmpty && !pane.isEmpty }

  /// The width of an entry's wrapped text, in columns.
  ///
  /// A blank column is left on both sides, as in the bar above it, unless the pane is very narrow.
  package var textColumns: Int {
    max(1, min(pane.count - (pane.count > 30 ? 2 : 0), Self.widestText))
  }
}
