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
  /// that happens to begin with a date splits a text. A line with `@` before the date always does, if
  /// the text begins with one.
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
        if isAfterBlank || isFirst { isEveryParagraph = false }
        if isFirst { return [] }
      }
      isFirst = false
    }
    if beginsMarked { return found.filter(\.isMarked).map(\.heading) }
    if isEvery { return found.map(\.heading) }
    return isEveryParagraph ? found.filter(\.isAfterBlank).map(\.heading) : []
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

/// The log of Windows Notepad: `.LOG`, then a time and a date before each text.
struct NotepadLog {
  private let lines: TextLines
  private let options: ImportOptions

  init(_ lines: TextLines, _ options: ImportOptions) {
    (self.lines, self.options) = (lines, options)
  }

  /// Whether a file begins with `.LOG`.
  static func begins(_ line: ArraySlice<UInt8>) -> Bool {
    ASCII.trimmed(line).elementsEqual(".LOG".utf8)
  }

  /// The entries.
  func items() -> [ImportItem] {
    var order: DateOrder?
    var reader = lines
    _ = reader.next()
    while order == nil, let line = reader.next() {
      if let stamp = Self.date(lines.bytes[line.range]) { order = DateText.order(of: stamp) }
    }
    var items: [ImportItem] = []
    var open: (line: Int, stamp: ArraySlice<UInt8>)?
    var text: [TextLines.Line] = []
    reader = lines
    _ = reader.next()
    while let line = reader.next() {
      let content = lines.bytes[line.range]
      guard Self.date(content) != nil else {
        text.append(line)
        continue
      }
      finish(open, text, order, &items)
      (open, text) = ((line.number, content), [])
    }
    finish(open, text, order, &items)
    return items.isEmpty ? [.problem("has no text", ImportPlace(line: 1))] : items
  }

  private func finish(
    _ open: (line: Int, stamp: ArraySlice<UInt8>)?, _ text: [TextLines.Line], _ order: DateOrder?,
    _ items: inout [ImportItem]
  ) {
    let text = text.drop(while: lines.isBlank)
    guard let first = text.first else { return }
    let place = ImportPlace(line: open?.line ?? first.number)
    guard let open, let clock = Self.clock(open.stamp), let date = Self.date(open.stamp) else {
      return items.append(.problem("text above the first time has no date", place))
    }
    guard case .date(let day, _, _) = DateText.read(date, order: order) else {
      let date = String(decoding: date, as: UTF8.self)
      return items.append(
        .problem("the date \(date.excerpt) is ambiguous; write it as 2024-01-05", place))
    }
    let time = WallTime(day: day.day, second: clock)
    let bytes = Array(text.map { lines.bytes[$0.range] }.joined(separator: [0x0A]))
    do throws(FormatError) {
      let text = try UTF8Text.decode(
        bytes.trimmingBlankLines, isLossy: options.isLossy, at: place)
      var entry = ImportedEntry(
        created: time.moment(options.clock), wallTime: time.moment(offset: 0), day: time.day,
        text: text)
      entry.tagStyle = .markdown
      items.append(.entry(entry, place))
    } catch {
      items.append(.problem(error.reason, place))
    }
  }

  /// The time at the start of a line.
  private static func clock(_ line: ArraySlice<UInt8>) -> Int? { split(line)?.second }

  /// The date after a time, as written.
  private static func date(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? { split(line)?.date }

  /// `09:15 23/12/2024`, `9:15 AM 12/23/2024`.
  private static func split(
    _ line: ArraySlice<UInt8>
  ) -> (second: Int, date: ArraySlice<UInt8>)? {
    let text = ASCII.trimmed(line)
    guard text.count <= 40, text.first.map(ASCII.isDigit) == true else { return nil }
    let words = text.split(separator: 0x20)
    for count in [2, 1] where words.count > count {
      guard let second = DateText.time(text[..<words[count - 1].endIndex]) else { continue }
      let date = ASCII.trimmed(text[words[count - 1].endIndex...])
      switch DateText.read(date) {
      case .date(_, false, _), .ambiguous: return (second, date)
      case .date, .impossible, .other: continue
      }
    }
    return nil
  }
}

/// A file of blocks that begin with fields: `Date:`, `Time:`, `Title:` and others, then the text.
struct FieldBlocks {
  private let lines: TextLines
  private let options: ImportOptions

  init(_ lines: TextLines, _ options: ImportOptions) {
    (self.lines, self.options) = (lines, options)
  }

  private static let dates: Set = ["date", "datum", "fecha", "data"]
  private static let times: Set = ["time", "zeit", "uhrzeit", "hora", "heure"]
  private static let titles: Set = ["title", "subject", "titel", "titre", "betreff"]
  private static let tags: Set = ["tags", "tag", "keywords", "categories"]

  /// Whether a line is a date in a field.
  static func begins(_ line: ArraySlice<UInt8>) -> Bool {
    guard let field = field(line), dates.contains(field.name) else { return false }
    switch DateText.read(field.value) {
    case .date, .ambiguous: return true
    case .impossible, .other: return false
    }
  }

  private static func field(_ line: ArraySlice<UInt8>) -> (name: String, value: String)? {
    guard let first = line.first, ASCII.isLetter(first),
      let colon = line.prefix(30).firstIndex(of: UInt8(ascii: ":")),
      line[(colon + 1)...].first.map(ASCII.isSpace) ?? true
    else { return nil }
    let name = line[..<colon]
    guard name.allSatisfy({ ASCII.isLetter($0) || $0 == 0x20 || $0 == UInt8(ascii: "-") }) else {
      return nil
    }
    return (
      String(decoding: ASCII.trimmed(name), as: UTF8.self).lowercased(),
      String(decoding: ASCII.trimmed(line[(colon + 1)...]), as: UTF8.self)
    )
  }

  /// The entries; `nil` if the file does not begin with such a block.
  func items() -> [ImportItem]? {
    var reader = lines
    var first: TextLines.Line?
    while first == nil, let line = reader.next() { if !lines.isBlank(line) { first = line } }
    guard let first, Self.begins(lines.bytes[first.range]) else { return nil }
    var order: DateOrder?
    var blocks: [[TextLines.Line]] = []
    var isAfterBreak = true
    var fences = CodeFences()
    reader = lines
    while let line = reader.next() {
      let content = lines.bytes[line.range]
      let isCode = fences.holds(content)
      if !isCode, isAfterBreak, Self.begins(content) {
        blocks.append([])
        order =
          order ?? Self.field(content).flatMap { DateText.order(of: Array($0.value.utf8)[...]) }
      }
      isAfterBreak = !isCode && (lines.isBlank(line) || Self.isRule(content))
      if !blocks.isEmpty { blocks[blocks.count - 1].append(line) }
    }
    return blocks.map { item($0, order) }
  }

  private static func isRule(_ line: ArraySlice<UInt8>) -> Bool {
    let text = ASCII.trimmed(line)
    guard let sign = text.first, "-=*_".utf8.contains(sign) else { return false }
    return text.count >= 3 && text.allSatisfy { $0 == sign }
  }

  private func item(_ block: [TextLines.Line], _ order: DateOrder?) -> ImportItem {
    let place = ImportPlace(line: block.first?.number)
    var rest = block[...]
    var (date, time, title) = ("", "", "")
    var tags: [String] = []
    var fields: [ImportedField] = []
    while let line = rest.first, let field = Self.field(lines.bytes[line.range]) {
      rest.removeFirst()
      if Self.dates.contains(field.name), date.isEmpty {
        date = field.value
      } else if Self.times.contains(field.name), time.isEmpty {
        time = field.value
      } else if Self.titles.contains(field.name), title.isEmpty {
        title = field.value
      } else if Self.tags.contains(field.name) {
        tags += field.value.split(separator: field.value.contains(",") ? "," : " ").map {
          String($0).trimmingSpace.replacing("#", with: "")
        }
      } else {
        fields += [ImportedField(named: Self.name(field.name), field.value)].compactMap(\.self)
      }
    }
    while let last = rest.last, lines.isBlank(last) || Self.isRule(lines.bytes[last.range]) {
      rest.removeLast()
    }
    rest = rest.drop(while: lines.isBlank)
    do throws(FormatError) {
      guard case .date(var found, let hasTime, let offset) = DateText.read(date, order: order)
      else { throw FormatError("the date \(date.excerpt) is ambiguous; write it as 2024-01-05") }
      if !hasTime, !time.isEmpty {
        if let second = DateText.time(Array(time.utf8)[...]) {
          found.second = second
        } else {
          fields.append(ImportedField(name: "time", value: time))
        }
      }
      let body = Array(rest.map { lines.bytes[$0.range] }.joined(separator: [0x0A]))
      let bytes = Array(title.utf8) + (title.isEmpty || body.isEmpty ? [] : [0x0A, 0x0A]) + body
      let text = try UTF8Text.decode(bytes, isLossy: options.isLossy, at: place)
      guard !text.isEmpty else { throw FormatError("has no text") }
      var entry = ImportedEntry(
        created: found.moment(offset: offset, options.clock), day: found.day, text: text, tags: tags
      )
      if offset == nil { entry.wallTime = found.moment(offset: 0) }
      entry.fields = fields
      entry.tagStyle = .markdown
      return .entry(entry, place)
    } catch {
      return .problem(error.reason, place)
    }
  }

  /// The name of a field that other programs have, too.
  private static func name(_ name: String) -> String {
    ["location", "ort", "lugar", "lieu"].contains(name) ? "place" : name
  }
}
