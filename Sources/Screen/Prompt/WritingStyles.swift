import Journal
import Markdown
import TextLayout

/// The styles of a text that is being written: its Markdown as in the reading pane, but with all markers,
/// which are dim.
///
/// Only a part of a long text around its visible bytes is parsed, so that a key costs the same in a text
/// of a megabyte as in one of a page.
struct WritingStyles {
  /// The bytes that have styles.
  private let visible: Range<Int>
  private var styles: [Style]

  private static let text = Style(.prompt)
  private static let marker = Style(.hint, dim: true)

  /// The bytes that are parsed before the visible ones: a list or a paragraph that begins earlier is not
  /// seen.
  private static let reachBefore = 2_048
  /// The styles after them, at most to the end of a line.
  private static let reachAfter = 512
  /// The bytes before those in which the start of a block of code is looked for.
  private static let reachOfFences = 65_536

  /// Finds the styles of the visible bytes of a text.
  ///
  /// - Parameter misspelled: the bytes of wrong words, which are underlined.
  init(of text: String, in visible: Range<Int>, misspelled: [Range<Int>] = []) {
    self.visible = visible
    styles = Array(repeating: Self.text, count: visible.count)
    guard !visible.isEmpty else { return }
    let (part, start) = Self.part(of: text, around: visible)
    add(Document(part), at: start)
    add(Marks.places(in: part), of: part, at: start)
    for word in misspelled { set(word, 0) { $0.underline = true } }
  }

  /// The style of the character at a byte.
  subscript(offset: Int) -> Style {
    visible.contains(offset) ? styles[offset - visible.lowerBound] : Self.text
  }

  /// Whole lines around the visible bytes, and the byte where they begin; in a block of code the line that
  /// opened it is before them.
  static func part(of text: String, around visible: Range<Int>) -> (String, Int) {
    var text = text
    return text.withUTF8 { bytes in
      var start = max(0, min(visible.lowerBound, bytes.count) - reachBefore)
      while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
      var end = min(bytes.count, visible.upperBound + reachAfter)
      while end > visible.upperBound, end < bytes.count, bytes[end] != 0x0A { end -= 1 }
      while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
      let part = String(decoding: bytes[start..<end], as: UTF8.self)
      guard let fence = openFence(in: bytes, before: start) else { return (part, start) }
      return (fence + "\n" + part, start - fence.utf8.count - 1)
    }
  }

  /// The line that opened the block of code with a byte, the start of a line; nil outside of code.
  private static func openFence(in bytes: UnsafeBufferPointer<UInt8>, before end: Int) -> String? {
    var open: (fence: CodeFence, line: Range<Int>)?
    var start = max(0, end - reachOfFences)
    while start < end {
      var mark = start
      while mark < end, bytes[mark] == 0x20 { mark += 1 }
      var next = mark
      while next < end, bytes[next] != 0x0A { next += 1 }
      if mark < end, bytes[mark] == UInt8(ascii: "`") || bytes[mark] == UInt8(ascii: "~") {
        let line = Array(bytes[start..<next])[...]
        if let fence = open?.fence {
          if fence.isClosed(by: line) { open = nil }
        } else {
          open = CodeFence(opening: line).map { ($0, start..<next) }
        }
      }
      start = next + 1
    }
    return open.map { String(decoding: bytes[$0.line], as: UTF8.self) }
  }

  private mutating func add(_ document: Document, at start: Int) {
    // Text outside the lines of blocks is a marker: of a heading, a quote, an item, a fence.
    for line in Markdown.SourceLines(document.bytes) { set(line.range, start) { $0 = Self.marker } }
    for block in document.blocks where isVisible(block, start) {
      switch block.kind {
      case .blank, .thematicBreak: break
      case .paragraph: add(document, block, Self.text, at: start)
      case .heading: add(document, block, Style(.heading, bold: true), at: start)
      case .indentedCode, .fencedCode:
        for line in block.lines { set(line.range, start) { $0 = Style(.code) } }
      case .table:
        for line in block.lines { set(line.range, start) { $0 = Self.text } }
      }
    }
  }

  private func isVisible(_ block: Block, _ start: Int) -> Bool {
    guard let first = block.lines.first, let last = block.lines.last else { return false }
    return first.range.lowerBound + start < visible.upperBound
      && last.range.upperBound + start > visible.lowerBound
  }

  private mutating func add(_ document: Document, _ block: Block, _ base: Style, at start: Int) {
    for line in block.lines { set(line.range, start) { $0 = base } }
    for run in document.inlines(block.lines).lines.joined() {
      let isMarker = run.kind == .delimiter || run.kind == .tildes
      let style = isMarker ? Self.marker : run.style(in: base)
      set(run.range, start) { $0 = style }
    }
  }

  private mutating func add(_ places: [Marks.Place], of part: String, at start: Int) {
    for place in places where isProse(place.range.lowerBound + start) {
      let range = place.range
      switch place.kind {
      case .tag: set(range, start) { $0.role = .tag }
      case .link where range.count > 4:
        set(range, start) { $0 = Self.marker }
        set(range.lowerBound + 2..<range.upperBound - 2, start) {
          $0 = Style(.link, underline: true)
        }
      case .link, .field: break
      }
    }
  }

  /// Whether a byte is visible and neither code nor a marker.
  private func isProse(_ offset: Int) -> Bool {
    let role = self[offset].role
    return role != .code && role != .hint
  }

  /// Changes the styles of the visible bytes of a range of the parsed part.
  private mutating func set(_ range: Range<Int>, _ start: Int, _ change: (inout Style) -> Void) {
    let shown = (range.lowerBound + start..<range.upperBound + start).clamped(to: visible)
    for offset in shown { change(&styles[offset - visible.lowerBound]) }
  }
}
