import Journal

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
    return items.isEmpty ? [.problem(entry: "has no text", ImportPlace(line: 1))] : items
  }

  private func finish(
    _ open: (line: Int, stamp: ArraySlice<UInt8>)?, _ text: [TextLines.Line], _ order: DateOrder?,
    _ items: inout [ImportItem]
  ) {
    let content = text.drop(while: lines.isBlank)
    guard let first = content.first else { return }
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
    let bytes = Array(content.map { lines.bytes[$0.range] }.joined(separator: [0x0A]))
    do throws(FormatError) {
      let text = try UTF8Text.decode(
        bytes.trimmingBlankLines, isLossy: options.isLossy, at: place)
      var entry = ImportedEntry(
        created: time.moment(options.clock), wallTime: time.moment(offset: 0), day: time.day,
        text: text)
      entry.tagStyle = .markdown
      let doubts = DayDoubts(day: time.day, order: order, hasLines: false)
      items += doubts.items(in: Array(content), lines)
      items.append(.entry(entry, place))
    } catch {
      items.append(.problem(error, place))
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
