import Journal

/// Finds the lines in the text of a day that look like days, and at which no entry begins, and headings above
/// the level of the day.
struct DayDoubts {
  /// The day of the text, if it is known.
  var day: Day?
  /// Whether the text is left out, since its day is not known.
  var isLeftOut = false
  /// The level of the heading of the day; `nil` for a line of its own.
  var dayLevel: Int?
  /// The order of day and month in the file.
  var order: DateOrder?
  /// The level down to which a heading of a date and further words looks like a day; `nil` for none.
  var level: Int?
  /// Whether a line of a date and further words looks like one at the start of a paragraph.
  var hasLines = true
  /// The shape of the dates that begin lines with further words; `nil` for none.
  var dateShape: [UInt8]?

  /// The report on a line; `nil` for one that does not look like a day, or only repeats the day of the
  /// text.
  func reason(_ content: ArraySlice<UInt8>, isAfterBlank: Bool) -> String? {
    if let found = dayReason(content, isAfterBlank: isAfterBlank) { return found }
    guard let dayLevel, let heading = Heading(content), heading.level < dayLevel,
      DayLook(heading.text, order) == nil
    else { return nil }
    return "is a heading above the days; \(place)"
  }

  /// What became of the text.
  private var place: String {
    isLeftOut
      ? "its text is left out" : "its text went to \(day.map { "\($0)" } ?? "the day above")"
  }

  private func dayReason(_ content: ArraySlice<UInt8>, isAfterBlank: Bool) -> String? {
    guard content.count <= DayLook.length, content.contains(where: ASCII.isDigit),
      let (said, reading) = look(content, isAfterBlank)
    else { return nil }
    if case .date(let time, hasTime: false, _) = reading, time.day == day { return nil }
    return "looks like a day, but \(said); \(place)"
  }

  private func look(_ content: ArraySlice<UInt8>, _ isAfterBlank: Bool) -> (String, DateReading)? {
    let heading = Heading(content)
    let text = heading?.text ?? content
    if let look = DayLook(text, order) {
      switch look.reading {
      case .date, .ambiguous: return ("not like the other days of the file", look.reading)
      case .impossible: return ("there is no such date", look.reading)
      case .other: return ("its form is not read", look.reading)
      }
    }
    guard content.count <= 80 else { return nil }
    if let dateShape, content.first.map(ASCII.isSpace) == false,
      let found = NotePieces.dayLine(content, .init(range: 0..<0, number: 0), order),
      DayLook.shape(of: found.date) == dateShape
    {
      return ("no blank line is above it", found.reading)
    }
    let isLike = heading.map { $0.level <= level ?? 0 } ?? (hasLines && isAfterBlank)
    guard isLike,
      let found = NotePieces.DayHeading(text, .init(range: 0..<0, number: 0), order),
      found.day != nil, !found.title.isEmpty
    else { return nil }
    return ("words follow", found.reading)
  }

  /// The reports on the lines of a text outside code.
  func items(in content: [TextLines.Line], _ lines: TextLines) -> [ImportItem] {
    // Few texts have such a line, and the others are not searched for code.
    let few = content.indices.compactMap { index -> (index: Int, reason: String)? in
      let isAfterBlank = index == 0 || lines.isBlank(content[index - 1])
      return reason(lines.bytes[content[index].range], isAfterBlank: isAfterBlank).map {
        (index, $0)
      }
    }
    guard !few.isEmpty else { return [] }
    var rest = few[...]
    var fences = CodeFences()
    var items: [ImportItem] = []
    for index in content.indices {
      guard let next = rest.first else { break }
      let isCode = fences.holds(lines.bytes[content[index].range])
      guard next.index == index else { continue }
      rest.removeFirst()
      if !isCode { items.append(.doubt(next.reason, ImportPlace(line: content[index].number))) }
    }
    return items
  }
}

extension DayDoubts {
  /// Makes the doubts of a file whose days have a form, except the day.
  init(_ form: NotePieces.Form) {
    self.init(day: nil, order: form.order, level: form.level, hasLines: form.hasLines)
  }
}
