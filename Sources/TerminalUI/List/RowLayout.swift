/// Which columns the rows on a screen have; one layout for all of them, so that they stand in line.
struct RowLayout: Equatable {
  /// A row without room for this many columns of title gives up its time first, then its star.
  private static let leastTitle = 12

  /// The columns left of everything: for the cursor and for the mark of a marked row.
  let gutter: Int
  /// The columns of the time; 0 without one.
  let time: Int
  /// The columns of the star, with the blank behind it; 0 without one.
  let star: Int
  /// The columns for title and tags.
  let title: Int

  /// Makes a layout for rows of so many columns whose times take at most `time` columns.
  init(width: Int, time: Int) {
    gutter = width >= 6 ? 2 : 0
    let room = width - gutter
    let star = width >= 16 ? 2 : 0
    let gap = width >= 60 ? 2 : 1
    let hasTime = time > 0 && room - time - gap - star >= Self.leastTitle
    self.time = hasTime ? time + gap : 0
    self.star = star
    title = max(0, room - self.time - star)
  }

  /// The first column of the star.
  var starColumn: Int { gutter + time }
  /// The first column of the title.
  var titleColumn: Int { starColumn + star }
}
