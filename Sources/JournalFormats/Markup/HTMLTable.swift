/// A table of HTML: its events, until it is known whether Markdown has a table for it.
///
/// Tables that lay out a page, with blocks in their cells or one column only, become their contents
/// in turn.
struct HTMLTable {
  private let target: (HTMLReference) -> String?
  private(set) var events: [MarkupEvent] = []
  private var rows: [[MarkdownRuns]] = []
  /// The tables open in it.
  private var depth = 0
  private var isGrid = true
  private var cell: MarkdownRuns?
  private var caption: MarkdownRuns?
  private var styles = HTMLStyles()

  /// Elements in a cell that a cell of Markdown cannot have.
  private static let blocks: Set<String> = [
    "ul", "ol", "dl", "pre", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "img", "table",
    "en-media", "en-todo", "input", "iframe", "video", "audio", "embed", "object",
  ]

  /// Whether the table has ended.
  private(set) var isComplete = false

  init(target: @escaping (HTMLReference) -> String?) {
    self.target = target
  }

  /// Adds an event after the start of the table.
  mutating func add(_ event: MarkupEvent) {
    switch event {
    case .start("table", _, _):
      depth += 1
      isGrid = false
    case .end("table"):
      depth -= 1
      isComplete = depth < 0
      if isComplete { return }
    default: break
    }
    events.append(event)
    if isGrid { fill(event) }
  }

  private mutating func fill(_ event: MarkupEvent) {
    switch event {
    case .start(let name, let attributes, _):
      if Self.blocks.contains(name) { isGrid = false }
      switch name {
      case "tr":
        endCell()
        rows.append([])
      case "td", "th":
        endCell()
        if rows.isEmpty { rows.append([]) }
        cell = MarkdownRuns()
      case "caption": caption = MarkdownRuns()
      case "br", "p", "div": append([0x20])
      case "a":
        var attributes = attributes
        attributes["href"] = target(
          HTMLReference(element: name, address: attributes["href"], attributes: attributes))
        styles.start(name, attributes)
      default: styles.start(name, attributes)
      }
    case .end(let name):
      switch name {
      case "td", "th", "tr": endCell()
      case "p", "div": append([0x20])
      default: if let link = styles.end(name) { cell?.closeLink(link) }
      }
    case .text(let text): append(text)
    case .problem: break
    }
  }

  private mutating func append(_ text: [UInt8]) {
    if var runs = cell {
      cell = nil
      let link = styles.link(in: &runs)
      if styles.isCode, text != [0x20] {
        runs.appendCode(text, styles.current, link: link)
      } else {
        runs.append(text, styles.current, link: link)
      }
      cell = runs
    } else if rows.isEmpty {
      caption?.append(text, [], link: nil)
    }
  }

  private mutating func endCell() {
    guard let cell else { return }
    // More columns than any reader shows are a text.
    if rows[rows.count - 1].count >= 64 { isGrid = false }
    rows[rows.count - 1].append(cell)
    self.cell = nil
    styles = HTMLStyles()
  }

  /// The table as lines of Markdown, with its caption as a paragraph before it; `nil` if Markdown
  /// has no table for it.
  mutating func lines() -> (caption: [[UInt8]], table: [[UInt8]])? {
    endCell()
    let rows = rows.filter { !$0.isEmpty }
    guard isGrid, rows.count > 1, let width = rows.map(\.count).max(), width > 1,
      width * rows.count <= 2 * rows.joined().count + 1000
    else { return nil }
    var lines: [[UInt8]] = []
    for (index, row) in rows.enumerated() {
      let cells = row.map { Array($0.lines(isCell: true).joined(separator: [0x20])) }
      lines.append(line(cells + repeatElement([], count: width - cells.count)))
      if index == 0 { lines.append(line(repeatElement(Array("---".utf8), count: width))) }
    }
    return (caption?.lines() ?? [], lines)
  }

  private func line(_ cells: some Sequence<[UInt8]>) -> [UInt8] {
    var line = Array("|".utf8)
    for cell in cells {
      line += Array(cell.isEmpty ? " ".utf8 : " \(String(decoding: cell, as: UTF8.self)) ".utf8)
      line.append(UInt8(ascii: "|"))
    }
    return line
  }
}
