import Journal

/// The form of the entry headings in a jrnl file, found in one pass over it.
struct JrnlForm {
  /// Whether dates are in brackets, as since jrnl 2: the first entry of the file decides, as no
  /// file of jrnl 1 has an entry in brackets, and each bracket in it is text.
  private(set) var isBracketed = true
  /// The order of day and month in dates with slashes.
  private(set) var order: DateOrder?
  /// The shape of the dates of jrnl 1: digits as `0`, letters as `a`.
  private(set) var shape: [UInt8] = []
  /// The day in the path of a file in a directory journal; it overrides those in the file.
  let day: Day?

  /// Whether a date was ambiguous before the order was known.
  private(set) var lacksOrder = false
  /// Whether an entry was found.
  private var isKnown = false

  init(day: Day?) { self.day = day }

  /// Reads the form from the next entries of the file.
  mutating func read(_ lines: TextLines) {
    var lines = lines
    while !isKnown || order == nil, let line = lines.next() {
      let content = lines.bytes[line.range]
      if let parts = JrnlHeading.bracketed(content), isBracketed {
        readOrder(of: parts.date)
        if !isKnown { isKnown = DateText.read(parts.date) != .other }
      } else if !isKnown, let shape = JrnlHeading.bareShape(content) {
        (isBracketed, isKnown, self.shape) = (false, true, shape)
      }
      if !isBracketed, order == nil, JrnlHeading.has(content, shape) {
        readOrder(of: content.prefix(shape.count))
      }
    }
  }

  private mutating func readOrder(of date: ArraySlice<UInt8>) {
    guard order == nil else { return }
    order = DateText.order(of: date)
    // A year in front says the order, and most dates begin with one.
    let isYear = date.count > 4 && date.prefix(4).allSatisfy(ASCII.isDigit)
    lacksOrder = order == nil && (lacksOrder || !isYear && DateText.read(date) == .ambiguous)
  }
}

/// The first line of an entry of jrnl.
enum JrnlHeading {
  /// The local time, the offset if the date has one, and the text after the date.
  case entry(WallTime, offset: Int?, rest: ArraySlice<UInt8>)
  /// A heading with an invalid date, and the reason.
  case problem(String)

  /// Reads a line; `nil` if it belongs to the text of an entry.
  init?(_ line: ArraySlice<UInt8>, _ form: JrnlForm) {
    guard let (date, rest) = JrnlHeading.parts(line, form) else { return nil }
    let text = String(decoding: date, as: UTF8.self)
    switch DateText.read(date, order: form.order) {
    case .date(let time, _, let offset):
      let time = WallTime(day: form.day ?? time.day, second: time.second)
      self = .entry(time, offset: offset, rest: rest)
    case .ambiguous:
      self = .problem("the date \(text.excerpt) is ambiguous; write it as 2024-01-05")
    case .impossible: return nil
    case .other:
      guard let day = form.day, let second = DateText.time(date) else { return nil }
      self = .entry(WallTime(day: day, second: second), offset: nil, rest: rest)
    }
  }

  /// The day, if the date is valid.
  var day: Day? { if case .entry(let time, _, _) = self { time.day } else { nil } }

  /// The date of a line that would be a heading if there were such a date: `2024-02-30 10:00`.
  static func impossibleDate(_ line: ArraySlice<UInt8>, _ form: JrnlForm) -> String? {
    guard let date = parts(line, form)?.date,
      case .impossible = DateText.read(date, order: form.order)
    else { return nil }
    return String(decoding: date, as: UTF8.self)
  }

  /// The date and the rest of a line in the form of a file.
  private static func parts(
    _ line: ArraySlice<UInt8>, _ form: JrnlForm
  ) -> (date: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
    if form.isBracketed { return bracketed(line) }
    guard has(line, form.shape) else { return nil }
    let date = line.prefix(form.shape.count)
    return (date, line[date.endIndex...])
  }

  /// Whether a line can begin a file of jrnl.
  static func begins(_ line: ArraySlice<UInt8>) -> Bool {
    bracketed(line).map { DateText.read($0.date) != .other } ?? (bareShape(line) != nil)
  }

  /// Whether a line looks like a heading whose date is unknown: brackets with a date and more, or with
  /// a number and a time or the name of a month in some language.
  static func isLike(_ line: ArraySlice<UInt8>) -> Bool {
    guard let date = bracketed(line)?.date, date.contains(where: ASCII.isDigit) else {
      return false
    }
    // `2024-01-06 noon`
    if NotePieces.DayHeading(date, .init(range: 0..<0, number: 0), nil) != nil { return true }
    let hasTime = date.indices.contains { index in
      date[index] == UInt8(ascii: ":") && index > date.startIndex && index + 1 < date.endIndex
        && ASCII.isDigit(date[index - 1]) && ASCII.isDigit(date[index + 1])
    }
    guard !hasTime else { return true }
    let words = date.split { !ASCII.isLetter($0) && $0 < 0x80 }
    return words.contains {
      DateFields.month(named: String(decoding: $0, as: UTF8.self).lowercased()) != nil
    }
  }

  /// The date and the rest of `[date] rest`.
  static func bracketed(
    _ line: ArraySlice<UInt8>
  ) -> (date: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
    guard line.first == UInt8(ascii: "["),
      let end = line.prefix(66).firstIndex(of: UInt8(ascii: "]")), end + 1 < line.endIndex,
      line[end + 1] == UInt8(ascii: " ")
    else { return nil }
    return (line[(line.startIndex + 1)..<end], line[(end + 2)...])
  }

  /// The shape of the date and time at the start of a jrnl 1 line; `nil` if there is none.
  ///
  /// All dates of a file have the same: `2014-01-05 14:30 Title`.
  static func bareShape(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    guard line.first.map(ASCII.isDigit) == true else { return nil }
    let words = line.prefix(48).split(separator: 0x20, maxSplits: 4)
    for count in stride(from: min(words.count, 4), to: 1, by: -1) {
      let date = line[line.startIndex..<words[count - 1].endIndex]
      let isTimed = DateText.time(line[words[1].startIndex..<date.endIndex]) != nil
      switch DateText.read(date) {
      case .date(_, true, nil): return shape(date)
      case .ambiguous where isTimed, .impossible where isTimed: return shape(date)
      case .date, .other, .ambiguous, .impossible: continue
      }
    }
    return nil
  }

  /// Whether a line begins with a date of a shape, followed by white space or the end.
  static func has(_ line: ArraySlice<UInt8>, _ shape: [UInt8]) -> Bool {
    let date = line.prefix(shape.count)
    guard !shape.isEmpty, date.count == shape.count else { return false }
    let next = date.endIndex < line.endIndex ? line[date.endIndex] : 0x20
    return ASCII.isSpace(next) && self.shape(date) == shape
  }

  private static func shape(_ date: ArraySlice<UInt8>) -> [UInt8] {
    date.map { byte in
      ASCII.isDigit(byte) ? UInt8(ascii: "0") : ASCII.isLetter(byte) ? UInt8(ascii: "a") : byte
    }
  }
}
