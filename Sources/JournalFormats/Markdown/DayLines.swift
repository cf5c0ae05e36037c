import Journal

/// Files with a line for each day, which begins with its date.
///
/// ```
/// 2016-12-12 first snow
/// * 2016-12-13: at home
/// @2016-12-14 18:45 a walk
/// ```
extension NotePieces {
  /// The lines of days; none if the file is of another kind.
  ///
  /// Either every line at the margin begins with a date, or every paragraph does, so that no sentence
  /// that happens to begin with a date splits a text. Inside a paragraph a line begins a day if its
  /// date is of the shape of the others, with the same sign after it. A line with `@` before the date
  /// always does, if the text begins with one.
  static func lines(_ lines: TextLines) -> [DayHeading] {
    let order = order(of: lines)
    var found: [(heading: DayHeading, isAfterBlank: Bool, isMarked: Bool)] = []
    var (isEvery, isEveryParagraph, isAfterBlank, isFirst) = (true, true, true, true)
    var beginsMarked = false
    var fences = CodeFences()
    var reader = lines
    while let line = reader.next() {
      let content = lines.bytes[line.range]
      let isBlank = lines.isBlank(line)
      defer { isAfterBlank = isBlank }
      guard !fences.holds(content), !isBlank, content.first.map(ASCII.isSpace) == false else {
        continue
      }
      if Heading(content) != nil { continue }
      let isMarked = content.first == UInt8(ascii: "@")
      if let heading = dayLine(content, line, order) {
        found.append((heading, isAfterBlank, isMarked))
        if isFirst { beginsMarked = isMarked }
      } else {
        isEvery = false
        if isFirst { return [] }
        // A date alone is reported.
        if isAfterBlank, DayLook(content, order) == nil { isEveryParagraph = false }
      }
      isFirst = false
    }
    if beginsMarked { return found.filter(\.isMarked).map(\.heading) }
    if isEvery { return found.map(\.heading) }
    guard isEveryParagraph else { return [] }
    let openings = Set(found.filter(\.isAfterBlank).compactMap { opening($0.heading, lines) })
    return found.compactMap { found in
      var heading = found.heading
      heading.isTight = !found.isAfterBlank
      return found.isAfterBlank || opening(heading, lines).map(openings.contains) ?? false
        ? heading : nil
    }
  }

  /// The shape of the start of a line up to the sign after its date; `nil` if no sign follows.
  private static func opening(_ heading: DayHeading, _ lines: TextLines) -> [UInt8]? {
    let end = heading.date.endIndex
    let sign = lines.bytes[end..<heading.line.range.upperBound].drop(while: ASCII.isSpace).first
    guard let sign, ":;|-".utf8.contains(sign) else { return nil }
    return DayLook.shape(of: lines.bytes[heading.line.range.lowerBound..<end]) + [sign]
  }

  /// A line that begins with a date, after a bullet or `@`, and has a text after it.
  static func dayLine(
    _ content: ArraySlice<UInt8>, _ line: TextLines.Line, _ order: DateOrder?
  ) -> DayHeading? {
    var text = content
    if text.first == UInt8(ascii: "@") {
      text = text.dropFirst()
    } else if let sign = text.first, "*-+".utf8.contains(sign), text.dropFirst().first == 0x20 {
      text = text.dropFirst(2)
    }
    guard let first = text.first, ASCII.isDigit(first) || ASCII.isLetter(first) || first >= 0x80,
      var found = DayHeading(text, line, order), !found.title.isEmpty
    else { return nil }
    found.isLine = true
    if let day = found.day { found.title = withoutWeekday(found.title, day) }
    return found
  }

  /// A text without the letter of a weekday and a bar before it, `m | first snow`.
  private static func withoutWeekday(
    _ title: ArraySlice<UInt8>, _ day: Day
  ) -> ArraySlice<UInt8> {
    guard let bar = title.prefix(14).firstIndex(of: UInt8(ascii: "|")) else { return title }
    let word = String(decoding: ASCII.trimmed(title[..<bar]), as: UTF8.self).lowercased()
    let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    // 1 January 1970 was a Thursday.
    let weekday = names[((day.daysSinceEpoch % 7) + 10) % 7]
    guard !word.isEmpty, weekday.hasPrefix(word) else { return title }
    return ASCII.trimmed(title[(bar + 1)...])
  }

  /// Whether a file without a known name begins like one file for all days.
  static func begins(_ line: ArraySlice<UInt8>) -> Bool {
    beginsWithDay(line) || NotepadLog.begins(line) || FieldBlocks.begins(line)
      || dayLine(line, TextLines.Line(range: 0..<0, number: 1), nil) != nil
  }
}

extension [ImportItem] {
  /// Notes that the entries are days of one file, and which are alone at their time in it.
  mutating func noteAlone() {
    var counts: [Moment: Int] = [:]
    for case .entry(let entry, _) in self {
      counts[entry.wallTime ?? entry.created, default: 0] += 1
    }
    for index in indices {
      guard case .entry(var entry, let place) = self[index] else { continue }
      entry.isOfDays = true
      entry.isAloneAtItsTime = counts[entry.wallTime ?? entry.created] == 1
      self[index] = .entry(entry, place)
    }
  }
}
