import Journal
import TextLayout

/// A picture on a page, and where it is drawn as soon as its pixels are there.
struct PlacedPicture {
  var key: Pictures.Key
  /// The cell at its upper left.
  var column: Int
  var row: Int
}

extension Gallery {
  /// Draws the months with the titles of their pictures; a picture that is not drawn has its size.
  func draw(_ state: State, in rect: CanvasRect, on canvas: inout Canvas) {
    let layout = layout(in: state)
    for (row, line) in layout.visible(from: top) {
      let line = rect.row + line
      switch row {
      case .month(let month, let count):
        let name = "\(state.dates.names.months[month.month - 1]) \(month.year)"
        canvas.draw(
          TextFit.cut(name, columns: max(1, rect.width - 2)), at: rect.column + 1, row: line,
          style: Style(.header, bold: true))
        let words = Numbers.counted(count, "picture", "pictures")
        let left = rect.column + rect.width - 1 - TextWidth.columns(of: words)
        if left > rect.column + 3 + TextWidth.columns(of: name) {
          canvas.draw(words, at: left, row: line, style: Style(.hint, dim: true))
        }
      case .pictures(let range):
        for index in range {
          let column = rect.column + layout.column(index - range.lowerBound)
          draw(index, layout, state, in: rect, at: column, line: line, on: &canvas)
        }
      }
    }
  }

  /// Draws the title of a picture with its day, and its size where nothing is drawn.
  private func draw(
    _ index: Int, _ layout: GalleryLayout, _ state: State, in rect: CanvasRect, at column: Int,
    line: Int, on canvas: inout Canvas
  ) {
    guard let picture = pictures?[index] else { return }
    let end = rect.row + rect.height
    let (isChosen, title) = (index == selected, line + layout.height)
    let width = min(layout.width, rect.column + rect.width - column)
    let style = isChosen ? Style(.selected, reverse: true) : Style()
    if title < end {
      if isChosen {
        canvas.fill(
          CanvasRect(column: column, row: title, width: width, height: 1), style: style)
      }
      let day = TextFit.pad("\(picture.entry.day.day)", columns: 2, atRight: true)
      canvas.draw(day, at: column, row: title, style: isChosen ? style : Style(.time))
      canvas.draw(
        TextFit.cut(picture.name, columns: max(0, width - 3)), at: column + 3, row: title,
        style: style)
    }
    guard layout.height == 0 || state.pictureRoom?.drawn(picture.shown) == nil else { return }
    let words = layout.height == 0 ? title + 1 : line + layout.height / 2
    if words < end {
      canvas.draw(
        TextFit.cut(picture.details, columns: max(0, width - 3)), at: column + 3, row: words,
        style: Style(.hint, dim: true))
    }
  }

  /// The visible pictures, each above its title.
  func pictures(_ state: State, in rect: CanvasRect) -> [PlacedPicture] {
    let layout = layout(in: state)
    guard let room = state.pictureRoom, layout.height > 0, let pictures else { return [] }
    return layout.visible(from: top).flatMap { row, line -> [PlacedPicture] in
      guard case .pictures(let range) = row else { return [] }
      return range.compactMap { index in
        guard let shown = room.drawn(pictures[index].shown) else { return nil }
        let box = PictureBox(
          shown, columns: layout.width, rows: layout.height, cell: room.cell)
        let left = layout.column(index - range.lowerBound) + (layout.width - box.columns) / 2
        return PlacedPicture(
          key: Pictures.Key(hash: shown.hash, box: box), column: rect.column + left,
          row: rect.row + line + layout.height - box.rows)
      }
    }
  }
}
