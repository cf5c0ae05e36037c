/// A run of `*`, `_` or `~` that may open or close emphasis.
struct DelimiterRun {
  let sign: UInt8
  /// Its first byte.
  var start: Int
  /// The number of delimiters left.
  var count: Int
  let canOpen: Bool
  let canClose: Bool
  /// The original number of delimiters, which decides about some pairs.
  private let length: Int

  /// The run that begins at a position.
  ///
  /// It opens when it is left-flanking and closes when it is right-flanking, as in CommonMark, but
  /// between two letters or digits it does neither.
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
    let isDelimiter = !isInside && (sign != UInt8(ascii: "~") || length == 2)
    canOpen = isDelimiter && after != .space && (after != .punctuation || before.isBorder)
    canClose = isDelimiter && before != .space && (before != .punctuation || after.isBorder)
  }

  /// Whether this closing run matches an opening one (rules 9 and 10 of CommonMark).
  func closes(_ opening: DelimiterRun) -> Bool {
    guard opening.sign == sign else { return false }
    let isBoth = opening.canClose || canOpen
    return !isBoth || (opening.length + length) % 3 != 0
      || (opening.length % 3 == 0 && length % 3 == 0)
  }

  /// A number below ``kinds``, equal for runs that match the same opening ones.
  var kind: Int {
    let row = sign == UInt8(ascii: "*") ? 0 : sign == UInt8(ascii: "_") ? 1 : 2
    return row * 6 + (canOpen ? 3 : 0) + length % 3
  }

  static let kinds = 18
}

/// The character beside a delimiter run.
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
    } else if Self.unspaced.contains(where: { $0.contains(scalar.value) }) {
      self = .ideograph
    } else {
      self = properties.isAlphabetic || properties.numericType != nil ? .word : .other
    }
  }

  /// Scripts that are written without spaces between words, their punctuation, and emoji.
  private static let unspaced: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FF, 0x1F300...0x1FAFF,
    0x20000...0x3FFFD,
  ]

  var isBorder: Bool { self == .space || self == .punctuation }

  /// Whether a run next to it may be inside a word; `_` is inside words more often.
  func isWord(besides sign: UInt8) -> Bool {
    self == .word || (self == .ideograph && sign == UInt8(ascii: "_"))
  }
}

/// The beginnings and ends of emphasis, counted, since marking deep nesting would take too long.
struct EmphasisDepths {
  /// The change in nesting depth of each style at each byte; lanes are bits of styles.
  private var steps: [SIMD4<Int32>] = []
  /// The styles of each byte, as raw values; empty if there are none.
  private(set) var styles: [UInt8] = []

  mutating func prepare(count: Int) {
    if steps.isEmpty { steps = Array(repeating: .zero, count: count + 1) }
  }

  mutating func add(_ style: Inline.Styles, _ range: Range<Int>) {
    let lane = style.rawValue.trailingZeroBitCount
    steps[range.lowerBound][lane] += 1
    steps[range.upperBound][lane] -= 1
  }

  /// Computes the styles from the steps.
  mutating func sum() {
    var depth = SIMD4<Int32>.zero
    styles = steps.map { step in
      depth &+= step
      return (depth[0] > 0 ? 1 : 0) | (depth[1] > 0 ? 2 : 0) | (depth[2] > 0 ? 4 : 0)
    }
  }
}

extension [UInt8] {
  /// The end of the run of equal bytes that begins at a position.
  func endOfRun(at index: Int) -> Int {
    var end = index + 1
    while end < count, self[end] == self[index] { end += 1 }
    return end
  }

  /// The scalar that begins at a position of valid UTF-8.
  fileprivate func scalar(at index: Int) -> Unicode.Scalar? {
    if self[index] < 0x80 { return Unicode.Scalar(self[index]) }
    return String(decoding: self[index..<Swift.min(index + 4, count)], as: UTF8.self)
      .unicodeScalars.first
  }

  /// The scalar that ends before a position of valid UTF-8.
  fileprivate func scalar(before index: Int) -> Unicode.Scalar? {
    var start = index - 1
    while start > 0, self[start] & 0xC0 == 0x80 { start -= 1 }
    return scalar(at: start)
  }
}
