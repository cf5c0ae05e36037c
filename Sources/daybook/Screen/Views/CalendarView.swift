import Journal
import JournalApp
import TerminalUI

/// Draws the month calendar: the month of the chosen day, with the months beside it where there is
/// room; below each day the number of its entries, or a dot beside it on low screens.
///
/// Where there is room for them ISO weeks are numbered; a week that begins with another day than Monday
/// has the number of its Thursday.
struct CalendarView {
  let calendar: MonthCalendar
  let today: Day
  /// The weekday that weeks begin with, 1 for Monday to 7 for Sunday.
  var firstWeekday = 1
  var names = DateNames.ofUser

  private static let cell = 4
  private static let block = 7 * cell
  private static let gap = 4
  private static let weekColumns = 3

  /// Draws the calendar into the middle of a part of a canvas.
  func draw(in rect: CanvasRect, on canvas: inout Canvas) {
    let count = rect.width >= 3 * Self.block + 2 * Self.gap ? 3 : 1
    let step = Self.block + Self.gap
    let width = count * step - Self.gap
    let column = rect.column + max(0, (rect.width - width) / 2)
    // The numbers take the gap before their month, so that months stand where they stood.
    let hasWeeks = column - rect.column >= Self.weekColumns
    for index in 0..<count {
      let month = calendar.month.adding(months: index - count / 2)
      let place = CanvasRect(
        column: column + index * step, row: rect.row, width: Self.block, height: rect.height)
      draw(month, in: place, hasWeeks: hasWeeks, on: &canvas)
    }
  }

  private func draw(
    _ month: Day, in rect: CanvasRect, hasWeeks: Bool, on canvas: inout Canvas
  ) {
    let title = "\(names.months[month.month - 1]) \(month.year)"
    let indent = max(0, (Self.block - TextWidth.columns(of: title)) / 2)
    canvas.draw(title, at: rect.column + indent, row: rect.row, style: Style(.header, bold: true))
    let isHigh = rect.height >= 15
    if rect.height > 7 { drawWeekdays(at: rect.column, row: rect.row + 1, on: &canvas) }
    let top = rect.row + (rect.height > 7 ? 2 : 1)
    let end = rect.row + rect.height
    for day in days(of: month) {
      let place = self.place(of: day, in: month)
      let row = top + place.week * (isHigh ? 2 : 1)
      guard row < end else { continue }
      if hasWeeks, day == month || place.column == 0 {
        drawWeek(of: day, at: rect.column - Self.weekColumns, row: row, on: &canvas)
      }
      draw(day, at: rect.column + place.column * Self.cell, row: row, isHigh, on: &canvas)
    }
  }

  /// The number of the week that a day's row stands for.
  private func drawWeek(of day: Day, at column: Int, row: Int, on canvas: inout Canvas) {
    let start = Day(daysSinceEpoch: day.daysSinceEpoch - (day.weekday - firstWeekday + 7) % 7)
    let thursday = (4 - firstWeekday + 7) % 7
    let number = "\(Day(daysSinceEpoch: start.daysSinceEpoch + thursday).isoWeek.week)"
    canvas.draw(
      number, at: column + 2 - number.count, row: row, style: Style(.hint, dim: true))
  }

  private func drawWeekdays(at column: Int, row: Int, on canvas: inout Canvas) {
    for index in 0..<7 {
      let name = names.shortWeekdays[(firstWeekday - 1 + index) % 7]
      let text = TextLayout.cut(String(name.prefix(2)), columns: 3)
      let indent = 3 - TextLayout.columns(of: text)
      canvas.draw(
        text, at: column + index * Self.cell + indent, row: row, style: Style(.hint, dim: true))
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
    let number = "\(day.day)"
    canvas.draw(
      String(repeating: " ", count: 3 - number.count) + number, at: column, row: row, style: style)
    guard count > 0 else { return }
    if isHigh {
      let text = count > 999 ? "…" : "\(count)"
      canvas.draw(text, at: column + 3 - text.count, row: row + 1, style: Style(.hint, dim: true))
    } else {
      canvas.draw("·", at: column + 3, row: row, style: Style(.hint))
    }
  }

  private func days(of month: Day) -> [Day] {
    let length = Day.length(ofMonth: month.month, year: month.year)
    return (0..<length).map { month.adding(days: $0) }
  }

  private func place(of day: Day, in month: Day) -> (week: Int, column: Int) {
    let lead = (month.weekday - firstWeekday + 7) % 7
    let index = lead + day.day - 1
    return (index / 7, index % 7)
  }
}
