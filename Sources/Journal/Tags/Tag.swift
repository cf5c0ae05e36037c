/// Tags: `#home`, `@anna` and nested `#work/api`, words of an entry's text.
///
/// Tags are stored in the text only. A tag's name is its form in JSON: `home` without `#`, `@anna`
/// with `@`. Its key is the folded name; two tags are equal if their keys are.
package enum Tag {
  /// The version of what a tag is; stored tags must be found again when it changes.
  package static let version = 2

  /// The key of a tag, from its name or its typed form: `#Café` and `CAFE` both give `cafe`.
  package static func key(of name: String) -> String {
    let isTyped = name.utf8.first == UInt8(ascii: "#")
    return Folding.fold(isTyped ? String(name.unicodeScalars.dropFirst()) : name)
  }

  /// A name in its typed form: `#home`, `@anna`.
  package static func typed(_ name: String) -> String {
    name.utf8.first == UInt8(ascii: "@") || name.utf8.first == UInt8(ascii: "#")
      ? name : "#" + name
  }

  /// The names of the tags in a text, as first typed, in order of appearance, without duplicates.
  ///
  /// - Complexity: linear in the bytes of the text.
  package static func names(in text: String) -> [String] { keyedNames(in: text).map(\.name) }

  /// ``names(in:)`` with their keys.
  package static func keyedNames(in text: String) -> [(key: String, name: String)] {
    Utf8.withBytes(of: text) { bytes in
      var names = UniqueNames()
      TagScanner(bytes).forEachTag { names.add(name(bytes, $0)) }
      return names.names
    }
  }

  /// Names with their keys, each key once.
  struct UniqueNames {
    private(set) var names: [(key: String, name: String)] = []
    private var seen: Set<String> = []

    mutating func add(_ name: String) {
      let key = Folding.fold(name)
      // A set is slower than a few comparisons.
      let isNew =
        names.count < 8 ? !names.contains { $0.key == key } : seen.insert(key).inserted
      guard isNew else { return }
      names.append((key, name))
      if names.count == 8 { seen = Set(names.map(\.key)) }
    }
  }

  /// Whether a tag is nested under another, at any depth: `work/api` is a child of `work`.
  ///
  /// Both are keys. A tag is not its own child.
  package static func isChild(_ key: String, of parent: String) -> Bool {
    let parent = parent.utf8
    return key.utf8.count > parent.count + 1 && key.utf8.starts(with: parent)
      && key.utf8.dropFirst(parent.count).first == UInt8(ascii: "/")
  }

  /// The name of a tag from a command's argument: `home`, `#home`, `@anna`, `two words`.
  ///
  /// Surrounding white space is dropped, inner white space becomes `-`.
  ///
  /// - Throws: ``TagError`` if it would not be a single tag in a text.
  package static func parse(_ input: String) throws(TagError) -> String {
    let hyphened = input.split(whereSeparator: \.isWhitespace).joined(separator: "-")
    guard !hyphened.isEmpty else { throw TagError(input: input, problem: .empty) }
    let typed = typed(hyphened)
    guard let name = name(typed: typed) else {
      throw TagError(input: input, problem: .problem(in: typed))
    }
    return name
  }

  /// The name in a text that is exactly one tag with its sign.
  static func name(typed: String) -> String? {
    Utf8.withBytes(of: typed) { bytes in
      var found: Range<Int>?
      TagScanner(bytes).forEachTag { found = found ?? $0 }
      return found == 0..<bytes.count ? name(bytes, 0..<bytes.count) : nil
    }
  }

  static func name(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> String {
    let isHash = bytes[range.lowerBound] == UInt8(ascii: "#")
    return Utf8.text(bytes, isHash ? range.lowerBound + 1..<range.upperBound : range)
  }
}

extension Tag {
  /// A text with a tag appended, unless it has the tag already.
  ///
  /// A space precedes the tag, unless the text ends with a blank or with a displayed line end: LF,
  /// CRLF, U+2028 or U+2029. A lone CR, VT, FF or NEL does not break the line and is displayed as a
  /// symbol. After code, a table and the like the tag is on a line of its own (``LastLine``).
  package static func text(adding name: String, to text: String) -> String {
    self.text(adding: [name], to: text)
  }

  /// A text with tags appended in their order, except those that the text has already.
  ///
  /// - Complexity: linear in the bytes of the text and the tags.
  package static func text(adding names: [String], to text: String) -> String {
    guard !names.isEmpty else { return text }
    var keys = Set(self.names(in: text).map(key))
    var result = text
    for name in names where keys.insert(key(of: name)).inserted {
      append(typed(name), to: &result)
    }
    return result
  }

  /// Appends a tag, or words with spaces between them, to a text: to its last line, or below it if a word
  /// there would break its Markdown.
  package static func append(_ word: String, to text: inout String) {
    guard LastLine.takesWords(text) else {
      text +=
        text.utf8.reversed().starts(with: [0x0A, 0x0A])
        ? "" : text.utf8.last == 0x0A ? "\n" : "\n\n"
      text += word
      return
    }
    appendInLine(word, to: &text)
  }

  /// Appends a word to a text, after a space unless the text ends with a blank.
  package static func appendInLine(_ word: String, to text: inout String) {
    if let last = text.unicodeScalars.last, !isBlank(last) { text += " " }
    text += word
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .spaceSeparator, .lineSeparator, .paragraphSeparator: true
    default: scalar == "\n" || scalar == "\t"
    }
  }

  /// A text without all occurrences of a tag, each removed with one adjacent space.
  ///
  /// The case of the tag does not matter; its children stay.
  package static func text(removing name: String, from text: String) -> String {
    let wanted = key(of: name)
    return Utf8.withBytes(of: text) { bytes in
      var kept: [UInt8] = []
      var copied = 0
      TagScanner(bytes).forEachTag { range in
        guard Folding.fold(Tag.name(bytes, range)) == wanted else { return }
        let cut = withNeighbour(bytes, range, after: copied)
        kept.append(contentsOf: bytes[copied..<cut.lowerBound])
        copied = cut.upperBound
      }
      if copied == 0 { return text }
      kept.append(contentsOf: bytes[copied...])
      return String(decoding: kept, as: UTF8.self)
    }
  }

  /// A text with a tag renamed, including its children.
  ///
  /// `#work` becomes `#job` and `#work/api` becomes `#job/api`.
  package static func text(renaming old: String, to new: String, in text: String) -> String {
    let wanted = key(of: old)
    let depth = wanted.utf8.count { $0 == UInt8(ascii: "/") } + 1
    return Utf8.withBytes(of: text) { bytes in
      var kept: [UInt8] = []
      var copied = 0
      TagScanner(bytes).forEachTag { range in
        let parts = Tag.name(bytes, range).split(separator: "/")
        guard key(of: parts.prefix(depth).joined(separator: "/")) == wanted else { return }
        kept.append(contentsOf: bytes[copied..<range.lowerBound])
        let renamed = [typed(new)] + parts.dropFirst(depth).map { String($0) }
        kept.append(contentsOf: renamed.joined(separator: "/").utf8)
        copied = range.upperBound
      }
      if copied == 0 { return text }
      kept.append(contentsOf: bytes[copied...])
      return String(decoding: kept, as: UTF8.self)
    }
  }

  /// A tag's range together with the space before it, unless other signs follow at once, or else the one after
  /// it.
  private static func withNeighbour(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, after start: Int
  ) -> Range<Int> {
    let space = UInt8(ascii: " ")
    // A line of its own below the text, as an appended tag may have.
    if range.upperBound == bytes.count, range.lowerBound - 2 > start,
      bytes[range.lowerBound - 1] == 0x0A, bytes[range.lowerBound - 2] == 0x0A
    {
      return range.lowerBound - 2..<range.upperBound
    }
    if range.lowerBound > start, bytes[range.lowerBound - 1] == space,
      range.upperBound == bytes.count || (0x09...0x20).contains(bytes[range.upperBound])
        || ".,;:!?)".utf8.contains(bytes[range.upperBound])
    {
      return range.lowerBound - 1..<range.upperBound
    }
    if range.upperBound < bytes.count, bytes[range.upperBound] == space {
      return range.lowerBound..<range.upperBound + 1
    }
    return range
  }
}

extension Tag {
  /// The byte ranges of the tags in a text, including their `#` or `@`, in order.
  ///
  /// - Complexity: linear in the bytes of the text.
  package static func places(in text: String) -> [Range<Int>] {
    Utf8.withBytes(of: text) { bytes in
      var places: [Range<Int>] = []
      TagScanner(bytes).forEachTag { places.append($0) }
      return places
    }
  }
}

/// The reason why a text is not a tag.
package struct TagError: Error, Equatable, Sendable {
  /// The errors of a tag.
  package enum Problem: Equatable, Sendable {
    /// The text is only white space.
    case empty
    /// A character that is not allowed in tags.
    case character(Character)
    /// No letter, a colour, or a `-` or `/` at an end or next to a `/`.
    case form
  }

  package let input: String
  /// The error.
  package let problem: Problem
}

extension TagError.Problem {
  /// The error of a text that starts with `#` or `@` and is not a tag.
  static func problem(in typed: String) -> TagError.Problem {
    let strange = typed.dropFirst().first { character in
      !character.unicodeScalars.allSatisfy {
        TagScanner.isLetter($0) || TagScanner.isJoiner($0) || $0 == "/"
      }
    }
    return strange.map { .character($0) } ?? .form
  }
}

extension TagError: CustomStringConvertible {
  /// The error and the form of a tag, on one line.
  package var description: String {
    switch problem {
    case .empty: "a tag is missing: give a word such as home or @anna"
    case .character(let character):
      "\"\(input)\" is not a tag: \"\(character)\" is not allowed;"
        + " use letters, digits, \"-\", \"_\" and \"/\""
    case .form:
      "\"\(input)\" is not a tag: names joined by \"/\", with a letter,"
        + " and no \"-\" or \"/\" at their ends"
    }
  }
}

/// Finds the tags of a text in its bytes, without copying it.
///
/// A tag is `#` or `@` at the start of the text, after white space or after opening punctuation,
/// followed by names joined by `/`. A name consists of letters, digits, marks, `_` and `-`; it
/// neither starts nor ends with `-`, and the tag has at least one letter. A colour such as `#a1b2c3` is no
/// tag, and there are none outside of ``Prose``.
struct TagScanner {
  private let bytes: UnsafeBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Calls the body with the byte range of each tag, including its `#` or `@`, in order.
  ///
  /// - Complexity: linear in the bytes.
  func forEachTag(_ body: (Range<Int>) -> Void) {
    var found: [Range<Int>] = []
    forEachWord { found.append($0) }
    guard !found.isEmpty, var prose = Prose(bytes) else { return found.forEach(body) }
    for range in found where prose.contains(range.lowerBound) { body(range) }
  }

  /// Calls the body with each word of a tag's form, wherever it is.
  private func forEachWord(_ body: (Range<Int>) -> Void) {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      guard byte == UInt8(ascii: "#") || byte == UInt8(ascii: "@"),
        let end = end(ofWordAt: index)
      else {
        index += 1
        continue
      }
      body(index..<end)
      index = end
    }
  }

  /// The end of the word of a tag's form whose sign is at an index.
  func end(ofWordAt sign: Int) -> Int? { mayStart(at: sign) ? end(ofTagAt: sign) : nil }

  private func mayStart(at index: Int) -> Bool {
    guard index > 0 else { return true }
    switch bytes[index - 1] {
    case 0x09...0x0D, 0x20: return true
    case UInt8(ascii: "("), UInt8(ascii: "{"): return true
    case UInt8(ascii: "["):
      // A link to a heading, `[[#heading]]`.
      return index < 2 || bytes[index - 2] != UInt8(ascii: "[")
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      // An attribute of HTML.
      return index < 2 || bytes[index - 2] != UInt8(ascii: "=")
    case ..<0x80: return false
    default: break
    }
    let properties = Utf8.scalar(bytes, at: Utf8.start(bytes, before: index)).properties
    switch properties.generalCategory {
    case .openPunctuation, .initialPunctuation: return true
    default: return properties.isWhitespace
    }
  }

  /// The end of the tag whose sign is at an index; `nil` if there is no tag.
  private func end(ofTagAt sign: Int) -> Int? {
    var end = sign + 1
    var hasLetter = false
    var index = sign + 1
    while let name = name(from: index) {
      end = name.end
      hasLetter = hasLetter || name.hasLetter
      guard end < bytes.count, bytes[end] == UInt8(ascii: "/") else { break }
      index = end + 1
    }
    return hasLetter && !isColour(sign..<end) ? end : nil
  }

  /// Whether a word is a colour: 3, 6 or 8 hexadecimal digits with a decimal one among the 6 or 8, or with
  /// the same letter throughout.
  private func isColour(_ word: Range<Int>) -> Bool {
    let count = word.count - 1
    guard bytes[word.lowerBound] == UInt8(ascii: "#"), count == 3 || count == 6 || count == 8 else {
      return false
    }
    // In lower case.
    let digits = bytes[word].dropFirst().map { Hexadecimal.value(of: $0 | 0x20) }
    return !digits.contains(nil)
      && (count > 3 && digits.contains { $0 ?? 10 < 10 } || digits.allSatisfy { $0 == digits[0] })
  }

  private func name(from start: Int) -> (end: Int, hasLetter: Bool)? {
    var end = start
    var hasLetter = false
    var index = start
    while index < bytes.count {
      let scalar = Utf8.scalar(bytes, at: index)
      let length = Utf8.length(startingWith: bytes[index])
      if TagScanner.isLetter(scalar) {
        hasLetter = hasLetter || TagScanner.isNameGiving(scalar)
        end = index + length
      } else if end == start || !TagScanner.isJoiner(scalar) {
        break
      }
      index += length
    }
    return end > start ? (end, hasLetter) : nil
  }

  static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch WordClass(scalar) {
    case .letter: true
    case .alone: CJK.contains(scalar)
    case .other: false
    }
  }

  /// Whether a scalar alone could be a name; digits, and scalars that folding drops, such as marks, could
  /// not.
  static func isNameGiving(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x80 { return scalar != "_" && !("0"..."9").contains(scalar) }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber: return false
    default: return true
    }
  }

  /// Whether a scalar is allowed inside a name: `-`, and the joiners of Persian and Indic spelling.
  static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "-" || scalar.value == 0x200C || scalar.value == 0x200D
  }
}
