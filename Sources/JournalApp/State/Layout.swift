/// Which cells of the screen belong to what: the main part with list and pane, the status line, and
/// the foot.
///
/// The foot is the hint line or, while one is open, the prompt; the prompt wins over everything,
/// because a person who types must see what is typed. In the main part the reading pane stands beside
/// the list where both have room; otherwise the one that has the keys has all of it.
public struct Layout: Equatable, Sendable {
  /// Lines of the list, the pane or the help, from the top.
  public var main: Range<Int>
  /// The line of the status; empty on the smallest screens.
  public var status: Range<Int>
  /// Lines of the prompt or of the hints.
  public var foot: Range<Int>
  /// Columns of the list; empty where the pane has its place.
  public var list: Range<Int>
  /// Columns of the reading pane; empty where it is not shown.
  public var pane: Range<Int>

  /// The columns that text is wrapped to at most: longer lines are tiring to read.
  public static let widestText = 88

  /// Screens of so many columns show the pane without being asked.
  public static let paneColumns = 110

  /// Screens of so many columns show the pane when asked.
  public static let leastPaneColumns = 60

  /// Divides a screen.
  ///
  /// - Parameters:
  ///   - size: the screen.
  ///   - promptLines: the lines the prompt wants; `nil` without a prompt.
  ///   - split: whether list and pane stand side by side.
  ///   - reading: whether the pane has the keys.
  public init(size: Size, promptLines: Int?, split: Bool = false, reading: Bool = false) {
    let wanted = promptLines.map { max(1, $0) } ?? (size.lines > 2 ? 1 : 0)
    let footLines = min(wanted, promptLines == nil ? size.lines : max(1, size.lines - 2))
    let statusLines = size.lines - footLines > 1 ? 1 : 0
    let mainLines = size.lines - footLines - statusLines
    main = 0..<mainLines
    status = mainLines..<(mainLines + statusLines)
    foot = (mainLines + statusLines)..<size.lines
    if split {
      let listColumns = max(28, min(80, size.columns * 2 / 5))
      list = 0..<listColumns
      pane = (listColumns + 3)..<max(listColumns + 3, size.columns)
    } else {
      list = 0..<(reading ? 0 : size.columns)
      pane = 0..<(reading ? size.columns : 0)
    }
  }

  /// Whether list and pane stand side by side, with a line between them.
  public var isSplit: Bool { !list.isEmpty && !pane.isEmpty }

  /// The columns that an entry's text is wrapped to.
  public var textColumns: Int { max(1, min(pane.count, Self.widestText)) }
}
