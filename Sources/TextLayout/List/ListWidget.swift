import SectionedResults

/// The list widget on ncurses.
///
/// It takes section and row updates between `beginUpdates` and `endUpdates`, or a batch, which is the same;
/// keeps selection, folds and scroll position; and draws its lines into the cells that `Terminal` gives to
/// ncurses.
package typealias ListWidget = SectionedList

/// Drawing: a title for each section, then a line for each row.
///
/// ```
/// Today, Saturday 21 November                                    2
///  ★ 09:15  Bought bread +                                   #home
/// ›  08:02  Slept well
/// ▸ Yesterday, Friday 20 November                               12
/// ```
///
/// The gutter has the cursor or a mark, and the star; a plus after the title means files. This does not depend
/// on colours: the selection is reversed and has a mark, other parts are bold or dim.
extension ListWidget {
  /// The mark of the selection in a view that does not have the keys; the cursor is on the screen once.
  package static let shownMark = "·"

  /// Draws the lines of the viewport into a part of a canvas.
  ///
  /// The widget's height should equal the rectangle's: `list.resize(height: rect.height)`. The
  /// content is requested once for each visible line, and for no other.
  ///
  /// - Parameter hasKeys: whether the list has the focus; if not, its selection is only marked.
  package func draw(
    in rect: CanvasRect, on canvas: inout Canvas, content: some ListContent, hasKeys: Bool = true
  ) {
    let lines = visibleLines().prefix(rect.height).map { drawn($0, content) }
    let times = lines.map(\.timeColumns).max() ?? 0
    let drawing = ListDrawing(
      column: rect.column, width: rect.width, layout: RowLayout(width: rect.width, time: times),
      hasKeys: hasKeys)
    canvas.fill(rect)
    for (index, line) in lines.enumerated() {
      drawing.draw(line, row: rect.row + index, on: &canvas)
    }
  }

  private func drawn(_ line: Line, _ content: some ListContent) -> DrawnLine {
    switch line {
    case .header(let section, _):
      DrawnLine(
        kind: .header(content.header(section: section)),
        isSelected: selection == .header(section), isChanged: false)
    case .row(let path):
      DrawnLine(
        kind: .row(content.row(at: path)), isSelected: selection == .row(path),
        isChanged: isChanged(path))
    }
  }
}

/// A line of the screen with its contents.
struct DrawnLine {
  enum Kind {
    case header(HeaderContent)
    case row(RowContent)
  }

  let kind: Kind
  let isSelected: Bool
  let isChanged: Bool

  var timeColumns: Int {
    if case .row(let content) = kind { TextWidth.columns(of: content.time) } else { 0 }
  }
}

/// Draws single lines of a list in one rectangle with one layout.
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
      style.selected = hasKeys
      style.dim = false
      style.bold = style.bold || !hasKeys
    }
  }

  private func drawHeader(
    _ content: HeaderContent, _ isSelected: Bool, _ row: Int, _ canvas: inout Canvas
  ) {
    let cursor = hasKeys ? "›" : ListWidget.shownMark
    let mark = content.folded ? "▸ " : isSelected ? "\(cursor) " : ""
    let indent = width >= 6 ? canvas.draw(mark, at: column, row: row, width: width) : 0
    let count = content.count
    let width = min(width, Self.widest)
    let room = width - indent
    let showsCount = !count.isEmpty && room >= count.utf8.count + 10
    let rest = showsCount ? room - count.utf8.count - 2 : room
    let totalColumns = TextWidth.columns(of: content.total)
    let shortest = content.titles.map(\.columns).min() ?? 0
    let showsTotal = totalColumns > 0 && rest >= totalColumns + 2 + min(shortest, 12)
    let columns = showsTotal ? rest - totalColumns - 2 : rest
    guard let longest = content.titles.first else { return }
    let title = content.titles.first { $0.columns <= columns } ?? content.titles.last ?? longest
    let role = content.isToday ? Style.Role.today : .header
    let lead = TextFit.cut(title.lead, columns: columns)
    let used = canvas.draw(
      lead, at: column + indent, row: row, width: columns, style: Style(role, bold: true))
    canvas.draw(
      TextFit.cut(title.rest, columns: columns - used), at: column + indent + used, row: row,
      width: columns - used, style: Style(role))
    if showsTotal {
      canvas.draw(
        content.total, at: column + indent + rest - totalColumns, row: row, width: totalColumns,
        style: Style(.hint))
    }
    if showsCount {
      canvas.draw(
        count, at: column + width - count.utf8.count, row: row, style: Style(.hint, dim: true))
    }
  }

  private func drawRow(
    _ content: RowContent, _ line: DrawnLine, _ row: Int, _ canvas: inout Canvas
  ) {
    drawGutter(content, isSelected: line.isSelected, row, &canvas)
    if layout.time > 0 {
      canvas.draw(
        content.time, at: column + layout.gutter, row: row, width: layout.time,
        style: Style(.time, dim: true))
    }
    let tags = drawTags(content, row, &canvas)
    let sign = signColumns(content)
    let room = layout.title - (tags == 0 ? 0 : tags + Self.tagGap) - sign
    let title = TextFit.cut(content.title, columns: titleColumns(content, room: room))
    let used = canvas.draw(
      title, at: column + layout.titleColumn, row: row, width: room,
      style: Style(line.isChanged ? .changed : .normal, bold: line.isChanged))
    if !line.isChanged {
      restyle(content.tagPlaces, of: title, row, &canvas) { $0.role = .tag }
    }
    restyle(content.matches, of: title, row, &canvas) { style in
      style.role = .match
      style.underline = true
    }
    if sign > 0 {
      canvas.draw(
        Self.filesSign, at: column + layout.titleColumn + used, row: row,
        style: Style(.hint, dim: true))
    }
    drawExcerpt(content, after: title, sign: sign, columns: room - used, row, &canvas)
  }

  /// The sign of an entry with files, after its title: the same in every character set.
  private static let filesSign = " +"

  /// The columns of the sign of files; a very short title is worth more.
  private func signColumns(_ content: RowContent) -> Int {
    content.hasFiles && layout.title >= 8 ? Self.filesSign.utf8.count : 0
  }

  /// Draws the cursor or the mark of a marked row, and the sign of a conflict or the star.
  private func drawGutter(
    _ content: RowContent, isSelected: Bool, _ row: Int, _ canvas: inout Canvas
  ) {
    guard layout.gutter > 0 else { return }
    if content.marked {
      canvas.draw("•", at: column, row: row, style: Style(.mark, bold: true))
    } else if isSelected {
      canvas.draw(
        hasKeys ? "›" : ListWidget.shownMark, at: column, row: row,
        style: Style(.header, bold: true))
    }
    if content.inConflict, layout.gutter > RowLayout.starColumn + 1 {
      // More urgent than a star.
      canvas.draw(
        "!", at: column + RowLayout.starColumn, row: row, style: Style(.error, bold: true))
    } else if content.starred, layout.gutter > RowLayout.starColumn + 1 {
      canvas.draw("★", at: column + RowLayout.starColumn, row: row, style: Style(.star))
    }
  }

  /// The columns of the title: at most half of the space if an excerpt follows it.
  private func titleColumns(_ content: RowContent, room: Int) -> Int {
    guard showsExcerpt(content) else { return room }
    let excerpt = TextFit.columns(of: TextFit.cut(content.excerpt, columns: room))
    return max(room / 2, room - excerpt - Self.gap)
  }

  private func showsExcerpt(_ content: RowContent) -> Bool {
    !content.excerpt.isEmpty && layout.title >= 24
  }

  /// The columns between a title and an excerpt: a blank, an ellipsis, a blank.
  private static let gap = 3

  /// The columns between a title and the tags.
  private static let tagGap = 2

  /// The columns after which tags and counts end, however wide the list is: they stay near their titles.
  private static let widest = 100

  /// Draws an excerpt after the title, with its first match visible.
  private func drawExcerpt(
    _ content: RowContent, after title: [Cluster], sign: Int, columns: Int, _ row: Int,
    _ canvas: inout Canvas
  ) {
    guard showsExcerpt(content) else { return }
    let used = TextFit.columns(of: title) + sign
    // A cut title already ends with an ellipsis.
    let lead = title.last == TextFit.ellipsis ? " " : " … "
    let room = columns - TextWidth.columns(of: lead)
    guard room > 0 else { return }
    let shown = Self.inSight(content, columns: room)
    let column = layout.titleColumn + used + TextWidth.columns(of: lead)
    let clusters = TextFit.cut(shown.text, columns: room)
    let style = Style(.hint, dim: true)
    canvas.draw(lead, at: self.column + layout.titleColumn + used, row: row, style: style)
    canvas.draw(clusters, at: self.column + column, row: row, width: room, style: style)
    restyle(shown.matches, of: clusters, at: column, row, &canvas) { style in
      style = Style(.match, underline: true)
    }
  }

  /// The excerpt from its beginning, or from its first match if that would be cut off.
  private static func inSight(
    _ content: RowContent, columns: Int
  ) -> (text: String, matches: [Range<Int>]) {
    let whole = (content.excerpt, content.excerptMatches)
    guard let first = content.excerptMatches.first, first.lowerBound > 0 else { return whole }
    let utf8 = content.excerpt.utf8
    let end = utf8.index(utf8.startIndex, offsetBy: first.upperBound)
    let lead = TextFit.cut(String(content.excerpt[..<end]), columns: .max)
    guard TextFit.columns(of: lead) >= columns else { return whole }
    let start = utf8.index(utf8.startIndex, offsetBy: first.lowerBound)
    let matches = content.excerptMatches.map {
      $0.lowerBound - first.lowerBound..<$0.upperBound - first.lowerBound
    }
    return (String(content.excerpt[start...]), matches)
  }

  /// Changes the style of visible ranges of a text; `column` is nil for the title.
  private func restyle(
    _ places: [Range<Int>], of title: [Cluster], at textColumn: Int? = nil, _ row: Int,
    _ canvas: inout Canvas, _ change: (inout Style) -> Void
  ) {
    let isCut = title.last == TextFit.ellipsis
    let shown = TextFit.columns(of: title) - (isCut ? TextFit.ellipsis.columns : 0)
    for place in places {
      let start = TextFit.column(atByte: place.lowerBound, in: title)
      let end = min(shown, TextFit.column(atByte: place.upperBound, in: title))
      guard start < end else { continue }
      let rect = CanvasRect(
        column: column + (textColumn ?? layout.titleColumn) + start, row: row, width: end - start,
        height: 1)
      canvas.restyle(rect, change)
    }
  }

  /// Draws the tags at the right edge: in the room that title and excerpt leave, or in a third of
  /// the title's room if there is no excerpt.
  ///
  /// - Returns: the columns drawn.
  private func drawTags(_ content: RowContent, _ row: Int, _ canvas: inout Canvas) -> Int {
    guard !content.tags.isEmpty, width >= 30 else { return 0 }
    let sign = signColumns(content)
    let title = TextFit.columns(of: TextFit.cut(content.title, columns: layout.title - sign))
    var taken = title + sign
    if showsExcerpt(content) {
      taken += Self.gap + TextFit.columns(of: TextFit.cut(content.excerpt, columns: layout.title))
    }
    var free = layout.title - taken - Self.tagGap
    if !showsExcerpt(content) { free = max(layout.title / 3, free) }
    let tags = RowTags.shown(content, columns: free)
    let columns = tags.reduce(-1) { $0 + TextFit.columns(of: $1.text) + 1 }
    guard columns > 0 else { return 0 }
    let edge = max(Self.widest, layout.titleColumn + taken + Self.tagGap + columns)
    var place = column + min(width, edge) - columns
    for tag in tags {
      let style = tag.isMatch ? Style(.match, underline: true) : Style(.tag, dim: true)
      place += canvas.draw(tag.text, at: place, row: row, style: style) + 1
    }
    return columns
  }
}

/// The columns of all visible rows; they share one layout so that they are aligned.
struct RowLayout: Equatable {
  /// A row with fewer columns for its title drops its time.
  private static let leastTitle = 12

  /// The column of the star in the gutter.
  static let starColumn = 1

  /// The columns at the left edge: for the cursor or a mark, for the star, and a blank.
  let gutter: Int
  /// The columns of the time; 0 without one.
  let time: Int
  /// The columns for title and tags.
  let title: Int

  /// Makes a layout for rows of a width whose times take at most `time` columns.
  init(width: Int, time: Int) {
    gutter = width >= 16 ? 3 : width >= 6 ? 2 : 0
    let room = width - gutter
    let gap = width >= 40 ? 2 : 1
    let hasTime = time > 0 && room - time - gap >= Self.leastTitle
    self.time = hasTime ? time + gap : 0
    title = max(0, room - self.time)
  }

  /// The first column of the title.
  var titleColumn: Int { gutter + time }
}

/// The tags at the right of a row: only those that its title does not contain.
enum RowTags {
  /// A visible tag in its typed form.
  struct Shown {
    let text: [Cluster]
    let isMatch: Bool
  }

  /// The tags that fit into `columns` with a blank between two of them.
  static func shown(_ content: RowContent, columns: Int) -> [Shown] {
    var shown: [Shown] = []
    var left = columns + 1
    let title = content.title.lowercased()
    for tag in content.tags {
      let word = tag.hasPrefix("@") ? tag : "#" + tag
      if contains(title, word.lowercased()) { continue }
      let clusters = Sanitizer.line(word, columns: left)
      left -= TextFit.columns(of: clusters) + 1
      if left < 0 {
        left += TextFit.columns(of: clusters) + 1
        return withSign(shown, columns: left)
      }
      shown.append(Shown(text: clusters, isMatch: content.matchedTags.contains(tag)))
    }
    return shown
  }

  /// Tags with the sign that there are more, in place of the last ones if there is no room beside them.
  ///
  /// - Parameter columns: the free columns, and one for a blank after the last tag.
  private static func withSign(_ tags: [Shown], columns: Int) -> [Shown] {
    var (tags, left) = (tags, columns)
    while left < TextFit.ellipsis.columns + 1, let last = tags.popLast() {
      left += TextFit.columns(of: last.text) + 1
    }
    // Alone it would take room from a title, and tell nothing.
    return tags.isEmpty ? [] : tags + [Shown(text: [TextFit.ellipsis], isMatch: false)]
  }

  /// Whether a title contains a tag as a whole word.
  ///
  /// Both are in lower case.
  private static func contains(_ title: String, _ word: String) -> Bool {
    var rest = title[...]
    while let mark = word.first, let start = rest.firstIndex(of: mark) {
      rest = rest[start...]
      if rest.hasPrefix(word), !continues(rest.dropFirst(word.count).first) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  private static func continues(_ character: Character?) -> Bool {
    guard let character else { return false }
    return character.isLetter || character.isNumber || "-_/".contains(character)
  }
}
