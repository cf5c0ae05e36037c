import Journal

extension NotePieces {
  /// How the days of a file begin: with headings at a level, with lines of their own, or with both.
  struct Form {
    /// The level of the headings; `nil` without any.
    var level: Int?
    /// Whether words may follow the date in a heading at the level.
    var hasTitles = false
    /// Whether lines of their own begin days.
    var hasLines = false
    /// The shapes of these lines, which need no blank line above.
    var shapes: Set<[UInt8]> = []
    /// The order of day and month in the file.
    var order: DateOrder?
    /// The first line of each shape, at most three, as the file has it.
    var examples: [String] = []

    /// The day that a line begins.
    ///
    /// A heading of a date alone also begins a day above the level of the others: it ends the day
    /// above it. Beside lines it does so at any level.
    func heading(
      _ line: TextLines.Line, _ content: ArraySlice<UInt8>, isAfterBlank: Bool
    ) -> DayHeading? {
      guard let heading = Heading(content) else {
        guard hasLines, var found = DayHeading(alone: content, line, order) else { return nil }
        found.isTight = !isAfterBlank
        return begins(found) ? found : nil
      }
      guard level != nil || hasLines, var found = DayHeading(heading.text, line, order) else {
        return nil
      }
      found.level = heading.level
      return begins(found) ? found : nil
    }

    /// Whether a heading, or a line of its own, begins a day.
    func begins(_ heading: DayHeading) -> Bool {
      guard let own = heading.level else {
        return hasLines && (heading.isUsual && !heading.isTight || shapes.contains(heading.shape))
      }
      if own == level, hasTitles { return true }
      return heading.title.isEmpty && (hasLines || level.map { own <= $0 } ?? false)
    }
  }

  /// The headings of days outside code, and the lines of their own that are dates, with the form in
  /// which days begin.
  ///
  /// The level of the headings is that of the first one. A heading of a date and further words counts
  /// if all headings at its level begin with dates. A number is a day below a month. Lines of their
  /// own count if the text begins with one, or if more of them than headings are below a text, with
  /// two different days of one shape. They have blank lines above them, but one of the same shape needs none.
  ///
  /// - Parameter month: the month in the name of the file.
  static func found(
    _ lines: TextLines, in month: CalendarMonth? = nil
  ) -> (form: Form, days: [DayHeading]) {
    let order = order(of: lines)
    var (headings, singles): ([DayHeading], [DayHeading]) = ([], [])
    var others: Set<Int> = []
    var (isFirst, beginsWithDay, isAfterBlank) = (true, false, true)
    var fences = CodeFences()
    var calendar = CalendarContext(month)
    var reader = lines
    while let line = reader.next() {
      let content = lines.bytes[line.range]
      let isBlank = lines.isBlank(line)
      defer { isAfterBlank = isBlank }
      guard !fences.holds(content), !isBlank else {
        isFirst = isFirst && isBlank
        continue
      }
      if let heading = Heading(content) {
        if var found = DayHeading(heading.text, line, order) {
          found.level = heading.level
          headings.append(found)
        } else if let found = calendar.day(of: heading, line) {
          headings.append(found)
        } else if DayLook(heading.text, order) == nil {
          others.insert(heading.level)
        }
      } else if var found = DayHeading(alone: content, line, order) {
        found.isTight = !isAfterBlank
        singles.append(found)
        beginsWithDay = beginsWithDay || isFirst
      }
      isFirst = false
    }
    var form = Form(order: order)
    form.level = level(of: headings, others)
    form.hasTitles = form.level.map { !others.contains($0) } ?? false
    let usual = singles.filter { $0.isUsual && !$0.isTight }
    let areFirst = (usual.first?.line.number ?? .max) < (headings.first?.line.number ?? .max)
    form.hasLines = beginsWithDay || areFirst && usual.count > headings.count && hasDays(usual)
    form.shapes = Set(usual.map(\.shape) + (beginsWithDay ? singles.prefix(1).map(\.shape) : []))
    let begun = (headings + singles).filter(form.begins).sorted { $0.line.number < $1.line.number }
    let inline = beginsWithDay || form.hasLines ? [] : Self.lines(lines)
    if begun.isEmpty || inline.count > begun.count {
      form = Form(order: order)
      form.examples = inline.prefix(1).map { String(decoding: $0.date, as: UTF8.self) }
      return (form, inline)
    }
    form.examples = examples(of: begun, lines)
    let days = begun.map { day in
      var day = day
      day.isSure =
        day.level.map { $0 == form.level } ?? (beginsWithDay && day.isUsual && !day.isTight)
      return day
    }
    return (form, days)
  }

  /// The level of the headings of days: that of the first one, if it is a date alone or not the only one
  /// with words, else that of the first date alone.
  private static func level(of headings: [DayHeading], _ others: Set<Int>) -> Int? {
    guard let first = headings.first, let level = first.level else { return nil }
    let alone = headings.first { $0.title.isEmpty }
    let isUsual = !others.contains(level) && headings.count { $0.level == level } > 1
    return isUsual ? level : (alone ?? first).level
  }

  /// Whether two lines of one shape are different days.
  private static func hasDays(_ lines: [DayHeading]) -> Bool {
    var days: [[UInt8]: Day] = [:]
    return lines.contains { line in
      guard let day = line.day else { return false }
      defer { days[line.shape] = days[line.shape] ?? day }
      return (days[line.shape] ?? day) != day
    }
  }

  /// The first day of each shape, at most three.
  private static func examples(of days: [DayHeading], _ lines: TextLines) -> [String] {
    var seen: Set<[UInt8]> = []
    var found: [String] = []
    for day in days where found.count < 3 {
      let marks = String(repeating: "#", count: day.level ?? 0)
      let line = day.level == nil ? ASCII.trimmed(lines.bytes[day.line.range]) : day.date
      let date = String(decoding: line, as: UTF8.self)
      let text = marks.isEmpty ? date : "\(marks) \(date)"
      if seen.insert(DayLook.shape(of: Array(text.utf8)[...])).inserted { found.append(text) }
    }
    return found
  }

  /// The days of a part of a file in a form.
  static func days(_ lines: TextLines, _ form: Form) -> [DayHeading] {
    var found: [DayHeading] = []
    var fences = CodeFences()
    var isAfterBlank = true
    var reader = lines
    while let line = reader.next() {
      let content = lines.bytes[line.range]
      let isBlank = lines.isBlank(line)
      defer { isAfterBlank = isBlank }
      guard !fences.holds(content), !isBlank else { continue }
      if let day = form.heading(line, content, isAfterBlank: isAfterBlank) { found.append(day) }
    }
    return found
  }
}

extension NotePieces.DayHeading {
  /// Reads a line of its own that is a date; `nil` for any other line.
  init?(alone content: ArraySlice<UInt8>, _ line: TextLines.Line, _ order: DateOrder?) {
    guard let look = DayLook(content, order), look.isReadable else { return nil }
    let found = NotePieces.DayHeading(content, line, order)
    if let found, found.title.isEmpty {
      self = found
      isUsual = true
    } else {
      self.init(line: line, date: ASCII.trimmed(content), reading: look.reading, title: [])
    }
    shape = look.shape
  }
}
