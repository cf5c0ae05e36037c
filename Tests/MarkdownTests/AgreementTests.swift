import Journal
import Markdown
import TestSupport
import Testing

@testable import JournalFormats
@testable import TextLayout

/// The screen, the HTML export and task items show the same document.
struct AgreementTests {
  @Test(
    "screen and HTML agree on texts that people write",
    arguments: [
      "2*3*4 and snake_case", ">5 km\n>_<\n> a quote\n> > in a quote",
      "1. [ ] one\n2. [x] two\n   - [ ] three\n\n   more\n10) four", "- [ ] - [ ] # one box",
      "Title\n\n| a | *b* |\n|---|--:|\n| 1 | `2` | 3\n\nend", "> |a|\n> |-|\n> |b|",
      "a **b\nc** d\n***e*** ~~f~~ __g__", "# One ##\n## Two\n### Three\n#### Four #\n#tag\n#",
      "- a\nb\n- c\n\n  d\n  > e\n\n      code\n* * *\n+ f",
      "```swift\nlet *x* = 1\n\n```\n~~~\nopen",
      "- ```\n  ```\n- \n  a\n- >\n  > b\n- [ ]", "a\u{2028}- [ ] b\u{2028}- [x] c\r\n- [ ] d",
      "see [a *b*](https://a.org/x), ![p](p.jpg), <me@a.org> and https://a.org/*.",
      "`a*b*` \\*c\\* **d `e*` f** *g [h* i](j) k*", "born in\n1986. A year\n1. one\n- two",
      "- a\n    - b\n        - [ ] c\n    d\n\n\ttext\n\n    code",
      "Title\n===\n\n[ref]: https://a.org",
    ])
  func texts(_ text: String) throws { try compare(text) }

  @Test("screen and HTML agree on texts of random fragments", arguments: SeededGenerator.seeds(8))
  func randomTexts(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<60 { try compare(MarkdownSample.text(&random)) }
  }

  private func compare(_ text: String) throws {
    var bytes: [UInt8] = []
    HTMLBlocks.append(text, to: &bytes)
    let html = String(decoding: bytes, as: UTF8.self)
    var reader = HTMLReader()
    let expected = reader.rows(of: html)
    let lines = MarkdownLayout(text, columns: 1000, isTitled: false).filter { line in
      !line.cells.filter { !$0.isTarget }.allSatisfy { $0.cluster.text.isBlank }
    }
    let note = Comment(rawValue: "\(text.debugDescription)\n\(html)")
    try #require(lines.count == expected.count, note)
    for (line, row) in zip(lines, expected) {
      let shown = ScreenRow(line, like: row)
      try #require(shown.prefix == row.prefix, note)
      try #require(shown.text.map(\.character) == row.text.map(\.character), note)
      for (a, b) in zip(shown.text, row.text) {
        try #require(a.styles.intersection(a.known) == b.styles.intersection(a.known), note)
        // The level of a title is not in the page.
        guard row.heading != 0, b.styles.isEmpty, let style = a.style else { continue }
        let isHeading = style.role == .heading
        try #require(isHeading == (row.heading != nil) || style.role == .link, note)
        if isHeading { try #require(style == row.heading.map(ScreenRow.headingStyle), note) }
      }
    }
    let boxes = Document(text).taskItems.map(\.box)
    try #require(lines.compactMap(\.task) == boxes, note)
    try #require(reader.boxes == boxes.map(\.state), note)
  }
}

extension String {
  /// Whether it is nothing but blanks and the bars of quotes.
  fileprivate var isBlank: Bool { allSatisfy { " │".contains($0) } }
}

extension StyledCluster {
  /// Whether it is part of a link's destination, or the info string of code.
  fileprivate var isTarget: Bool {
    style.role == .hint && !cluster.text.allSatisfy { "─│┼".contains($0) }
  }
}

/// How a character is shown, as far as both outputs can say.
private struct StyledCharacter: Equatable {
  enum Style: CaseIterable { case strong, emphasis, deleted, code }

  var character: Character
  var styles: Set<Style> = []
  /// The styles that differ on the screen here.
  var known = Set(Style.allCases)
  /// How the screen shows it; nil for a blank.
  var style: TextLayout.Style?
}

/// A line of the text in the page.
private struct HTMLRow {
  /// What the screen shows left of it: bars, markers, blanks.
  var prefix: String
  /// 1 to 6; 0 for a title, whose level the page does not say.
  var heading: Int?
  var isTableHead = false
  var text: [StyledCharacter] = []
}

extension [StyledCharacter] {
  /// Without white space at the ends, runs of it and of lines as one, and without tildes of what is
  /// struck out.
  fileprivate var normalized: [StyledCharacter] {
    var result: [StyledCharacter] = []
    for var item in self {
      if item.character == "~", item.styles.contains(.deleted) { continue }
      if item.character.isWhitespace { item = StyledCharacter(character: " ") }
      if item.character == "┼" { item = StyledCharacter(character: "─") }
      if "─ ".contains(item.character), result.last?.character == item.character { continue }
      if result.isEmpty, item.character == " " { continue }
      // A style inside another does not show on the screen.
      if item.styles.contains(.code) { item.styles = [.code] }
      result.append(item)
    }
    while let last = result.last?.character, " │".contains(last) { result.removeLast() }
    return result
  }
}

/// A line of the screen, cut like a line of the page.
private struct ScreenRow {
  let prefix: String
  let text: [StyledCharacter]

  static func headingStyle(_ level: Int) -> Style {
    Style(.heading, bold: level < 4, underline: level == 1 || level > 3)
  }

  init(_ line: StyledLine, like row: HTMLRow) {
    let count = row.prefix.count
    prefix = line.cells.prefix(count).map(\.cluster.text).joined()
    let cells = line.cells.dropFirst(count)
    text =
      cells.flatMap { cell -> [StyledCharacter] in
        let style = cell.style
        let isLine = cell.cluster.text.allSatisfy { "─│┼".contains($0) }
        if cell.isTarget { return [] }
        var styles: Set<StyledCharacter.Style> = []
        var known = Set(StyledCharacter.Style.allCases)
        if style.bold { styles.insert(.strong) }
        if style.italic { styles.insert(.emphasis) }
        if style.dim { styles.insert(.deleted) }
        if style.role == .code { styles = [.code] }
        if style.role == .link { known.remove(.emphasis) }
        if row.heading != nil { known = row.heading == 0 ? [] : [.deleted, .code] }
        if row.isTableHead { known.remove(.strong) }
        if isLine { known = [] }
        return cell.cluster.text.map {
          StyledCharacter(character: $0, styles: styles, known: known, style: isLine ? nil : style)
        }
      }.normalized
  }
}

/// Reads the HTML of an entry into the lines that the screen should show.
private struct HTMLReader {
  private(set) var boxes: [TaskBox.State] = []
  private var rows: [HTMLRow] = []
  /// The markers of the open quotes and items; nil for a quote.
  private var containers: [(marker: String?, isShown: Bool)] = []
  private var styles: [StyledCharacter.Style] = []
  private var text: [StyledCharacter] = []
  private var heading: Int?
  private var isTableHead = false
  private var isCode = false
  private var codeLines = 0
  /// The text of a sign or a file, until it ends.
  private var span: (name: String, text: String)?
  private var spans: [String] = []

  mutating func rows(of html: String) -> [HTMLRow] {
    for piece in html.split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
      let parts = piece.split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false)
      read(tag: String(parts[0]))
      read(text: Self.unescaped(String(parts[1])))
    }
    return rows.filter { row in
      !(row.prefix + String(row.text.map(\.character))).isBlank
    }
  }

  private static func unescaped(_ text: String) -> String {
    text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
  }

  private mutating func read(text piece: String) {
    if span != nil {
      span?.text += piece
    } else if isCode {
      for line in piece.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        text = line.map { StyledCharacter(character: $0, styles: [.code]) }
        codeLines += 1
        endRow()
      }
    } else {
      text += piece.map { StyledCharacter(character: $0, styles: Set(styles)) }
    }
  }

  private mutating func endRow() {
    var prefix = ""
    for index in containers.indices {
      guard let marker = containers[index].marker else {
        prefix += "│ "
        continue
      }
      let isShown = containers[index].isShown
      prefix += isShown ? String(repeating: " ", count: marker.count + 1) : marker + " "
      containers[index].isShown = true
    }
    rows.append(
      HTMLRow(
        prefix: prefix, heading: heading, isTableHead: isTableHead, text: text.normalized))
    text = []
  }

  /// Ends the row of an item's text, or of an item without one.
  private mutating func endText() {
    let isBlank = text.allSatisfy(\.character.isWhitespace)
    if !isBlank || containers.contains(where: { $0.marker != nil && !$0.isShown }) { endRow() }
    text = []
  }

  private mutating func read(tag: String) {
    let name = String(tag.prefix { $0 != " " })
    switch name {
    case "li":
      endOuterText()
      containers.append((nil, false))
      if tag.contains("task") { boxes.append(.open) }
      if tag.contains("done") { boxes.append(.done) }
    case "blockquote":
      endOuterText()
      containers.append((nil, true))
    case "/li", "/blockquote":
      endText()
      containers.removeLast()
    case "p", "ul", "ol", "table": endOuterText()
    case "/p", "/tr", "br": endRow()
    case "h3", "h4", "h5", "h6":
      endOuterText()
      let level = tag.firstMatch(of: /aria-level="(\d)"/).flatMap { Int($0.1) }
      heading = (level ?? Int(name.dropFirst()) ?? 0) - 3
    case "/h3", "/h4", "/h5", "/h6":
      endRow()
      heading = nil
    case "hr":
      endOuterText()
      text = [StyledCharacter(character: "─")]
      endRow()
    case "span":
      span = (tag, "")
    case "/span":
      endSpan()
    case "pre": endOuterText()
    case "code" where isPre: beginCode(tag)
    default: readInline(name)
    }
    isPre = name == "pre"
    readTable(name)
  }

  private var isPre = false

  private mutating func beginCode(_ tag: String) {
    isCode = true
    codeLines = 0
    if tag.contains("class=") { endRow() }
  }

  private mutating func endSpan() {
    guard let ended = span else { return }
    span = nil
    if ended.name.contains("sign") {
      containers[containers.count - 1] = (ended.text, false)
    } else if ended.name.contains("file"), ended.text.hasPrefix("(") {
      // The blank before a destination is in the place of a bracket.
      if text.last?.character == " " { text.removeLast() }
    } else {
      text += ended.text.map { StyledCharacter(character: $0, styles: Set(styles)) }
    }
  }

  private mutating func readInline(_ name: String) {
    let kinds: [String: StyledCharacter.Style] = [
      "strong": .strong, "em": .emphasis, "del": .deleted, "code": .code,
    ]
    if let style = kinds[name] { styles.append(style) }
    guard name.hasPrefix("/"), let style = kinds[String(name.dropFirst())] else { return }
    if style == .code, isCode {
      if codeLines == 0 { endText() }
      isCode = false
    } else if let last = styles.lastIndex(of: style) {
      styles.remove(at: last)
    }
  }

  private mutating func readTable(_ name: String) {
    switch name {
    case "th": isTableHead = true
    case "/th", "/td": text += " │ ".map { StyledCharacter(character: $0) }
    case "/tr" where isTableHead:
      isTableHead = false
      text = [StyledCharacter(character: "─")]
      endRow()
    default: break
    }
  }

  /// Ends the text of an item before a block in it; white space between elements is none.
  private mutating func endOuterText() {
    if text.contains(where: { !$0.character.isWhitespace }) { endRow() }
    text = []
  }
}
