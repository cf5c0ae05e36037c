/// One cell of a canvas: a character with its marks and its look.
public struct CanvasCell: Hashable, Sendable {
  /// One character that takes columns, with at most four marks, or a whole emoji sequence; empty in
  /// the second half of a wide one.
  ///
  /// It never contains a control character.
  public let text: String
  /// 1, 2 for the first half of a wide character, and 0 for its second half.
  public let columns: Int
  /// How it looks.
  public internal(set) var style: Style

  /// What a terminal is given: of an emoji sequence its first emoji, as all terminals measure it.
  public var drawn: String { DrawnText.reduced(text) }

  /// A space.
  static func blank(_ style: Style = Style()) -> CanvasCell {
    CanvasCell(text: " ", columns: 1, style: style)
  }
}
