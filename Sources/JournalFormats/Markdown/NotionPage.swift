import Journal

/// Properties of a page of Notion, which its export writes below the heading.
///
/// ```
/// # A walk
///
/// Created: January 5, 2024 9:15 AM
/// Tags: diary, two words
///
/// Walked to the sea.
/// ```
enum NotionPage {
  private static let signs: Set = [
    "created", "created time", "created at", "date", "last edited time", "last edited", "updated",
    "created by",
  ]

  /// A page with its properties as front matter; any other text as it is.
  static func asFrontMatter(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.first == UInt8(ascii: "#") else { return bytes }
    var lines = TextLines(bytes)
    guard let heading = lines.next(), Heading(bytes[heading.range])?.level == 1,
      let blank = lines.next(), lines.isBlank(blank)
    else { return bytes }
    var fields: [(name: String, value: String)] = []
    while let line = lines.peek(), !lines.isBlank(line) {
      guard let field = field(bytes[line.range]), fields.count < 60 else { return bytes }
      fields.append(field)
      _ = lines.next()
    }
    fields = fields.flatMap(Self.withoutRange)
    let isKnown = fields.contains { field in
      guard signs.contains(field.name.lowercased()) else { return false }
      if case .date = DateText.read(field.value) { return true }
      return false
    }
    guard isKnown else { return bytes }
    let body = lines.peek().map { bytes[$0.range.lowerBound...] } ?? []
    let title = Heading(bytes[heading.range])?.text.isEmpty == true ? [] : bytes[heading.range]
    return matter(fields) + title + [0x0A] + body
  }

  /// A text in which the dates that Notion writes as `@January 8, 2024` are no tags.
  static func withoutMentions(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
    let parts = Array(text.utf8).split(
      separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    let marked = parts.dropFirst().map { part -> [UInt8] in
      let word = part.prefix(while: ASCII.isLetter)
      let isDate =
        part[word.endIndex...].first == 0x20
        && part[word.endIndex...].dropFirst().first.map(ASCII.isDigit) == true
        && DateFields.month(named: String(decoding: word, as: UTF8.self).lowercased()) != nil
      return (isDate ? [] : [UInt8(ascii: "@")]) + part
    }
    return String(decoding: parts[0] + marked.joined(), as: UTF8.self)
  }

  /// The beginning of a range of dates, `January 8, 2024 → January 9, 2024`, and its end beside it.
  private static func withoutRange(
    _ field: (name: String, value: String)
  ) -> [(name: String, value: String)] {
    let ends = field.value.split(separator: " → ").map(String.init)
    guard ends.count == 2, case .date = DateText.read(ends[0]) else { return [field] }
    return [(field.name, ends[0]), ("\(field.name) until", ends[1])]
  }

  /// The front matter, in which a day gets its time from the creation on that day.
  private static func matter(_ fields: [(name: String, value: String)]) -> [UInt8] {
    var fields = fields
    let date = fields.first { $0.name.lowercased() == "date" }
    let created = fields.first { $0.name.lowercased().hasPrefix("created") }
    if let date, let created, case .date(let day, false, _) = DateText.read(date.value),
      case .date(let time, true, _) = DateText.read(created.value), day.day == time.day
    {
      fields.removeAll { $0.name == date.name }
    }
    var text = "---\n"
    for (name, value) in fields {
      var line: [UInt8] = []
      JSONText.append(value, to: &line)
      text += "\(name): \(String(decoding: line, as: UTF8.self))\n"
    }
    return Array((text + "---\n").utf8)
  }

  private static func field(_ line: ArraySlice<UInt8>) -> (name: String, value: String)? {
    guard let first = line.first, InlineScanner.isWord(first),
      let colon = line.prefix(60).firstIndex(of: UInt8(ascii: ":")),
      line[(colon + 1)...].first == 0x20
    else { return nil }
    let name = line[..<colon]
    guard name.allSatisfy({ InlineScanner.isWord($0) || " -_()/?".utf8.contains($0) }) else {
      return nil
    }
    return (
      String(decoding: name, as: UTF8.self),
      String(decoding: ASCII.trimmed(line[(colon + 1)...]), as: UTF8.self)
    )
  }
}
