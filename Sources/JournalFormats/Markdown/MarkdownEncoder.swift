import Journal

/// Writes entries as one Markdown file.
///
/// Each day has a heading, and each entry one with its time and title, then the text. Nothing is
/// lost: comments hold data that a reader does not see (``EntryMark``), and ``MarkdownSource``
/// reads all of it back.
struct MarkdownEncoder: EntryEncoder {
  private let level: Int
  private var last: Day?

  /// Makes an encoder.
  ///
  /// - Parameter level: the level of a day's heading; an entry's is one deeper.
  init(level: Int = 2) {
    self.level = level
  }

  /// Begins a file; its first day gets a heading.
  mutating func begin(_ buffer: inout [UInt8]) { last = nil }

  /// Appends an entry, after a heading if its day is new.
  mutating func append(_ entry: Entry, to buffer: inout [UInt8]) {
    if last != nil { buffer.append(0x0A) }
    EntryMark.append(entry, to: &buffer)
    if entry.day != last {
      appendHeading(level, DateStyle().text(of: entry.day), to: &buffer)
      buffer.append(0x0A)
    }
    last = entry.day
    let (title, body) = MarkdownEncoder.parts(of: entry.text)
    let words = ["\(entry.created.clockText)", title, entry.starred ? "★" : nil]
    appendHeading(
      level + 1, words.compactMap(\.self).joined(separator: " "), to: &buffer)
    guard let body else { return }
    buffer.append(0x0A)
    MarkdownEncoder.append(body, to: &buffer)
  }

  /// Appends nothing: the last entry has its line end.
  mutating func end(_ buffer: inout [UInt8]) {}

  /// Always empty.
  var losses: [String] { [] }

  private func appendHeading(_ level: Int, _ text: String, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: repeatElement(UInt8(ascii: "#"), count: level))
    buffer.append(UInt8(ascii: " "))
    buffer.append(contentsOf: text.utf8)
    buffer.append(0x0A)
  }

  /// The first line and the rest; without a title if the first line would change in a heading.
  private static func parts(of text: String) -> (title: String?, body: ArraySlice<UInt8>?) {
    let bytes = Array(text.utf8)
    let end = bytes.firstIndex(of: 0x0A)
    let first = bytes[..<(end ?? bytes.endIndex)]
    guard !first.isEmpty, ASCII.trimmed(first).count == first.count else {
      return (nil, bytes[...])
    }
    return (String(decoding: first, as: UTF8.self), end.map { bytes[($0 + 1)...] })
  }

  private static func append(_ body: ArraySlice<UInt8>, to buffer: inout [UInt8]) {
    for line in body.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if EntryMark.begins(line) || EntryMark.isEscaped(line) { buffer.append(UInt8(ascii: "\\")) }
      buffer.append(contentsOf: line)
      buffer.append(0x0A)
    }
  }
}

/// Reads the entries of ``MarkdownEncoder``, each from its comment to the next one.
struct OwnMarkdown {
  private var lines: TextLines
  private let isLossy: Bool
  /// Whether another comment follows the lines.
  private let isCut: Bool
  private var mark: TextLines.Line?

  init(_ lines: TextLines, isLossy: Bool, isCut: Bool = false) {
    (self.lines, self.isLossy, self.isCut) = (lines, isLossy, isCut)
  }

  /// Reads the text before the first comment; `nil` if it is blank and entries follow.
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
      var entry = try EntryMark(lines.bytes[line.range]).entry
      // The blank line before the next comment is ours.
      if self.mark != nil || isCut, let last = content.last, last.range.isEmpty {
        content.removeLast()
      }
      let title = takeTitle(&content, isStarred: entry.starred)
      entry.text = try text(title: title, content, at: place)
      let count = headings(in: content)
      entry.remarks += Array(
        repeating: "heading of a day or time without a comment of Daybook is text", count: count)
      entry.takeOwnFiles()
      return .entry(entry, place)
    } catch {
      return .problem(error, place)
    }
  }

  /// Reads the lines up to the next comment.
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

  /// The number of headings in a text that somebody may have added as an entry.
  private func headings(in content: ArraySlice<TextLines.Line>) -> Int {
    var fences = CodeFences()
    return content.count { line in
      let bytes = lines.bytes[line.range]
      guard !fences.holds(bytes), let heading = Heading(bytes) else { return false }
      return title(of: line) != nil || DayLook(heading.text) != nil
    }
  }

  /// Removes the headings of day and entry, and the blank line after them.
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
    // The headings were removed by hand: all of it is text.
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

  /// The text after the time of an entry's heading; `nil` for any other line.
  private func title(of line: TextLines.Line) -> ArraySlice<UInt8>? {
    guard let heading = Heading(lines.bytes[line.range]), heading.time != nil else { return nil }
    // The time has five bytes, followed by a space if there is text.
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
