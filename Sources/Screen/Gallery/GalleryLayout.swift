import Journal
import TextLayout

/// The rows of the gallery: a line for each month, and below it lines of small pictures with their titles.
struct GalleryLayout {
  /// A row.
  enum Row: Equatable {
    /// The name of a month, and how many of the found pictures it has.
    case month(Day, count: Int)
    /// Pictures beside each other, by their indices.
    case pictures(Range<Int>)
  }

  /// The columns between two pictures, and before the first.
  private static let gap = 2
  /// The narrowest picture, and the widest on a wide screen.
  private static let (narrowest, widest) = (18, 28)

  /// The rows from the top of the gallery.
  let rows: [Row]
  /// The columns of a picture.
  let width: Int
  /// The lines of a picture; 0 where names are shown.
  let height: Int
  /// The pictures in a line.
  let columns: Int
  /// The lines of the screen.
  private let screen: Int

  /// Lays a gallery out.
  ///
  /// - Parameters:
  ///   - width: the columns of the screen.
  ///   - height: its lines for the gallery.
  ///   - draws: whether pictures are drawn.
  init(_ gallery: Gallery, width: Int, height: Int, draws: Bool) {
    let wanted = min(Self.widest, max(Self.narrowest, width / 6))
    columns = max(1, width / (wanted + Self.gap))
    self.width = max(1, (width - columns * Self.gap) / columns)
    // The shape of most photographs, where a line is as high as two columns are wide.
    self.height = draws ? max(1, min(self.width * 3 / 8, height - 3)) : 0
    screen = height
    rows = Self.rows(of: gallery.pictures ?? [], columns: columns)
  }

  private static func rows(of pictures: [Gallery.Picture], columns: Int) -> [Row] {
    var rows: [Row] = []
    var start = 0
    while start < pictures.count {
      let month = pictures[start].entry.day.monthNumber
      let end =
        pictures[start...].firstIndex { $0.entry.day.monthNumber != month } ?? pictures.count
      rows.append(.month(Day(monthNumber: month), count: end - start))
      for first in stride(from: start, to: end, by: columns) {
        rows.append(.pictures(first..<min(first + columns, end)))
      }
      start = end
    }
    return rows
  }

  /// The lines of a row: a picture has its title below it, or its title and what is known of it, and an
  /// empty line follows.
  func lines(of row: Row) -> Int {
    switch row {
    case .month: 1
    case .pictures: height == 0 ? 3 : height + 2
    }
  }

  /// How many rows of pictures a screen shows; at least 1.
  var lines: Int { max(1, (screen - 1) / lines(of: .pictures(0..<0))) }

  /// The first column of the picture at a place in its row.
  func column(_ place: Int) -> Int { Self.gap / 2 + place * (width + Self.gap) }

  /// The index of the row with a picture.
  private func row(of picture: Int) -> Int? {
    rows.firstIndex {
      if case .pictures(let range) = $0 { range.contains(picture) } else { false }
    }
  }

  /// The first visible row so that a picture is visible, as near as possible to the present one.
  func top(showing picture: Int, from top: Int) -> Int {
    guard let row = row(of: picture) else { return 0 }
    // The name of the month belongs to its first pictures.
    var first = row
    if row > 0, case .month = rows[row - 1], lines(of: rows[row]) < screen { first = row - 1 }
    let least = lowest(showing: row)
    // A larger screen is filled to its end.
    return min(max(top, least), max(first, least), lowest(showing: rows.count - 1))
  }

  /// The first row of the screen whose last one is this.
  private func lowest(showing last: Int) -> Int {
    // The empty line below the last pictures need not be there.
    var (first, used) = (last, lines(of: rows[last]) - 1)
    while first > 0, used + lines(of: rows[first - 1]) <= screen {
      first -= 1
      used += lines(of: rows[first])
    }
    return first
  }

  /// The picture some lines below another one, or above it, in the same column.
  func picture(from picture: Int, lines: Int) -> Int {
    guard let row = row(of: picture), case .pictures(let range) = rows[row] else { return picture }
    let place = picture - range.lowerBound
    var (found, left, next) = (range, abs(lines), row)
    while left > 0, rows.indices.contains(next + lines.signum()) {
      next += lines.signum()
      guard case .pictures(let range) = rows[next] else { continue }
      (found, left) = (range, left - 1)
    }
    return min(found.lowerBound + place, found.upperBound - 1)
  }

  /// The first picture of a later month, or of an earlier one; of this month first, if it is not that.
  func picture(from picture: Int, months: Int) -> Int {
    var starts: [Int] = []
    for (row, next) in zip(rows, rows.dropFirst()) {
      if case .month = row, case .pictures(let range) = next { starts.append(range.lowerBound) }
    }
    guard let month = starts.lastIndex(where: { $0 <= picture }) else { return picture }
    let isInside = months < 0 && starts[month] < picture
    return starts[min(max(0, month + months + (isInside ? 1 : 0)), starts.count - 1)]
  }

  /// The rows that are visible from one on, with their lines on the screen.
  func visible(from top: Int) -> [(row: Row, line: Int)] {
    var (found, line): ([(row: Row, line: Int)], Int) = ([], 0)
    for row in rows.dropFirst(top) where line < screen {
      found.append((row, line))
      line += lines(of: row)
    }
    return found
  }

  /// The picture at a cell of the screen; `nil` if there is none.
  func picture(atColumn column: Int, line: Int, from top: Int) -> Int? {
    for (row, first) in visible(from: top) {
      guard case .pictures(let range) = row, (first..<first + lines(of: row) - 1).contains(line)
      else { continue }
      return range.first { index in
        let left = self.column(index - range.lowerBound)
        return (left..<left + width).contains(column)
      }
    }
    return nil
  }
}
