import Markdown

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

/// The styles and the link of the text at a position of HTML.
struct HTMLStyles {
  /// The styles that each open element of a style adds, by its name.
  private var open: [(name: String, styles: Inline.Styles, isCode: Bool, isLink: Bool)] = []
  /// The address of the open link.
  private var address: String?
  private var number: Int?

  /// The styles of a text here.
  var current: Inline.Styles { open.reduce(into: []) { $0.formUnion($1.styles) } }
  /// Whether a text here is code.
  var isCode: Bool { open.contains(where: \.isCode) }

  private static let names: [String: Inline.Styles] = [
    "b": .strong, "strong": .strong, "i": .emphasis, "em": .emphasis, "cite": .emphasis,
    "dfn": .emphasis, "s": .strikethrough, "strike": .strikethrough, "del": .strikethrough,
  ]
  private static let codes: Set<String> = ["code", "tt", "kbd", "samp"]

  /// Begins an element.
  mutating func start(_ name: String, _ attributes: [String: String]) {
    var styles = Self.names[name] ?? []
    let css = attributes["style"].map(HTMLStyle.init)
    if name == "a" {
      let address = attributes["href"].flatMap(Self.address)
      if address != nil { (self.address, number) = (address, nil) }
      open.append((name, [], false, address != nil))
      return
    }
    guard
      ["span", "font", "mark", "u"].contains(name) || !styles.isEmpty || Self.codes.contains(name)
    else { return }
    if let css {
      if css.isStrong { styles.insert(.strong) }
      // Google Docs writes a whole document into an element `b` that is not bold.
      if css.isPlain { styles.remove(.strong) }
      if css.isEmphasis { styles.insert(.emphasis) }
      if css.isStruck { styles.insert(.strikethrough) }
    }
    open.append((name, styles, Self.codes.contains(name), false))
  }

  /// Ends an element.
  ///
  /// - Returns: the number of the link that ended.
  @discardableResult
  mutating func end(_ name: String) -> Int? {
    // Only the innermost few: elements end in order.
    guard let index = open.suffix(8).lastIndex(where: { $0.name == name }) else { return nil }
    let isLink = open[index].isLink
    open.remove(at: index)
    guard isLink else { return nil }
    defer { (address, number) = (nil, nil) }
    return number
  }

  /// The number of the open link in a paragraph.
  mutating func link(in runs: inout MarkdownRuns) -> Int? {
    guard let address else { return nil }
    if number == nil { number = runs.openLink(address) }
    return number
  }

  /// Forgets the number of the open link, which continues in another paragraph.
  mutating func beginParagraph() -> Int? {
    defer { number = nil }
    return number
  }

  /// The address of a link that leads somewhere.
  static func address(_ href: String) -> String? {
    let address = href.trimmingWhitespace
    let scheme = address.prefix { $0 != ":" }.lowercased()
    guard !address.isEmpty, !address.hasPrefix("#"), address.utf8.count <= 8192,
      !["javascript", "data", "vbscript"].contains(scheme)
    else { return nil }
    return address
  }
}

/// The few declarations of CSS that Markdown has signs for.
struct HTMLStyle {
  private let css: String

  init(_ css: String) {
    self.css = String(css.prefix(2000)).lowercased().filter { !$0.isWhitespace }
  }

  var isStrong: Bool {
    [
      "font-weight:bold", "font-weight:600", "font-weight:700", "font-weight:800",
      "font-weight:900",
    ]
    .contains(where: css.contains)
  }
  var isPlain: Bool { css.contains("font-weight:normal") || css.contains("font-weight:400") }
  var isEmphasis: Bool { css.contains("font-style:italic") }
  var isStruck: Bool { css.contains("line-through") }
  /// A block of code of Evernote.
  var isCodeBlock: Bool { css.contains("-en-codeblock:true") }
  /// A list of tasks of Evernote.
  var isTaskList: Bool { css.contains("--en-todo:true") }
  /// The state of such a task.
  var isChecked: Bool { css.contains("--en-checked:true") }
}

extension StringProtocol {
  /// The text without white space at its ends.
  var trimmingWhitespace: String {
    let rest = drop(while: \.isWhitespace)
    guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(rest[...last])
  }
}
