import SectionedResults

/// Draws a sectioned list: a title for each section, then a line for each row.
///
/// ```
/// Today, Saturday 21 November                                    2
///   09:15  ★ Bought bread                                    #home
/// › 08:02    Slept well
/// ▸ Yesterday                                                   12
/// ```
///
/// It does not depend on colours: the selection is reversed and has a mark, other parts are bold or
/// dim.
package enum SectionedListView {
  /// Draws the lines of the list's viewport into a part of a canvas.
  ///
  /// The list's height should equal the rectangle's: `list.resize(height: rect.height)`. The
  /// content is requested once for each visible line, and for no other.
  ///
  /// - Parameter hasKeys: whether the list has the focus; if not, its selection is only marked.
  package static func draw(
    list: SectionedList, in rect: CanvasRect, on canvas: inout Canvas, content: some ListContent,
    hasKeys: Bool = true
  ) {
    let lines = list.visibleLines().prefix(rect.height).map { line(for: $0, list, content) }
    let times = lines.map(\.timeColumns).max() ?? 0
    let drawing = ListDrawing(
      column: rect.column, width: rect.width, layout: RowLayout(width: rect.width, time: times),
      hasKeys: hasKeys)
    canvas.fill(rect)
    for (index, line) in lines.enumerated() {
      drawing.draw(line, row: rect.row + index, on: &canvas)
    }
  }

  private static func line(
    for line: ListLine, _ list: SectionedList, _ content: some ListContent
  ) -> DrawnLine {
    switch line {
    case .header(let section, _):
      DrawnLine(
        kind: .header(content.header(section: section)),
        isSelected: list.selection == .header(section), isChanged: false)
    case .row(let path):
      DrawnLine(
        kind: .row(content.row(at: path)), isSelected: list.selection == .row(path),
        isChanged: list.isChanged(path))
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

/// The contents of a list's sections and rows: the data source of Apple's table view.
///
/// It is called for visible lines only.
package protocol ListContent {
  /// The content of a section's header.
  func header(section: Int) -> HeaderContent
  /// The content of a row.
  func row(at path: RowPath) -> RowContent
}

/// The content of a section's header.
package struct HeaderContent: Hashable, Sendable {
  /// The displayed title, for example `Today, Saturday 21 November`.
  package var title: String
  /// The number of rows in the section.
  package var count: Int
  /// Whether the section is folded.
  package var folded: Bool

  package init(title: String, count: Int, folded: Bool = false) {
    self.title = title
    self.count = count
    self.folded = folded
  }
}

/// The content of a row.
package struct RowContent: Hashable, Sendable {
  /// When it was written, as short as possible; the longest visible time sets the width of the
  /// column.
  package var time: String
  /// Whether it is starred.
  package var starred: Bool
  /// The title.
  package var title: String
  /// The tags as in the journal's JSON: `home`, `@anna`.
  package var tags: [String]
  /// Whether it is marked for a bulk action.
  package var marked: Bool
  /// The tags in the title, as ascending byte ranges of its UTF-8.
  package var tagPlaces: [Range<Int>]
  /// The search matches in the title, as ascending byte ranges of its UTF-8.
  package var matches: [Range<Int>]
  /// An excerpt of the text after the title with a search match; empty for none.
  package var excerpt = ""
  /// The search matches in the excerpt, as ascending byte ranges of its UTF-8.
  package var excerptMatches: [Range<Int>] = []

  package init(
    time: String, starred: Bool = false, title: String, tags: [String] = [], marked: Bool = false,
    tagPlaces: [Range<Int>] = [], matches: [Range<Int>] = []
  ) {
    self.time = time
    self.starred = starred
    self.title = title
    self.tags = tags
    self.marked = marked
    self.tagPlaces = tagPlaces
    self.matches = matches
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
    let title = TextFit.cut(
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
    let title = TextFit.cut(content.title, columns: titleColumns(content))
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

  /// The columns of the title: at most half of the space if an excerpt follows it.
  private func titleColumns(_ content: RowContent) -> Int {
    guard showsExcerpt(content) else { return layout.title }
    let excerpt = TextFit.columns(of: TextFit.cut(content.excerpt, columns: layout.title))
    return max(layout.title / 2, layout.title - excerpt - Self.gap)
  }

  private func showsExcerpt(_ content: RowContent) -> Bool {
    !content.excerpt.isEmpty && layout.title >= 24
  }

  /// The columns between a title and an excerpt: a blank, an ellipsis, a blank.
  private static let gap = 3

  /// Draws an excerpt after the title, with its first match visible.
  ///
  /// - Returns: the columns drawn.
  private func drawExcerpt(
    _ content: RowContent, after title: [Cluster], _ row: Int, _ canvas: inout Canvas
  ) -> Int {
    guard showsExcerpt(content) else { return 0 }
    let used = TextFit.columns(of: title)
    // A cut title already ends with an ellipsis.
    let sign = title.last == TextFit.ellipsis ? " " : " … "
    let room = layout.title - used - TextWidth.columns(of: sign)
    guard room > 0 else { return 0 }
    let shown = Self.inSight(content, columns: room)
    let column = layout.titleColumn + used + TextWidth.columns(of: sign)
    let clusters = TextFit.cut(shown.text, columns: room)
    let style = Style(.hint, dim: true)
    canvas.draw(sign, at: self.column + layout.titleColumn + used, row: row, style: style)
    let drawn = canvas.draw(clusters, at: self.column + column, row: row, width: room, style: style)
    restyle(shown.matches, of: clusters, at: column, row, &canvas) { style in
      style = Style(.match, underline: true)
    }
    return TextWidth.columns(of: sign) + drawn
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

  private func drawTags(
    _ content: RowContent, columns: Int, _ row: Int, _ canvas: inout Canvas
  ) {
    guard columns > 0, width >= 30 else { return }
    let tags = RowTags.text(content, columns: columns)
    canvas.draw(
      tags, at: column + width - TextFit.columns(of: tags), row: row,
      style: Style(.tag, dim: true))
  }
}

/// The columns of all visible rows; they share one layout so that they are aligned.
struct RowLayout: Equatable {
  /// A row with fewer columns for its title drops its time first, then its star.
  private static let leastTitle = 12

  /// The columns at the left edge: for the cursor and for the mark of a marked row.
  let gutter: Int
  /// The columns of the time; 0 without one.
  let time: Int
  /// The columns of the star with the blank after it; 0 without one.
  let star: Int
  /// The columns for title and tags.
  let title: Int

  /// Makes a layout for rows of a width whose times take at most `time` columns.
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

/// The tags at the right of a row: only those that its title does not contain.
enum RowTags {
  /// The tags in their typed form, as many as fit into `columns`.
  static func text(_ content: RowContent, columns: Int) -> [Cluster] {
    var shown: [Cluster] = []
    var left = columns
    let title = content.title.lowercased()
    for tag in content.tags {
      let word = tag.hasPrefix("@") ? tag : "#" + tag
      if contains(title, word.lowercased()) { continue }
      let clusters = Sanitizer.line(shown.isEmpty ? word : " " + word, columns: left + 1)
      left -= TextFit.columns(of: clusters)
      if left < 0 { break }
      shown += clusters
    }
    return shown
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
