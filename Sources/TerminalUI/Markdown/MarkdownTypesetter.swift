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
      let rows = TextLayout.wrap(whole, columns: columns - prefix.columns - shift, at: borders)
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
      TextLayout.wrap(rule, columns: room, at: .words), prefix, isFirst: true, line.number)
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
