import Journal
import Markdown

/// Writes entries for Org mode: a headline per entry with its tags, its time and its identity.
///
/// The first line of the text is the headline; the rest is the text in the markup of Org. Nothing is
/// lost: properties hold what Org cannot express (``OrgMark``), and ``OrgReader`` reads all of it
/// back, also if the markup alone would come back as another text.
struct OrgEncoder: EntryEncoder {
  init() {}

  /// Appends the title of the file.
  mutating func begin(_ buffer: inout [UInt8]) {
    buffer.append(contentsOf: "#+title: Journal\n".utf8)
  }

  /// Appends an entry.
  mutating func append(_ entry: Entry, to buffer: inout [UInt8]) {
    var blocks = OrgBlocks(LineEnds.unified(entry.text))
    let time = Self.time(entry.created, on: entry.day)
    let title = OrgTitle.written(blocks.takeTitle() ?? "\(entry.day)")
    let names = entry.tags.map(Self.tag)
    let tags = names.isEmpty ? "" : " :\(names.joined(separator: ":")):"
    var (head, tail) = (Array("* \(title)\(tags)\n:PROPERTIES:\n".utf8), Array(":END:\n".utf8))
    head += Array(":CREATED:  [\(time)]\n:ID:       \(entry.uuid)\n".utf8)
    blocks.append(to: &tail)
    var section: [UInt8] = []
    OrgMark.append(entry, head, tail, text: nil, to: &section)
    if Self.text(of: section)?.isSame(as: entry.text) != true {
      section = []
      OrgMark.append(entry, head, tail, text: entry.text, to: &section)
    }
    buffer.append(0x0A)
    buffer += section
  }

  /// The text that a section comes back as; `nil` if it does not come back as one entry.
  private static func text(of section: [UInt8]) -> String? {
    let options = ImportOptions(clock: .fixed(seconds: 0, offset: 0))
    let lines = TextLines(section)
    var file = OrgFile(path: "", options)
    file.read(lines)
    var reader = OrgReader(lines, file, options)
    let items = reader.run()
    guard items.count == 1, case .entry(let entry, _) = items[0] else { return nil }
    return try? entry.entry().text
  }

  /// A file of Org ends with its last entry.
  mutating func end(_ buffer: inout [UInt8]) {}

  /// Always empty.
  var losses: [String] { [] }

  /// `2024-01-05 Fri 09:15`; another day than that of the time has no time.
  static func time(_ created: Moment, on day: Day) -> String {
    let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    let text = "\(day) \(weekdays[day.weekday - 1])"
    return day == created.localDay ? "\(text) \(created.clockText)" : text
  }

  /// A tag of Org has letters, digits, `_`, `@`, `#` and `%`.
  static func tag(_ name: String) -> String {
    String(name.map { $0.isLetter || $0.isNumber || "_@#%".contains($0) ? $0 : "_" })
  }
}

/// The title in a headline, where Org reads more than a title.
enum OrgTitle {
  /// A title in which Org finds no state, priority, comment or tags, by zero-width spaces.
  ///
  /// Emacs 28 reads `TODO`, `DONE`, `COMMENT` and `[#A]` at the beginning, and `:words:` at the end.
  static func written(_ title: String) -> String {
    let words = title.split(separator: " ", omittingEmptySubsequences: false)
    var written = title
    let first = words.first ?? ""
    let isPriority = first.hasPrefix("[#") && first.dropFirst(3).hasPrefix("]")
    if ["TODO", "DONE", "COMMENT"].contains(first) || isPriority { written = "\u{200B}\(title)" }
    if let last = words.last, last.utf8.count > 2, last.first == ":", last.last == ":" {
      written += "\u{200B}"
    }
    return written
  }
}

/// The blocks of a text in the markup of Org.
struct OrgBlocks {
  private let document: Document
  /// The first block that is not in the headline, and its first line.
  private var start = (block: 0, line: 0)
  private var lines: [String] = []
  /// The blank lines after the headline.
  private var gap = 0
  /// The open quotes and items, as indices of the document's containers.
  private var open: [Int] = []

  init(_ text: String) {
    document = Document(text)
  }

  /// The first line as a headline, which is then left out of the text; `nil` if it is no line of
  /// prose.
  mutating func takeTitle() -> String? {
    guard let index = document.blocks.firstIndex(where: { $0.kind != .blank }) else { return nil }
    let block = document.blocks[index]
    guard block.container == nil, let first = inlines(block).first else { return nil }
    switch block.kind {
    case .paragraph: start = (index, 1)
    case .heading: start = (index + 1, 0)
    default: return nil
    }
    let isWhole = block.kind != .paragraph || inlines(block).count == 1
    gap =
      isWhole
      ? document.blocks[(index + 1)...].prefix { $0.kind == .blank }
        .reduce(0) { $0 + $1.lines.count } : 0
    return first
  }

  /// Appends the text.
  mutating func append(to buffer: inout [UInt8]) {
    for index in document.blocks.indices.dropFirst(start.block) {
      add(document.blocks[index], from: index == start.block ? start.line : 0)
    }
    closeContainers(to: 0)
    while lines.last?.isEmpty == true { lines.removeLast() }
    let text = lines.drop(while: \.isEmpty)
    if !text.isEmpty { buffer += Array(repeating: 0x0A, count: gap) }
    for line in text { buffer.append(contentsOf: "\(line)\n".utf8) }
  }

  private mutating func add(_ block: Block, from line: Int) {
    if block.kind == .blank {
      if lines.last?.isEmpty == false { lines.append("") }
      return
    }
    let marker = enter(document.path(to: block))
    let indent = indentation
    switch block.kind {
    case .blank: break
    case .paragraph:
      for (index, text) in inlines(block).enumerated().dropFirst(line) {
        let isFirst = index == line && marker != nil
        write(text, isFirst ? marker ?? "" : indent)
      }
    case .heading(let level):
      let text = inlines(block).first ?? ""
      if open.isEmpty {
        lines.append("\(String(repeating: "*", count: level + 1)) \(text)")
      } else {
        write(text, marker ?? indent)
      }
    case .fencedCode(let info):
      if let marker { lines.append(marker) }
      let language = document.source(info.range).prefix { !$0.isWhitespace }
      addLiteral("src", language.isEmpty ? "" : " \(language)", block, indent)
    case .indentedCode:
      if let marker { lines.append(marker) }
      addLiteral("example", "", block, indent)
    case .thematicBreak: lines.append("\(marker ?? indent)-----")
    case .table: addTable(block, marker ?? indent, indent)
    }
  }

  /// Writes a line of prose, which begins no block of Org by accident.
  private mutating func write(_ text: String, _ before: String) {
    let isHeadline = before.isEmpty && text.drop { $0 == "*" }.first == " " && text.first == "*"
    let isKeyword = text.hasPrefix("#+") || text.hasPrefix("# ") || text.hasPrefix(":")
    // A zero-width space, which Org's manual recommends.
    lines.append("\(before)\(isHeadline || isKeyword ? "\u{200B}" : "")\(text)")
  }

  private mutating func addLiteral(
    _ kind: String, _ argument: String, _ block: Block, _ indent: String
  ) {
    lines.append("\(indent)#+begin_\(kind)\(argument)")
    for line in block.lines {
      let text = document.source(line.range)
      let isEscaped = ["*", "#+", ",*", ",#+"].contains { text.hasPrefix($0) }
      lines.append(text.isEmpty ? "" : "\(indent)\(isEscaped ? "," : "")\(text)")
    }
    lines.append("\(indent)#+end_\(kind)")
  }

  private mutating func addTable(_ block: Block, _ first: String, _ indent: String) {
    for (index, row) in block.lines.enumerated() {
      let cells = document.cells(of: row).map { cell in
        OrgInlines.lines(document, [cell]).first?.replacing("|", with: "\\vert{}") ?? ""
      }
      lines.append("\(index == 0 ? first : indent)| \(cells.joined(separator: " | ")) |")
      guard index == 0 else { continue }
      let dashes = cells.map { _ in "---" }.joined(separator: "+")
      lines.append("\(indent)|\(dashes)|")
    }
  }

  private func inlines(_ block: Block) -> [String] { OrgInlines.lines(document, block.lines) }

  // MARK: Containers

  /// The columns of the open items.
  private var indentation: String {
    let width = open.reduce(0) { $0 + (document.item($1).map(Self.width) ?? 0) }
    return String(repeating: " ", count: width)
  }

  private static func width(_ item: ListItem) -> Int { item.isNumbered ? 3 : 2 }

  /// Closes the containers that do not contain a block, and opens the missing ones.
  ///
  /// - Returns: the marker of the item that begins here, after its indentation.
  private mutating func enter(_ path: [Int]) -> String? {
    let kept = zip(open, path).prefix { $0 == $1 }.count
    closeContainers(to: kept)
    var marker: String?
    for index in path[kept...] {
      let before = marker ?? indentation
      open.append(index)
      guard let item = document.item(index) else {
        if let marker { lines.append(marker) }
        marker = nil
        lines.append("\(indentation)#+begin_quote")
        continue
      }
      let box = item.box.map { $0.state == .done ? "[X] " : "[ ] " } ?? ""
      let number = item.isNumbered ? document.source(item.marker).filter(\.isNumber) : ""
      marker = "\(before)\(item.isNumbered ? "\(number)." : "-") \(box)"
    }
    return marker
  }

  private mutating func closeContainers(to count: Int) {
    while open.count > count, let index = open.popLast() {
      if document.item(index) == nil {
        let isSpaced = lines.last?.isEmpty == true
        while lines.last?.isEmpty == true { lines.removeLast() }
        lines.append("\(indentation)#+end_quote")
        if isSpaced { lines.append("") }
      }
    }
  }
}

/// The inlines of a text in the markup of Org.
enum OrgInlines {
  /// The lines of a paragraph.
  static func lines(_ document: Document, _ lines: [Block.Line]) -> [String] {
    let content = document.inlines(lines)
    var closed: Set<Int> = []
    return content.lines.map { runs in
      var line = OrgLine()
      for run in runs {
        if let index = run.link {
          let link = content.links[index]
          // The whole link is written at its first run.
          if closed.insert(index).inserted { line.add(Self.link(document, link)) }
          continue
        }
        let text = document.source(run.range)
        switch run.kind {
        case .text: line.add(text, run.styles)
        case .code: line.add(text.contains("=") ? "~\(text)~" : "=\(text)=")
        case .delimiter, .tildes, .linkTextEnd, .destination: break
        }
      }
      return line.finished()
    }
  }

  private static func link(_ document: Document, _ link: Markdown.Link) -> String {
    let address = String(decoding: document.address(of: link), as: UTF8.self)
      .replacing("[", with: "%5B").replacing("]", with: "%5D")
    let hasScheme = address.contains(":")
    let target = hasScheme ? address : "file:\(address)"
    let text = document.source(link.text).filter { $0 != "\\" && !$0.isNewline }
      .replacing("[", with: "(").replacing("]", with: ")")
    let isOwn = text.isEmpty || link.text == link.destination
    return isOwn ? "[[\(target)]]" : "[[\(target)][\(text)]]"
  }
}

/// A line with the emphasis of Org.
private struct OrgLine {
  private var text = ""
  private var open: [Inline.Styles] = []

  mutating func add(_ run: String, _ styles: Inline.Styles) {
    while let last = open.last, !styles.contains(last) { close() }
    for style in [Inline.Styles.strong, .emphasis, .strikethrough]
    where styles.contains(style) && !open.contains(style) {
      text += Self.sign(style)
      open.append(style)
    }
    text += run
  }

  mutating func add(_ markup: String) { text += markup }

  mutating func finished() -> String {
    while !open.isEmpty { close() }
    return text.trimmingWhitespace
  }

  private mutating func close() {
    guard let style = open.popLast() else { return }
    // White space belongs after the sign.
    let rest = text.reversed().prefix { $0 == " " }.count
    text.removeLast(rest)
    text += Self.sign(style) + String(repeating: " ", count: rest)
  }

  private static func sign(_ style: Inline.Styles) -> String {
    style == .strong ? "*" : style == .emphasis ? "/" : "+"
  }
}
