import Journal
import TextLayout

/// Draws the month calendar: rows of months, beside each day a sign for how many words it has, and
/// below them the entries of the selected day.
///
/// If there is room, ISO weeks are numbered; a week that does not begin on Monday has the number of
/// its Thursday.
struct CalendarView {
  let calendar: MonthCalendar
  let today: Day
  /// The first weekday, 1 for Monday to 7 for Sunday.
  var firstWeekday = 1
  let dates: DateStyle

  private var names: DateNames { dates.names }

  /// Draws the calendar centred in a part of a canvas.
  func draw(in rect: CanvasRect, on canvas: inout Canvas) {
    let layout = CalendarLayout(
      calendar, width: rect.width, height: rect.height, firstWeekday: firstWeekday)
    for block in layout.blocks {
      let column = rect.column + block.column
      let row = rect.row + block.line
      let title = "\(names.months[block.month.month - 1]) \(block.month.year)"
      let indent = max(0, (CalendarLayout.month - TextWidth.columns(of: title)) / 2)
      canvas.draw(title, at: column + indent, row: row, style: Style(.header, bold: true))
      if layout.showsWeekdays { drawWeekdays(layout, at: column, row: row + 1, on: &canvas) }
      for place in layout.places(in: block) {
        if layout.beginsLine(place, in: block) {
          drawWeek(
            "\(layout.week(of: place.day))", at: column - CalendarLayout.weekColumns,
            row: rect.row + place.line, on: &canvas)
        }
        draw(place.day, at: rect.column + place.column, row: rect.row + place.line, on: &canvas)
      }
    }
    drawDay(layout, in: rect, on: &canvas)
  }

  private func drawWeek(_ text: String, at column: Int, row: Int, on canvas: inout Canvas) {
    canvas.draw(text, at: column + 2 - text.count, row: row, style: Style(.hint, dim: true))
  }

  private func drawWeekdays(
    _ layout: CalendarLayout, at column: Int, row: Int, on canvas: inout Canvas
  ) {
    if layout.showsWeeks {
      drawWeek("wk", at: column - CalendarLayout.weekColumns, row: row, on: &canvas)
    }
    for index in 0..<7 {
      let name = names.shortWeekdays[(firstWeekday - 1 + index) % 7]
      let text = TextFit.cut(String(name.prefix(2)), columns: 3)
      let indent = 3 - TextFit.columns(of: text)
      canvas.draw(text, at: column + index * CalendarLayout.cell + indent, row: row)
    }
  }

  /// Draws the number of a day and its level; the number of today is underlined.
  private func draw(_ day: Day, at column: Int, row: Int, on canvas: inout Canvas) {
    let count = calendar.counts[day]
    let isChosen = day == calendar.day
    var style = Style(
      isChosen ? .selected : day == today ? .changed : .normal, bold: count != nil,
      reverse: isChosen)
    canvas.fill(
      CanvasRect(column: column, row: row, width: CalendarLayout.cell, height: 1),
      style: isChosen ? style : Style())
    if let count {
      let level = calendar.levels.level(of: count.words) - 1
      canvas.draw(
        LevelSigns.shapes[level], at: column + 3, row: row,
        style: isChosen ? style : Style(Style.Role.levels[level]))
    }
    style.underline = day == today
    let number = "\(day.day)"
    canvas.draw(number, at: column + 3 - number.count, row: row, style: style)
  }

  // MARK: The selected day

  /// Draws the entries of the selected day: time, star, title; the last line counts those that do
  /// not fit.
  private func drawDay(
    _ layout: CalendarLayout, in rect: CanvasRect, on canvas: inout Canvas
  ) {
    guard !layout.list.isEmpty, calendar.listed == calendar.day else { return }
    let count = max(calendar.counts[calendar.day]?.entries ?? 0, calendar.rows.count)
    let shown = count > layout.list.count ? layout.list.count - 1 : count
    let left = rect.column + layout.columns.lowerBound
    let times = calendar.rows.prefix(shown).map { dates.text(of: $0.created) }
    let width = times.map { TextWidth.columns(of: $0) }.max() ?? 0
    for (index, (row, time)) in zip(calendar.rows, times).enumerated() {
      let line = rect.row + layout.list.lowerBound + index
      canvas.draw(
        TextFit.pad(time, columns: width, atRight: true), at: left, row: line, style: Style(.time))
      if row.starred { canvas.draw("★", at: left + width + 1, row: line, style: Style(.star)) }
      canvas.draw(
        TextFit.cut(
          Entry.plainTitle(of: row.title), columns: max(0, layout.columns.count - width - 3)),
        at: left + width + 3, row: line)
    }
    guard shown < count else { return }
    canvas.draw(
      "+ \(Numbers.grouped(count - times.count)) more", at: left,
      row: rect.row + layout.list.lowerBound + times.count, style: Style(.hint, dim: true))
  }
}

extension MonthCalendar {
  func draw(_ state: State, in rect: CanvasRect, on canvas: inout Canvas) {
    CalendarView(
      calendar: self, today: state.journal.today, firstWeekday: state.firstWeekday,
      dates: state.dates
    ).draw(in: rect, on: &canvas)
  }
}
