/// A field in an entry's text: `mood:: 4`, `run:: 5.2 km`, `[cost:: 12.50 €]`.
///
/// Fields are stored in the text only. A name is one word, and its key is the folded name. A field that
/// is the first of its line has the rest of the line as its value, up to the next field and without the
/// tags at its end, and an amount also without names; one in brackets has what the brackets have; one among other
/// words has a number, a duration or a date if one follows, with its unit before the end, a sign or a tag. A duration,
/// a date and a number with a known unit are a value anywhere, also before other words.
package struct Field: Hashable, Sendable {
  /// The name as typed.
  package var name: String
  package var value: FieldValue

  package init(name: String, value: FieldValue) {
    self.name = name
    self.value = value
  }

  /// The version of what a field is; stored fields must be found again when it changes.
  package static let version = 6

  /// The key of the name.
  package var key: String { Folding.fold(name) }

  /// The fields of a text, in order.
  ///
  /// - Complexity: linear in the bytes of the text.
  package static func all(in text: String) -> [Field] { Marks(text).fields }

  /// Whether a folded text can be the key of a name.
  package static func isKey(_ text: String) -> Bool {
    let line = "\(text):: 1"
    return Folding.fold(text).isSame(as: text)
      && all(in: line).first.map { $0.name.isSame(as: text) } ?? false
  }
}

/// Finds the fields of a text in its bytes.
struct FieldScanner {
  /// The place of a field.
  struct Place {
    var name: Range<Int>
    /// The first byte after `::`.
    var value: Int
    /// The closing bracket; `nil` without brackets.
    var close: Int?
    /// Whether only the marks of a list, a task or a quote precede it in its line.
    var isFirst: Bool

    /// The first byte that no earlier value has.
    var start: Int { close == nil ? name.lowerBound : name.lowerBound - 1 }
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  /// No field begins before this index.
  private var next = 0
  /// The start of the line that was looked at last, and whether it had words or a field before `next`.
  private var line = 0
  /// Up to where no bracket closes, for `]` and `)`.
  private var unclosed = (square: 0, round: 0)

  /// The longest name in bytes.
  static let longestName = 64
  /// The length of a value of words that counts, in bytes.
  static let longestWords = 500

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Leaves out what ends before an index.
  mutating func skip(to index: Int) { next = max(next, index) }

  /// The field whose first colon is at an index; called with ascending indexes.
  mutating func place(at colon: Int) -> Place? {
    guard colon >= next, colon + 2 < bytes.count, bytes[colon + 1] == UInt8(ascii: ":"),
      isBlank(colon + 2), let start = nameStart(before: colon)
    else { return nil }
    var place = Place(name: start..<colon, value: colon + 2, close: nil, isFirst: false)
    if start > 0, let end = closing(bytes[start - 1]) {
      guard let close = close(end, from: place.value) else { return nil }
      place.close = close
      next = close
    } else {
      place.isFirst = isFirst(start)
      next = place.value
    }
    return place
  }

  /// The fields at places in order, of which some may have been left out.
  ///
  /// - Parameter tags: the tags of the text, in order.
  func fields(at places: [Place], tags: [Range<Int>]) -> [Field] {
    var fields: [Field] = []
    var lineEnd = 0
    for (index, place) in places.enumerated() {
      if place.value >= lineEnd { lineEnd = end(ofLineAt: place.value) }
      var end = place.close ?? lineEnd
      if index + 1 < places.count, places[index + 1].start < end {
        end = self.end(beforeSeparators: place.value, places[index + 1].start)
      }
      let isWhole = place.isFirst || place.close != nil
      let value = { (end: Int) in
        self.value(in: place.value..<max(place.value, end), isWhole: isWhole)
      }
      var found = value(
        place.close == nil ? self.end(before: tags, from: place.value, end, isName: false) : end)
      // Names at the end belong to words: `with:: Tom @anna`, but not to an amount: `mood:: 4 @anna`.
      if place.close == nil, found?.kind == .words,
        let amount = value(self.end(before: tags, from: place.value, end, isName: true)),
        amount.kind != .words
      {
        found = amount
      }
      guard let found else { continue }
      fields.append(Field(name: Utf8.text(bytes, place.name), value: found))
    }
    return fields
  }

  /// The end of a value without the tags at its end: `5 km #sport`; a value of tags alone stays.
  ///
  /// - Parameter isName: whether names are such tags, too: `5 km @anna`.
  private func end(
    before tags: [Range<Int>], from start: Int, _ end: Int, isName: Bool
  ) -> Int {
    var kept = end
    while kept > start, isBlank(kept - 1) { kept -= 1 }
    guard let last = tags.lastIndex(where: { $0.upperBound <= kept }) else { return end }
    for tag in tags[...last].reversed() {
      guard tag.upperBound == kept, tag.lowerBound > start,
        isName || bytes[tag.lowerBound] == UInt8(ascii: "#")
      else { break }
      kept = tag.lowerBound
      while kept > start, isBlank(kept - 1) { kept -= 1 }
    }
    return kept > start ? kept : end
  }

  /// The end of a value without the signs between it and the next field: `mood:: 4 | run:: 5`.
  private func end(beforeSeparators start: Int, _ end: Int) -> Int {
    var end = end
    while end > start, isBlank(end - 1) || "|,;".utf8.contains(bytes[end - 1]) { end -= 1 }
    return end
  }

  private func value(in range: Range<Int>, isWhole: Bool) -> FieldValue? {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, isBlank(start) { start += 1 }
    while end > start, isBlank(end - 1) { end -= 1 }
    guard start < end else { return nil }
    let cut = Utf8.boundary(bytes, atMost: min(end, start + Self.longestWords))
    return FieldValue(Utf8.text(bytes, start..<cut), isWhole: isWhole)
  }

  private func isBlank(_ index: Int) -> Bool { bytes[index] == 0x20 || bytes[index] == 0x09 }

  private func isLineEnd(_ index: Int) -> Bool { bytes[index] == 0x0A || bytes[index] == 0x0D }

  private func end(ofLineAt start: Int) -> Int {
    var index = start
    while index < bytes.count, !isLineEnd(index) { index += 1 }
    return index
  }

  /// The start of the name that ends at an index, at the start of a word.
  private func nameStart(before end: Int) -> Int? {
    var start = end
    var first: Unicode.Scalar?
    while start > 0 {
      let previous = Utf8.start(bytes, before: start)
      let scalar = Utf8.scalar(bytes, at: previous)
      guard TagScanner.isLetter(scalar) || TagScanner.isJoiner(scalar) else {
        guard TextLine.isSpace(scalar) || closing(bytes[previous]) != nil else { return nil }
        break
      }
      first = scalar
      start = previous
      if end - start > Self.longestName { return nil }
    }
    guard let first, TagScanner.isLetter(first), TagScanner.isNameGiving(first) else { return nil }
    return start
  }

  private func closing(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "["): UInt8(ascii: "]")
    case UInt8(ascii: "("): UInt8(ascii: ")")
    default: nil
    }
  }

  /// The place of a closing bracket in the line; a line without one is read once.
  ///
  /// It is behind the pairs of brackets in the value, as in `[who:: [[Anna]]]`; if those are no pairs, the first one.
  private mutating func close(_ sign: UInt8, from start: Int) -> Int? {
    let isSquare = sign == UInt8(ascii: "]")
    guard start >= (isSquare ? unclosed.square : unclosed.round) else { return nil }
    var index = start
    var (first, depth): (Int?, Int) = (nil, 0)
    while index < bytes.count, !isLineEnd(index), index < (first ?? index) + Self.longestWords {
      if bytes[index] == sign {
        if depth == 0 { return index }
        first = first ?? index
        depth -= 1
      } else if closing(bytes[index]) == sign {
        depth += 1
      }
      index += 1
    }
    if first != nil { return first }
    if isSquare { unclosed.square = index } else { unclosed.round = index }
    return nil
  }

  /// Whether a line has only marks before an index.
  ///
  /// Each byte is looked at once.
  private mutating func isFirst(_ start: Int) -> Bool {
    var index = start
    while index > line, !isLineEnd(index - 1) {
      guard Self.isMark(bytes[index - 1]) else {
        line = start
        return false
      }
      index -= 1
    }
    let isFirst = index == 0 || isLineEnd(index - 1)
    line = start
    return isFirst
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x30...0x39: true
    default: "-*+>.)[]xX".utf8.contains(byte)
    }
  }
}
