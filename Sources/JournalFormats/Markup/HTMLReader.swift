import Markdown

/// Makes Markdown of the events of HTML.
struct HTMLReader {
  private let target: (HTMLReference) -> String?
  private var lines = MarkdownLines()
  private var runs = MarkdownRuns()
  private var styles = HTMLStyles()
  private var lists: [HTMLList] = []
  /// The open elements that change what follows their end.
  private var open: [(name: String, effect: Effect)] = []
  /// The number of open elements without a visible text.
  private var hidden = 0
  private var code: HTMLCode?
  private var table: HTMLTable?
  /// The tables whose contents are being read in turn.
  private var unfolded = 0
  /// The box of the present line, outside a list.
  private var box: String?
  private var wasBox = false
  private var heading: Int?
  private var conversion = HTMLConversion()

  /// What ends with an element.
  private enum Effect {
    case block(lines: Int)
    case quote
    case list(isContinued: Bool)
    case item, heading, code
    case quotation, flat
  }

  init(target: @escaping (HTMLReference) -> String?) {
    self.target = target
  }

  /// The result after all events.
  mutating func finished() -> HTMLConversion {
    if let table, !table.isComplete { unfold(table.events) }
    endCode()
    flush()
    conversion.text = String(decoding: ASCII.trimmed(lines.bytes[...]), as: UTF8.self)
    return conversion
  }

  /// Reads an event.
  mutating func add(_ event: MarkupEvent) {
    if table != nil { return addToTable(event) }
    switch event {
    case .start(let name, let attributes, _): start(name, attributes)
    case .end(let name): end(name)
    case .text(let text): add(text)
    case .problem: break
    }
  }

  // MARK: Text

  private mutating func add(_ text: [UInt8]) {
    guard hidden == 0 else { return }
    if code != nil {
      code?.add(text)
      return
    }
    let link = styles.link(in: &runs)
    var current = styles.current
    // A heading is bold.
    if heading != nil { current.remove(.strong) }
    if styles.isCode {
      runs.appendCode(text, current, link: link)
    } else {
      runs.append(text, current, link: link)
    }
  }

  /// Writes the present paragraph.
  private mutating func flush() {
    let link = styles.beginParagraph()
    if let link { runs.closeLink(link) }
    let paragraph = runs
    runs = MarkdownRuns()
    let box = self.box
    self.box = nil
    guard !paragraph.isBlank else {
      if paragraph.breaks > 0 { lines.addBlank() }
      return
    }
    var written = paragraph.lines()
    if let heading {
      let signs = String(repeating: "#", count: heading)
      var line = Array("\(signs) ".utf8) + written.joined(separator: [0x20])
      // Signs at the end of a heading do not count.
      if line.last == UInt8(ascii: "#") { line.insert(UInt8(ascii: "\\"), at: line.count - 1) }
      written = [line]
    }
    if let box {
      lines.openItem("- \(box)")
    } else if wasBox {
      lines.separate(2)
    }
    for line in written {
      // A blank line ends an item.
      if line.isEmpty { lines.addBlank() } else { lines.write(line) }
    }
    if box != nil { lines.close() }
    wasBox = box != nil
  }

  // MARK: Elements

  private static let hiddenNames: Set<String> = [
    "head", "script", "style", "title", "template", "noscript", "svg", "noframes",
  ]
  /// Blocks, and the line ends around each.
  private static let blocks: [String: Int] = [
    "p": 2, "article": 2, "section": 2, "figure": 2, "dl": 2, "table": 2, "details": 2, "div": 1,
    "header": 1, "footer": 1, "main": 1, "nav": 1, "aside": 1, "address": 1, "center": 1, "form": 1,
    "fieldset": 1, "legend": 1, "figcaption": 1, "dt": 1, "dd": 1, "summary": 1, "body": 1,
    "html": 1, "en-note": 1, "tr": 1, "caption": 1, "td": 1, "th": 1, "hgroup": 1, "option": 1,
  ]
  private static let files: Set<String> = [
    "img", "en-media", "video", "audio", "iframe", "embed", "object", "source",
  ]

  private mutating func start(_ name: String, _ attributes: [String: String]) {
    if hidden > 0 || Self.hiddenNames.contains(name) {
      hidden += 1
      return
    }
    if code != nil {
      if name == "br" { code?.add([0x0A]) } else { code?.start(name, attributes) }
      return
    }
    switch name {
    case "h1", "h2", "h3", "h4", "h5", "h6": startHeading(Int(name.utf8.last ?? 0x31) - 0x30)
    case "blockquote": startQuote()
    case "ul", "ol", "menu", "dir": startList(name, attributes)
    case "li": startItem(attributes)
    case "pre": startCode(name, attributes)
    case "table" where unfolded < 3:
      flush()
      table = HTMLTable(target: target)
    case "br": runs.appendBreak()
    case "hr":
      flush()
      lines.separate(2)
      // `- ---` would be a rule without the item.
      lines.write(lines.depth > 0 ? "***".utf8 : "---".utf8)
      lines.separate(2)
    case "input", "en-todo": startBox(name, attributes)
    case "en-crypt":
      remark("encrypted text of Evernote is left out")
      hidden += 1
    case "q":
      add(Array("“".utf8))
      open.append((name, .quotation))
    default:
      if Self.files.contains(name) {
        startFile(name, attributes)
      } else if let count = Self.blocks[name] {
        startBlock(name, attributes, count)
      } else {
        startNotionBox(attributes)
        styles.start(name, resolved(name, attributes))
      }
    }
  }

  private mutating func end(_ name: String) {
    if hidden > 0 {
      hidden -= 1
      return
    }
    if code != nil {
      guard code?.end(name) == true else { return }
      endCode()
    }
    if let link = styles.end(name) { runs.closeLink(link) }
    // The innermost one, since elements end in order.
    guard open.last?.name == name, let effect = open.popLast()?.effect else { return }
    switch effect {
    case .block(let count):
      flush()
      lines.separate(count)
    case .quote:
      flush()
      lines.close()
      lines.separate(2)
    case .list(let isContinued):
      flush()
      if isContinued { lines.close() }
      lists.removeLast()
      lines.separate(2)
    case .item:
      flush()
      lines.close()
      lines.separate(1)
    case .heading:
      flush()
      heading = nil
      lines.separate(2)
    case .quotation: add(Array("”".utf8))
    case .code, .flat: flush()
    }
  }

  private mutating func startHeading(_ level: Int) {
    flush()
    lines.separate(2)
    heading = level
    open.append(("h\(level)", .heading))
  }

  private mutating func startQuote() {
    flush()
    lines.separate(2)
    guard lines.depth < Document.depthLimit else {
      open.append(("blockquote", .flat))
      return
    }
    lines.openQuote()
    open.append(("blockquote", .quote))
  }

  private mutating func startBlock(
    _ name: String, _ attributes: [String: String], _ count: Int
  ) {
    if let style = attributes["style"], HTMLStyle(style).isCodeBlock {
      return startCode(name, attributes)
    }
    flush()
    lines.separate(count)
    startNotionBox(attributes)
    open.append((name, .block(lines: count)))
  }

  // MARK: Lists

  private mutating func startList(_ name: String, _ attributes: [String: String]) {
    flush()
    let isInList = open.last.map { if case .list = $0.effect { true } else { false } } ?? false
    // A list right in a list belongs to the item before it.
    let isContinued =
      isInList && lists.last?.hasItems == true && lines.depth < Document.depthLimit
    if isContinued { lines.openItem(lists.last?.marker ?? "-", isStarted: true) }
    let list = HTMLList(name, attributes)
    let isNested = !lists.isEmpty
    if isNested, !list.isNumbered || list.next == 1 { lines.join() } else { lines.separate(2) }
    lists.append(list)
    open.append((name, .list(isContinued: isContinued)))
  }

  private mutating func startItem(_ attributes: [String: String]) {
    flush()
    if lists.isEmpty { lists.append(HTMLList("ul", [:])) }
    let isFirst = lists.last?.hasItems == false
    if !isFirst { lines.join() }
    guard lines.depth < Document.depthLimit else {
      lines.separate(1)
      open.append(("li", .flat))
      return
    }
    let list = lists.count - 1
    lines.openItem(lists[list].nextMarker(attributes))
    if let box = lists[list].box(attributes) { _ = lines.addBox(box) }
    open.append(("li", .item))
  }

  // MARK: Boxes

  private mutating func startBox(_ name: String, _ attributes: [String: String]) {
    if name == "input", attributes["type"]?.lowercased() != "checkbox" { return }
    let isChecked = attributes["checked"].map { $0 != "false" } ?? false
    addBox(isChecked ? "[x]" : "[ ]")
  }

  private mutating func addBox(_ text: String) {
    guard runs.isAtLineStart else {
      runs.append(Array("\(text) ".utf8), [], link: nil)
      return
    }
    flush()
    if !lines.addBox(text) { box = text }
  }

  /// Notion's boxes are empty elements with a class.
  private mutating func startNotionBox(_ attributes: [String: String]) {
    guard let names = attributes["class"]?.split(separator: " "), names.contains("checkbox") else {
      return
    }
    if names.contains("checkbox-on") { addBox("[x]") }
    if names.contains("checkbox-off") { addBox("[ ]") }
  }

  // MARK: Code

  private mutating func startCode(_ name: String, _ attributes: [String: String]) {
    flush()
    code = HTMLCode(name, attributes)
    open.append((name, .code))
  }

  private mutating func endCode() {
    guard let code else { return }
    self.code = nil
    let written = code.lines
    guard !written.isEmpty else { return }
    lines.separate(2)
    for line in written { lines.write(line) }
    lines.separate(2)
  }

  // MARK: Files

  /// The attributes of an element with the target of its link.
  private func resolved(_ name: String, _ attributes: [String: String]) -> [String: String] {
    guard name == "a", let address = attributes["href"] else { return attributes }
    var attributes = attributes
    attributes["href"] = target(
      HTMLReference(element: name, address: address, attributes: attributes))
    return attributes
  }

  private mutating func startFile(_ name: String, _ attributes: [String: String]) {
    var address = (attributes["src"] ?? attributes["data"])?.trimmingWhitespace
    if name == "source", attributes["src"] == nil { return }
    if address?.isEmpty == true { address = nil }
    let isInside = address?.lowercased().hasPrefix("data:") == true
    if isInside { address = nil }
    let reference = HTMLReference(element: name, address: address, attributes: attributes)
    let words = (attributes["alt"] ?? attributes["title"] ?? "").prefix(200)
    let title = Array(words.trimmingWhitespace.utf8)
    guard let found = target(reference).flatMap(HTMLStyles.address) else {
      if isInside { remark("a picture inside the page is left out") }
      add(title)
      return
    }
    let isPicture = name == "img" || attributes["type"]?.hasPrefix("image/") == true
    let label = title.isEmpty && !isPicture ? Array(Self.label(name, found).utf8) : title
    conversion.files.append(found)
    let link = styles.link(in: &runs)
    runs.appendFile(found, text: label, isPicture: isPicture, link: link)
    // What a browser without the element would show.
    if ["video", "audio", "iframe", "object"].contains(name) { hidden += 1 }
  }

  /// The text of a link to a file without a description.
  private static func label(_ element: String, _ address: String) -> String {
    if ["video", "audio"].contains(element) { return element }
    let name = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last ?? "file"
    return String(name)
  }

  private mutating func remark(_ remark: String) {
    if !conversion.remarks.contains(remark) { conversion.remarks.append(remark) }
  }

  // MARK: Tables

  private mutating func addToTable(_ event: MarkupEvent) {
    table?.add(event)
    guard var table, table.isComplete else { return }
    self.table = nil
    guard let (caption, rows) = table.lines() else { return unfold(table.events) }
    lines.separate(2)
    for line in caption { lines.write(line) }
    lines.separate(2)
    for row in rows { lines.write(row) }
    lines.separate(2)
  }

  /// Reads the contents of a table in turn.
  private mutating func unfold(_ events: [MarkupEvent]) {
    table = nil
    unfolded += 1
    startBlock("table", [:], 2)
    for event in events { add(event) }
    if let inner = table { unfold(inner.events) }
    end("table")
    unfolded -= 1
  }
}
