import Journal

/// Converts the inline marks of a paragraph to Markdown in one pass.
struct InlineConverter {
  private let syntax: InlineSyntax
  private var scanner: InlineScanner
  private var output: [UInt8] = []
  /// The open marks with the positions of their ends.
  private var open: [(mark: InlineSyntax.Mark, end: Int)] = []
  /// For each mark: the next position where it can end, searched up to there.
  private var closings: [[UInt8]: (from: Int, at: Int?)] = [:]
  private var counts: [UInt8: Int] = [:]

  /// The Markdown of a paragraph.
  ///
  /// - Complexity: linear in its bytes.
  static func markdown(_ bytes: [UInt8], _ syntax: InlineSyntax) -> [UInt8] {
    var converter = InlineConverter(bytes, syntax)
    converter.run()
    return converter.output
  }

  private init(_ bytes: [UInt8], _ syntax: InlineSyntax) {
    self.syntax = syntax
    scanner = InlineScanner(bytes)
    for byte in bytes where "*_~`".utf8.contains(byte) { counts[byte, default: 0] += 1 }
  }

  private var bytes: [UInt8] { scanner.bytes }

  private mutating func run() {
    var index = 0
    var question = 1 << 18
    while index < scanner.bytes.count {
      if index >= question {
        guard !GivenUp.isDue else { return }
        question = index + 1 << 18
      }
      while let last = open.last, last.end == index {
        output += Self.delimiter(last.mark.style)
        index += last.mark.closing.count
        open.removeLast()
      }
      guard index < scanner.bytes.count else { break }
      index = step(index)
    }
  }

  /// Converts what begins at a position, and returns the position after it.
  private mutating func step(_ index: Int) -> Int {
    let byte = scanner.bytes[index]
    if "hfm".utf8.contains(byte), let end = scanner.endOfAddress(at: index, limit: limit) {
      output += scanner.bytes[index..<end]
      return end
    }
    if syntax.signs.contains(byte), let found = syntax.replacement(&scanner, index),
      isInside(found.end)
    {
      output += found.markdown
      return found.end
    }
    if let candidates = syntax.marks[byte] {
      for mark in candidates {
        if let end = convert(mark, at: index) { return end }
      }
    }
    return appendPlain(index)
  }

  /// The end of the innermost open mark, else of the paragraph.
  private var limit: Int { open.last?.end ?? scanner.bytes.count }

  /// Whether a position is not after the end of the innermost open mark.
  private func isInside(_ end: Int) -> Bool { open.last.map { end <= $0.end } ?? true }

  private mutating func convert(_ mark: InlineSyntax.Mark, at index: Int) -> Int? {
    let start = index + mark.opening.count
    guard scanner.begins(mark.opening, at: index), opens(mark, at: index),
      let close = closing(of: mark, from: start + 1), isInside(close + mark.closing.count),
      open.count < 16, !open.contains(where: { $0.mark.opening == mark.opening })
    else { return nil }
    if !syntax.spansLines, let end = scanner.position(of: [0x0A], from: start), end < close {
      return nil
    }
    let inner = scanner.bytes[start..<close]
    switch mark.style {
    case .code:
      output += Self.code(inner)
    case .literal:
      var place = start
      while place < close { place = min(appendPlain(place), close) }
    case .verbatim:
      output += scanner.bytes[index..<close + mark.closing.count]
    case .strong, .emphasis, .strikethrough, .plain:
      output += Self.delimiter(mark.style)
      open.append((mark, close))
      return start
    }
    return close + mark.closing.count
  }

  private func opens(_ mark: InlineSyntax.Mark, at index: Int) -> Bool {
    let start = index + mark.opening.count
    guard start < bytes.count, !ASCII.isSpace(bytes[start]) else { return false }
    guard mark.boundary == .words else { return true }
    return index == 0 || !InlineScanner.isWord(bytes[index - 1])
  }

  /// The next position where a mark can end.
  private mutating func closing(of mark: InlineSyntax.Mark, from start: Int) -> Int? {
    var from = start
    if let known = closings[mark.opening], known.from <= start {
      guard let place = known.at else { return nil }
      if place >= start { return place }
      from = max(start, place + 1)
    }
    var place = scanner.position(of: mark.closing, from: from)
    while let found = place, !closes(mark, at: found) {
      place = scanner.position(of: mark.closing, from: found + 1)
    }
    closings[mark.opening] = (start, place)
    return place
  }

  private func closes(_ mark: InlineSyntax.Mark, at index: Int) -> Bool {
    guard index > 0, !ASCII.isSpace(bytes[index - 1]) else { return false }
    let end = index + mark.closing.count
    guard mark.boundary == .words else { return true }
    return end == bytes.count || !InlineScanner.isWord(bytes[end])
  }

  private static func delimiter(_ style: InlineSyntax.Style) -> [UInt8] {
    switch style {
    case .strong: Array("**".utf8)
    case .emphasis: Array("*".utf8)
    case .strikethrough: Array("~~".utf8)
    case .code, .literal, .verbatim, .plain: []
    }
  }

  /// A span of code whose fence is longer than any run of backticks in it.
  static func code(_ inner: ArraySlice<UInt8>) -> [UInt8] {
    let tick = UInt8(ascii: "`")
    var (longest, run) = (0, 0)
    for byte in inner {
      run = byte == tick ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = Array(repeating: tick, count: longest + 1)
    let isPadded = inner.first == tick || inner.last == tick
    return fence + (isPadded ? [0x20] : []) + inner + (isPadded ? [0x20] : []) + fence
  }
}

// MARK: Escapes

extension InlineConverter {
  /// Appends a byte of plain text.
  private mutating func appendPlain(_ index: Int) -> Int {
    let byte = bytes[index]
    guard "*_~".utf8.contains(byte) else {
      appendEscaped(index)
      return index + 1
    }
    // A run is examined once.
    var end = index + 1
    let limit = open.last?.end ?? bytes.count
    while end < limit, bytes[end] == byte { end += 1 }
    let isDelimiter =
      flanks(index..<end) && (counts[byte] ?? 0) > 1
      && (byte != UInt8(ascii: "~") || end - index == 2)
    for _ in index..<end {
      if isDelimiter { output.append(UInt8(ascii: "\\")) }
      output.append(byte)
    }
    return end
  }

  /// Whether a run of signs could open or close emphasis in Markdown.
  private func flanks(_ run: Range<Int>) -> Bool {
    let before = run.lowerBound > 0 ? bytes[run.lowerBound - 1] : 0x20
    let after = run.upperBound < bytes.count ? bytes[run.upperBound] : 0x20
    if ASCII.isSpace(before), ASCII.isSpace(after) { return false }
    return !(InlineScanner.isWord(before) && InlineScanner.isWord(after))
  }

  private mutating func appendEscaped(_ index: Int) {
    let byte = bytes[index]
    let next = index + 1 < bytes.count ? bytes[index + 1] : 0x20
    let isMeant: Bool
    switch byte {
    case UInt8(ascii: "\\"): isMeant = ASCII.isPunctuation(next)
    case UInt8(ascii: "`"): isMeant = (counts[byte] ?? 0) > 1
    case UInt8(ascii: "]"): isMeant = next == UInt8(ascii: "(")
    default: isMeant = false
    }
    if isMeant { output.append(UInt8(ascii: "\\")) }
    output.append(byte)
  }
}
