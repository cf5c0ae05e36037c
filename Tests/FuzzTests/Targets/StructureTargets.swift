import Foundation
import Journal
import Markdown
import TextLayout

extension FuzzTarget {
  // MARK: JSON

  /// The reader accepts what Foundation accepts, and what it accepts is the same after writing.
  static let json = FuzzTarget(
    "json",
    tokens: [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d\\ude00", "\\u0000", "true", "false",
      "null", "-0", "1e9", "0.1", "1E+400", "\u{FEFF}", "\\/", "\u{2028}", "é", "\"a\":",
      "[[[[[[[[",
    ]
  ) { bytes in
    let foundation = try? JSONSerialization.jsonObject(
      with: Data(bytes), options: .fragmentsAllowed)
    let lossy = try? JSONValue(bytes, options: JSONOptions(isLossy: true))
    try promiseEqual(skips(bytes), lossy != nil, "skipping and lossy reading agree")
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(bytes)
    } catch {
      try promise((0...bytes.count).contains(error.offset), "an error at byte \(error.offset)")
      _ = bytes.withUnsafeBufferPointer { error.place(in: $0) }
      try promise(error.isMendable || lossy == nil, "only a mendable error is mended: \(error)")
      // Foundation replaces unpaired surrogates, detects other encodings, and knows a byte order mark.
      let isOurs = String(validating: bytes, as: UTF8.self) != nil && !bytes.contains(0)
      let isDeep = error.reason.hasPrefix("nested deeper")
      let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
      try promise(
        foundation == nil || error.isMendable || !isOurs || isDeep || hasMark,
        "Foundation reads: \(error)")
      return
    }
    try promise(lossy == value, "a lossy reader reads another value")
    // Foundation has no place for numbers beyond a double, and nests less deep.
    if foundation == nil, !hasHugeNumber(value) {
      throw Violation(description: "Foundation does not read it")
    }
    var written: [UInt8] = []
    value.append(to: &written)
    try promiseEqual(try JSONValue(written), value, "read again")
    var again: [UInt8] = []
    try JSONValue(written).append(to: &again)
    try promiseEqual(again, written, "written again")
  }

  private static func skips(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { buffer in
      var reader = JSONReader(buffer)
      do throws(JSONError) {
        try reader.skip()
        try reader.end()
        return true
      } catch {
        return false
      }
    }
  }

  private static func hasHugeNumber(_ value: JSONValue) -> Bool {
    switch value {
    case .number(let text): (Double(text)?.isFinite ?? false) == false || text.utf8.count > 300
    case .array(let values): values.contains(where: hasHugeNumber)
    case .object(let members): members.contains { hasHugeNumber($0.value) }
    case .null, .bool, .string: false
    }
  }

  // MARK: Markdown

  /// Every byte belongs to a line, lines are in order, the runs of a line are the line, lines fit the
  /// screen, and ticking a box changes one byte.
  static let markdown = FuzzTarget(
    "markdown",
    tokens: [
      "# ", "> ", "- ", "1. ", "- [ ] ", "- [x] ", "```", "~~~", "|", "|-|:-:|", "---", "***", "**",
      "*", "_", "~~", "`", "[", "](", ")", "![", "<http://a>", "https://a.b/", "\\", "\n", "\t",
      "    ",
      "\u{2028}", "日本", "👩‍👩‍👧", "\r\n", "\u{A0}", "<", "a@b.c", "((((", "[[[[",
    ]
  ) { bytes in
    let text = text(bytes)
    let document = Document(text)
    for (index, container) in document.containers.enumerated() {
      try promise(container.parent.map { $0 < index } ?? true, "a parent after its child")
    }
    var end = 0
    for block in document.blocks {
      for line in block.lines {
        try promise(
          line.range.lowerBound >= end && line.range.upperBound <= document.bytes.count,
          "the line \(line.range) after byte \(end)")
        end = line.range.upperBound
      }
      try promise(document.path(to: block).count <= Document.depthLimit, "deep containers")
      if case .paragraph = block.kind { try promiseRuns(document, block.lines) }
    }
    for item in document.taskItems {
      let toggled = Array(document.toggling(item).utf8)
      let changes = zip(toggled, document.bytes).count { $0 != $1 }
      try promise(toggled.count == document.bytes.count && changes == 1, "\(changes) changes")
    }
    try promise(CarriedItems.lines(from: [text, text]).count.isMultiple(of: 2), "carried items")
    let title = String(text.prefix { !$0.isNewline })
    try promise(title.isEmpty || !PlainTitle.text(of: title).isEmpty, "an empty title")
    for columns in [1, 3, 40] {
      for line in MarkdownLayout(text, columns: columns) where columns > 2 {
        try promise(line.columns <= columns, "\(line.columns) of \(columns) columns: \(line.text)")
      }
    }
    for line in MarkdownLayout(plain: text, columns: 12) {
      try promise(line.columns <= 12, "\(line.columns) of 12 columns: \(line.text)")
    }
  }

  private static func promiseRuns(_ document: Document, _ lines: [Block.Line]) throws {
    let content = document.inlines(lines)
    for (line, runs) in zip(lines, content.lines) {
      var end = line.range.lowerBound
      for run in runs {
        try promise(run.range.lowerBound == end && !run.range.isEmpty, "a gap before \(run)")
        end = run.range.upperBound
      }
      try promise(end == line.range.upperBound, "a line that ends at \(end)")
    }
    for link in content.links {
      for range in [link.text, link.destination] + (link.title.map { [$0] } ?? []) {
        try promise(
          range.lowerBound >= 0 && range.upperBound <= document.bytes.count, "a link at \(range)")
      }
    }
  }
}
