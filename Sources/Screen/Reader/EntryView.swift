import Journal
import TextLayout

/// The bar at the top of the reading pane: date, star, words, and the number at the right.
///
/// It has the colours of the title bar while the pane has the focus.
/// With less room it drops the details from the end, shortens the date, and drops the number.
package struct EntryBar {
  private let dates: [String]
  private let isStarred: Bool
  private let isInConflict: Bool
  private static let conflict = "! conflict"
  private let details: [String]
  private let number: String
  /// The lines of the bar with the blank line below it.
  package static let headLines = 2

  /// Makes the bar of an entry.
  ///
  /// - Parameters:
  ///   - words: the number of words.
  ///   - versions: the number of texts that the entry had.
  ///   - offsets: whether to display the offset of the time.
  package init(
    _ entry: Entry, words: Int, versions: Int = 1, dates: DateStyle,
    offsets: OffsetRule = .never
  ) {
    let time = dates.text(of: entry.created, on: entry.day, offsets)
    self.dates = dates.texts(of: entry.day).map { "\($0), \(time)" }
    isStarred = entry.starred
    isInConflict = !entry.conflicts.isEmpty
    details =
      entry.details + [Numbers.words(words)]
      + (versions > 1 ? ["\(Numbers.grouped(versions)) versions"] : [])
    number = "no. \(entry.number)"
  }

  /// The text at the left end that fits beside the number, or without it; the star is a part of it.
  private func parts(columns: Int) -> (left: [String], number: String) {
    let star = (isInConflict ? [Self.conflict] : []) + (isStarred ? ["★"] : [])
    for number in [number, ""] {
      let room = columns - (number.isEmpty ? 0 : TextWidth.columns(of: number) + 2)
      for date in dates {
        for count in (0...details.count).reversed() {
          let left = [date] + star + details.prefix(count)
          if TextWidth.columns(of: left.joined(separator: "  ")) <= room { return (left, number) }
        }
      }
    }
    return ([dates.last ?? ""], "")
  }

  /// Draws the bar over a row.
  func draw(in rect: CanvasRect, hasFocus: Bool, on canvas: inout Canvas) {
    let style = hasFocus ? Style(.status, reverse: true) : Style(.hint, dim: true)
    let first = hasFocus ? Style(.status, bold: true, reverse: true) : Style(.header, bold: true)
    canvas.fill(rect, style: hasFocus ? style : Style())
    // A blank at both ends, as in the title bar.
    let start = rect.column + (rect.width > 4 ? 1 : 0)
    let shown = parts(columns: rect.width - (rect.width > 4 ? 2 : 0))
    var column = start
    for (index, part) in shown.left.enumerated() {
      var partStyle = index == 0 ? first : style
      if part == "★", !hasFocus { partStyle = Style(.star) }
      if part == Self.conflict, !hasFocus { partStyle = Style(.error, bold: true) }
      let room = max(0, rect.column + rect.width - column)
      column += canvas.draw(
        TextFit.cut(part, columns: room), at: column, row: rect.row, width: room, style: partStyle)
      column += 2
    }
    let columns = TextWidth.columns(of: shown.number)
    canvas.draw(
      shown.number, at: rect.column + rect.width - columns - 1, row: rect.row, style: style)
  }
}

extension DateStyle {
  /// A day in the long form, then shorter ones: `Saturday 21 November 2026`, `Sat 21 Nov 2026`,
  /// `21 Nov 2026`.
  fileprivate func texts(of day: Day) -> [String] {
    if date != nil { return [text(of: day)] }
    let (year, month, dayOfMonth) = day.civil
    let short = "\(dayOfMonth) \(names.monthsInDate[month - 1].prefix(3)) \(year)"
    return [text(of: day), "\(names.shortWeekdays[day.weekday - 1]) \(short)", short]
  }
}

/// Draws the reading pane: the bar, then the entry's lines from its offset on, with search matches.
///
/// The bar covers the line at the offset, as a sticky header does.
struct PaneView {
  let reading: Reading
  let bar: EntryBar
  let hasFocus: Bool
  /// The pixels of a picture in its box; `nil` while they are not there.
  var picture: (Pictures.Key) -> PicturePixels? = { _ in nil }

  /// Draws into a part of a canvas that is at least as wide as the laid-out lines, which are
  /// centred in it.
  func draw(in rect: CanvasRect, on canvas: inout Canvas) {
    guard rect.height > 0 else { return }
    let column = rect.column + (rect.width - min(rect.width, reading.columns)) / 2
    let shown = reading.offset..<max(reading.offset, reading.lines)
    for (row, index) in zip(rect.row..<(rect.row + rect.height), shown).dropFirst() {
      guard let line = reading.textLine(index) else { continue }
      let width = min(rect.width, reading.columns)
      let found = line.highlighting(reading.places)
      canvas.draw(
        hasFocus ? reading.selecting(found, at: index) : found, at: column, row: row, width: width)
      if let part = line.picture, let pixels = picture(Pictures.Key(hash: part.hash, box: part.box))
      {
        let left = found.columns
        let room = min(part.box.columns, width - left)
        canvas.draw(part, pixels, at: column + left, row: row, width: room)
      }
      for link in reading.linkPlaces(on: line) {
        canvas.link(link.columns.clamped(to: 0..<width), by: column, row: row, to: link.address)
      }
    }
    let top = CanvasRect(column: rect.column, row: rect.row, width: rect.width, height: 1)
    if reading.isGone {
      canvas.fill(top)
      canvas.draw(
        TextFit.cut("deleted; this was its text", columns: rect.width),
        at: rect.column, row: rect.row, style: Style(.error, bold: true))
    } else {
      bar.draw(in: top, hasFocus: hasFocus, on: &canvas)
    }
  }

  /// The cells of the line beside or above the pane that are its scroll mark: the visible part of the
  /// text, in proportion; empty if all of it is visible.
  ///
  /// - Parameters:
  ///   - height: the lines of the pane.
  ///   - length: the cells of the line.
  func scrollMark(height: Int, length: Int) -> Range<Int> {
    let lines = reading.lines
    guard lines > height, height > 2 else { return 0..<0 }
    let size = max(1, length * height / lines)
    let start = (length - size) * min(reading.offset, lines - height) / max(1, lines - height)
    return start..<min(length, start + size)
  }
}
