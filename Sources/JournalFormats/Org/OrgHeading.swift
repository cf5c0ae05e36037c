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
