/// Finds emphasis, code and links in a paragraph.
///
/// It takes nothing away: it only says of each byte what it is, so that whatever is not understood
/// is shown as it was written. Signs between two letters or digits are no emphasis (`2*3*4`,
/// `snake_case`), other than GitHub's Markdown has it.
///
/// The time is linear in the bytes, whatever they are: no place is looked at again by a search that
/// failed before, and what nests is counted instead of marked level by level.
struct InlineParser {
  let bytes: [UInt8]
  var attributes: [InlineAttributes]
  var delimiters: [EmphasisSign] = []
  private var brackets: [Bracket] = []
  private var backticks: BacktickRuns?

  /// A `[` or `![` that may begin a link.
  private struct Bracket {
    var sign: Range<Int>
    var isImage: Bool
  }

  /// What each byte of a paragraph is.
  static func attributes(of bytes: [UInt8]) -> [InlineAttributes] {
    var parser = InlineParser(bytes: bytes)
    var index = 0
    while index < bytes.count { index = parser.read(at: index) }
    parser.pairSigns()
    return parser.attributes
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    attributes = Array(repeating: [], count: bytes.count)
  }

  /// Reads what begins at a place; the place behind it.
  private mutating func read(at index: Int) -> Int {
    switch bytes[index] {
    case UInt8(ascii: "\\"): return readEscape(at: index)
    case UInt8(ascii: "`"): return readCode(at: index)
    case UInt8(ascii: "<"): return readAutolink(at: index)
    case UInt8(ascii: "h"): return readAddress(at: index)
    case UInt8(ascii: "!"):
      guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "[") else { break }
      brackets.append(Bracket(sign: index..<index + 2, isImage: true))
      return index + 2
    case UInt8(ascii: "["): brackets.append(Bracket(sign: index..<index + 1, isImage: false))
    case UInt8(ascii: "]"): return readLink(closedAt: index)
    case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"): return readSign(at: index)
    default: break
    }
    return index + 1
  }

  private mutating func readEscape(at index: Int) -> Int {
    guard index + 1 < bytes.count, bytes[index + 1].isPunctuation else { return index + 1 }
    mark(index..<index + 1, .hidden)
    return index + 2
  }

  private mutating func readCode(at index: Int) -> Int {
    let end = bytes.endOfRun(at: index)
    let length = end - index
    if backticks == nil { backticks = BacktickRuns(bytes, from: index) }
    guard let close = backticks?.next(ofLength: length, from: end) else { return end }
    mark(index..<end, .hidden)
    mark(end..<close, .code)
    mark(close..<close + length, .hidden)
    return close + length
  }

  private mutating func readAutolink(at index: Int) -> Int {
    guard let end = LinkReader(bytes).endOfAutolink(at: index) else { return index + 1 }
    mark(index..<index + 1, .hidden)
    mark(index + 1..<end, .link)
    mark(end..<end + 1, .hidden)
    return end + 1
  }

  private mutating func readAddress(at index: Int) -> Int {
    guard let end = LinkReader(bytes).endOfAddress(at: index) else { return index + 1 }
    mark(index..<end, .link)
    return end
  }

  /// Makes a link of the text since the last open bracket, if its target follows.
  private mutating func readLink(closedAt index: Int) -> Int {
    guard let opening = brackets.popLast(),
      let target = LinkReader(bytes).target(after: index + 1)
    else { return index + 1 }
    let text = opening.sign.upperBound..<index
    mark(opening.sign, .hidden)
    mark(text, .link)
    if bytes[text] == bytes[target.address] {
      mark(index..<target.end, .hidden)
    } else {
      mark(index..<index + 1, .blank)
      mark(index + 1..<target.end, .target)
      for bracket in target.hidden { mark(bracket..<bracket + 1, .hidden) }
    }
    // There are no links in links, and of what an image is in, one bracket is enough: all others
    // would mark the same text again and again.
    brackets = opening.isImage ? brackets.suffix(1) : []
    return target.end
  }

  private mutating func readSign(at index: Int) -> Int {
    let sign = EmphasisSign(bytes, at: index)
    if sign.canOpen || sign.canClose { delimiters.append(sign) }
    return index + sign.count
  }

  mutating func mark(_ range: Range<Int>, _ attribute: InlineAttributes) {
    for index in range { attributes[index].insert(attribute) }
  }
}

extension [UInt8] {
  /// The place behind the equal bytes that begin at one.
  func endOfRun(at index: Int) -> Int {
    var end = index + 1
    while end < count, self[end] == self[index] { end += 1 }
    return end
  }
}
