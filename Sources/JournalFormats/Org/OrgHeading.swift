import Journal

/// A heading of Org mode: `** TODO [#A] Title :tag1:tag2:`.
struct OrgHeading {
  /// The number of stars.
  var level: Int
  /// The state of a task, such as `TODO`.
  var state: String?
  /// The letter or number in `[#A]`.
  var priority: String?
  /// The words between them and the tags.
  var title: ArraySlice<UInt8>
  var tags: [String] = []

  /// The maximum number of stars.
  private static let levelLimit = 64

  /// Whether a line is a heading.
  static func begins(_ line: ArraySlice<UInt8>) -> Bool {
    let stars = line.prefix { $0 == UInt8(ascii: "*") }.count
    return stars > 0 && stars <= levelLimit && line.count > stars
      && line[line.startIndex + stars] == 0x20
  }

  /// Parses a line; `nil` if it is not a heading.
  init?(_ line: ArraySlice<UInt8>) {
    guard OrgHeading.begins(line) else { return nil }
    level = line.prefix { $0 == UInt8(ascii: "*") }.count
    title = ASCII.trimmed(line.dropFirst(level))
    takeState()
    takePriority()
    takeTags()
  }

  private mutating func takeState() {
    let word = title.prefix { !ASCII.isSpace($0) }
    let name = String(decoding: word, as: UTF8.self)
    guard OrgHeading.open.contains(name) || OrgHeading.done.contains(name) else { return }
    state = name
    title = ASCII.trimmed(title[word.endIndex...])
  }

  private mutating func takePriority() {
    guard title.starts(with: "[#".utf8),
      let end = title.prefix(6).firstIndex(of: UInt8(ascii: "]"))
    else { return }
    priority = String(decoding: title[title.startIndex + 2..<end], as: UTF8.self)
    title = ASCII.trimmed(title[(end + 1)...])
  }

  /// `:tag1:tag2:` at the end.
  private mutating func takeTags() {
    let colon = UInt8(ascii: ":")
    guard title.last == colon else { return }
    let start = title.lastIndex(where: ASCII.isSpace).map { $0 + 1 } ?? title.startIndex
    let word = title[start...]
    guard word.count > 2, word.first == colon else { return }
    let names = word.split(separator: colon)
    let isName: (ArraySlice<UInt8>) -> Bool = { name in
      name.allSatisfy { InlineScanner.isWord($0) || "_@#%-".utf8.contains($0) }
    }
    guard names.allSatisfy(isName) else { return }
    tags = names.map { String(decoding: $0, as: UTF8.self) }
    title = ASCII.trimmed(title[..<start])
  }

  /// The words of a heading inside a text, with its tags as words.
  var markdown: ArraySlice<UInt8> {
    var words = [state, priority.map { "[#\($0)]" }].compactMap(\.self).map { Array($0.utf8) }
    words.append(Array(title))
    words += tags.map { Array(Tag.typed(ImportedTag.name($0) ?? $0).utf8) }
    return Array(words.joined(separator: [0x20]))[...]
  }

  /// Whether the state of a task is one of those that end it; `nil` without a state.
  var isDone: Bool? { state.map(OrgHeading.done.contains) }

  private static let open: Set = [
    "TODO", "NEXT", "STARTED", "DOING", "WAITING", "WAIT", "HOLD", "SOMEDAY", "INPROGRESS",
    "IN-PROGRESS", "PROJ", "STRT", "LATER", "NOW", "IDEA",
  ]
  private static let done: Set = ["DONE", "CANCELLED", "CANCELED", "KILL", "FAILED"]
}

/// A timestamp of Org mode: `<2024-01-05 Fri 09:15>`, or in square brackets an inactive one.
struct OrgTimestamp {
  var time: WallTime
  var hasTime: Bool
  /// Whether it is an appointment, `<…>`.
  var isActive: Bool
  /// The text between the brackets.
  var text: String
  /// The position after it.
  var end: Int

  /// Parses a timestamp at the start of some bytes.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard let first = bytes.first else { return nil }
    isActive = first == UInt8(ascii: "<")
    guard isActive || first == UInt8(ascii: "[") else { return nil }
    let closing = UInt8(ascii: isActive ? ">" : "]")
    guard let end = bytes.prefix(80).firstIndex(of: closing) else { return nil }
    let inner = bytes[(bytes.startIndex + 1)..<end]
    guard inner.count >= 10, let day = Day(String(decoding: inner.prefix(10), as: UTF8.self)) else {
      return nil
    }
    time = WallTime(day: day)
    hasTime = false
    for word in inner.dropFirst(10).split(separator: 0x20) {
      let clock = word.prefix { $0 != UInt8(ascii: "-") }
      guard word.first.map(ASCII.isDigit) == true, let second = DateText.time(clock) else {
        continue
      }
      (time.second, hasTime) = (second, true)
      break
    }
    text = String(decoding: inner, as: UTF8.self)
    self.end = end + 1
  }

  /// Removes the first timestamp of a heading, and a range after it.
  static func take(_ title: inout ArraySlice<UInt8>) -> OrgTimestamp? {
    guard let start = title.firstIndex(where: { "<[".utf8.contains($0) }) else { return nil }
    var index = start
    // Few headings have more than a handful of brackets.
    for _ in 0..<8 {
      if let found = OrgTimestamp(title[index...]) {
        var rest = title[found.end...]
        if rest.starts(with: "--".utf8), let second = OrgTimestamp(rest.dropFirst(2)) {
          rest = title[second.end...]
        }
        let before = ASCII.trimmed(title[..<index])
        let after = ASCII.trimmed(rest.drop { ":- ".utf8.contains($0) })
        let isGap = before.isEmpty || after.isEmpty
        title = (before + (isGap ? [] : [0x20]) + after)[...]
        return found
      }
      guard let next = title[(index + 1)...].firstIndex(where: { "<[".utf8.contains($0) }) else {
        return nil
      }
      index = next
    }
    return nil
  }
}
