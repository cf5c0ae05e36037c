import Journal

/// A page of Logseq: blocks with properties, and states of tasks.
struct LogseqPage {
  /// The text without what is the program's own.
  private(set) var text: [UInt8] = []
  private(set) var tags: [String] = []
  private(set) var title: String?
  /// The names of properties that are left out.
  private(set) var unkept: [String] = []

  /// Whether a note is one of Logseq, by its directory or its marks.
  static func recognises(_ bytes: [UInt8], path: String) -> Bool {
    let directories = path.split(separator: "/").dropLast()
    let isPage = directories.last == "journals" || directories.last == "pages"
    guard isPage || bytes.contains(UInt8(ascii: ":")) else { return false }
    let first = bytes.drop(while: ASCII.isSpace)
    let isOutline = first.first == UInt8(ascii: "-") || property(first.prefix { $0 != 0x0A }) != nil
    guard isOutline else { return false }
    return isPage || marks.contains { mark in bytes.contains(mark) }
  }

  private static let marks = ["  id:: ", "  collapsed:: ", ":LOGBOOK:"].map { Array($0.utf8) }

  init(_ bytes: ArraySlice<UInt8>) {
    var fences = CodeFences()
    var isInLogbook = false
    var isInHead = true
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let trimmed = ASCII.trimmed(line)
      let isCode = fences.holds(line.drop { " \t-".utf8.contains($0) })
      if isInLogbook {
        isInLogbook = !trimmed.elementsEqual(":END:".utf8)
        continue
      }
      if !isCode, trimmed.elementsEqual(":LOGBOOK:".utf8) {
        isInLogbook = true
        unkept.append("LOGBOOK")
        continue
      }
      if !isCode, let property = Self.property(trimmed) {
        if isInHead, line.first.map(ASCII.isSpace) == false, take(property) { continue }
        if Self.own.contains(property.name) {
          if !unkept.contains(property.name) { unkept.append(property.name) }
          continue
        }
      } else if !trimmed.isEmpty {
        isInHead = false
      }
      text += isCode ? Array(line) : Self.task(line)
      text.append(0x0A)
    }
    dropEmptyItems()
  }

  /// Properties that only the program uses.
  private static let own: Set = [
    "id", "collapsed", "background-color", "heading", "logseq.order-list-type", "ls-type",
    "hl-page", "hl-color", "hl-type", "query-table", "query-properties", "created-at", "updated-at",
    "card-last-interval", "card-repeats", "card-ease-factor", "card-next-schedule",
    "card-last-reviewed", "card-last-score", "template-including-parent",
  ]

  /// Takes a property of the page; returns whether it is no line of the text.
  private mutating func take(_ property: (name: String, value: String)) -> Bool {
    switch property.name {
    case "tags":
      tags += property.value.split(separator: ",").map { tag in
        String(tag).trimmingSpace.filter { !"#[]".contains($0) }
      }
    case "title": title = property.value
    case "alias", "icon", "public", "filters", "exclude-from-graph-view":
      unkept.append(property.name)
    default: return false
    }
    return true
  }

  /// `name:: value`.
  private static func property(
    _ line: ArraySlice<UInt8>
  ) -> (name: String, value: String)? {
    guard let colon = line.prefix(60).firstRange(of: Array("::".utf8)) else { return nil }
    let name = line[..<colon.lowerBound]
    guard !name.isEmpty,
      name.allSatisfy({ InlineScanner.isWord($0) || "-_./".utf8.contains($0) }),
      line[colon.upperBound...].first.map(ASCII.isSpace) ?? true
    else { return nil }
    return (
      String(decoding: name, as: UTF8.self).lowercased(),
      String(decoding: ASCII.trimmed(line[colon.upperBound...]), as: UTF8.self)
    )
  }

  /// `- TODO bread` as `- [ ] bread`; what a box does not say is a field of the item.
  private static func task(_ line: ArraySlice<UInt8>) -> [UInt8] {
    let indent = line.prefix { $0 == 0x20 || $0 == 0x09 }
    let item = line[indent.endIndex...]
    guard item.starts(with: "- ".utf8) else { return Array(line) }
    let words = item.dropFirst(2)
    let word = words.prefix { (0x41...0x5A).contains($0) }
    guard word.count > 2, words[word.endIndex...].first == 0x20 else { return Array(line) }
    let state = String(decoding: word, as: UTF8.self)
    let box: String
    switch state {
    case "TODO", "LATER", "NOW", "DOING", "WAITING", "WAIT", "IN-PROGRESS": box = "[ ]"
    case "DONE", "CANCELED", "CANCELLED": box = "[x]"
    default: return Array(line)
    }
    let task: [UInt8] = indent + Array("- \(box)".utf8) + words[word.endIndex...]
    guard !["TODO", "LATER", "DONE"].contains(state) else { return task }
    return task + [0x0A] + indent + Array("  state:: \(state.lowercased())".utf8)
  }

  /// Drops the empty block that Logseq keeps at the end of a page.
  private mutating func dropEmptyItems() {
    while true {
      while let last = text.last, ASCII.isSpace(last) { text.removeLast() }
      guard text.last == UInt8(ascii: "-") else { return }
      let line = text[((text.lastIndex(of: 0x0A) ?? -1) + 1)...]
      guard ASCII.trimmed(line).count == 1 else { return }
      text.removeLast()
    }
  }
}
