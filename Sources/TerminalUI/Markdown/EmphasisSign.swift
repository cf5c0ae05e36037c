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
