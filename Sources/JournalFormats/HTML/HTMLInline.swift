import Journal

/// Draws a piece of Markdown inside a block: code, emphasis, links, tags; all else as it stands.
///
/// No HTML of the text passes, and links lead only where ``HTMLText/isSafe(_:)`` allows. A kind of span
/// never stands inside itself and what has no end is looked for once, so any text takes linear time.
struct HTMLInline {
  private enum Kind: Int, CaseIterable {
    case strong
    case heavy
    case emphasis
    case underscore
    case struck
    case link
    case code
    case longCode
  }

  private let bytes: ArraySlice<UInt8>
  /// Which kinds may begin here.
  private var allowed: Set<Kind> = Set(Kind.allCases)
  /// Kinds without an end from some place on.
  private var endless: Set<Kind> = []

  /// Appends a piece of text.
  static func append(_ bytes: ArraySlice<UInt8>, to buffer: inout [UInt8]) {
    var inline = HTMLInline(bytes)
    inline.draw(to: &buffer)
  }

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  private mutating func draw(to buffer: inout [UInt8]) {
    var index = bytes.startIndex
    var copied = index
    while index < bytes.endIndex {
      var drawn: [UInt8] = []
      guard HTMLInline.isSign(bytes[index]), let end = span(at: index, to: &drawn) else {
        index += 1
        continue
      }
      HTMLText.append(bytes[copied..<index], to: &buffer)
      buffer.append(contentsOf: drawn)
      index = end
      copied = end
    }
    HTMLText.append(bytes[copied...], to: &buffer)
  }

  private static func isSign(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"),
      UInt8(ascii: "`"), UInt8(ascii: "["), UInt8(ascii: "!"), UInt8(ascii: "h"),
      UInt8(ascii: "#"), UInt8(ascii: "@"):
      true
    default: false
    }
  }

  /// Draws the span that begins at a place, and returns where it ends; nothing when none does.
  private mutating func span(at index: Int, to buffer: inout [UInt8]) -> Int? {
    switch bytes[index] {
    case UInt8(ascii: "\\"): return escape(at: index, to: &buffer)
    case UInt8(ascii: "`"): return code(at: index, to: &buffer)
    case UInt8(ascii: "["): return link(at: index, textAt: index + 1, to: &buffer)
    case UInt8(ascii: "!"):
      guard byte(index + 1) == UInt8(ascii: "[") else { return nil }
      return link(at: index, textAt: index + 2, to: &buffer)
    case UInt8(ascii: "h"): return address(at: index, to: &buffer)
    case UInt8(ascii: "#"), UInt8(ascii: "@"): return tag(at: index, to: &buffer)
    default: return emphasis(at: index, to: &buffer)
    }
  }

  private func byte(_ index: Int) -> UInt8? { bytes.indices.contains(index) ? bytes[index] : nil }

  private func escape(at index: Int, to buffer: inout [UInt8]) -> Int? {
    guard let next = byte(index + 1), ASCII.isPunctuation(next) else { return nil }
    HTMLText.append([next], to: &buffer)
    return index + 2
  }

  private mutating func emphasis(at index: Int, to buffer: inout [UInt8]) -> Int? {
    let sign = bytes[index]
    let isDouble = byte(index + 1) == sign
    let kind: Kind
    switch (sign, isDouble) {
    case (UInt8(ascii: "*"), true): kind = .strong
    case (UInt8(ascii: "_"), true): kind = .heavy
    case (UInt8(ascii: "*"), false): kind = .emphasis
    case (UInt8(ascii: "_"), false): kind = .underscore
    case (UInt8(ascii: "~"), true): kind = .struck
    default: return nil
    }
    let width = isDouble ? 2 : 1
    let start = index + width
    guard allowed.contains(kind), !endless.contains(kind), let first = byte(start),
      !ASCII.isSpace(first), sign != UInt8(ascii: "_") || !isWord(index - 1)
    else { return nil }
    guard let end = close(sign, width, from: start) else {
      endless.insert(kind)
      return nil
    }
    let name = kind == .struck ? "del" : isDouble ? "strong" : "em"
    buffer.append(contentsOf: "<\(name)>".utf8)
    drawInside(start..<end, kind, to: &buffer)
    buffer.append(contentsOf: "</\(name)>".utf8)
    return end + width
  }

  /// Where the signs that end emphasis stand.
  private func close(_ sign: UInt8, _ width: Int, from start: Int) -> Int? {
    var index = start + 1
    while index + width <= bytes.endIndex {
      guard bytes[index] == sign else {
        index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        continue
      }
      let run = bytes[index...].prefix { $0 == sign }.count
      let isEnd = !ASCII.isSpace(bytes[index - 1]) && run == width
      if isEnd, sign != UInt8(ascii: "_") || !isWord(index + width) { return index }
      index += run
    }
    return nil
  }

  private func isWord(_ index: Int) -> Bool {
    byte(index).map { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 >= 0x80 } ?? false
  }

  private func drawInside(_ range: Range<Int>, _ kind: Kind, to buffer: inout [UInt8]) {
    var inner = HTMLInline(bytes[range])
    inner.allowed = allowed.subtracting([kind])
    inner.draw(to: &buffer)
  }

  private mutating func code(at index: Int, to buffer: inout [UInt8]) -> Int? {
    let sign = UInt8(ascii: "`")
    let width = bytes[index...].prefix { $0 == sign }.count
    var next = index + width
    // Longer runs are rare; what is none is passed as a whole.
    let kind = width == 1 ? Kind.code : .longCode
    guard width <= 2, !endless.contains(kind) else {
      HTMLText.append(bytes[index..<next], to: &buffer)
      return next
    }
    while let start = bytes[next...].firstIndex(of: sign) {
      let run = bytes[start...].prefix { $0 == sign }.count
      if run == width {
        buffer.append(contentsOf: "<code>".utf8)
        HTMLText.append(bytes[(index + width)..<start], to: &buffer)
        buffer.append(contentsOf: "</code>".utf8)
        return start + width
      }
      next = start + run
    }
    endless.insert(kind)
    return nil
  }

  /// `[text](address)` and `![text](address)`; a picture is a link, since the page loads nothing.
  private mutating func link(
    at index: Int, textAt start: Int, to buffer: inout [UInt8]
  ) -> Int? {
    guard allowed.contains(.link), !endless.contains(.link) else { return nil }
    guard let end = bytes[start...].firstIndex(where: { "[]".utf8.contains($0) }) else {
      endless.insert(.link)
      return nil
    }
    guard bytes[end] == UInt8(ascii: "]"), byte(end + 1) == UInt8(ascii: "("),
      let close = bytes[(end + 2)...].prefix(4000).firstIndex(where: { ")( ".utf8.contains($0) }),
      bytes[close] == UInt8(ascii: ")")
    else { return nil }
    let target = bytes[(end + 2)..<close]
    let text = bytes[start..<end]
    guard HTMLText.isSafe(target) else {
      // A file beside an export: its name says more than nothing.
      guard bytes[index] == UInt8(ascii: "!") else { return nil }
      buffer.append(contentsOf: "<span class=\"file\">".utf8)
      HTMLText.append(text.isEmpty ? target : text, to: &buffer)
      buffer.append(contentsOf: "</span>".utf8)
      return close + 1
    }
    open(target, to: &buffer)
    if text.isEmpty {
      HTMLText.append(target, to: &buffer)
    } else {
      drawInside(start..<end, .link, to: &buffer)
    }
    buffer.append(contentsOf: "</a>".utf8)
    return close + 1
  }

  private func open(_ target: ArraySlice<UInt8>, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: "<a rel=\"noopener noreferrer\" href=\"".utf8)
    HTMLText.append(target, to: &buffer)
    buffer.append(contentsOf: "\">".utf8)
  }

  /// An address that stands bare.
  private func address(at index: Int, to buffer: inout [UInt8]) -> Int? {
    guard allowed.contains(.link), !isWord(index - 1),
      bytes[index...].starts(with: "http://".utf8) || bytes[index...].starts(with: "https://".utf8)
    else { return nil }
    var end =
      bytes[index...].firstIndex { $0 <= 0x20 || $0 == 0x7F || "<>\"`".utf8.contains($0) }
      ?? bytes.endIndex
    while end > index, ".,;:!?)'*_]".utf8.contains(bytes[end - 1]) { end -= 1 }
    let target = bytes[index..<end]
    guard target.count > 8, HTMLText.isSafe(target) else { return nil }
    open(target, to: &buffer)
    HTMLText.append(target, to: &buffer)
    buffer.append(contentsOf: "</a>".utf8)
    return end
  }

  private func tag(at index: Int, to buffer: inout [UInt8]) -> Int? {
    if isWord(index - 1) { return nil }
    // Up to the next sign, so that a row of signs is not read again and again.
    let name = bytes[(index + 1)...].prefix(200).prefix { $0 >= 0x80 || isTagByte($0) }
    guard !name.isEmpty else { return nil }
    let word = bytes[index..<name.endIndex]
    // The scanner knows where a tag ends; it is asked about a short piece only.
    let text = String(decoding: word, as: UTF8.self)
    guard let place = Tag.places(in: text).first, place.lowerBound == 0 else { return nil }
    buffer.append(contentsOf: "<span class=\"tag\">".utf8)
    HTMLText.append(bytes[index..<index + place.upperBound], to: &buffer)
    buffer.append(contentsOf: "</span>".utf8)
    return index + place.upperBound
  }

  private func isTagByte(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || "/-_".utf8.contains(byte)
  }
}
