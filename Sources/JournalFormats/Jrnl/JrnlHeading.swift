import Journal

/// How the entries of a file of jrnl begin, found by looking at all of it once.
struct JrnlForm {
  /// Whether dates stand in brackets, as they do since jrnl 2: the first entry of the file tells, as
  /// no file of jrnl 1 has an entry in brackets, and each bracket in it is somebody's text.
  private(set) var isBracketed = true
  /// The order of day and month where dates are written with slashes.
  private(set) var order: DateOrder?
  /// The shape of the dates of jrnl 1: digits as `0`, letters as `a`.
  private(set) var shape: [UInt8] = []
  /// The day that the path of a file of a folder journal names, which outweighs those in the file.
  let day: Day?

  /// Looks through the lines of a file.
  init(_ lines: TextLines, day: Day? = nil) {
    self.day = day
    var lines = lines
    var isKnown = false
    while let line = lines.next() {
      let content = lines.bytes[line.range]
      if let parts = JrnlHeading.bracketed(content), isBracketed {
        if order == nil { order = DateText.order(of: parts.date) }
        if !isKnown { isKnown = DateText.read(parts.date) != .other }
      } else if !isKnown, let shape = JrnlHeading.bareShape(content) {
        (isBracketed, isKnown, self.shape) = (false, true, shape)
      }
      if !isBracketed, order == nil, JrnlHeading.has(content, shape) {
        order = DateText.order(of: content.prefix(shape.count))
      }
      if isKnown, order != nil { return }
    }
  }
}

/// The first line of an entry of jrnl.
enum JrnlHeading {
  /// When, on a clock of which offset where the date names one, and what follows the date.
  case entry(WallTime, offset: Int?, rest: ArraySlice<UInt8>)
  /// It would be one, were its date a date; and why not.
  case problem(String)

  /// Reads a line; nothing when it belongs to the text of an entry.
  init?(_ line: ArraySlice<UInt8>, _ form: JrnlForm) {
    let date: ArraySlice<UInt8>
    let rest: ArraySlice<UInt8>
    if form.isBracketed {
      guard let parts = JrnlHeading.bracketed(line) else { return nil }
      (date, rest) = parts
    } else {
      guard JrnlHeading.has(line, form.shape) else { return nil }
      date = line.prefix(form.shape.count)
      rest = line[date.endIndex...]
    }
    let text = String(decoding: date, as: UTF8.self)
    switch DateText.read(date, order: form.order) {
    case .date(let time, _, let offset):
      let time = WallTime(day: form.day ?? time.day, second: time.second)
      self = .entry(time, offset: offset, rest: rest)
    case .ambiguous:
      self = .problem("the date \(text.excerpt) may be two days; write it as 2024-01-05")
    case .impossible: self = .problem("there is no date \(text.excerpt)")
    case .other:
      guard let day = form.day, let second = DateText.time(date) else { return nil }
      self = .entry(WallTime(day: day, second: second), offset: nil, rest: rest)
    }
  }

  /// Whether a line is such as a file of jrnl begins with.
  static func begins(_ line: ArraySlice<UInt8>) -> Bool {
    bracketed(line).map { DateText.read($0.date) != .other } ?? (bareShape(line) != nil)
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

  /// The shape of the date and time that begin a line of jrnl 1; `nil` for a line that begins with none.
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

  /// Whether a line begins with a date of a shape, and then white space or nothing.
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
