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
    let title = TextLayout.cut(content.title, columns: titleColumns(content))
    var used = canvas.draw(
      title, at: column + layout.titleColumn, row: row, width: layout.title,
      style: Style(line.isChanged ? .changed : .normal, bold: line.isChanged))
    if !line.isChanged {
      restyle(content.tagPlaces, of: title, row, &canvas) { $0.role = .tag }
    }
    restyle(content.matches, of: title, row, &canvas) { style in
      style.role = .match
      style.underline = true
    }
    used += drawExcerpt(content, after: title, row, &canvas)
    drawTags(content, columns: layout.title - used - 2, row, &canvas)
  }

  /// The columns of the title: half of the room is enough where a piece of the text follows it.
  private func titleColumns(_ content: RowContent) -> Int {
    guard showsExcerpt(content) else { return layout.title }
    let excerpt = TextLayout.columns(of: TextLayout.cut(content.excerpt, columns: layout.title))
    return max(layout.title / 2, layout.title - excerpt - Self.gap)
  }

  private func showsExcerpt(_ content: RowContent) -> Bool {
    !content.excerpt.isEmpty && layout.title >= 24
  }

  /// The columns between a title and a piece of the text: a blank, an ellipsis, a blank.
  private static let gap = 3

  /// Draws a piece of the text behind the title, with its first match in sight.
  ///
  /// - Returns: the columns drawn.
  private func drawExcerpt(
    _ content: RowContent, after title: [Cluster], _ row: Int, _ canvas: inout Canvas
  ) -> Int {
    guard showsExcerpt(content) else { return 0 }
    let used = TextLayout.columns(of: title)
    // A title that was cut ends with an ellipsis already.
    let sign = title.last == TextLayout.ellipsis ? " " : " … "
    let room = layout.title - used - TextWidth.columns(of: sign)
    guard room > 0 else { return 0 }
    let shown = Self.inSight(content, columns: room)
    let column = layout.titleColumn + used + TextWidth.columns(of: sign)
    let clusters = TextLayout.cut(shown.text, columns: room)
    let style = Style(.hint, dim: true)
    canvas.draw(sign, at: self.column + layout.titleColumn + used, row: row, style: style)
    let drawn = canvas.draw(clusters, at: self.column + column, row: row, width: room, style: style)
    restyle(shown.matches, of: clusters, at: column, row, &canvas) { style in
      style = Style(.match, underline: true)
    }
    return TextWidth.columns(of: sign) + drawn
  }

  /// The piece from its beginning, or from its first match on where that would be cut off.
  private static func inSight(
    _ content: RowContent, columns: Int
  ) -> (text: String, matches: [Range<Int>]) {
    let whole = (content.excerpt, content.excerptMatches)
    guard let first = content.excerptMatches.first, first.lowerBound > 0 else { return whole }
    let utf8 = content.excerpt.utf8
    let end = utf8.index(utf8.startIndex, offsetBy: first.upperBound)
    let lead = TextLayout.cut(String(content.excerpt[..<end]), columns: .max)
    guard TextLayout.columns(of: lead) >= columns else { return whole }
    let start = utf8.index(utf8.startIndex, offsetBy: first.lowerBound)
    let matches = content.excerptMatches.map {
      $0.lowerBound - first.lowerBound..<$0.upperBound - first.lowerBound
    }
    return (String(content.excerpt[start...]), matches)
  }

  /// Gives places of a text another look, as far as they are shown; of the title without a column.
  private func restyle(
    _ places: [Range<Int>], of title: [Cluster], at textColumn: Int? = nil, _ row: Int,
    _ canvas: inout Canvas, _ change: (inout Style) -> Void
  ) {
    let isCut = title.last == TextLayout.ellipsis
    let shown = TextLayout.columns(of: title) - (isCut ? TextLayout.ellipsis.columns : 0)
    for place in places {
      let start = TextLayout.column(atByte: place.lowerBound, in: title)
      let end = min(shown, TextLayout.column(atByte: place.upperBound, in: title))
      guard start < end else { continue }
      let rect = CanvasRect(
        column: column + (textColumn ?? layout.titleColumn) + start, row: row, width: end - start,
        height: 1)
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
