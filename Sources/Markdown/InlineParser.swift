/// Finds emphasis, code and links in a paragraph, and classifies each byte.
///
/// The time is linear in the bytes: no failed search is repeated at a position, and nesting is
/// counted instead of marked level by level.
struct InlineParser {
  private let bytes: [UInt8]
  private(set) var links: [Link] = []
  private var attributes: [Attributes]
  /// The link of each byte, as its index + 1; empty before the first link.
  private var linkOfByte: [Int32] = []
  private var delimiters: [DelimiterRun] = []
  private var emphasis = EmphasisDepths()
  private var brackets: [Bracket] = []
  private var backticks: BacktickRuns?

  /// A `[` or `![` that may begin a link.
  private struct Bracket {
    var range: Range<Int>
    var isImage: Bool
    /// The number of delimiter runs before it.
    var delimiters: Int
  }

  /// The class of a byte, besides its emphasis.
  private struct Attributes: OptionSet {
    let rawValue: UInt8
    static let hidden = Attributes(rawValue: 1)
    static let linkTextEnd = Attributes(rawValue: 2)
    static let code = Attributes(rawValue: 4)
    static let destination = Attributes(rawValue: 8)
    static let tildes = Attributes(rawValue: 16)
  }

  static func parsed(_ bytes: [UInt8]) -> InlineParser {
    var parser = InlineParser(bytes)
    var index = 0
    while index < bytes.count {
      if isPlain(bytes[index]) { index += 1 } else { index = parser.read(at: index) }
    }
    parser.processEmphasis(from: 0)
    parser.emphasis.sum()
    return parser
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    attributes = Array(repeating: [], count: bytes.count)
  }

  /// The runs of a range, shifted by a distance.
  func runs(_ range: Range<Int>, shift: Int) -> [Inline] {
    var runs: [Inline] = []
    let styles = emphasis.styles
    var start = range.lowerBound
    while start < range.upperBound {
      let style = styles.isEmpty ? 0 : styles[start]
      let link = linkOfByte.isEmpty ? 0 : linkOfByte[start]
      let attribute = attributes[start].rawValue
      var end = start + 1
      while end < range.upperBound, attributes[end].rawValue == attribute { end += 1 }
      if !styles.isEmpty { end = styles[start..<end].firstIndex { $0 != style } ?? end }
      if !linkOfByte.isEmpty { end = linkOfByte[start..<end].firstIndex { $0 != link } ?? end }
      runs.append(
        Inline(
          kind: kind(attributes[start]), styles: Inline.Styles(rawValue: style),
          link: link == 0 ? nil : Int(link) - 1, range: start + shift..<end + shift))
      start = end
    }
    return runs
  }

  private func kind(_ attributes: Attributes) -> Inline.Kind {
    if attributes.contains(.hidden) { return .delimiter }
    if attributes.contains(.linkTextEnd) { return .linkTextEnd }
    if attributes.contains(.destination) { return .destination }
    if attributes.contains(.tildes) { return .tildes }
    return attributes.contains(.code) ? .code : .text
  }

  // MARK: - Parsing from left to right

  /// Whether no construct begins or ends with a byte; ``read(at:)`` skips the same ones, slower.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "<"), UInt8(ascii: "h"),
      UInt8(ascii: "!"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "*"),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      false
    default: true
    }
  }

  /// Parses the construct at a position, and returns the position after it.
  private mutating func read(at index: Int) -> Int {
    switch bytes[index] {
    case UInt8(ascii: "\\"): return readEscape(at: index)
    case UInt8(ascii: "`"): return readCode(at: index)
    case UInt8(ascii: "<"): return readAutolink(at: index)
    case UInt8(ascii: "h"): return readAddress(at: index)
    case UInt8(ascii: "!"):
      guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "[") else { break }
      return open(index..<index + 2, isImage: true)
    case UInt8(ascii: "["): return open(index..<index + 1, isImage: false)
    case UInt8(ascii: "]"): return readLink(closedAt: index)
    case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"):
      let run = DelimiterRun(bytes, at: index)
      if run.canOpen || run.canClose { delimiters.append(run) }
      return index + run.count
    default: break
    }
    return index + 1
  }

  private mutating func readEscape(at index: Int) -> Int {
    guard index + 1 < bytes.count, bytes[index + 1].isPunctuation else { return index + 1 }
    attributes[index] = .hidden
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
    attributes[index] = .hidden
    attributes[end] = .hidden
    appendAutolink(index + 1..<end, isEmail: bytes[index + 1..<end].isEmail)
    return end + 1
  }

  private mutating func readAddress(at index: Int) -> Int {
    guard let end = LinkReader(bytes).endOfAddress(at: index) else { return index + 1 }
    appendAutolink(index..<end, isEmail: false)
    return end
  }

  private mutating func appendAutolink(_ range: Range<Int>, isEmail: Bool) {
    append(Link(text: range, destination: range, isImage: false, isEmail: isEmail), over: range)
  }

  private mutating func open(_ range: Range<Int>, isImage: Bool) -> Int {
    brackets.append(Bracket(range: range, isImage: isImage, delimiters: delimiters.count))
    return range.upperBound
  }

  /// Makes a link of the text since the last open bracket, if its target follows.
  private mutating func readLink(closedAt index: Int) -> Int {
    guard let opening = brackets.popLast(),
      let target = LinkReader(bytes).target(after: index + 1)
    else { return index + 1 }
    // Emphasis ends at the end of a link's text.
    processEmphasis(from: opening.delimiters)
    let text = opening.range.upperBound..<index
    mark(opening.range, .hidden)
    let isShown = text.isEmpty && target.title == nil
    if isShown || bytes[text] == bytes[target.destination] {
      mark(index..<target.end, .hidden)
    } else {
      attributes[index] = .linkTextEnd
      mark(index + 1..<target.end, .destination)
      for bracket in target.hidden { attributes[bracket].insert(.hidden) }
    }
    // A link without a text shows its destination.
    if isShown { for index in target.destination { attributes[index].remove(.hidden) } }
    append(
      Link(
        text: isShown ? target.destination : text, destination: target.destination,
        title: target.title, isImage: opening.isImage, isEmail: false),
      over: opening.range.lowerBound..<target.end)
    // Links do not nest, and for images in links one bracket is enough: more would mark the same
    // text again and again.
    brackets = opening.isImage ? brackets.suffix(1) : []
    return target.end
  }

  private mutating func append(_ link: Link, over range: Range<Int>) {
    links.append(link)
    if linkOfByte.isEmpty { linkOfByte = Array(repeating: 0, count: bytes.count) }
    for index in range { linkOfByte[index] = Int32(clamping: links.count) }
  }

  private mutating func mark(_ range: Range<Int>, _ attribute: Attributes) {
    for index in range { attributes[index].insert(attribute) }
  }

  // MARK: - Emphasis

  /// Pairs delimiter runs and removes them from the stack.
  ///
  /// The algorithm of CommonMark's reference: each closing run searches backwards for its opening
  /// one, and a failed search is not repeated for runs of the same kind.
  private mutating func processEmphasis(from bottom: Int) {
    guard delimiters.count > bottom else { return }
    emphasis.prepare(count: bytes.count)
    var open: [DelimiterRun] = []
    /// The end of the part of `open` that was searched in vain, for each kind.
    var searched = Array(repeating: 0, count: DelimiterRun.kinds)
    let runs = Array(delimiters[bottom...])
    delimiters.removeSubrange(bottom...)
    for var run in runs {
      while run.canClose, run.count > 0 {
        let low = searched[run.kind]
        guard let index = open[low...].lastIndex(where: { run.closes($0) }) else {
          searched[run.kind] = open.count
          break
        }
        pair(&open[index], &run)
        open.removeSubrange((open[index].count > 0 ? index + 1 : index)...)
        for kind in searched.indices { searched[kind] = min(searched[kind], open.count) }
      }
      if run.canOpen, run.count > 0 { open.append(run) }
    }
  }

  /// Removes one or two delimiters from the end of an opening run and from the start of a closing
  /// one.
  private mutating func pair(_ opening: inout DelimiterRun, _ closing: inout DelimiterRun) {
    let used = min(2, opening.count, closing.count)
    opening.count -= used
    let first = opening.start + opening.count
    let last = closing.start
    closing.start += used
    closing.count -= used
    let isStrike = closing.sign == UInt8(ascii: "~")
    for start in [first, last] { mark(start..<start + used, isStrike ? .tildes : .hidden) }
    if isStrike {
      emphasis.add(.strikethrough, first..<last + used)
    } else {
      emphasis.add(used == 2 ? .strong : .emphasis, first..<last)
    }
  }
}

/// The runs of backticks in a paragraph by length, indexed once for all searches.
private struct BacktickRuns {
  /// The positions of the runs of a length, and the number of runs already passed.
  private struct Positions {
    var all: [Int] = []
    var passed = 0
  }

  private var positions: [Int: Positions] = [:]

  /// Finds the runs from a position on.
  init(_ bytes: [UInt8], from start: Int) {
    var index = start
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "`") else {
        index += 1
        continue
      }
      let end = bytes.endOfRun(at: index)
      positions[end - index, default: Positions()].all.append(index)
      index = end
    }
  }

  /// The first run of a length at or after a position.
  ///
  /// Positions must ascend; all searches together take linear time.
  mutating func next(ofLength length: Int, from index: Int) -> Int? {
    guard var runs = positions.removeValue(forKey: length) else { return nil }
    while runs.passed < runs.all.count, runs.all[runs.passed] < index { runs.passed += 1 }
    let found = runs.passed < runs.all.count ? runs.all[runs.passed] : nil
    // A length without further runs is removed.
    if found != nil { positions[length] = runs }
    return found
  }
}
