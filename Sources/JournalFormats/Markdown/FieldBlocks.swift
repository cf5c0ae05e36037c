import Journal

/// A file of blocks that begin with fields: `Date:`, `Time:`, `Title:` and others, then the text.
struct FieldBlocks {
  private let lines: TextLines
  private let options: ImportOptions

  init(_ lines: TextLines, _ options: ImportOptions) {
    (self.lines, self.options) = (lines, options)
  }

  /// The names of the field of the date.
  static let dates: Set = ["date", "datum", "fecha", "data"]
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
    let name = Self.field(lines.bytes[first.range])?.name
    reader = lines
    while let line = reader.next() {
      let content = lines.bytes[line.range]
      let isCode = fences.holds(content)
      // The field of the first block begins another one without a break, too, whatever its date is.
      let isNamed = Self.field(content).map { $0.name == name } ?? false
      if !isCode, isAfterBreak && Self.begins(content) || isNamed && DayLook(content) != nil {
        blocks.append([])
        order =
          order ?? Self.field(content).flatMap { DateText.order(of: Array($0.value.utf8)[...]) }
      }
      isAfterBreak = !isCode && (lines.isBlank(line) || Self.isRule(content))
      if !blocks.isEmpty { blocks[blocks.count - 1].append(line) }
    }
    return blocks.flatMap { items(of: $0, order) }
  }

  private static func isRule(_ line: ArraySlice<UInt8>) -> Bool {
    let text = ASCII.trimmed(line)
    guard let sign = text.first, "-=*_".utf8.contains(sign) else { return false }
    return text.count >= 3 && text.allSatisfy { $0 == sign }
  }

  private func items(of block: [TextLines.Line], _ order: DateOrder?) -> [ImportItem] {
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
      let reading = DateText.read(date, order: order)
      guard case .date(var found, let hasTime, let offset) = reading else {
        throw FormatError.unread(date, reading)
      }
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
      guard !text.isEmpty else { throw FormatError(entry: "has no text") }
      var entry = ImportedEntry(
        created: found.moment(offset: offset, options.clock), day: found.day, text: text, tags: tags
      )
      if offset == nil { entry.wallTime = found.moment(offset: 0) }
      entry.fields = fields
      entry.tagStyle = .markdown
      let doubts = DayDoubts(day: found.day, order: order, hasLines: false)
      return doubts.items(in: Array(rest), lines) + [.entry(entry, place)]
    } catch {
      return [.problem(error, place)]
    }
  }

  /// The name of a field that other programs have, too.
  private static func name(_ name: String) -> String {
    ["location", "ort", "lugar", "lieu"].contains(name) ? "place" : name
  }
}
