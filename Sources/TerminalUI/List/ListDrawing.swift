/// Draws single lines of a list at one place with one layout.
struct ListDrawing {
  let column: Int
  let width: Int
  let layout: RowLayout
  let hasKeys: Bool

  func draw(_ line: DrawnLine, row: Int, on canvas: inout Canvas) {
    switch line.kind {
    case .header(let content): drawHeader(content, line.isSelected, row, &canvas)
    case .row(let content): drawRow(content, line, row, &canvas)
    }
    guard line.isSelected else { return }
    let rect = CanvasRect(column: column, row: row, width: width, height: 1)
    canvas.restyle(rect) { style in
      if hasKeys, style.role != .control, style.role != .match { style.role = .selected }
      style.dim = false
      style.reverse = hasKeys
      style.bold = style.bold || !hasKeys
    }
  }

  private func drawHeader(
    _ content: HeaderContent, _ isSelected: Bool, _ row: Int, _ canvas: inout Canvas
  ) {
    let mark = content.folded ? "▸ " : isSelected ? "› " : ""
    let indent = width >= 6 ? canvas.draw(mark, at: column, row: row, width: width) : 0
    let count = String(content.count)
    let room = width - indent
    let showsCount = room >= count.utf8.count + 10
    let title = TextLayout.cut(
      content.title, columns: showsCount ? room - count.utf8.count - 2 : room)
    canvas.draw(
      title, at: column + indent, row: row, width: room, style: Style(.header, bold: true))
    if showsCount {
      canvas.draw(
        count, at: column + width - count.utf8.count, row: row, style: Style(.hint, dim: true))
    }
  }

  private func drawRow(
    _ content: RowContent, _ line: DrawnLine, _ row: Int, _ canvas: inout Canvas
  ) {
    if layout.gutter > 0 {
      if line.isSelected { canvas.draw("›", at: column, row: row, style: Style(.selected)) }
      if content.marked { canvas.draw("•", at: column + 1, row: row, style: Style(.mark)) }
    }
    if layout.time > 0 {
      canvas.draw(
        content.time, at: column + layout.gutter, row: row, width: layout.time,
        style: Style(.time, dim: true))
    }
    if layout.star > 0, content.starred {
      canvas.draw("★", at: column + layout.starColumn, row: row, style: Style(.star))
    }
    let title = TextLayout.cut(content.title, columns: layout.title)
    let used = canvas.draw(
      title, at: column + layout.titleColumn, row: row, width: layout.title,
      style: Style(line.isChanged ? .changed : .normal, bold: line.isChanged))
    if !line.isChanged {
      restyle(content.tagPlaces, of: title, row, &canvas) { $0.role = .tag }
    }
    restyle(content.matches, of: title, row, &canvas) { style in
      style.role = .match
      style.underline = true
    }
    drawTags(content, columns: layout.title - used - 2, row, &canvas)
  }

  /// Gives places of the title another look, as far as they are shown.
  private func restyle(
    _ places: [Range<Int>], of title: [Cluster], _ row: Int, _ canvas: inout Canvas,
    _ change: (inout Style) -> Void
  ) {
    for place in places {
      let start = TextLayout.column(atByte: place.lowerBound, in: title)
      let end = TextLayout.column(atByte: place.upperBound, in: title)
      let rect = CanvasRect(
        column: column + layout.titleColumn + start, row: row, width: end - start, height: 1)
      canvas.restyle(rect, change)
    }
  }

  private func drawTags(
    _ content: RowContent, columns: Int, _ row: Int, _ canvas: inout Canvas
  ) {
    guard columns > 0, width >= 30 else { return }
    let tags = RowTags.text(content, columns: columns)
    canvas.draw(
      tags, at: column + width - TextLayout.columns(of: tags), row: row,
      style: Style(.tag, dim: true))
  }
}
