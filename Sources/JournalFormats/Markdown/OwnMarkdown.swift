import Journal

/// Reads the entries that ``MarkdownEncoder`` wrote, each from its comment to the next one.
struct OwnMarkdown {
  private var lines: TextLines
  private let isLossy: Bool
  private var mark: TextLines.Line?

  init(_ lines: TextLines, isLossy: Bool) {
    self.lines = lines
    self.isLossy = isLossy
  }

  /// Takes what stands before the first comment; nothing when that is blank and entries follow.
  mutating func preamble() -> [UInt8]? {
    let content = takeContent()
    let isBlank = content.allSatisfy(lines.isBlank)
    if isBlank, mark != nil { return nil }
    let end = mark?.range.lowerBound ?? lines.bytes.count
    return Array(lines.bytes[..<end])
  }

  /// The next entry.
  mutating func next() -> ImportItem? {
    guard let line = mark else { return nil }
    var content = takeContent()[...]
    let place = ImportPlace(line: line.number)
    do {
      let mark = try EntryMark(lines.bytes[line.range])
      // The blank line before the next comment is ours.
      if self.mark != nil, let last = content.last, last.range.isEmpty { content.removeLast() }
      let title = takeTitle(&content, isStarred: mark.starred)
      let text = try text(title: title, content, at: place)
      return .entry(
        ImportedEntry(
          uuid: mark.uuid, created: mark.created, modified: mark.modified, day: mark.day,
          text: text, starred: mark.starred, deleted: mark.deleted), place)
    } catch {
      return .problem(error.reason, place)
    }
  }

  /// Takes the lines up to the next comment.
  private mutating func takeContent() -> [TextLines.Line] {
    mark = nil
    var content: [TextLines.Line] = []
    while let line = lines.next() {
      if EntryMark.begins(lines.bytes[line.range]) {
        mark = line
        break
      }
      content.append(line)
    }
    return content
  }

  /// Takes the headings of day and entry, and the blank line below.
  private func takeTitle(
    _ content: inout ArraySlice<TextLines.Line>, isStarred: Bool
  ) -> ArraySlice<UInt8>? {
    var rest = content
    guard let first = rest.popFirst() else { return nil }
    var title = title(of: first)
    if title == nil, Heading(lines.bytes[first.range]) != nil {
      // The heading of the day, and a blank line.
      _ = rest.popFirst()
      title = rest.popFirst().flatMap(self.title)
    }
    // Someone took the headings away: all is text.
    guard var title else { return nil }
    if rest.first?.range.isEmpty == true { rest.removeFirst() }
    content = rest
    let star = Array("★".utf8)
    if isStarred, title.suffix(star.count).elementsEqual(star) {
      title.removeLast(star.count)
      if title.last == 0x20 { title.removeLast() }
    }
    return title
  }

  /// What stands behind the time of an entry's heading; nothing for any other line.
  private func title(of line: TextLines.Line) -> ArraySlice<UInt8>? {
    guard let heading = Heading(lines.bytes[line.range]), heading.time != nil else { return nil }
    // The time has five bytes and a space behind it, if anything follows.
    return heading.text.dropFirst(6)
  }

  private func text(
    title: ArraySlice<UInt8>?, _ content: ArraySlice<TextLines.Line>, at place: ImportPlace
  ) throws(FormatError) -> String {
    var text: [UInt8] = []
    var isFirst = true
    if let title, !title.isEmpty {
      text.append(contentsOf: title)
      isFirst = false
    }
    for line in content {
      if !isFirst { text.append(0x0A) }
      isFirst = false
      let bytes = lines.bytes[line.range]
      text.append(contentsOf: EntryMark.isEscaped(bytes) ? bytes.dropFirst() : bytes)
    }
    return try UTF8Text.decode(text, isLossy: isLossy, at: place)
  }
}
