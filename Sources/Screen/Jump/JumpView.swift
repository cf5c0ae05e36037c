import Journal
import TextLayout

extension JumpBar {
  /// Draws the years with their months, or the lines of titles around the selected one.
  func draw(_ state: State, in rect: CanvasRect, on canvas: inout Canvas) {
    if let grid {
      return YearGridView(grid: grid, month: month, names: state.dates.names)
        .draw(in: rect, on: &canvas)
    }
    let lineCount = (titles.count + columns - 1) / columns
    let first = firstLine(height: rect.height)
    for (row, line) in zip(rect.row..<(rect.row + rect.height), first..<max(first, lineCount)) {
      for column in 0..<columns {
        let index = line * columns + column
        guard index < titles.count else { break }
        draw(index, at: rect.column + column * cellWidth + 1, row: row, on: &canvas)
      }
    }
  }

  private func draw(_ index: Int, at column: Int, row: Int, on canvas: inout Canvas) {
    let isChosen = index == selected
    let style = isChosen ? Style(.selected, reverse: true) : Style()
    let title = TextFit.pad(titles[index].title, columns: titleWidth)
    let count = TextFit.pad(Numbers.grouped(counts[index]), columns: countWidth, atRight: true)
    canvas.draw("\(isChosen ? "›" : " ")\(title)  ", at: column - 1, row: row, style: style)
    canvas.draw(
      "\(count) ", at: column + titleWidth + 2, row: row,
      style: isChosen ? style : Style(.hint, dim: true))
  }
}

/// Draws a year grid: the names of the months, then a line for each year with its number, the count
/// and the level of each month, and the year's total, as far as there is room.
struct YearGridView {
  let grid: YearGrid
  /// The selected month.
  let month: Int
  let names: DateNames

  func draw(in rect: CanvasRect, on canvas: inout Canvas) {
    let layout = YearGridLayout(grid, month: month, width: rect.width, height: rect.height)
    if layout.head > 0 { drawNames(layout, in: rect, on: &canvas) }
    let rows = (rect.row + layout.head)..<(rect.row + rect.height)
    for (row, year) in zip(rows, grid.years.dropFirst(layout.first)) {
      let left = rect.column + layout.margin
      if layout.label > 0 {
        canvas.draw(
          TextFit.pad("\(year)", columns: 4, atRight: true), at: left, row: row,
          style: Style(.header, bold: true))
      }
      for month in 0..<12 {
        draw(year * 12 + month, layout, at: rect.column + layout.column(of: month), row, &canvas)
      }
      guard layout.total > 0 else { continue }
      canvas.draw(
        TextFit.pad(Numbers.grouped(grid.total(of: year)), columns: layout.total, atRight: true),
        at: rect.column + layout.column(of: 12), row: row, style: Style(bold: true))
    }
  }

  /// The names of the months above the ends of their counts; the first letters above signs.
  private func drawNames(
    _ layout: YearGridLayout, in rect: CanvasRect, on canvas: inout Canvas
  ) {
    for month in 0..<12 {
      let width = max(1, layout.count)
      let name = TextFit.cut(
        String(names.months[month].prefix(layout.count > 0 ? 3 : 1)), columns: width)
      let indent = layout.gap + width - TextFit.columns(of: name)
      canvas.draw(
        name, at: rect.column + layout.column(of: month) + indent, row: rect.row,
        style: Style(.hint, dim: true))
    }
  }

  private func draw(
    _ number: Int, _ layout: YearGridLayout, at column: Int, _ row: Int, _ canvas: inout Canvas
  ) {
    let isChosen = number == month
    let chosen = Style(.selected, reverse: true)
    if isChosen {
      canvas.fill(
        CanvasRect(column: column, row: row, width: layout.cell, height: 1), style: chosen)
    }
    let end = column + layout.gap + layout.count
    guard let found = grid.months[number] else {
      canvas.draw(
        LevelSigns.none, at: layout.count > 0 ? end - 1 : end, row: row,
        style: isChosen ? chosen : Style(.hint, dim: true))
      return
    }
    let level = grid.levels.level(of: found.count) - 1
    if layout.count > 0 {
      let text = Numbers.grouped(found.count)
      canvas.draw(text, at: end - text.count, row: row, style: isChosen ? chosen : Style())
    }
    canvas.draw(
      LevelSigns.shapes[level], at: end, row: row,
      style: isChosen ? chosen : Style(Style.Role.levels[level]))
  }
}
