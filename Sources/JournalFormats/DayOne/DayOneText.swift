/// The Markdown of Day One, which sets a backslash before punctuation, zero-width spaces around
/// emphasis, U+2028 for line breaks inside a paragraph, a fence around every line of code, and names
/// attached files by identifiers.
enum DayOneText {
  /// The text as people wrote it.
  ///
  /// - Parameter link: the path of the file an identifier stands for, in upper case.
  /// - Complexity: linear in the bytes.
  static func plain(_ text: String, link: (String) -> String? = { _ in nil }) -> String {
    let bytes = DayOneLinks.resolve(withLineFeeds(Array(text.utf8)), link)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var fences = CodeFences()
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
    var wasCode = false
    var isFirst = true
    while let line = lines.popFirst() {
      let isCode = fences.holds(line)
      if wasCode, isCode, !fences.isOpen, let next = lines.first, isBareFence(line, next) {
        // One block in many fences: the end of one and the start of the next fall away.
        _ = fences.holds(lines.removeFirst())
        continue
      }
      if !isFirst { result.append(0x0A) }
      isFirst = false
      if isCode { result.append(contentsOf: line) } else { append(line, to: &result) }
      wasCode = isCode
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// A text as Day One has it, so that ``plain(_:link:)`` gives it back.
  static func escaped(_ text: String) -> String {
    var result: [UInt8] = []
    var fences = CodeFences()
    var isFirst = true
    for line in Array(text.utf8).split(separator: 0x0A, omittingEmptySubsequences: false) {
      if !isFirst { result.append(0x0A) }
      isFirst = false
      if fences.holds(line) {
        result.append(contentsOf: line)
        continue
      }
      for index in line.indices {
        result.append(line[index])
        let isEscape = line[index] == UInt8(ascii: "\\") && index + 1 < line.endIndex
        if isEscape, ASCII.isPunctuation(line[index + 1]) { result.append(UInt8(ascii: "\\")) }
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether a line that ends code and the next are the same fence with nothing behind it.
  private static func isBareFence(_ line: ArraySlice<UInt8>, _ next: ArraySlice<UInt8>) -> Bool {
    let fence = Array("```".utf8)
    return line.elementsEqual(fence) && next.elementsEqual(fence)
  }

  /// U+2028 as a line feed.
  private static func withLineFeeds(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(0xE2) else { return bytes }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let isSeparator = bytes[index...].prefix(3).elementsEqual([0xE2, 0x80, 0xA8])
      result.append(isSeparator ? 0x0A : bytes[index])
      index += isSeparator ? 3 : 1
    }
    return result
  }

  /// Appends a line of prose without its backslashes and the zero-width spaces beside emphasis.
  private static func append(_ line: ArraySlice<UInt8>, to result: inout [UInt8]) {
    var index = line.startIndex
    while index < line.endIndex {
      let byte = line[index]
      if byte == UInt8(ascii: "\\"), index + 1 < line.endIndex,
        ASCII.isPunctuation(line[index + 1])
      {
        result.append(line[index + 1])
        index += 2
      } else if byte == 0xE2, line[index...].prefix(3).elementsEqual([0xE2, 0x80, 0x8B]),
        isEmphasis(result.last) || isEmphasis(line[(index + 3)...].first)
      {
        index += 3
      } else {
        result.append(byte)
        index += 1
      }
    }
  }

  private static func isEmphasis(_ byte: UInt8?) -> Bool {
    byte.map { "*_~=`".utf8.contains($0) } ?? false
  }
}

/// Names of attached files inside a text: `dayone-moment://ID`, `dayone-moment:/video/ID`,
/// `dayone-photo://ID`, mostly as the target of a picture.
enum DayOneLinks {
  /// A text in which names that are known are paths, those outside a link as links of their own.
  ///
  /// - Complexity: linear in the bytes.
  static func resolve(_ bytes: [UInt8], _ link: (String) -> String?) -> [UInt8] {
    var result: [UInt8] = []
    var copied = 0
    var index = 0
    let opening = Array("dayone-".utf8)
    while let start = bytes[index...].firstIndex(of: opening[0]) {
      index = start + 1
      guard bytes[start...].starts(with: opening), let name = name(bytes[start...]),
        let path = link(name.identifier)
      else { continue }
      let isTarget = bytes[..<start].suffix(2).elementsEqual("](".utf8)
      result.append(contentsOf: bytes[copied..<start])
      result.append(contentsOf: (isTarget ? path : "![](\(path))").utf8)
      copied = name.end
      index = name.end
    }
    guard copied > 0 else { return bytes }
    result.append(contentsOf: bytes[copied...])
    return result
  }

  /// The identifier of a name, in upper case, and where the name ends.
  private static func name(_ rest: ArraySlice<UInt8>) -> (identifier: String, end: Int)? {
    // No scheme is longer.
    guard let colon = rest.prefix(24).firstIndex(of: UInt8(ascii: ":")),
      rest[rest.startIndex..<colon].allSatisfy({ ASCII.isLetter($0) || $0 == UInt8(ascii: "-") })
    else { return nil }
    let path = rest[(colon + 1)...].prefix(200).prefix { byte in
      ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: "/")
    }
    guard path.first == UInt8(ascii: "/"), let last = path.split(separator: 0x2F).last,
      last.endIndex == path.endIndex
    else { return nil }
    return (String(decoding: last, as: UTF8.self).uppercased(), path.endIndex)
  }
}
