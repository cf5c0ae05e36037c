import Journal
import Markdown

/// The text of a paragraph with its styles and links, written as Markdown.
///
/// White space is collapsed as in HTML; line breaks are line ends. Delimiters that Daybook's parser
/// would not read as the same emphasis are left out, so that no sign is made up.
struct MarkdownRuns {
  /// A part of the paragraph.
  private struct Run {
    var text: [UInt8]
    var styles: Inline.Styles
    var link: Int?
    var kind = Kind.text
  }

  private enum Kind: Equatable {
    case text, code
    /// Markdown that is written as it is, and shows the text.
    case raw([UInt8])
    /// The same for a picture, which shows no text.
    case picture([UInt8])

    var isPicture: Bool { if case .picture = self { true } else { false } }
  }

  private var runs: [Run] = []
  private var links: [String] = []
  /// The number of runs before each link.
  private var linkStarts: [Int] = []
  /// The last byte, to collapse white space.
  private var last: UInt8?

  /// Whether nothing is visible.
  var isBlank: Bool { runs.allSatisfy { $0.kind == .text && $0.text.allSatisfy(ASCII.isSpace) } }
  /// The number of line breaks, if there is nothing else.
  var breaks: Int { runs.reduce(0) { $0 + $1.text.count { $0 == 0x0A } } }
  /// Whether the next text begins a line.
  var isAtLineStart: Bool { isBlank || last == 0x0A }

  /// Appends a text with white space of HTML.
  mutating func append(_ text: [UInt8], _ styles: Inline.Styles, link: Int?) {
    var kept: [UInt8] = []
    kept.reserveCapacity(text.count)
    var last = self.last ?? 0x0A
    var index = 0
    while index < text.count {
      var byte = text[index]
      let length = invisibleLength(text, index)
      if length > 0 {
        index += length
        continue
      }
      // U+00A0.
      if byte == 0xC2, index + 1 < text.count, text[index + 1] == 0xA0 {
        index += 1
        byte = 0x20
      }
      index += 1
      if ASCII.isSpace(byte) || byte < 0x20 {
        guard last != 0x20, last != 0x0A else { continue }
        byte = 0x20
      }
      kept.append(byte)
      last = byte
    }
    guard !kept.isEmpty else { return }
    self.last = last
    if let run = runs.indices.last, runs[run].styles == styles, runs[run].link == link,
      runs[run].kind == .text
    {
      runs[run].text += kept
    } else {
      runs.append(Run(text: kept, styles: styles, link: link))
    }
  }

  /// The length of U+200B, U+FEFF or U+00AD at a position; 0 for anything else.
  private func invisibleLength(_ text: [UInt8], _ index: Int) -> Int {
    switch text[index] {
    case 0xC2: index + 1 < text.count && text[index + 1] == 0xAD ? 2 : 0
    case 0xE2: text[index...].prefix(3).elementsEqual([0xE2, 0x80, 0x8B]) ? 3 : 0
    case 0xEF: text[index...].prefix(3).elementsEqual([0xEF, 0xBB, 0xBF]) ? 3 : 0
    default: 0
    }
  }

  /// Appends a line break.
  mutating func appendBreak() {
    if let run = runs.indices.last, runs[run].kind == .text, runs[run].text.last == 0x20 {
      runs[run].text.removeLast()
    }
    runs.append(Run(text: [0x0A], styles: []))
    last = 0x0A
  }

  /// Appends code.
  mutating func appendCode(_ code: [UInt8], _ styles: Inline.Styles, link: Int?) {
    guard code.contains(where: { !ASCII.isSpace($0) }) else {
      return append(code, styles, link: link)
    }
    let text = code.map { $0 < 0x20 ? 0x20 : $0 }
    if let run = runs.indices.last, runs[run].kind == .code, runs[run].link == link {
      // The parts of highlighted code.
      runs[run].text += text
    } else {
      runs.append(Run(text: text, styles: styles, link: link, kind: .code))
    }
    last = UInt8(ascii: "`")
  }

  /// Appends a link to a picture or another file.
  ///
  /// - Parameter text: its description.
  mutating func appendFile(_ address: String, text: [UInt8], isPicture: Bool, link: Int?) {
    var label = MarkdownRuns()
    label.append(text, [], link: label.openLink(address))
    let lines = label.lines()
    let written = lines.first ?? Array("[](\(MarkdownAddress.target(address)))".utf8)
    let kind: Kind = isPicture ? .picture([UInt8(ascii: "!")] + written) : .raw(written)
    runs.append(Run(text: isPicture ? [] : text, styles: [], link: link, kind: kind))
    last = UInt8(ascii: ")")
  }

  /// Begins a link.
  ///
  /// - Returns: its number, for ``append(_:_:link:)``.
  mutating func openLink(_ address: String) -> Int {
    links.append(address)
    linkStarts.append(runs.count)
    return links.count - 1
  }

  /// Ends a link: without a text it is dropped, and with its address as text it is an address.
  mutating func closeLink(_ link: Int) {
    let own = linkStarts[link]..<runs.count
    guard !own.isEmpty else { return }
    if runs[own].allSatisfy({ $0.kind.isPicture || $0.text.allSatisfy(ASCII.isSpace) }) {
      // A picture that leads to itself in full size.
      for index in own { runs[index].link = nil }
      return
    }
    let text = runs[own].flatMap(\.text)
    let isText = runs[own].allSatisfy { $0.link == link && $0.kind == .text }
    guard isText, let plain = MarkdownAddress.plain(links[link], text: ASCII.trimmed(text[...]))
    else { return }
    let isSpaced = text.last.map(ASCII.isSpace) ?? false
    runs.replaceSubrange(
      own, with: [Run(text: Array(ASCII.trimmed(text[...])), styles: [], kind: .raw(plain))])
    if isSpaced { runs.append(Run(text: [0x20], styles: [])) }
  }

  /// The paragraph as lines of Markdown, without white space at their ends and blank lines at its
  /// ends.
  ///
  /// - Parameter isCell: whether it is the cell of a table, on one line.
  /// - Complexity: linear in the bytes.
  func lines(isCell: Bool = false) -> [[UInt8]] {
    var best: [UInt8] = []
    let isStyled = runs.contains { $0.styles != [] }
    for style in isStyled ? EmphasisSigns.all : [EmphasisSigns.none] {
      best = written(style, isCell: isCell)
      if !isStyled || isRead(best, style) { break }
    }
    var lines = best.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      Array(ASCII.trimmed($0))
    }
    while lines.first?.isEmpty == true { lines.removeFirst() }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// The signs of emphasis that are tried.
  private struct EmphasisSigns {
    var strong: String?
    var emphasis: String?
    var strikethrough: String?

    static let none = EmphasisSigns()
    static let all = [
      EmphasisSigns(strong: "**", emphasis: "*", strikethrough: "~~"),
      EmphasisSigns(strong: "**", emphasis: "_", strikethrough: "~~"),
      EmphasisSigns(strong: "**", emphasis: nil, strikethrough: "~~"),
      EmphasisSigns(strong: "**", emphasis: nil, strikethrough: nil),
      EmphasisSigns(strong: nil, emphasis: "*", strikethrough: nil), .none,
    ]

    func kept(_ styles: Inline.Styles) -> Inline.Styles {
      guard styles.rawValue != 0 else { return styles }
      var kept: Inline.Styles = []
      if strong != nil { kept.formUnion(styles.intersection(.strong)) }
      if emphasis != nil { kept.formUnion(styles.intersection(.emphasis)) }
      if strikethrough != nil { kept.formUnion(styles.intersection(.strikethrough)) }
      return kept
    }

    func sign(_ style: Inline.Styles) -> String {
      (style == .strong ? strong : style == .emphasis ? emphasis : strikethrough) ?? ""
    }
  }

  /// The paragraph with some signs of emphasis.
  private func written(_ signs: EmphasisSigns, isCell: Bool) -> [UInt8] {
    var writer = MarkdownWriter(isCell: isCell) { signs.sign($0) }
    var bytes: [UInt8] = []
    var owners: [Int32] = []
    for (index, run) in runs.enumerated() {
      let text = run.kind == .text ? run.text : [MarkdownWriter.placeholder]
      bytes += text
      owners += repeatElement(Int32(index), count: text.count)
    }
    var index = 0
    var question = 1 << 16
    while index < bytes.count {
      if index >= question {
        guard !GivenUp.isDue else { return [] }
        question = index + 1 << 16
      }
      let run = runs[Int(owners[index])]
      if ASCII.isSpace(bytes[index]) {
        writer.space(bytes[index])
        index += 1
        continue
      }
      if run.kind == .code, run.text.first == 0x20 { writer.space(0x20) }
      writer.begin(signs.kept(run.styles), link: run.link.map { (index: $0, address: links[$0]) })
      switch run.kind {
      case .text:
        index = writer.text(bytes, at: index)
        continue
      case .code: writer.raw(Self.span(run.text))
      case .raw(let markdown), .picture(let markdown): writer.raw(markdown)
      }
      if run.kind == .code, run.text.last == 0x20 { writer.space(0x20) }
      index += 1
    }
    return writer.finished()
  }

  /// A code span.
  private static func span(_ code: [UInt8]) -> [UInt8] {
    let text = ASCII.trimmed(code[...])
    let backtick = UInt8(ascii: "`")
    var (longest, count) = (0, 0)
    for byte in text {
      count = byte == backtick ? count + 1 : 0
      longest = max(longest, count)
    }
    let fence = [UInt8](repeating: backtick, count: longest + 1)
    let pad: [UInt8] = text.first == backtick || text.last == backtick ? [0x20] : []
    return fence + pad + text + pad + fence
  }

  /// Whether Daybook's parser shows the paragraph's text in its styles.
  private func isRead(_ bytes: [UInt8], _ signs: EmphasisSigns) -> Bool {
    let document = Document(String(decoding: bytes, as: UTF8.self))
    var shown: [StyledByte] = []
    for block in document.blocks where block.kind != .blank {
      guard block.kind == .paragraph, block.container == nil else { return false }
      let content = document.inlines(block.lines)
      for run in content.lines.joined() where run.kind == .text || run.kind == .code {
        if let link = run.link, content.links[link].isImage { continue }
        for byte in document.bytes[run.range] where !ASCII.isSpace(byte) {
          shown.append(StyledByte(byte: byte, styles: run.styles.rawValue))
        }
      }
    }
    let expected = runs.lazy.filter { !$0.kind.isPicture }.flatMap { run in
      run.text.lazy.filter { !ASCII.isSpace($0) }.map {
        StyledByte(byte: $0, styles: signs.kept(run.styles).rawValue)
      }
    }
    return shown.elementsEqual(expected)
  }

  private struct StyledByte: Hashable {
    var byte: UInt8
    var styles: UInt8
  }
}
