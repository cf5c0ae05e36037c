/// Sets the blocks of a text as lines of a width.
struct MarkdownTypesetter {
  let columns: Int
  private let styler: TextStyler
  private let containers: [MarkdownContainer]
  private(set) var lines: [StyledLine] = []
  /// Which items have been begun, so that their sign is shown once.
  private var hasSign: [Bool]

  /// Sets a text.
  ///
  /// - Parameter isTitled: whether a first line that stands alone is set like a heading.
  static func lines(of text: String, columns: Int, isTitled: Bool) -> [StyledLine] {
    let bytes = Array(text.utf8)
    let parser = BlockParser(bytes)
    var setter = MarkdownTypesetter(
      columns: max(1, columns), styler: TextStyler(bytes: bytes), containers: parser.containers)
    let title = isTitled ? titleIndex(in: parser.blocks) : nil
    for (index, block) in parser.blocks.enumerated() { setter.add(block, isTitle: index == title) }
    return setter.lines
  }

  private init(columns: Int, styler: TextStyler, containers: [MarkdownContainer]) {
    self.columns = columns
    self.styler = styler
    self.containers = containers
    hasSign = Array(repeating: false, count: containers.count)
  }

  /// The first line of a text, when it is one paragraph and a blank line follows it: set off like
  /// this, people mean it as a title.
  private static func titleIndex(in blocks: [MarkdownBlock]) -> Int? {
    guard let first = blocks.firstIndex(where: { $0.kind != .blank }), first + 1 < blocks.count,
      blocks[first].kind == .paragraph, blocks[first].container == nil,
      blocks[first].lines.count == 1, blocks[first + 1].kind == .blank
    else { return nil }
    return first
  }

  private mutating func add(_ block: MarkdownBlock, isTitle: Bool) {
    switch block.kind {
    case .blank: addBlank(block)
    case .paragraph:
      addTexts(
        styler.paragraph(block.lines, isTitle ? Style(.heading, bold: true) : Style()), of: block)
    case .heading(let level):
      let style = Style(.heading, bold: level < 4, underline: level == 1 || level > 3)
      addTexts(styler.paragraph(block.lines, style), of: block)
    case .indented: addTexts(block.lines.map { styler.verbatim($0.range, Style(.code)) }, of: block)
    case .code:
      addTexts(
        block.lines.map { styler.verbatim($0.range, Style(.code)) }, of: block, indent: 2,
        borders: .clusters)
    case .label:
      addTexts(
        block.lines.map { styler.verbatim($0.range, Style(.hint, dim: true)) }, of: block, indent: 2
      )
    case .rule: addRule(block)
    case .table(let alignments): addTable(block, alignments)
    }
  }

  /// Blank lines show the bars of quotes, but do not begin items.
  private mutating func addBlank(_ block: MarkdownBlock) {
    var prefix = LinePrefix()
    for container in chain(to: block.container) where containers[container].kind == .quote {
      prefix.addQuote(limit: LinePrefix.limit(columns))
    }
    for line in block.lines { lines.append(StyledLine(prefix.first, sourceLine: line.number)) }
  }

  private mutating func addTexts(
    _ texts: [[StyledCluster]], of block: MarkdownBlock, indent: Int = 0,
    borders: WrapBorders = .words
  ) {
    addTexts(texts, of: block, prefix(of: block.container), indent: indent, borders: borders)
  }

  private mutating func addTexts(
    _ texts: [[StyledCluster]], of block: MarkdownBlock, _ prefix: LinePrefix, indent: Int = 0,
    borders: WrapBorders = .words
  ) {
    let shift = prefix.columns + indent <= LinePrefix.limit(columns) ? indent : 0
    let blanks = Array(repeating: StyledCluster.space, count: shift)
    for (index, text) in texts.enumerated() {
      let whole = index == 0 ? prefix.inText + text : text
      let rows = TextFit.wrap(whole, columns: columns - prefix.columns - shift, at: borders)
      append(rows.map { blanks + $0 }, prefix, isFirst: index == 0, block.lines[index].number)
    }
  }

  /// Appends the rows of a source line.
  private mutating func append(
    _ rows: [[StyledCluster]], _ prefix: LinePrefix, isFirst: Bool, _ number: Int
  ) {
    for (index, row) in rows.enumerated() {
      let isFirst = isFirst && index == 0
      lines.append(
        StyledLine(
          (isFirst ? prefix.first : prefix.rest) + row, sourceLine: number,
          task: isFirst ? prefix.task : nil))
    }
  }
}

// MARK: - Rules and tables

extension MarkdownTypesetter {
  private mutating func addRule(_ block: MarkdownBlock) {
    guard let line = block.lines.first else { return }
    let prefix = prefix(of: block.container)
    let dash = StyledCluster(.horizontalLine, style: Style(.hint, dim: true))
    let room = columns - prefix.columns
    let used = prefix.inText.reduce(0) { $0 + $1.cluster.columns }
    let rule = prefix.inText + Array(repeating: dash, count: max(1, room - used))
    append(
      TextFit.wrap(rule, columns: room, at: .words), prefix, isFirst: true, line.number)
  }

  /// Sets a table in columns, or its lines as they are where those have no room.
  private mutating func addTable(
    _ block: MarkdownBlock, _ alignments: [MarkdownBlock.Alignment]
  ) {
    let prefix = prefix(of: block.container)
    guard prefix.inText.isEmpty,
      let table = TableLayout(
        block.lines, styler: styler, alignments: alignments, columns: columns - prefix.columns)
    else {
      return addTexts(block.lines.map { styler.verbatim($0.range) }, of: block, prefix)
    }
    for (index, line) in block.lines.enumerated() {
      append(table.rows(index), prefix, isFirst: index == 0, line.number)
    }
  }
}

// MARK: - Containers

extension MarkdownTypesetter {
  /// The containers a block is in, the outermost first.
  private func chain(to container: Int?) -> [Int] {
    var chain: [Int] = []
    var next = container
    while let index = next {
      chain.append(index)
      next = containers[index].parent
    }
    return chain.reversed()
  }

  /// What stands left of the next block; the signs of new items are in it and not again later.
  private mutating func prefix(of container: Int?) -> LinePrefix {
    let limit = LinePrefix.limit(columns)
    var prefix = LinePrefix()
    for index in chain(to: container) {
      switch containers[index].kind {
      case .quote: prefix.addQuote(limit: limit)
      case .item(let item):
        let isNew = !hasSign[index]
        hasSign[index] = true
        if isNew, case .task(let task, _) = item.marker { prefix.task = task }
        prefix.addItem(sign(of: item), isShown: isNew, limit: limit)
      }
    }
    return prefix
  }

  private func sign(of item: MarkdownContainer.Item) -> [StyledCluster] {
    switch item.marker {
    case .number(let range): return styler.verbatim(range)
    case .bullet(let range): return [StyledCluster(.bullet, source: range.lowerBound)]
    case .task(let task, let range):
      return [StyledCluster(task == .open ? .openBox : .checkedBox, source: range.lowerBound)]
    }
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

/// What stands left of a block: the bars of quotes, the signs of list items, or the room below them.
struct LinePrefix {
  /// Before the first line.
  private(set) var first: [StyledCluster] = []
  /// Before all others; as wide as ``first``.
  private(set) var rest: [StyledCluster] = []
  /// Signs for which there is no room beside the text, and which so begin it.
  private(set) var inText: [StyledCluster] = []
  private(set) var columns = 0
  /// What the first line is, if it is that of a task.
  var task: StyledLine.Task?

  /// The columns left for text are at least half of the line, or four.
  static func limit(_ columns: Int) -> Int {
    columns - min(columns, max((columns + 1) / 2, 4))
  }

  /// Adds the bar of a quote, if there is room.
  mutating func addQuote(limit: Int) {
    guard columns + 2 <= limit else { return }
    let bar = Cluster(text: "\u{2502}", columns: 1, isSubstitute: false, sourceLength: 0)
    append([StyledCluster(bar, style: Style(.quote, dim: true)), .space])
  }

  /// Adds the sign of an item, if there is room, or the room below it.
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
  /// A blank that the text does not have.
  static let space = StyledCluster(TextFit.space)
}

/// Makes clusters with looks of parts of a text, through the ``Sanitizer``.
struct TextStyler {
  let bytes: [UInt8]

  /// The clusters of a part as it is, without markup.
  func verbatim(_ range: Range<Int>, _ style: Style = Style()) -> [StyledCluster] {
    var cells: [StyledCluster] = []
    cells.reserveCapacity(range.count)
    forEachCluster(of: range) { cluster, offset in
      if cluster.columns > 0 { cells.append(StyledCluster(cluster, style: style, source: offset)) }
    }
    return cells
  }

  /// The clusters of lines that are one paragraph: emphasis may begin in one and end in another.
  func paragraph(_ lines: [MarkdownBlock.Line], _ style: Style = Style()) -> [[StyledCluster]] {
    var joined: [UInt8] = []
    for line in lines {
      joined += bytes[line.range]
      joined.append(0x0A)
    }
    let attributes = InlineParser.attributes(of: joined)
    var start = 0
    return lines.map { line in
      defer { start += line.range.count + 1 }
      return cells(of: line.range, attributes[start..<start + line.range.count], style)
    }
  }

  private func cells(
    of range: Range<Int>, _ attributes: ArraySlice<InlineAttributes>, _ style: Style
  ) -> [StyledCluster] {
    var cells: [StyledCluster] = []
    cells.reserveCapacity(range.count)
    let shift = attributes.startIndex - range.lowerBound
    forEachCluster(of: range) { cluster, offset in
      let first = attributes[offset + shift]
      if cluster.columns == 0 { return }
      if first.contains(.hidden) {
        // A sign that carries a mark is no bare sign, and stays.
        let parts = attributes[offset + shift..<offset + shift + cluster.sourceLength]
        if parts.allSatisfy({ $0.contains(.hidden) }) { return }
      }
      let shown = first.contains(.blank) ? TextFit.space : cluster
      cells.append(StyledCluster(shown, style: first.style(in: style), source: offset))
    }
    return cells
  }

  /// Calls the body with each cluster of a line and the byte at which it begins.
  private func forEachCluster(of range: Range<Int>, _ body: (Cluster, Int) -> Void) {
    var options = SanitizerOptions()
    options.isBody = true
    var scanner = ClusterScanner(
      String(decoding: bytes[range], as: UTF8.self), options: options)
    var offset = range.lowerBound
    while case .cluster(let cluster) = scanner.next() {
      body(cluster, offset)
      offset += cluster.sourceLength
    }
  }
}
