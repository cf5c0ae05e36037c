import Markdown

/// The parts of a text in which words mean something: not code, targets of links, identifiers of headings
/// and comments, as the reading pane shows them.
struct Prose {
  private let document: Document
  /// The index of the block that the last question was about; questions ascend.
  private var block = 0
  /// The ranges without prose in that block from there on, by their starts.
  private var others: ArraySlice<Range<Int>>?

  /// Parses a text.
  ///
  /// - Returns: `nil` if all of it is prose, which is cheap to find out.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard Self.mayHaveOthers(bytes) else { return nil }
    document = Document(Array(bytes))
  }

  /// Whether a text has any sign of code, a link's target, an identifier or a comment.
  private static func mayHaveOthers(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var (last, beforeLast) = (UInt8(ascii: "\n"), UInt8(ascii: "\n"))
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "`"), UInt8(ascii: "~"), 0x09: return true
      case 0x20:
        // Half an indentation.
        if last == 0x20, beforeLast == 0x20 { return true }
      case UInt8(ascii: "("): if last == UInt8(ascii: "]") { return true }
      case UInt8(ascii: "!"): if last == UInt8(ascii: "<") { return true }
      case UInt8(ascii: "#"): if last == UInt8(ascii: "{") { return true }
      default: break
      }
      (last, beforeLast) = (byte, last)
    }
    return false
  }

  /// Whether a position is in prose.
  ///
  /// - Parameter position: not less than that of the last call.
  mutating func contains(_ position: Int) -> Bool {
    let blocks = document.blocks
    while block < blocks.count, Self.end(of: blocks[block]) <= position {
      block += 1
      others = nil
    }
    guard block < blocks.count else { return true }
    let rest = (others ?? self.others(in: blocks[block])[...]).drop { $0.upperBound <= position }
    others = rest
    return rest.first.map { $0.lowerBound > position } ?? true
  }

  private static func end(of block: Block) -> Int {
    if let last = block.lines.last { return last.range.upperBound }
    guard case .fencedCode(let info) = block.kind else { return 0 }
    return info.range.upperBound
  }

  private func others(in block: Block) -> [Range<Int>] {
    switch block.kind {
    case .fencedCode(let info):
      return [info.range.lowerBound..<Self.end(of: block)]
    case .indentedCode:
      return block.lines.map(\.range)
    case .table:
      return block.lines.flatMap { document.cells(of: $0) }.flatMap { others(in: [$0]) }
    case .heading:
      let identifiers = block.lines.compactMap { identifier(of: $0.range) }
      return (others(in: block.lines) + identifiers).sorted { $0.lowerBound < $1.lowerBound }
    case .blank, .paragraph, .thematicBreak:
      return others(in: block.lines)
    }
  }

  private func others(in lines: [Block.Line]) -> [Range<Int>] {
    var others: [Range<Int>] = []
    for inline in document.inlines(lines).lines.joined() {
      switch inline.kind {
      case .code, .destination: others.append(inline.range)
      case .text, .delimiter, .tildes, .linkTextEnd: break
      }
    }
    guard let first = lines.first?.range.lowerBound, let last = lines.last?.range.upperBound else {
      return others
    }
    let comments = comments(in: first..<last, outside: others)
    return comments.isEmpty
      ? others : (others + comments).sorted { $0.lowerBound < $1.lowerBound }
  }

  /// The comments of HTML, `<!-- … -->`, that begin outside of code.
  private func comments(in range: Range<Int>, outside others: [Range<Int>]) -> [Range<Int>] {
    let bytes = document.bytes[range]
    var comments: [Range<Int>] = []
    var others = others[...]
    var start = bytes.startIndex
    while let sign = bytes[start...].firstIndex(of: UInt8(ascii: "<")) {
      start = sign + 1
      guard bytes[sign...].starts(with: "<!--".utf8) else { continue }
      others = others.drop { $0.upperBound <= sign }
      if let next = others.first, next.lowerBound <= sign { continue }
      guard let end = Self.commentEnd(bytes[(sign + 4)...]) else { break }
      comments.append(sign..<end)
      start = end
    }
    return comments
  }

  private static func commentEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
    var hyphens = 0
    for (index, byte) in zip(bytes.indices, bytes) {
      if byte == UInt8(ascii: ">"), hyphens > 1 { return index + 1 }
      hyphens = byte == UInt8(ascii: "-") ? hyphens + 1 : 0
    }
    return nil
  }

  /// The identifier at the end of a heading, `{#name}`.
  private func identifier(of range: Range<Int>) -> Range<Int>? {
    let text = document.bytes[range]
    guard text.last == UInt8(ascii: "}"), let start = text.lastIndex(of: UInt8(ascii: "{")) else {
      return nil
    }
    return text[start...].starts(with: "{#".utf8) ? start..<range.upperBound : nil
  }
}
