/// Which lines of the screen belong to what: the main view, the status line, and the foot.
///
/// The foot is the hint line or, while one is open, the prompt; the prompt wins over everything,
/// because a person who types must see what is typed.
public struct Layout: Equatable, Sendable {
  /// Lines of the list, the entry or the help, from the top.
  public var main: Range<Int>
  /// The line of the status; empty on the smallest screens.
  public var status: Range<Int>
  /// Lines of the prompt or of the hints.
  public var foot: Range<Int>

  /// Divides a screen whose prompt, if any, wants `promptLines` lines.
  public init(size: Size, promptLines: Int?) {
    let wanted = promptLines.map { max(1, $0) } ?? (size.lines > 2 ? 1 : 0)
    let footLines = min(wanted, promptLines == nil ? size.lines : max(1, size.lines - 2))
    let statusLines = size.lines - footLines > 1 ? 1 : 0
    let mainLines = size.lines - footLines - statusLines
    main = 0..<mainLines
    status = mainLines..<(mainLines + statusLines)
    foot = (mainLines + statusLines)..<size.lines
  }
}
