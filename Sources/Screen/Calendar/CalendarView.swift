import Journal
import TextLayout

/// Draws the month calendar: the month of the selected day, with adjacent months if there is room;
/// below each day the number of its entries, or on low screens a dot beside it.
///
/// If there is room, ISO weeks are numbered; a week that does not begin on Monday has the number of
/// its Thursday.
struct CalendarView {
  let calendar: MonthCalendar
  let today: Day
  /// The first weekday, 1 for Monday to 7 for Sunday.
  var firstWeekday = 1
  let names: DateNames

  /// Draws the calendar centred in a part of a canvas.
  func draw(in rect: CanvasRect, on canvas: inout Canvas) {
    let layout = CalendarLayout(
      calendar, width: rect.width, height: rect.height, firstWeekday: firstWeekday)
    for block in layout.blocks {
      let column = rect.column + block.column
      let title = "\(names.months[block.month.month - 1]) \(block.month.year)"
      let indent = max(0, (CalendarLayout.month - TextWidth.columns(of: title)) / 2)
      canvas.draw(title, at: column + indent, row: rect.row, style: Style(.header, bold: true))
      if let line = layout.weekdayLine {
        drawWeekdays(at: column, row: rect.row + line, on: &canvas)
      }
      for place in layout.places(in: block) {
        if layout.beginsLine(place, in: block) {
          drawWeek(
            layout.week(of: place.day), at: column - CalendarLayout.weekColumns,
            row: rect.row + place.line, on: &canvas)
        }
        draw(
          place.day, at: rect.column + place.column, row: rect.row + place.line,
          layout.weekHeight > 1, on: &canvas)
      }
    }
  }

  private func drawWeek(_ number: Int, at column: Int, row: Int, on canvas: inout Canvas) {
    let text = "\(number)"
    canvas.draw(text, at: column + 2 - text.count, row: row, style: Style(.hint, dim: true))
  }

  private func drawWeekdays(at column: Int, row: Int, on canvas: inout Canvas) {
    for index in 0..<7 {
      let name = names.shortWeekdays[(firstWeekday - 1 + index) % 7]
      let text = TextFit.cut(String(name.prefix(2)), columns: 3)
      let indent = 3 - TextFit.columns(of: text)
      canvas.draw(
        text, at: column + index * CalendarLayout.cell + indent, row: row,
        style: Style(.hint, dim: true))
    }
  }

  private func draw(
    _ day: Day, at column: Int, row: Int, _ isHigh: Bool, on canvas: inout Canvas
  ) {
    let count = calendar.counts[day] ?? 0
    let isChosen = day == calendar.day
    let style = Style(
      isChosen ? .selected : day == today ? .changed : .normal, bold: count > 0,
      dim: count == 0 && !isChosen, underline: day == today, reverse: isChosen)
    let number = TextFit.pad("\(day.day)", columns: 3, atRight: true)
    canvas.draw(number, at: column, row: row, style: style)
    guard count > 0 else { return }
    if isHigh {
      let text = count > 999 ? "…" : "\(count)"
      canvas.draw(text, at: column + 3 - text.count, row: row + 1, style: Style(.hint, dim: true))
    } else {
      canvas.draw("·", at: column + 3, row: row, style: Style(.hint))
    }
  }
}

extension MonthCalendar {
  func draw(_ state: State, in rect: CanvasRect, on canvas: inout Canvas) {
    CalendarView(
      calendar: self, today: state.today, firstWeekday: state.firstWeekday, names: state.dateNames
    ).draw(in: rect, on: &canvas)
  }
}
