/// A link in an entry's text: `[[Potato soup]]`, `[[2026-11-21]]`, `[[Potato soup#Salt|the soup]]`.
///
/// Links are stored in the text only, and name an entry by its title, a day or a month. They are in the
/// prose of a text, as tags are: not in code. `![[picture.png]]` embeds a file and is no link.
package struct Link: Hashable, Codable, Sendable {
  /// The target as typed: a title, a day or a month.
  package var target: String
  /// The heading inside the entry; `nil` without one.
  package var heading: String?
  /// The words that are shown instead of the target; `nil` for the target.
  package var words: String?
  /// The place of the whole link in the bytes of the text.
  package var range: Range<Int>
  /// The place of the target in the bytes of the text.
  package var targetRange: Range<Int>
  /// The place of what is shown of it, in the bytes of the text: the words, else the target and the heading.
  package var shownRange: Range<Int>

  /// The version of what a link is; stored links must be found again when it changes.
  package static let version = 1

  /// The key of what the link names, see ``key(of:)``.
  package var key: String { Link.key(of: target) }

  /// The links of a text, in order.
  ///
  /// - Complexity: linear in the bytes of the text.
  package static func all(in text: String) -> [Link] { Marks(text).links }

  /// The targets that name a title, without the mark of a heading: without the tags at its end, which would
  /// be tags of the entry with the link, then with them; none for a title that no link can name.
  package static func targets(naming title: String) -> [String] {
    let key = key(of: title)
    guard case .title = target(ofKey: key) else { return [] }
    var full = title
    if let mark = headingMarks.first(where: title.hasPrefix),
      Link.key(of: String(title.dropFirst(mark.count))) == key
    {
      full = String(title.dropFirst(mark.count))
    }
    let short = String(full[..<startOfTags(full)])
    let isName = keys(ofTitleKey: key).contains(Link.key(of: short))
    return (short != full && isName ? [short, full] : [full]).filter { text(to: $0) != nil }
  }

  /// The text of a link to a title; `nil` for a title that no link can name, such as one with brackets.
  package static func text(to title: String) -> String? {
    let text = "[[\(title)]]"
    guard let link = all(in: text).first, link.range == 0..<text.utf8.count, link.heading == nil,
      link.words == nil, link.target.isSame(as: title)
    else { return nil }
    return text
  }

  /// A text in which the targets of some links are replaced; headings and words stay.
  ///
  /// - Parameter target: returns the new target of a link, or `nil` to keep it.
  /// - Complexity: linear in the bytes of the text.
  package static func text(
    replacingTargetsIn text: String, with target: (Link) throws -> String?
  ) rethrows -> String {
    var kept = ""
    var copied = text.utf8.startIndex
    for link in all(in: text) {
      guard let new = try target(link) else { continue }
      let start = text.utf8.index(text.startIndex, offsetBy: link.targetRange.lowerBound)
      kept += text[copied..<start]
      kept += new
      copied = text.utf8.index(start, offsetBy: link.targetRange.count)
    }
    return copied == text.startIndex ? text : kept + text[copied...]
  }
}

// MARK: - Showing

extension Link {
  /// A text with what is shown of its links, without their brackets: `the soup` of `[[Potato soup|the soup]]`.
  ///
  /// - Complexity: linear in the bytes of the text.
  package static func shown(in text: String) -> String {
    guard text.contains("[[") else { return text }
    let bytes = Array(text.utf8)
    var shown: [UInt8] = []
    var copied = 0
    for link in all(in: text) {
      shown += bytes[copied..<link.range.lowerBound] + bytes[link.shownRange]
      copied = link.range.upperBound
    }
    return String(decoding: shown + bytes[copied...], as: UTF8.self)
  }
}

// MARK: - Keys

extension Link {
  /// The target of a key.
  package enum Target: Hashable, Sendable {
    /// The entries of these days.
    case days(ClosedRange<Day>)
    /// An entry, by the key of its title.
    case title(String)
  }

  /// The key of what somebody types as a target: a day or a month as they are, else the title without
  /// case and accents, without the mark of a heading, cut as titles are.
  ///
  /// The key of a key is the same.
  package static func key(of target: String) -> String {
    let folded = Folding.fold(Entry.title(of: target))
    // Folding may make a text longer than a title may be, and leave blanks at its ends.
    let cut = Entry.title(of: folded)
    return cut.isSame(as: folded) ? withoutHeadingMark(cut) : key(of: cut)
  }

  /// The target of a key.
  package static func target(ofKey key: String) -> Target {
    if let day = Day(key) { return .days(day...day) }
    if let days = days(ofMonth: key) { return .days(days) }
    return .title(key)
  }

  /// The days of `2026-11`.
  private static func days(ofMonth text: String) -> ClosedRange<Day>? {
    guard text.utf8.count == 7, let first = Day(text + "-01") else { return nil }
    return Period.months(1).days(around: first)
  }

  /// The keys that name an entry with a folded title, the full one first: `lunch #anna` is also named
  /// `lunch`, where no entry has that title.
  ///
  /// - Parameter titleKey: the folded title, ``Entry/titleKey``.
  package static func keys(ofTitleKey titleKey: String) -> [String] {
    // A title that is too long when folded has no name.
    guard Entry.title(of: titleKey).isSame(as: titleKey) else { return [] }
    let full = withoutHeadingMark(titleKey)
    guard !full.isEmpty, case .title = target(ofKey: full) else { return [] }
    let short = withoutTags(full)
    guard short.utf8.count < full.utf8.count, case .title = target(ofKey: short) else {
      return [full]
    }
    return [full, short]
  }

  /// The marks of headings; a title with one of them before a key has that key.
  package static let headingMarks = (1...6).map { String(repeating: "#", count: $0) + " " }

  /// A title without `# ` to `###### ` at its start, if one title follows.
  private static func withoutHeadingMark(_ title: String) -> String {
    guard title.utf8.first == UInt8(ascii: "#"),
      let mark = headingMarks.first(where: { title.utf8.starts(with: $0.utf8) })
    else { return title }
    let rest = title.utf8.dropFirst(mark.utf8.count)
    guard let first = rest.first, first != UInt8(ascii: " "),
      !headingMarks.contains(where: { rest.starts(with: $0.utf8) }),
      let text = String(rest), Entry.title(of: text).isSame(as: text)
    else { return title }
    return text
  }

  /// A folded title without the tags at its end.
  private static func withoutTags(_ title: String) -> String {
    let text = String(title[..<startOfTags(title)])
    // The rest must be a key.
    return key(of: text).isSame(as: text) ? text : title
  }

  /// The end of a title before the tags at its end, each after one space.
  private static func startOfTags(_ title: String) -> String.Index {
    var rest = Substring(title)
    while let space = rest.utf8.lastIndex(of: UInt8(ascii: " ")), space > rest.startIndex {
      let word = rest[rest.utf8.index(after: space)...]
      guard let sign = word.utf8.first, "#@".utf8.contains(sign),
        rest[..<space].utf8.last != UInt8(ascii: " "), Tag.name(typed: String(word)) != nil
      else { break }
      rest = rest[..<space]
    }
    return rest.endIndex
  }
}

// MARK: - Finding

/// Reads a link in the bytes of a text.
struct LinkScanner {
  let bytes: UnsafeBufferPointer<UInt8>

  /// The link whose brackets begin at an index, with the target that is not empty.
  ///
  /// It has no bracket and no line end inside, so that any text is read in linear time.
  func link(at start: Int) -> Link? {
    guard start + 4 < bytes.count, bytes[start + 1] == Self.open, !isText(start) else { return nil }
    let first = start + 2
    var bar: Int?
    var index = first
    scan: while index < bytes.count {
      switch bytes[index] {
      case Self.close: break scan
      case Self.open, 0x0A, 0x0D: return nil
      case UInt8(ascii: "|"): bar = bar ?? index
      default: break
      }
      index += 1
    }
    guard index + 1 < bytes.count, bytes[index + 1] == Self.close else { return nil }
    var end = bar ?? index
    // In a table the bar is escaped.
    if bar != nil, end > first, bytes[end - 1] == UInt8(ascii: "\\") { end -= 1 }
    let hash = heading(in: first..<end)
    let target = trimmed(first..<(hash ?? end))
    guard !target.isEmpty else { return nil }
    let words = bar.map { trimmed(($0 + 1)..<index) }
    let named = target.lowerBound..<trimmed(first..<end).upperBound
    return Link(
      target: Utf8.text(bytes, target),
      heading: hash.map { Utf8.text(bytes, trimmed(($0 + 1)..<end)) },
      words: words.map { Utf8.text(bytes, $0) }, range: start..<(index + 2),
      targetRange: target, shownRange: words.flatMap { $0.isEmpty ? nil : $0 } ?? named)
  }

  private static let open = UInt8(ascii: "[")
  private static let close = UInt8(ascii: "]")

  /// Whether an embedded file or an escaped bracket begins here.
  private func isText(_ start: Int) -> Bool {
    guard start > 0 else { return false }
    if bytes[start - 1] == UInt8(ascii: "!") { return true }
    var escapes = 0
    while escapes < start, bytes[start - 1 - escapes] == UInt8(ascii: "\\") { escapes += 1 }
    return !escapes.isMultiple(of: 2)
  }

  /// The first `#` between two words: `C# notes` and `lunch #anna` are titles.
  private func heading(in range: Range<Int>) -> Int? {
    range.first { index in
      bytes[index] == UInt8(ascii: "#") && index > range.lowerBound && !isBlank(index - 1)
        && index + 1 < range.upperBound && !isBlank(index + 1)
    }
  }

  private func isBlank(_ index: Int) -> Bool { bytes[index] == 0x20 || bytes[index] == 0x09 }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, isBlank(start) { start += 1 }
    while end > start, isBlank(end - 1) { end -= 1 }
    return start..<end
  }
}
