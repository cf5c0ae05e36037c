import Markdown

/// Typesets the blocks of a document as lines of a width.
struct MarkdownTypesetter {
  let columns: Int
  private let styler: TextStyler
  private let document: Document
  private(set) var lines: [StyledLine] = []
  /// The most rows of a picture; 0 for none.
  private let pictureRows: Int
  private let pictureCell: CellSize?
  /// Whether each item has been begun, so that its marker is shown once.
  private var hasMarker: [Bool]

  /// Typesets a text.
  ///
  /// - Parameters:
  ///   - links: the links between entries, in ascending order.
  ///   - isTitled: whether a first line followed by a blank one is styled like a heading.
  ///   - pictureRows: the most rows of a picture; 0 for none.
  ///   - pictureCell: the size of a cell of a terminal that draws pixels.
  ///   - strikes: whether the terminal strikes text out.
  static func lines(
    of text: String, columns: Int, links: [LinkSpan], isTitled: Bool, pictureRows: Int,
    _ pictureCell: CellSize?, strikes: Bool
  ) -> [StyledLine] {
    let document = Document(text)
    let styler = TextStyler(document: document, links: links, strikes: strikes)
    var setter = MarkdownTypesetter(columns: max(1, columns), styler, pictureRows, pictureCell)
    let title = isTitled ? titleIndex(in: document.blocks) : nil
    for (index, block) in document.blocks.enumerated() {
      setter.add(block, isTitle: index == title)
    }
    return setter.lines
  }

  private init(
    columns: Int, _ styler: TextStyler, _ pictureRows: Int, _ pictureCell: CellSize?
  ) {
    self.pictureCell = pictureCell
    self.columns = columns
    self.pictureRows = pictureRows
    self.styler = styler
    document = styler.document
    hasMarker = Array(repeating: false, count: document.containers.count)
  }

  /// The first line of a text, if it is a paragraph of one line followed by a blank line: such a
  /// line is meant as a title.
  private static func titleIndex(in blocks: [Block]) -> Int? {
    guard let first = blocks.firstIndex(where: { $0.kind != .blank }), first + 1 < blocks.count,
      blocks[first].kind == .paragraph, blocks[first].container == nil,
      blocks[first].lines.count == 1, blocks[first + 1].kind == .blank
    else { return nil }
    return first
  }

  private mutating func add(_ block: Block, isTitle: Bool) {
    let lines = block.lines
    switch block.kind {
    case .blank: addBlank(block)
    case .paragraph:
      let style = isTitle ? Style(.heading, bold: true) : Style()
      addTexts(styler.paragraph(lines, style), lines, prefix(of: block), hasPictures: true)
    case .heading(let level):
      let style = Style(.heading, bold: level < 4, underline: level == 1 || level > 3)
      addTexts(styler.paragraph(lines, style), lines, prefix(of: block), hasPictures: true)
    case .indentedCode: addVerbatim(lines, Style(.code), of: block)
    case .fencedCode(let info):
      // Code without lines still shows the items that it begins.
      if !info.range.isEmpty || lines.isEmpty && beginsItem(block) {
        addVerbatim([info], Style(.hint, dim: true), of: block, indent: 2)
      }
      addVerbatim(lines, Style(.code), of: block, indent: 2, borders: .clusters)
    case .thematicBreak: addRule(block)
    case .table(let alignments): addTable(block, alignments)
    }
  }

  /// Blank lines show the bars of quotes, but do not begin items.
  private mutating func addBlank(_ block: Block) {
    var prefix = LinePrefix()
    for container in document.path(to: block) where document.item(container) == nil {
      prefix.addQuote(limit: LinePrefix.limit(columns))
    }
    for line in block.lines { lines.append(StyledLine(prefix.first, sourceLine: line.number)) }
  }

  private mutating func addVerbatim(
    _ lines: [Block.Line], _ style: Style, of block: Block, indent: Int = 0,
    borders: WrapBorders = .words
  ) {
    if lines.isEmpty { return }
    addTexts(
      lines.map { styler.verbatim($0.range, style) }, lines, prefix(of: block), indent: indent,
      borders: borders)
  }

  private mutating func addTexts(
    _ texts: [[StyledCluster]], _ lines: [Block.Line], _ prefix: LinePrefix, indent: Int = 0,
    borders: WrapBorders = .words, hasPictures: Bool = false
  ) {
    let shift = prefix.columns + indent <= LinePrefix.limit(columns) ? indent : 0
    let blanks = Array(repeating: StyledCluster.space, count: shift)
    for (index, text) in texts.enumerated() {
      let whole = index == 0 ? prefix.inText + text : text
      let rows = TextFit.wrap(whole, columns: columns - prefix.columns - shift, at: borders)
      append(rows.map { blanks + $0 }, prefix, isFirst: index == 0, lines[index].number)
      if hasPictures { addPictures(of: lines[index], prefix) }
    }
  }

  /// Adds the rows of the pictures that a line of the source names, below it.
  private mutating func addPictures(of line: Block.Line, _ prefix: LinePrefix) {
    guard pictureRows > 0, !styler.links.isEmpty else { return }
    for link in styler.links where line.range.contains(link.start) {
      guard let picture = link.picture else { continue }
      let box = PictureBox(
        picture, columns: columns - prefix.columns, rows: pictureRows, cell: pictureCell)
      for row in 0..<box.rows {
        var line = StyledLine(prefix.rest, sourceLine: line.number)
        line.picture = PictureRow(hash: picture.hash, box: box, row: row)
        lines.append(line)
      }
    }
  }

  /// Appends the screen lines of a source line.
  private mutating func append(
    _ rows: [[StyledCluster]], _ prefix: LinePrefix, isFirst: Bool, _ number: Int
  ) {
    for (index, row) in rows.enumerated() {
      let isFirst = isFirst && index == 0
      lines.append(
        StyledLine(
          (isFirst ? prefix.first : prefix.rest) + row, sourceLine: number,
          task: isFirst ? prefix.box : nil))
    }
  }
}

// MARK: - Rules and tables

extension MarkdownTypesetter {
  private mutating func addRule(_ block: Block) {
    guard let line = block.lines.first else { return }
    let prefix = prefix(of: block)
    let dash = StyledCluster(.horizontalLine, style: Style(.hint, dim: true))
    let room = columns - prefix.columns
    let used = prefix.inText.reduce(0) { $0 + $1.cluster.columns }
    let rule = prefix.inText + Array(repeating: dash, count: max(1, room - used))
    append(
      TextFit.wrap(rule, columns: room, at: .words), prefix, isFirst: true, line.number)
  }

  /// Adds a table in columns, or its source lines if the columns do not fit.
  private mutating func addTable(_ block: Block, _ alignments: [TableRow.Alignment]) {
    let prefix = prefix(of: block)
    guard prefix.inText.isEmpty,
      let table = TableLayout(
        block.lines, styler: styler, alignments: alignments, columns: columns - prefix.columns)
    else {
      return addTexts(block.lines.map { styler.verbatim($0.range) }, block.lines, prefix)
    }
    for (index, line) in block.lines.enumerated() {
      append(table.rows(index), prefix, isFirst: index == 0, line.number)
    }
  }
}

// MARK: - Containers

extension MarkdownTypesetter {
  private func beginsItem(_ block: Block) -> Bool {
    document.path(to: block).contains { document.item($0) != nil && !hasMarker[$0] }
  }

  /// The prefix of the next block; it contains the markers of new items once.
  private mutating func prefix(of block: Block) -> LinePrefix {
    let limit = LinePrefix.limit(columns)
    var prefix = LinePrefix()
    for index in document.path(to: block) {
      guard let item = document.item(index) else {
        prefix.addQuote(limit: limit)
        continue
      }
      let isNew = !hasMarker[index]
      hasMarker[index] = true
      if isNew, let box = item.box { prefix.box = box }
      prefix.addItem(marker(of: item), isShown: isNew, limit: limit)
    }
    return prefix
  }

  private func marker(of item: ListItem) -> [StyledCluster] {
    var cells = item.isNumbered ? styler.verbatim(item.marker) : []
    if let box = item.box {
      if item.isNumbered { cells.append(.space) }
      let sign: Cluster = box.state == .open ? .openBox : .checkedBox
      cells.append(StyledCluster(sign, source: box.range.lowerBound))
    } else if !item.isNumbered {
      cells.append(StyledCluster(.bullet, source: item.marker.lowerBound))
    }
    return cells
  }
}

extension Cluster {
  fileprivate static let bullet = sign("\u{2022}")
  fileprivate static let openBox = sign("\u{2610}")
  fileprivate static let checkedBox = sign("\u{2611}")
  static let horizontalLine = sign("\u{2500}")
  static let verticalLine = sign("\u{2502}")
  static let crossing = sign("\u{253C}")

  private static func sign(_ text: String) -> Cluster {
    Cluster(text: text, columns: 1, isSubstitute: false, sourceLength: 0)
  }
}

/// The prefix of a block: the bars of quotes, and the markers of list items or the space below
/// them.
struct LinePrefix {
  /// Before the first line.
  private(set) var first: [StyledCluster] = []
  /// Before all others; as wide as ``first``.
  private(set) var rest: [StyledCluster] = []
  /// Markers that do not fit before the text, and so begin it.
  private(set) var inText: [StyledCluster] = []
  private(set) var columns = 0
  /// The box of the task item on the first line.
  var box: TaskBox?

  /// The maximum columns of a prefix: at least half of the line, or four columns, is left for text.
  static func limit(_ columns: Int) -> Int {
    columns - min(columns, max((columns + 1) / 2, 4))
  }

  /// Appends the bar of a quote, if it fits.
  mutating func addQuote(limit: Int) {
    guard columns + 2 <= limit else { return }
    let bar = Cluster(text: "\u{2502}", columns: 1, isSubstitute: false, sourceLength: 0)
    append([StyledCluster(bar, style: Style(.quote, dim: true)), .space])
  }

  /// Appends the marker of an item, or the space below it, if it fits.
  mutating func addItem(_ sign: [StyledCluster], isShown: Bool, limit: Int) {
    let width = sign.reduce(1) { $0 + $1.cluster.columns }
    if columns + width <= limit {
      let blanks = Array(repeating: StyledCluster.space, count: width)
      append(isShown ? sign + [.space] : blanks, rest: blanks)
    } else if isShown {
      inText += sign + [.space]
    }
  }

  private mutating func append(_ cells: [StyledCluster], rest others: [StyledCluster]? = nil) {
    first += cells
    rest += others ?? cells
    columns += cells.reduce(0) { $0 + $1.cluster.columns }
  }
}

extension StyledCluster {
  /// A blank that is not in the text.
  static let space = StyledCluster(TextFit.space)
}

/// Makes styled clusters of parts of a document, through the ``Sanitizer``.
struct TextStyler {
  let document: Document
  /// The links between entries, in ascending order.
  let links: [LinkSpan]
  /// Whether the terminal strikes text out; else its tildes stay, which say that it is.
  let strikes: Bool

  /// The clusters of a part without markup.
  func verbatim(_ range: Range<Int>, _ style: Style = Style()) -> [StyledCluster] {
    var cells: [StyledCluster] = []
    cells.reserveCapacity(range.count)
    forEachCluster(of: range) { cluster, offset in
      if cluster.columns > 0 { cells.append(StyledCluster(cluster, style: style, source: offset)) }
    }
    return cells
  }

  /// The clusters of the lines of one paragraph.
  func paragraph(_ lines: [Block.Line], _ style: Style = Style()) -> [[StyledCluster]] {
    zip(lines, document.inlines(lines).lines).map { cells(of: $0.range, $1, style) }
  }

  private func cells(of range: Range<Int>, _ runs: [Inline], _ style: Style) -> [StyledCluster] {
    var cells: [StyledCluster] = []
    cells.reserveCapacity(range.count)
    let runs = runs.map { StyledRun($0, in: style, strikes: strikes) }
    var index = 0
    forEachCluster(of: range) { cluster, offset in
      if cluster.columns == 0 { return }
      while runs[index].end <= offset { index += 1 }
      var last = index
      let end = offset + cluster.sourceLength
      if let link = links.isEmpty ? nil : links.first(at: offset) {
        if !link.note.isEmpty, offset == link.shown.upperBound { cells += link.noteCells() }
        guard link.shows(offset..<end), !link.hasMarkup || !runs[index].isHidden else { return }
        let style = link.style(in: runs[index].style)
        return cells.append(StyledCluster(cluster, style: style, source: offset))
      }
      while runs[last].isHidden, runs[last].end < end { last += 1 }
      // A delimiter with a combining mark is not hidden.
      if runs[last].isHidden { return }
      let shown = runs[index].isSpace ? TextFit.space : cluster
      cells.append(StyledCluster(shown, style: runs[index].style, source: offset))
    }
    return cells
  }

  /// The look of a run, the same for all its clusters.
  private struct StyledRun {
    var end: Int
    var isHidden: Bool
    /// Whether a space is shown for it.
    var isSpace: Bool
    var style: Style

    init(_ run: Inline, in base: Style, strikes: Bool) {
      end = run.range.upperBound
      isHidden = run.kind == .delimiter || strikes && run.kind == .tildes
      isSpace = run.kind == .linkTextEnd
      style = run.style(in: base)
      style.struck = strikes && run.styles.contains(.strikethrough)
    }
  }

  /// Calls `body` with each cluster of a line and the byte where it begins.
  private func forEachCluster(of range: Range<Int>, _ body: (Cluster, Int) -> Void) {
    var options = SanitizerOptions()
    options.isBody = true
    var scanner = ClusterScanner(document.source(range), options: options)
    var offset = range.lowerBound
    while case .cluster(let cluster) = scanner.next() {
      body(cluster, offset)
      offset += cluster.sourceLength
    }
  }
}

extension Inline {
  /// The style of the run within a base style.
  package func style(in base: Style) -> Style {
    var style = base
    if styles.contains(.strong) { style.bold = true }
    if styles.contains(.emphasis) { style.italic = true }
    // A terminal that strikes it out does so, too.
    if styles.contains(.strikethrough) { style.dim = true }
    switch kind {
    case .linkTextEnd, .destination:
      style.role = .hint
      style.dim = true
    case .code:
      style.role = .code
      style.dim = true
      if link != nil { style.underline = true }
    case .text, .delimiter, .tildes:
      guard link != nil else { break }
      style.role = .link
      style.underline = true
    }
    return style
  }
}
