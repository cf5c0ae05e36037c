import Journal
import TextLayout

/// Both texts of an entry that was changed elsewhere while it was edited, above the question which of them
/// to keep.
extension ConflictLayout {
  /// Lays both texts out; `nil` if there is only one.
  init?(_ conflict: EditConflict, in state: State) {
    guard let theirs = conflict.theirs else { return nil }
    self.init(theirs.difference, isCurrent: false, columns: state.textWidth)
  }

  /// The greatest first line: the keys below may cover half of the height.
  func lastOffset(height: Int) -> Int { max(0, count - height / 2) }

  /// Draws both texts.
  func draw(
    _ conflict: EditConflict, _ dates: DateStyle, in rect: CanvasRect, on canvas: inout Canvas
  ) {
    guard let theirs = conflict.theirs else { return }
    let day = dates.text(of: theirs.written.localDay)
    let heads = [
      Head(
        title: "Theirs: entry \(conflict.number), saved \(theirs.author)",
        date: "\(day) \(dates.text(of: theirs.written))", style: Style(.header, bold: true)),
      Head(title: "Mine", date: "not saved yet", style: Style(.header, bold: true)),
    ]
    // The screen may have been smaller.
    let offset = min(conflict.offset, lastOffset(height: rect.height))
    draw(heads, from: offset, in: rect, on: &canvas)
  }
}
