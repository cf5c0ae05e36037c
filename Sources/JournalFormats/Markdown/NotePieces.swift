import Journal

/// Splits a note at its days and times.
enum NotePieces {
  /// A part of a note that is an entry of its own.
  struct Piece {
    /// The line of its heading, else its first line.
    var line: Int
    /// The time of day in its heading, in seconds after midnight.
    var second: Int?
    /// The words after date and time in its heading.
    var title: ArraySlice<UInt8> = []
    /// The weekday after the date, which earlier builds took for the title.
    var weekday: ArraySlice<UInt8> = []
    /// The lines of its text.
    var content: [TextLines.Line] = []
  }

  /// A heading, or a line of its own, that is a date.
  struct DayHeading {
    /// The line.
    var line: TextLines.Line
    /// The level of a heading; `nil` for a line of its own.
    var level: Int?
    /// The date as written.
    var date: ArraySlice<UInt8>
    /// The date, or that its order of day and month is unknown.
    var reading: DateReading
    /// The words after the date.
    var title: ArraySlice<UInt8>
    /// The weekday after the date, if nothing else is there.
    var weekday: ArraySlice<UInt8> = []
    /// Whether the line is the first one of an entry, which its words begin.
    var isLine = false
    /// The shape of a line of its own, by ``DayLook``.
    var shape: [UInt8] = []
    /// Whether a line of its own has a text directly above it.
    var isTight = false
    /// Whether a line of its own is a date with emphasis and brackets at most, and a weekday after it.
    var isUsual = false
    /// Whether it also splits a note with a day of its own.
    var isSure = true

    /// The day, if it is known.
    var day: Day? { if case .date(let time, _, _) = reading { time.day } else { nil } }
  }

  /// All lines as one piece.
  static func whole(_ lines: TextLines, _ start: Int) -> Piece {
    var lines = lines
    var piece = Piece(line: start)
    while let line = lines.next() { piece.content.append(line) }
    return piece
  }
}

// MARK: Days

extension NotePieces {
  /// Whether a line is a date of its own.
  static func beginsWithDay(_ line: ArraySlice<UInt8>) -> Bool {
    switch DateText.read(DayHeading.bare(line)) {
    case .date, .ambiguous: return true
    case .impossible, .other:
      let heading = DayHeading(line, TextLines.Line(range: 0..<0, number: 1), nil)
      return heading.map { !$0.weekday.isEmpty } ?? false
    }
  }

  static func order(of lines: TextLines) -> DateOrder? {
    var reader = lines
    while let line = reader.next() {
      let content = lines.bytes[line.range]
      let text = DayHeading.bare(
        Heading(content)?.text ?? content.drop { "@*-+ ".utf8.contains($0) })
      guard DateText.mayBegin(text) else { continue }
      let first = text.prefix(80).split(separator: 0x20, maxSplits: 1).first ?? []
      if let order = DateText.order(of: DayHeading.bare(text))
        ?? DateText.order(of: DayHeading.bare(first))
      {
        return order
      }
    }
    return nil
  }

  /// Whether headings split a note: several days, or one of a note without a date.
  ///
  /// A single other day in a note of a day is a heading of its text.
  static func areDays(_ headings: [DayHeading], of day: Day?) -> Bool {
    guard day != nil else { return !headings.isEmpty }
    // A list of dates in a note of a day is its text.
    if headings.contains(where: \.isLine) { return false }
    let sure = headings.filter(\.isSure)
    let headed = sure.filter { $0.level != nil }
    return Set((headed.isEmpty ? sure : headed).compactMap(\.day)).count > 1
  }

  /// A day with its text.
  struct DayPart {
    var heading: DayHeading
    var piece: Piece
  }

  /// The text before the first day.
  struct Preamble {
    var piece: Piece
    var hasOnlyHeadings: Bool
  }

  /// Splits a note at headings of days.
  ///
  /// - Parameter isCut: whether another day follows the lines.
  static func split(
    _ headings: [DayHeading], _ lines: TextLines, _ start: Int, isCut: Bool = false
  ) -> (preamble: Preamble?, days: [DayPart]) {
    var first = Piece(line: start)
    var parts: [DayPart] = []
    var reader = lines
    var rest = headings[...]
    while let line = reader.next() {
      if let heading = rest.first, heading.line.number == line.number {
        rest.removeFirst()
        dropCalendarHeadings(&parts, lines)
        parts.append(
          DayPart(
            heading: heading,
            piece: Piece(line: line.number, title: heading.title, weekday: heading.weekday)))
        if heading.level == nil, let next = reader.peek(), isUnderline(lines.bytes[next.range]) {
          _ = reader.next()
        }
      } else if parts.isEmpty {
        first.content.append(line)
      } else {
        parts[parts.count - 1].piece.content.append(line)
      }
    }
    if isCut, !parts.isEmpty { dropCalendarHeadings(&parts, lines) }
    parts = joiningLists(parts, lines)
    let said = first.content.filter { !lines.isBlank($0) }
    guard !said.isEmpty else { return (nil, parts) }
    first.line = said[0].number
    let isHeaded = said.allSatisfy { Heading(lines.bytes[$0.range]) != nil }
    return (Preamble(piece: first, hasOnlyHeadings: isHeaded), parts)
  }

  /// The days without those that have neither a text nor a blank line above: they are a list of dates in
  /// the text of the day above, if it has one.
  private static func joiningLists(_ parts: [DayPart], _ lines: TextLines) -> [DayPart] {
    let isEmpty = { (part: DayPart) in
      part.piece.title.isEmpty && part.piece.content.allSatisfy(lines.isBlank)
    }
    guard parts.contains(where: { $0.heading.isTight && isEmpty($0) }) else { return parts }
    var joined: [DayPart] = []
    for part in parts {
      if part.heading.isTight, isEmpty(part), let last = joined.indices.last, !isEmpty(joined[last])
      {
        joined[last].piece.content += [part.heading.line] + part.piece.content
      } else {
        joined.append(part)
      }
    }
    return joined
  }

  /// Drops the headings of a year or month before the next day from the end of a day's text.
  private static func dropCalendarHeadings(_ parts: inout [DayPart], _ lines: TextLines) {
    guard let level = parts.last?.heading.level else { return }
    var content = parts[parts.count - 1].piece.content
    while let last = content.last {
      if !lines.isBlank(last) {
        guard let heading = Heading(lines.bytes[last.range]), heading.level < level,
          isCalendar(heading.text)
        else { break }
      }
      content.removeLast()
    }
    parts[parts.count - 1].piece.content = content
  }

  /// `2024`, `January 2024`, `2024-01`, `Week 3`, `2024-W03`.
  static func isCalendar(_ text: ArraySlice<UInt8>) -> Bool {
    let words = text.split { " -/.,".utf8.contains($0) }
    return !words.isEmpty
      && words.allSatisfy { word in
        let digits = word.first.map { $0 | 0x20 } == UInt8(ascii: "w") ? word.dropFirst() : word
        if digits.count <= 4, !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) { return true }
        let name = String(decoding: word, as: UTF8.self).lowercased()
        return name == "week" || DateFields.month(named: name) != nil
      }
  }

  static func isUnderline(_ line: ArraySlice<UInt8>) -> Bool {
    let text = ASCII.trimmed(line)
    return text.count > 2
      && (text.allSatisfy { $0 == UInt8(ascii: "=") }
        || text.allSatisfy { $0 == UInt8(ascii: "-") })
  }
}

extension NotePieces.DayHeading {
  /// Parses the text of a heading, or a line; `nil` if it does not begin with a date.
  init?(_ text: ArraySlice<UInt8>, _ line: TextLines.Line, _ order: DateOrder?) {
    let text = NotePieces.DayHeading.bare(text)
    guard DateText.mayBegin(text) else { return nil }
    let words = text.prefix(80).split(separator: 0x20, maxSplits: 9)
    for count in stride(from: min(words.count, 8), to: 0, by: -1) {
      let date = NotePieces.DayHeading.bare(text[text.startIndex..<words[count - 1].endIndex])
      let reading = DateText.read(date, order: order)
      switch reading {
      case .date, .ambiguous: break
      case .impossible, .other: continue
      }
      (self.line, self.date, self.reading) = (line, date, reading)
      title = text[date.endIndex...].drop { "*_]:;,|- \t".utf8.contains($0) }
      for dash in ["–", "—"] where title.starts(with: dash.utf8) {
        title = ASCII.trimmed(title.dropFirst(dash.utf8.count))
      }
      takeWeekday()
      return
    }
    return nil
  }

  /// Takes `Friday` or `(Fri)` off the title, which the date says already.
  private mutating func takeWeekday() {
    let word = ASCII.trimmed(title)
    guard !word.isEmpty, word.count < 30 else { return }
    let name =
      word.first == UInt8(ascii: "(") && word.last == UInt8(ascii: ")")
      ? word.dropFirst().dropLast() : word.last == UInt8(ascii: ".") ? word.dropLast() : word
    guard DateText.isWeekday(String(decoding: name, as: UTF8.self)) else { return }
    (weekday, title) = (title, [])
  }

  /// A text without the signs of emphasis and links around it, and a colon after it.
  static func bare(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = ASCII.trimmed(text)
    while let last = text.last, "*_]:,#".utf8.contains(last) || ASCII.isSpace(last) {
      text.removeLast()
    }
    return text.drop { "*_[".utf8.contains($0) }
  }
}

// MARK: Times

extension NotePieces {
  /// Splits a day at its headings of times, those at the level of the first.
  static func times(_ whole: Piece, _ lines: TextLines, _ day: Day) -> [Piece] {
    var fences = CodeFences()
    var level: Int?
    var pieces = [whole]
    pieces[0].content = []
    for line in whole.content {
      let content = lines.bytes[line.range]
      let isCode = fences.holds(content)
      guard !isCode, let heading = Heading(content), let time = heading.time,
        level == nil || level == heading.level
      else {
        pieces[pieces.count - 1].content.append(line)
        continue
      }
      level = heading.level
      let title = ASCII.trimmed(time.rest.drop { "-:|, ".utf8.contains($0) })
      pieces.append(Piece(line: line.number, second: time.second, title: title))
    }
    if pieces.count > 1, saysNothing(pieces[0], lines, day) { pieces.removeFirst() }
    return pieces
  }

  /// Whether the text before the first time is blank, or a heading that repeats the day.
  private static func saysNothing(_ piece: Piece, _ lines: TextLines, _ day: Day) -> Bool {
    guard piece.title.isEmpty else { return false }
    let content = piece.content.filter { !lines.isBlank($0) }
    guard let first = content.first else { return true }
    guard content.count == 1, let heading = Heading(lines.bytes[first.range]) else { return false }
    let text = String(decoding: ASCII.trimmed(heading.text), as: UTF8.self)
    if case .date(let time, _, _) = DateText.read(text) { return time.day == day }
    return DateText.isWeekday(text)
  }
}
