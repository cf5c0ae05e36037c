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

extension InlineParser {
  /// Pairs signs of emphasis, marks what is between them and hides them.
  ///
  /// The way of CommonMark's reference: each closing sign looks back for its opening one, and a
  /// search that found nothing is not made again for the same signs.
  mutating func pairSigns() {
    guard !delimiters.isEmpty else { return }
    var marks = EmphasisMarks(count: bytes.count)
    var open: [EmphasisSign] = []
    /// Up to where in `open` a search for each group of signs has found nothing.
    var searched = Array(repeating: 0, count: EmphasisSign.groups)
    for var sign in delimiters {
      while sign.canClose, sign.count > 0 {
        let low = searched[sign.group]
        guard let index = open[low...].lastIndex(where: { sign.closes($0) }) else {
          searched[sign.group] = open.count
          break
        }
        marks.pair(&open[index], &sign)
        open.removeSubrange((open[index].count > 0 ? index + 1 : index)...)
        for group in searched.indices { searched[group] = min(searched[group], open.count) }
      }
      if sign.canOpen, sign.count > 0 { open.append(sign) }
    }
    for index in attributes.indices { attributes[index].formUnion(marks.attributes(at: index)) }
  }
}

/// Where emphasis begins and ends, counted, since what nests deeply would take too long to mark.
private struct EmphasisMarks {
  private var strong: [Int32]
  private var emphasis: [Int32]
  private var strike: [Int32]
  private var hidden: [Bool]
  private var depth: (strong: Int32, emphasis: Int32, strike: Int32) = (0, 0, 0)

  init(count: Int) {
    strong = Array(repeating: 0, count: count + 1)
    emphasis = strong
    strike = strong
    hidden = Array(repeating: false, count: count)
  }

  /// Takes one or two signs from the end of an opening run and from the start of a closing one.
  mutating func pair(_ opening: inout EmphasisSign, _ closing: inout EmphasisSign) {
    let used = min(2, opening.count, closing.count)
    let isStrike = closing.sign == UInt8(ascii: "~")
    opening.count -= used
    let first = opening.start + opening.count
    let last = closing.start
    closing.start += used
    closing.count -= used
    // No terminal can be trusted to strike text out, so the tildes stay.
    if isStrike {
      count(&strike, first, last + used)
    } else {
      for place in [first, last] {
        for index in place..<place + used { hidden[index] = true }
      }
      if used == 2 { count(&strong, first, last) } else { count(&emphasis, first, last) }
    }
  }

  private func count(_ depths: inout [Int32], _ start: Int, _ end: Int) {
    depths[start] += 1
    depths[end] -= 1
  }

  /// What a byte is; to be asked for in ascending order.
  mutating func attributes(at index: Int) -> InlineAttributes {
    depth.strong += strong[index]
    depth.emphasis += emphasis[index]
    depth.strike += strike[index]
    var attributes: InlineAttributes = hidden[index] ? .hidden : []
    if depth.strong > 0 { attributes.insert(.strong) }
    if depth.emphasis > 0 { attributes.insert(.emphasis) }
    if depth.strike > 0 { attributes.insert(.strike) }
    return attributes
  }
}

/// A run of `*`, `_` or `~` that may open or close emphasis.
struct EmphasisSign: Equatable {
  /// Which of the three it is.
  let sign: UInt8
  /// Its first byte.
  var start: Int
  /// How many signs are left of it.
  var count: Int
  let canOpen: Bool
  let canClose: Bool
  /// How many signs it had, which decides about some pairs.
  let length: Int

  /// The run that begins at a place.
  ///
  /// It opens when text follows it and closes when text stands before it. Between two letters or
  /// digits it does neither.
  init(_ bytes: [UInt8], at index: Int) {
    sign = bytes[index]
    start = index
    let end = bytes.endOfRun(at: index)
    length = end - index
    count = length
    let before = Neighbour(index > 0 ? bytes.scalar(before: index) : nil)
    let after = Neighbour(end < bytes.count ? bytes.scalar(at: end) : nil)
    let isInside = before.isWord(besides: sign) && after.isWord(besides: sign)
    // One tilde means "about".
    let isSign = !isInside && (sign != UInt8(ascii: "~") || length == 2)
    canOpen = isSign && after != .space && (after != .punctuation || before.isBorder)
    canClose = isSign && before != .space && (before != .punctuation || after.isBorder)
  }

  /// Whether this one, which closes, goes with one that opens (rules 9 and 10 of CommonMark).
  func closes(_ opening: EmphasisSign) -> Bool {
    guard opening.sign == sign else { return false }
    let isBoth = opening.canClose || canOpen
    return !isBoth || (opening.length + length) % 3 != 0
      || (opening.length % 3 == 0 && length % 3 == 0)
  }

  /// A number below ``groups``, equal for signs that go with the same opening ones.
  var group: Int {
    let kind = sign == UInt8(ascii: "*") ? 0 : sign == UInt8(ascii: "_") ? 1 : 2
    return kind * 6 + (canOpen ? 3 : 0) + length % 3
  }

  static let groups = 18
}

/// What stands beside a sign of emphasis.
private enum Neighbour: Equatable {
  case space, punctuation, word, ideograph, other

  init(_ scalar: Unicode.Scalar?) {
    guard let scalar else {
      self = .space
      return
    }
    let properties = scalar.properties
    if properties.isWhitespace {
      self = .space
    } else if scalar.value < 0x80 {
      self = UInt8(scalar.value).isPunctuation ? .punctuation : .word
    } else if TextWidth.isWide(scalar) {
      self = .ideograph
    } else {
      self = properties.isAlphabetic || properties.numericType != nil ? .word : .other
    }
  }

  var isBorder: Bool { self == .space || self == .punctuation }

  /// Whether a sign beside it may be inside of a word; `_` is part of more of them.
  func isWord(besides sign: UInt8) -> Bool {
    self == .word || (self == .ideograph && sign == UInt8(ascii: "_"))
  }
}

extension [UInt8] {
  /// The scalar that begins at a place of valid UTF-8.
  fileprivate func scalar(at index: Int) -> Unicode.Scalar? {
    if self[index] < 0x80 { return Unicode.Scalar(self[index]) }
    return String(decoding: self[index..<Swift.min(index + 4, count)], as: UTF8.self)
      .unicodeScalars.first
  }

  /// The scalar that ends before a place of valid UTF-8.
  fileprivate func scalar(before index: Int) -> Unicode.Scalar? {
    var start = index - 1
    while start > 0, self[start] & 0xC0 == 0x80 { start -= 1 }
    return scalar(at: start)
  }
}

/// The runs of backticks in a paragraph by their length, found once for all searches.
struct BacktickRuns {
  /// The places of the runs of a length, and how many of them are passed.
  private struct Places {
    var all: [Int] = []
    var passed = 0
  }

  private var places: [Int: Places] = [:]

  /// Finds the runs from a place on.
  init(_ bytes: [UInt8], from start: Int) {
    var index = start
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "`") else {
        index += 1
        continue
      }
      let end = bytes.endOfRun(at: index)
      places[end - index, default: Places()].all.append(index)
      index = end
    }
  }

  /// The first run of a length at or behind a place.
  ///
  /// Places must be asked for in ascending order; all searches together take linear time.
  mutating func next(ofLength length: Int, from index: Int) -> Int? {
    guard var runs = places.removeValue(forKey: length) else { return nil }
    while runs.passed < runs.all.count, runs.all[runs.passed] < index { runs.passed += 1 }
    let found = runs.passed < runs.all.count ? runs.all[runs.passed] : nil
    // A length without runs ahead is forgotten.
    if found != nil { places[length] = runs }
    return found
  }
}

/// What a byte of a paragraph is.
struct InlineAttributes: OptionSet {
  let rawValue: UInt8

  /// Markup that is not shown.
  static let hidden = InlineAttributes(rawValue: 1)
  /// Markup in whose place a blank is shown.
  static let blank = InlineAttributes(rawValue: 2)
  static let strong = InlineAttributes(rawValue: 4)
  static let emphasis = InlineAttributes(rawValue: 8)
  static let strike = InlineAttributes(rawValue: 16)
  static let code = InlineAttributes(rawValue: 32)
  /// The text of a link.
  static let link = InlineAttributes(rawValue: 64)
  /// Where a link leads to, in brackets behind its text.
  static let target = InlineAttributes(rawValue: 128)

  /// The look of a byte in text of a look.
  func style(in base: Style) -> Style {
    var style = base
    if contains(.strong) { style.bold = true }
    if contains(.emphasis) { style.underline = true }
    if contains(.strike) { style.dim = true }
    if contains(.link) {
      style.role = .link
      style.underline = true
    }
    if contains(.code) {
      style.role = .code
      style.dim = true
    }
    if contains(.target) {
      style.role = .hint
      style.dim = true
    }
    return style
  }
}
